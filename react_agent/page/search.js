const search = document.getElementById("search");
const count = document.getElementById("count");

// Search in the whole page, also in folded parts.

const BLOCKS = "p.objective, .thought, .conclusion, .tool, code.input, span.observation, pre, p.note, p.remark";
const MOST_PLACES = 10000;
const texts = new WeakMap(); // the text of each block, in lower case
let wanted = "";
let places = []; // [block, the number of the place in it]
let at = -1;

function textOf(block) {
  if (!texts.has(block)) texts.set(block, block.textContent.toLowerCase());
  return texts.get(block);
}

// Read all texts before the first letter is typed, so that it is found as fast as the others.
search.addEventListener("focus", () => { for (const block of main.querySelectorAll(BLOCKS)) textOf(block); });

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
    if (found.length < MOST_MARKS && !isFolded(block)) rangesOf(wanted, block, found);
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

// Return the first place from the current step on.
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
