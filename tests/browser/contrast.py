"""Texts that are too pale to be read, those of drawings too, which axe-core passes over."""

from playwright.sync_api import Page

READABLE = 4.5  # the contrast of small text that guidelines ask for


def pale(page: Page) -> list[str]:
    found = page.evaluate(_CONTRASTS)
    assert found, "no text can be seen"
    return [f"{one['contrast']:.1f}: {one['text']}" for one in found if one["contrast"] < READABLE]


# The contrast of every visible text with what is behind it.
_CONTRASTS = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((v) => v / 255)
      .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    for (; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (!/, 0\\)$/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !one.checkVisibility()) continue;
    const style = getComputedStyle(one);
    const text = light(one instanceof SVGElement ? style.fill : style.color);
    const [a, b] = [text, light(behind(one))].sort((x, y) => y - x);
    found.push({ text: walker.currentNode.data.slice(0, 30), contrast: (a + 0.05) / (b + 0.05) });
  }
  return found;
}"""
