const tools = document.querySelector(".tools");
const list = document.querySelector(".rows");
const search = document.getElementById("search");
const count = document.getElementById("count");
const nothing = document.querySelector(".nothing");
const choices = ["outcome", "kind", "arm"].map((name) => document.getElementById(name));
const rows = [...list.children];
const indexes = new Map(); // what a row is searched by: [step, text], without case

// The run of an attempt waits in a template: nothing of it is laid out before it is asked for.
const inner = (row) => row.querySelector("template").content;
const stepsIn = (part) => [...part.querySelectorAll(".transcript > .steps > article.step")];
const numberOf = (step) => Number(/\d+$/.exec(step.id)[0]);

function draw(row) {
  if (row.dataset.drawn) return;
  row.dataset.drawn = "yes";
  const part = inner(row).cloneNode(true);
  for (const step of stepsIn(part)) step.dataset.step = numberOf(step);
  for (const one of part.querySelectorAll("[id^='step-']")) one.id = `${row.id}:${one.id.slice(5)}`;
  for (const link of part.querySelectorAll("a[href^='#step-']")) link.hash = `${row.id}:${link.hash.slice(6)}`;
  for (const link of part.querySelectorAll("a[href^='#prompt-']")) link.replaceWith(make("span", "", link.textContent));
  row.querySelector(".body").append(part);
  mark();
}

function index(row) {
  if (!indexes.has(row)) {
    const steps = stepsIn(inner(row));
    const texts = steps.map((step) => [numberOf(step), step.textContent]);
    const others = [...inner(row).querySelectorAll("pre, p, li")].filter((one) => !one.closest("article.step"));
    texts.push([0, [row.querySelector("summary"), row.querySelector(".body p"), ...others].map((one) => one?.textContent).join("\n")]);
    indexes.set(row, texts.map(([step, text]) => [step, text.toLowerCase()]));
  }
  return indexes.get(row);
}

let asked = 0; // searches, to leave one that is overtaken
let wanted = "";
let places = []; // [row, step] that the search found
let current = -1;

const fits = (row) => choices.every((one) => !one || !one.value || row.dataset[one.id] === one.value);
const breathe = () => new Promise((go) => { setTimeout(go); });

async function look() {
  const mine = ++asked;
  wanted = search.value.trim().toLowerCase();
  const found = [];
  const shown = new Set();
  let paused = performance.now();
  for (const row of rows) {
    if (!fits(row)) continue;
    if (!wanted) shown.add(row);
    else {
      const steps = index(row).filter(([, text]) => text.includes(wanted)).map(([step]) => step);
      if (steps.length) shown.add(row);
      steps.sort((a, b) => a - b).forEach((step) => found.push([row, step]));
    }
    if (performance.now() - paused > 30) {
      await breathe();
      if (mine !== asked) return;
      paused = performance.now();
    }
  }
  places = sorted(found);
  current = -1;
  for (const row of rows) row.hidden = !shown.has(row);
  nothing.hidden = shown.size > 0;
  const where = wanted && places.length ? `, in ${counted(places.length, "place")}` : "";
  count.textContent = `${shown.size} of ${counted(rows.length, "attempt")}${where}`;
  mark();
}

// As they stand on the page now.
function sorted(found) {
  const place = new Map([...list.children].map((row, at) => [row, at]));
  return found.sort((a, b) => place.get(a[0]) - place.get(b[0]) || a[1] - b[1]);
}

function mark() {
  const found = [];
  const open = wanted ? list.querySelectorAll(".attempt[open]:not([hidden])") : [];
  for (const row of open) rangesOf(wanted, row, found);
  colour("found", found);
}

function go(by) {
  if (!places.length) return;
  const from = current < 0 && by < 0 ? 0 : current;
  current = (from + by + places.length) % places.length;
  const [row, step] = places[current];
  show(row, step);
  count.textContent = `${current + 1} of ${counted(places.length, "place")}`;
}

function show(row, step) {
  row.open = true;
  draw(row);
  document.querySelector(".here")?.classList.remove("here");
  const target = (step && row.querySelector(`[data-step="${step}"]`)) || row;
  target.classList.add("here");
  for (const one of target.querySelectorAll("details")) {
    const has = wanted && one.textContent.toLowerCase().includes(wanted);
    if (step ? has || !wanted : has && !one.closest(".step")) one.open = true;
  }
  mark();
  target.scrollIntoView({ block: "start" });
}

function follow() {
  const [name, step] = decodeURIComponent(location.hash.slice(1)).split(":");
  const row = rows.find((one) => one.id === name);
  if (!row) return;
  if (row.hidden) clear();
  show(row, Number(step) || 0);
  row.querySelector("summary").focus({ preventScroll: true });
}

function clear() {
  search.value = "";
  for (const one of choices) if (one) one.value = "";
  look();
  for (const row of rows) row.hidden = false;
}

function step(by) {
  const shown = [...list.children].filter((row) => !row.hidden);
  const at = shown.indexOf(document.activeElement?.closest?.(".attempt"));
  const next = shown[Math.min(Math.max(at + by, 0), shown.length - 1)];
  next?.querySelector("summary").focus();
}

function escape() {
  if (document.activeElement === search || search.value) {
    search.value = "";
    search.blur();
    look();
    return;
  }
  const row = document.activeElement?.closest?.(".attempt");
  if (row) {
    row.open = false;
    row.querySelector("summary").focus();
  }
}

onKeys({ "/": () => search.focus(), j: () => step(1), k: () => step(-1), Escape: escape });

let waiting = 0;
search.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(look, 120);
});
search.addEventListener("keydown", async (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  clearTimeout(waiting);
  if (search.value.trim().toLowerCase() !== wanted) await look();
  go(event.shiftKey ? -1 : 1);
});
for (const one of choices) one?.addEventListener("change", look);
list.addEventListener("toggle", (event) => {
  if (!event.target.matches(".attempt")) return;
  if (event.target.open) {
    draw(event.target);
    if (!location.hash.startsWith(`#${event.target.id}`)) history.replaceState(null, "", `#${event.target.id}`);
  }
  mark();
}, true);
for (const button of document.querySelectorAll("[data-kind]")) {
  if (button.matches("button")) button.addEventListener("click", () => {
    const kind = document.getElementById("kind");
    if (kind) kind.value = button.dataset.kind;
    look();
    document.getElementById("attempts").scrollIntoView();
  });
}
addEventListener("hashchange", follow);
tools.hidden = false;
look();
follow();
