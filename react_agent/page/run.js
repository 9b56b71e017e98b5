const only = document.getElementById("only");
const help = document.getElementById("help");

// Addresses: #step-7, #prompt-7, and #step-7.2 in the run within step 7.

function follow() {
  const found = /^#(step|prompt)-((?:\d+\.)*)(\d+)$/.exec(location.hash);
  if (!found) return;
  const step = document.getElementById(`step-${found[2]}${found[3]}`);
  if (step && isLeftOut(step)) only.value = main.dataset.only = "";
  if (found[1] === "prompt") ask(found[2], Number(found[3]));
  else if (step) go(step);
}

function askHere() {
  const here = current();
  const found = /^step-((?:\d+\.)*)(\d+)$/.exec(here?.id ?? "");
  if (found) ask(found[1], Number(found[2]));
}

// The keys, buttons and choices.

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
  waiting = setTimeout(look, 30);
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
