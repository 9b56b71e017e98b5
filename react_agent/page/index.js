const search = document.getElementById("search");
const outcome = document.getElementById("outcome");
const order = document.getElementById("order");
const count = document.getElementById("count");
const list = document.querySelector("#runs tbody");
const rows = [...list.rows];
const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));

function look() {
  const wanted = search.value.trim().toLowerCase();
  for (const row of rows) {
    const fits = !outcome.value || row.dataset.outcome === outcome.value;
    row.hidden = !fits || !texts.get(row).includes(wanted);
  }
  const left = rows.filter((row) => !row.hidden);
  document.querySelector(".nothing").hidden = left.length > 0;
  count.textContent = `${left.length} of ${counted(rows.length, "run")}`;
  colour("found", wanted ? left.flatMap((row) => rangesOf(wanted, row)).slice(0, MOST_MARKS) : []);
}

function sort() {
  const value = (row) => Number(row.dataset[order.value] ?? -1);
  list.append(...(order.value === "newest" ? rows : [...rows].sort((a, b) => value(b) - value(a))));
}

function step(by) {
  const links = [...list.querySelectorAll("tr:not([hidden]) a")];
  links[Math.min(Math.max(links.indexOf(document.activeElement) + by, 0), links.length - 1)]?.focus();
}

function leave() {
  search.value = "";
  search.blur();
  look();
}

onKeys({ "/": () => search.focus(), j: () => step(1), k: () => step(-1), Escape: leave });
search.addEventListener("input", look);
outcome.addEventListener("change", look);
order.addEventListener("change", sort);
document.querySelector(".tools").hidden = false;
look();
