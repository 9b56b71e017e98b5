// The page of a running agent: new parts are added as they come, and the rest is not touched.

const NEAR = 160; // pixels from the end: a reader there wants to see what comes
const SHARE = 3; // wait this many times as long as the last update took
const standing = document.getElementById("live");
let source = null;
let isOver = false;
let isAsking = false;
let isStale = false;

// Return a copy without what the reader has opened or selected.
function bare(one) {
  const made = one.cloneNode(true);
  for (const inner of [made, ...made.querySelectorAll("[open], .here")]) {
    inner.removeAttribute("open");
    inner.classList.remove("here");
    if (inner.getAttribute("class") === "") inner.removeAttribute("class");
  }
  return made;
}

// Replace an element, and keep open what was open in the old one.
function standsFor(old, made) {
  const open = [...old.querySelectorAll("details")].map((one) => one.open);
  made.querySelectorAll("details").forEach((one, at) => { one.open = open[at] ?? false; });
  made.classList.toggle("here", old.classList.contains("here"));
  const focused = old.contains(document.activeElement);
  old.replaceWith(made);
  if (focused) made.querySelector("a.n")?.focus({ preventScroll: true });
}

function unfolded(made) {
  if (folding.textContent !== "Unfold all") for (const one of made.querySelectorAll("details")) one.open = true;
  return made;
}

function renew(now, next) {
  const before = [...now.children];
  const after = [...next.children].map((one) => document.importNode(one, true));
  after.forEach((one, at) => {
    if (!before[at]) now.append(unfolded(one));
    else if (!bare(before[at]).isEqualNode(one)) standsFor(before[at], one);
  });
  before.slice(after.length).forEach((one) => one.remove());
}

function behind(one) {
  const found = [];
  for (let next = one.nextElementSibling; next; next = next.nextElementSibling) found.push(next);
  return found;
}

function replaceAll(selector, next) {
  const coming = [...next.querySelectorAll(selector)];
  document.querySelectorAll(selector).forEach((one, at) => {
    if (coming[at]) one.replaceWith(document.importNode(coming[at], true));
  });
}

// Replace the chart. A young run has none.
function redraw(chart) {
  if (!chart) return;
  main.querySelector(":scope > section")?.remove();
  main.prepend(document.importNode(chart, true));
  readPlot();
}

function take(next) {
  const steps = main.querySelector(":scope > .steps");
  const coming = next.querySelector("#run > .steps");
  const isAtEnd = innerHeight + scrollY > document.documentElement.scrollHeight - NEAR;
  renew(steps, coming);
  for (const one of behind(steps)) one.remove();
  main.append(...behind(coming).map((one) => unfolded(document.importNode(one, true))));
  for (const selector of ["header > p", "header .facts"]) replaceAll(selector, next);
  redraw(next.querySelector("#run > section"));
  const chosen = only.value;
  only.replaceChildren(...[...next.querySelectorAll("#only > option")].map((one) => document.importNode(one, true)));
  only.value = chosen;
  packed = JSON.parse(next.getElementById("prompts").textContent);
  if (wanted) {
    const place = at;
    look();
    at = Math.min(place, places.length - 1);
    tell();
  }
  standing.textContent = next.getElementById("live") ? `live, step ${coming.querySelectorAll(":scope > article:not(.end)").length}` : "ended";
  if (isAtEnd) scrollTo(0, document.documentElement.scrollHeight);
}

function refresh() {
  isStale = true;
  if (isAsking) return;
  [isAsking, isStale] = [true, false];
  const began = performance.now();
  const request = new XMLHttpRequest();
  request.open("GET", location.pathname);
  request.responseType = "document"; // runs no script
  request.onload = () => { if (request.response?.getElementById("run")) take(request.response); };
  request.onloadend = () => setTimeout(() => {
    isAsking = false;
    if (isStale) refresh();
  }, SHARE * (performance.now() - began));
  request.send();
}

function listen() {
  source = new EventSource(location.pathname.replace(/\.html$/, ".news"));
  source.addEventListener("message", refresh);
  source.addEventListener("over", () => {
    isOver = true;
    source.close();
    refresh();
  });
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) standing.textContent = "no longer served";
  });
}

// A browser keeps few connections to one server, so a hidden page closes its own.
document.addEventListener("visibilitychange", () => {
  if (isOver) return;
  if (document.hidden) source.close();
  else listen();
});
listen();
