const main = document.getElementById("run");

// Steps: the current one, and going to others.

// Does not ask the browser, which would lay out parts that nobody has scrolled to yet.
const isFolded = (one) => one.closest("details:not([open])") !== null;
const isLeftOut = (step) => main.dataset.only && !step.matches(`[data-kinds~="${main.dataset.only}"]`);
const steps = () => [...main.querySelectorAll("article.step")].filter((one) => !isFolded(one) && !isLeftOut(one));
const place = (one) => one.getBoundingClientRect();

// Return the step that was last gone to if it is in sight, else the first one in sight.
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
