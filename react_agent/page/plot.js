// The chart: a line at the mouse, and a click that goes to the step.

let plot = null;
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
  hint.replaceChildren(make("span", "", [`step ${step.id.slice(5)}`, ...meta].join(" · ")));
  hint.classList.toggle("right", x > place(plot).width / 2);
  hint.style.setProperty("--at", `${x}px`);
}

function readPlot() {
  plot = document.querySelector(".chart");
  if (!plot) return;
  hint.hidden = true;
  plot.append(hint);
  plot.addEventListener("pointermove", hover);
  plot.addEventListener("pointerleave", () => { hint.hidden = true; });
  plot.addEventListener("click", (event) => {
    const [step] = stepUnder(event);
    if (step) go(step);
  });
}

readPlot();
