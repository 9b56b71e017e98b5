const tools = document.querySelector(".tools");
const list = document.querySelector(".rows");
const search = document.getElementById("search");
const count = document.getElementById("count");
const nothing = document.querySelector(".nothing");
const choices = ["outcome", "kind", "arm"].map((name) => document.getElementById(name));
const order = document.getElementById("order");
const rows = [...list.children];
const known = new Map(); // what is told of a row
const indexes = new Map(); // what it is searched by: [step, text], without case

function told(row) {
  if (!known.has(row)) {
    known.set(row, JSON.parse(document.getElementById(`told-${row.id}`).textContent));
  }
  return known.get(row);
}

const LINES = 12; // that are shown of an input without folding it

function lines(text) {
  return text ? text.split("\n").length : 0;
}

const isDiff = (text) => /^(diff --git |--- |\*\*\* Begin Patch|@@ )/m.test(text);

function code(text) {
  if (!isDiff(text)) return make("pre", "", text);
  const looks = { "+": "added", "-": "taken", "@": "place" };
  const look = (line) => (/^(\+\+\+|---) /.test(line) ? "place" : looks[line[0]] || "");
  return make("pre", "diff", ...text.split("\n").map((line) => make("span", look(line), line || " ", "\n")));
}

function fold(title, size, inner, looks) {
  return make("details", looks,
    make("summary", "", make("span", "", title), make("small", "", size)), inner);
}

function firstLine(text) {
  const line = text.split("\n").find((one) => one.trim()) || "nothing";
  return line.length > 200 ? `${line.slice(0, 199)}…` : line.trim();
}

function seen(step) {
  const bad = step.status === "failed" ? "seen failed" : "seen";
  if (lines(step.seen) < 2 && step.seen.length < 200) {
    return make("p", bad, step.seen || "nothing");
  }
  return fold(firstLine(step.seen), counted(lines(step.seen), "line"), make("pre", "", step.seen), bad);
}

function call(step) {
  const size = lines(step.input);
  const name = make("b", "", step.tool);
  if (step.tool === "Conclusion") return make("div", "call", name, make("p", "prose", step.input));
  if (size < 2) return make("p", "call", name, " ", make("code", "", step.input));
  if (size <= LINES || isDiff(step.input)) return make("div", "call", name, code(step.input));
  return make("div", "call", name, fold(firstLine(step.input), counted(size, "line"), code(step.input)));
}

function notes(texts) {
  return texts.map((text) => make("p", "note", text));
}

function stepOf(step, place) {
  const number = make("a", "n", step.n);
  number.href = place ? `#${place}:${step.n}` : "#attempts";
  const back = step.marks.includes("taken back") ? " back" : "";
  const made = make("section", `step ${step.status}${back}`, number, make("div", "said",
    step.thought && make("p", "prose", step.thought), step.tool && call(step), seen(step),
    ...step.marks.map((mark) => make("p", "remark", mark)),
    step.sub && fold("a run of its own", "", make("div", "", ...run(step.sub, "")), "sub"),
    ...notes(step.notes)));
  if (place) made.dataset.step = step.n;
  return made;
}

function run(value, place) {
  if (value.missing) return [make("p", "note", value.missing)];
  const issue = [value.objective, value.about].filter(Boolean).join("\n\n");
  const half = value.left ? Math.ceil(value.steps.length / 2) : value.steps.length;
  const part = (from, to) => value.steps.slice(from, to).map((step) => stepOf(step, place));
  return [
    fold("What was asked", firstLine(value.objective), make("pre", "prose", issue), "asked"),
    ...notes(value.before), ...part(0, half), value.left && make("p", "note", value.left), ...part(half),
    value.conclusion && make("section", "step end", make("span", "n", "■"),
      make("div", "said", make("p", "prose", value.conclusion))),
    value.stop && make("p", "note", value.stop),
  ].filter(Boolean);
}

function tests(groups) {
  const some = groups.filter(([, names]) => names.length);
  const sizes = some.map(([name, names]) => `${names.length} ${name}`).join(", ");
  const named = some.map(([name, names]) =>
    make("div", name === "fixed" || name === "kept" ? "good" : "bad",
      make("h3", "", name), make("ul", "", ...names.map((one) => make("li", "", one)))));
  return some.length ? [fold("Tests", sizes, make("div", "tests", ...named))] : [];
}

function draw(row) {
  if (row.dataset.drawn) return;
  row.dataset.drawn = "yes";
  const value = told(row);
  const body = row.querySelector(".body");
  body.append(...tests(value.tests));
  if (value.patch) body.append(fold("Patch", counted(lines(value.patch), "line"), code(value.patch), "patch"));
  if (value.log) body.append(fold("What the tests printed", counted(lines(value.log), "line"), make("pre", "", value.log), "log"));
  body.append(make("div", "transcript", ...run(value, row.id)));
  mark();
}

function index(row) {
  if (!indexes.has(row)) {
    const value = told(row);
    const texts = (value.steps || []).map((step) =>
      [step.n, [step.thought, step.tool, step.input, step.seen, ...step.notes, ...step.marks].join("\n")]);
    texts.push([0, [row.querySelector("summary").textContent, row.querySelector(".body p")?.textContent,
      value.objective, value.conclusion, value.patch, value.log, ...value.tests.flat(2)].join("\n")]);
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
  current = (current + by + places.length) % places.length;
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

function sort() {
  const by = order.value;
  const value = (row) => Number(row.dataset[by]);
  list.append(...(by === "issue" ? rows : [...rows].sort((a, b) => value(b) - value(a))));
  if (by === "issue") delete list.dataset.order;
  else list.dataset.order = by;
  places = sorted(places);
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
order.addEventListener("change", sort);
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
