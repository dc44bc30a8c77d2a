/** The page's own words in a person's language: one file for each, English where there is none. */
const LANGUAGES = { en: () => import("./texts/en.js"), de: () => import("./texts/de.js") };
const RIGHT_TO_LEFT = new Set(["ar", "ckb", "dv", "fa", "he", "ks", "ku", "ps", "sd", "ug", "ur", "yi"]);

const head = (locale) => (locale || "en").split("-")[0].toLowerCase();

/** The words for a locale such as `de-AT`, and the language that they are in. */
export async function textsOf(locale) {
  const language = head(locale) in LANGUAGES ? head(locale) : "en";
  return { words: (await LANGUAGES[language]()).default, language };
}

/** In which direction a locale is written. */
export const direction = (locale) => (RIGHT_TO_LEFT.has(head(locale)) ? "rtl" : "ltr");
