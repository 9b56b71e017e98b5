import { fetchItems, saveItem } from "./api.js";
import { render } from "./view.js";

const state = { items: [], filter: "open", loading: false };

export async function load() {
  state.loading = true;
  render(state);
  try {
    state.items = await fetchItems();
  } catch (error) {
    console.error("could not load", error);
  }
  state.loading = false;
  render(state);
}

export function visibleItems() {
  if (state.filter === "all") {
    return state.items;
  }
  return state.items.filter((item) => item.tags.includes(state.filter));
}

export async function add(name) {
  const item = { name, tags: [], done: false };
  state.items.push(item);
  await saveItem(item);
  render(state);
}

export function setFilter(filter) {
  state.filter = filter;
  render(state);
}
