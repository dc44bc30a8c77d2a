// A page without a window: elements, keys and clicks for clients that draw their chat; time and the network are Node's.
import { JSDOM } from "jsdom";

process.env.NODE_ENV = "production"; // as people have them

const LONGEST = 120_000; // milliseconds; only what never comes takes that long
const { window } = new JSDOM("<!doctype html><html lang=en><body></body></html>", {
  pretendToBeVisual: true,
  url: "http://localhost/",
});

class Unmeasured {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.ResizeObserver = window.IntersectionObserver = Unmeasured; // nothing has a size here
window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} });
window.Element.prototype.scrollTo = window.Element.prototype.scrollIntoView = () => {};
for (const name of Object.getOwnPropertyNames(window)) {
  if (!(name in globalThis)) globalThis[name] = window[name];
}
Object.defineProperty(globalThis, "navigator", { value: window.navigator, configurable: true });
Object.assign(globalThis, { window, Event: window.Event, CustomEvent: window.CustomEvent });

/** Returns once that is so. */
export const until = async (so, what) => {
  for (const end = Date.now() + LONGEST; !so(); ) {
    if (Date.now() > end) throw new Error(`${what}: that is never so`);
    await new Promise((done) => setTimeout(done, 5));
  }
};

/** A place of the document for a page of its own. */
export const place = () => document.body.appendChild(document.createElement("div"));

const setValue = Object.getOwnPropertyDescriptor(window.HTMLTextAreaElement.prototype, "value").set;

/** Writes that into the box and presses Enter until it is taken: never in an empty box, where that may stop an answer. */
export const type = async (box, words) => {
  setValue.call(box(), words);
  box().dispatchEvent(new window.Event("input", { bubbles: true }));
  await until(() => {
    if (box().value === "") return true;
    box().dispatchEvent(new window.KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    return false;
  }, `“${words}” is taken`);
};
