/** What numbers, times and names of the record are called. */

export const LACKS = {
  records: "records of other conversations",
  projects: "the person's projects",
  files: "the content of files",
  people: "other people's parts",
  deliveries: "what was delivered after a turn",
  model: "the language model",
  interrupted: "turns that were interrupted",
};

export const TIERS = {
  hint: "the client named it",
  exemplars: "it is like the examples",
  model: "the language model read it",
  floor: "it was the nearest of several",
  default: "nothing was near enough",
  answer: "the person chose it",
  pattern: "a process knows the words",
  slash: "a slash word of a process",
};

export const STATES = ["offered", "active", "suspended", "completed", "declined", "lapsed", "abandoned", "expired", "failed"];

/** @type {[string, number][]} */
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** How long something took or is ago, in its largest unit: “31 minutes”. */
export function length(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [unit, size] = UNITS.find(([, one]) => seconds >= one) ?? UNITS[UNITS.length - 1];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** A moment as the record has it, to the second. */
export const moment = (text) => (text ? `${text.slice(0, 10)} ${text.slice(11, 19)} UTC` : "");

export const json = (value) => JSON.stringify(value, null, 2);

/** A value in one line: text as it is, anything else as JSON. */
export const brief = (value) => (typeof value === "string" ? value : JSON.stringify(value));

export const percent = (share) => `${Math.round(share * 100)} %`;

/** Text as one word of a shell. */
export const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
