const main = document.getElementById("run");
const search = document.getElementById("search");
const count = document.getElementById("count");
const only = document.getElementById("only");
const help = document.getElementById("help");
const dialog = document.getElementById("prompt");
const shown = document.getElementById("prompt-text");

// Steps: where one is, and where one goes.

const steps = () => [...main.querySelectorAll("article.step")].filter((one) => one.checkVisibility());
const place = (one) => one.getBoundingClientRect();

// The step that was gone to, as long as it is in sight; else the first that is.
function current() {
  const here = main.querySelector(".here");
  if (here && place(here).bottom > 0 && place(here).top < innerHeight) return here;
  const edge = place(document.querySelector(".tools")).bottom;
  return steps().find((one) => place(one).bottom > edge);
}

function enter(step) {
  main.querySelector(".here")?.classList.remove("here");
  step.classList.add("here");
  if (step.id) history.replaceState(null, "", `#${step.id}`);
}

function go(step) {
  reveal(step);
  enter(step);
  step.querySelector("a.n")?.focus({ preventScroll: true });
  step.scrollIntoView({ block: "start" });
}

function move(by) {
  const all = steps();
  const here = current();
  const at = here?.classList.contains("here") ? all.indexOf(here) + by : all.indexOf(here);
  if (all[at]) go(all[at]);
}

function reveal(one) {
  for (let outer = one.closest("details"); outer; outer = outer.parentElement.closest("details")) outer.open = true;
}

function fold(step) {
  const own = [...step.querySelectorAll("details:not(.sub)")].filter((one) => one.closest("article") === step);
  const open = own.some((one) => !one.open);
  for (const one of own) one.open = open;
}

const folding = document.getElementById("fold");

function foldAll() {
  const open = folding.textContent === "Unfold all";
  for (const one of main.querySelectorAll("details")) one.open = open;
  folding.textContent = open ? "Fold all" : "Unfold all";
}

// Search: in all that the page holds, whether it is folded or not.

const BLOCKS = ".objective, .thought, .conclusion, .tool, code.input, span.observation, pre, p.note, p.remark";
const MOST_PLACES = 10000;
const texts = new WeakMap(); // of blocks, without case
let wanted = "";
let places = []; // [block, which of the places in it]
let at = -1;

function textOf(block) {
  if (!texts.has(block)) texts.set(block, block.textContent.toLowerCase());
  return texts.get(block);
}

function look() {
  wanted = search.value.trim().toLowerCase();
  places = [];
  at = -1;
  if (wanted) for (const block of main.querySelectorAll(BLOCKS)) placesIn(block);
  tell();
  requestAnimationFrame(mark);
}

function placesIn(block) {
  const text = textOf(block);
  let from = text.indexOf(wanted);
  for (let n = 0; from >= 0 && places.length < MOST_PLACES; n += 1) {
    places.push([block, n]);
    from = text.indexOf(wanted, from + wanted.length);
  }
}

function tell() {
  const many = places.length < MOST_PLACES ? "" : "more than ";
  if (!wanted) count.textContent = "";
  else if (at < 0) count.textContent = places.length ? many + counted(places.length, "place") : "nowhere";
  else count.textContent = `${at + 1} of ${places.length.toLocaleString("en")}`;
}

function mark() {
  const found = [];
  const blocks = new Set(places.map(([block]) => block));
  for (const block of blocks) {
    if (found.length < MOST_MARKS && block.checkVisibility()) rangesOf(wanted, block, found);
  }
  colour("found", found);
  colour("current", at < 0 ? [] : [placed(at)].filter(Boolean));
}

const placed = (n) => rangesOf(wanted, places[n][0])[places[n][1]];

function find(by) {
  if (search.value.trim().toLowerCase() !== wanted) look();
  if (!places.length) return;
  at = at < 0 ? first(by) : (at + by + places.length) % places.length;
  const [block] = places[at];
  reveal(block);
  const step = block.closest("article");
  if (step) enter(step);
  scrollBy(0, place(placed(at) || block).top - innerHeight / 3);
  tell();
  mark();
}

// From where one is reading.
function first(by) {
  const from = current();
  const behind = places.findIndex(([block]) => !from || !(from.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_PRECEDING));
  if (by > 0) return Math.max(behind, 0);
  return (behind < 0 ? places.length : behind || places.length) - 1;
}

function leave() {
  if (document.activeElement !== search && !search.value) return false;
  search.value = "";
  search.blur();
  look();
  return true;
}

// Prompts: put together of what the page shows, to the letter.

const LABELS = { thought: "Thought", tool: "Action", input: "Action Input", conclusion: "Conclusion", observation: "Observation" };
let packed = null;
let asked = ["", 0]; // the run and the step of the prompt that is shown

function runs() {
  packed ??= JSON.parse(document.getElementById("prompts").textContent);
  return packed;
}

function wholeOf(id) {
  const said = document.getElementById(id).querySelector(":scope > .said");
  let text = "";
  for (const [looks, label] of Object.entries(LABELS)) {
    const own = said.querySelector(`.${looks}`)?.textContent;
    if (own !== undefined) text += `${label}:${own && own[0] !== "\n" ? " " : ""}${own}\n`;
  }
  return text;
}

function stepText(run, [step, , , head, middle, tail]) {
  const text = wholeOf(`step-${run}${step}`);
  return text.slice(0, head) + middle + text.slice(text.length - tail);
}

// Its parts in their order: [what it is, text, whether it is new].
function promptOf(name, number) {
  const run = runs()[name];
  const isIn = (since, until) => since <= number && number < until;
  const fixed = (title, pieces) => pieces
    .filter(([, since, until]) => isIn(since, until))
    .map(([text, since]) => [title, text, since === number]);
  const told = run.steps
    .filter(([, since, until]) => isIn(since, until))
    .map((piece) => [`Step ${piece[0]}`, stepText(name, piece), piece[1] === number]);
  const tail = run.tails[number].map((line) => run.lines[line]).join("\n");
  return [...fixed("Instructions", run.systems), ...fixed("Objective", run.tasks), ...told, ["At the end", tail, true]];
}

const SAYS = {
  true: "To the letter what the model saw: its fingerprint stands in the transcript.",
  false: "Not to the letter what the model saw: some of it came from settings that the transcript does not hold.",
  null: "The transcript does not say whether this is to the letter what the model saw.",
};

function ask(name, number) {
  const run = runs()[name];
  if (!run?.tails[number]) return;
  asked = [name, number];
  document.getElementById("prompt-title").textContent = `Prompt of step ${name}${number}`;
  document.getElementById("prompt-exact").textContent = run.problem || SAYS[run.exact[number]];
  const made = promptOf(name, number).filter(([, text]) => text).map(([title, text, isNew]) =>
    make("section", isNew ? "new" : "", make("h3", "", title), make("pre", "", text)));
  shown.replaceChildren(...made);
  document.getElementById("prompt-before").disabled = !beside(-1);
  document.getElementById("prompt-after").disabled = !beside(1);
  if (!dialog.open) dialog.showModal();
  shown.scrollTop = shown.scrollHeight;
  history.replaceState(null, "", `#prompt-${name}${number}`);
}

function beside(by) {
  const [name, number] = asked;
  const numbers = Object.keys(runs()[name].tails).map(Number).sort((a, b) => a - b);
  return numbers[numbers.indexOf(number) + by];
}

function turn(by) {
  const number = beside(by);
  if (number) ask(asked[0], number);
}

dialog.addEventListener("close", () => {
  shown.replaceChildren();
  const step = document.getElementById(`step-${asked.join("")}`);
  if (step) go(step);
});

// Addresses: #step-7, #prompt-7, and #step-7.2 in the run within step 7.

function follow() {
  const found = /^#(step|prompt)-((?:\d+\.)*)(\d+)$/.exec(location.hash);
  if (!found) return;
  const step = document.getElementById(`step-${found[2]}${found[3]}`);
  if (step && !step.checkVisibility()) only.value = main.dataset.only = "";
  if (found[1] === "prompt") ask(found[2], Number(found[3]));
  else if (step) go(step);
}

function askHere() {
  const here = current();
  const found = /^step-((?:\d+\.)*)(\d+)$/.exec(here?.id ?? "");
  if (found) ask(found[1], Number(found[2]));
}

// The chart: a line where the mouse is, and a click that goes there.

const plot = document.querySelector(".chart");
const hint = make("p", "hint");

function stepUnder(event) {
  const box = plot.querySelector("svg").getBoundingClientRect();
  const share = (event.clientX - box.left) / box.width;
  const all = main.querySelectorAll(":scope > .steps > article");
  return share >= 0 && share < 1 ? [all[Math.floor(share * plot.dataset.steps)], share * box.width] : [];
}

function hover(event) {
  const [step, x] = stepUnder(event);
  hint.hidden = !step;
  if (!step) return;
  const meta = [...step.querySelectorAll(":scope > .meta > *")].map((one) => one.textContent);
  hint.textContent = [`step ${step.id.slice(5)}`, ...meta].join(" · ");
  hint.style.setProperty("--at", `${x}px`);
}

if (plot) {
  hint.hidden = true;
  plot.append(hint);
  plot.addEventListener("pointermove", hover);
  plot.addEventListener("pointerleave", () => { hint.hidden = true; });
  plot.addEventListener("click", (event) => {
    const [step] = stepUnder(event);
    if (step) go(step);
  });
}

// What is done by which key, button, or choice.

const inDialog = (otherwise, meant) => () => (dialog.open ? meant() : help.open ? false : otherwise());
onKeys({
  j: inDialog(() => move(1), () => turn(1)),
  k: inDialog(() => move(-1), () => turn(-1)),
  n: inDialog(() => find(1), () => false),
  N: inDialog(() => find(-1), () => false),
  f: inDialog(() => { const here = current(); if (here) { enter(here); fold(here); } }, () => false),
  F: inDialog(foldAll, () => false),
  p: inDialog(askHere, () => dialog.close()),
  g: inDialog(() => scrollTo(0, 0), () => { shown.scrollTop = 0; }),
  G: inDialog(() => scrollTo(0, document.body.scrollHeight), () => { shown.scrollTop = shown.scrollHeight; }),
  "/": inDialog(() => { search.focus(); search.select(); }, () => false),
  "?": inDialog(() => help.showModal(), () => false),
  Escape: () => (dialog.open || help.open ? false : leave()),
});
let waiting = 0;
search.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(look, 60);
});
search.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  clearTimeout(waiting);
  find(event.shiftKey ? -1 : 1);
});
only.addEventListener("change", () => { main.dataset.only = only.value; });
folding.addEventListener("click", foldAll);
document.getElementById("keys").addEventListener("click", () => help.showModal());
document.getElementById("prompt-before").addEventListener("click", () => turn(-1));
document.getElementById("prompt-after").addEventListener("click", () => turn(1));
for (const button of document.querySelectorAll(".close")) button.addEventListener("click", () => button.closest("dialog").close());
main.addEventListener("toggle", () => { if (wanted) requestAnimationFrame(mark); }, true);
addEventListener("hashchange", follow);
document.querySelector(".tools").hidden = false;
follow();
