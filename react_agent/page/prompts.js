const dialog = document.getElementById("prompt");
const shown = document.getElementById("prompt-text");

// Prompts: put together exactly, from the texts that the page shows.

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

// Return the parts of a prompt in order: [title, text, whether it is new].
function promptOf(name, number) {
  const run = runs()[name];
  const isIn = (since, until) => since <= number && number < until;
  const fixed = (title, pieces) => pieces
    .filter(([, since, until]) => isIn(since, until))
    .map(([text, since]) => [title, text, since === number]);
  const told = run.steps
    .filter(([, since, until]) => isIn(since, until))
    .map(([step, since, , text]) => [`Step ${step}`, text ?? wholeOf(`step-${name}${step}`), since === number]);
  const tail = run.tails[number].map((line) => run.lines[line]).join("\n");
  return [...fixed("Instructions", run.systems), ...fixed("Objective", run.tasks), ...told, ["At the end", tail, true]];
}

const SAYS = {
  true: "To the letter what the model saw: its fingerprint stands in the transcript.",
  false: "Not to the letter what the model saw: some of it came from settings that the transcript does not hold.",
  guided: "Not what the model saw: the guide asked it for one function instead.",
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
  shown.focus();
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
