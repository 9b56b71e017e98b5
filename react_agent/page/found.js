"use strict";

// What all pages share: elements, coloured places of a text, and keys.

// Make an element. Strings become text nodes, never HTML.
const make = (name, looks, ...inner) => {
  const made = document.createElement(name);
  if (looks) made.className = looks;
  made.append(...inner.filter((part) => part || part === 0));
  return made;
};

const MOST_MARKS = 2000;

function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

// Return the ranges of a lower-case text in an element.
function rangesOf(wanted, inside, found = []) {
  const walker = document.createTreeWalker(inside, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && found.length < MOST_MARKS) {
    const text = walker.currentNode.data.toLowerCase();
    if (text.length !== walker.currentNode.data.length) continue;
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = new Range();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + wanted.length);
      found.push(range);
    }
  }
  return found;
}

function colour(name, ranges) {
  if (CSS.highlights) CSS.highlights.set(name, new Highlight(...ranges));
}

// Bind single keys. While somebody types in a field, only Escape works.
function onKeys(keys) {
  document.addEventListener("keydown", (event) => {
    const writes = event.target.matches("input, select");
    if (event.ctrlKey || event.metaKey || event.altKey || (writes && event.key !== "Escape")) return;
    if (!Object.hasOwn(keys, event.key)) return;
    if (keys[event.key]() !== false) event.preventDefault();
  });
}
