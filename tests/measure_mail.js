// Measures pages in frames, one after another: widths, pictures, type sizes and contrast, as a reader would see them.
// PAGES is [{name, html, width}]; at the end the body is RESULT, what was found by name as JSON, END.
"use strict";

const found = {};

function next() {
  const page = PAGES.shift();
  if (!page) {
    document.body.textContent = "RESULT" + JSON.stringify(found) + "END";
    return;
  }
  const frame = document.createElement("iframe");
  frame.style = `width:${page.width}px;height:800px;border:0;color-scheme:light dark`;
  frame.onload = () => {
    const inside = frame.contentDocument;
    found[page.name] = measured(inside, frame.contentWindow, page.width);
    frame.remove();
    next();
  };
  frame.srcdoc = page.html;
  document.body.append(frame);
}

function measured(inside, view, width) {
  const texts = shownTexts(inside, view);
  return {
    dark: view.matchMedia("(prefers-color-scheme: dark)").matches,
    scrollWidth: inside.documentElement.scrollWidth,
    outside: [...inside.querySelectorAll("body *")]
      .filter((each) => each.getBoundingClientRect().right > width + 1 && !each.closest(".scroll, pre"))
      .map((each) => each.outerHTML.slice(0, 80)),
    pictures: [...inside.images].map((image) => ({
      natural: [image.naturalWidth, image.naturalHeight],
      shown: [image.offsetWidth, image.offsetHeight],
      alt: image.alt,
    })),
    texts: texts.length,
    small: texts.filter((text) => text.size < (text.raised ? 11 : 13)).map((text) => `${text.size}px: ${text.words}`),
    faint: texts
      .filter((text) => text.contrast < 4.5)
      .map((text) => `${text.contrast.toFixed(2)} (${text.ink} on ${text.ground}): ${text.words}`),
    wide: texts.flatMap((text) => text.wide),
    inks: [...new Set(texts.map((text) => `${text.ink} on ${text.ground}`))],
  };
}

function shownTexts(inside, view) {
  const walker = inside.createTreeWalker(inside.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const words = node.data.trim().slice(0, 40);
    if (!words || element.closest("style, title, script") || !element.checkVisibility()) continue;
    const style = view.getComputedStyle(element);
    const ground = groundOf(element, view);
    const ink = over(channels(style.color), ground);
    texts.push({
      words,
      raised: element.closest("sup, sub") !== null,
      size: parseFloat(style.fontSize),
      contrast: contrast(ink, ground),
      ink: `${ink.slice(0, 3)}`,
      ground: `${ground.slice(0, 3)}`,
      wide: wideQuotes(node, element, parseFloat(style.fontSize)),
    });
  }
  return texts;
}

// Curly quotes of English text as wide as a Han character: they come from a Chinese face.
function wideQuotes(node, element, size) {
  if (!element.closest("[lang]")?.lang.startsWith("en")) return [];
  const range = node.ownerDocument.createRange();
  return [...node.data.matchAll(/[‘’“”]/g)]
    .filter(({ index }) => {
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      return range.getBoundingClientRect().width > 0.6 * size;
    })
    .map(({ index }) => node.data.slice(Math.max(0, index - 20), index + 2));
}

function groundOf(element, view) {
  const layers = [];
  for (let each = element; each; each = each.parentElement) {
    const color = channels(view.getComputedStyle(each).backgroundColor);
    layers.push(color);
    if (color[3] === 1) break;
  }
  return layers.reduceRight((ground, layer) => over(layer, ground), [255, 255, 255, 1]);
}

function channels(color) {
  const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g).map(Number);
  return [red, green, blue, alpha];
}

function over([red, green, blue, alpha], ground) {
  return [red, green, blue].map((channel, index) => channel * alpha + ground[index] * (1 - alpha)).concat(1);
}

function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

// WCAG 2.2, relative luminance
function luminance(color) {
  const [red, green, blue] = color
    .slice(0, 3)
    .map((channel) => channel / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

next();
