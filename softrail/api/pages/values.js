/** Whether what was given in a form fits what a JSON schema asks for. */

/** What a filled-in field says, as JSON, or why it says nothing: `{value}` or `{wrong}`. `raw` is text, or what was chosen. */
export function valueOf(field, raw, texts) {
  if (field.kind === "many") return bounded(raw, field.schema, texts);
  if (field.kind === "choice") return raw === "" ? { wrong: texts.needed } : { value: field.options[raw] };
  const text = raw.trim();
  if (field.kind === "lines") return lines(field, text, texts);
  if (!text) return { wrong: texts.needed };
  if (field.kind === "number") return number(field.schema, text, texts);
  if (field.kind === "date" || field.kind === "time") return { value: text };
  if (field.kind === "moment") return moment(text, texts);
  const { minLength = 0, maxLength = Infinity } = field.schema;
  if (text.length < minLength) return { wrong: texts.too_short(minLength) };
  if (text.length > maxLength) return { wrong: texts.too_long(maxLength) };
  return { value: text };
}

function lines(field, text, texts) {
  const found = [];
  for (const line of text.split("\n").filter((one) => one.trim())) {
    const one = valueOf(field.item, line, texts);
    if (one.wrong) return { wrong: `${line.trim()}: ${one.wrong}` };
    found.push(one.value);
  }
  return bounded(found, field.schema, texts);
}

function bounded(found, schema, texts) {
  if (!found.length) return { wrong: texts.needed };
  if (found.length < (schema.minItems ?? 0)) return { wrong: texts.too_few(schema.minItems) };
  if (found.length > (schema.maxItems ?? Infinity)) return { wrong: texts.too_many(schema.maxItems) };
  return { value: found };
}

function number(schema, text, texts) {
  const found = Number(text.replace(",", "."));
  if (!Number.isFinite(found)) return { wrong: texts.no_number };
  if (schema.type === "integer" && !Number.isInteger(found)) return { wrong: texts.whole_number };
  const least = schema.minimum ?? schema.exclusiveMinimum;
  const most = schema.maximum ?? schema.exclusiveMaximum;
  if (least !== undefined && found < least) return { wrong: texts.at_least(least) };
  if (most !== undefined && found > most) return { wrong: texts.at_most(most) };
  return { value: found };
}

/** A day and a time as the person's clock has them, with the difference of that clock to UTC. */
function moment(text, texts) {
  const when = new Date(text);
  if (Number.isNaN(when.getTime())) return { wrong: texts.no_date };
  const minutes = -when.getTimezoneOffset();
  const two = (n) => String(Math.trunc(Math.abs(n))).padStart(2, "0");
  return { value: `${text.length === 16 ? `${text}:00` : text}${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}` };
}

/** Bytes as people read them. */
export function size(bytes) {
  const units = ["B", "kB", "MB", "GB"];
  let n = 0;
  for (; bytes >= 1000 && n < 3; n += 1) bytes /= 1000;
  return `${Math.round(bytes * 10) / 10} ${units[n]}`;
}

/** A day or a moment as people read it, which the history shows in place of the value; null for anything else. */
export function inWords({ kind }, value, locale) {
  const how = { date: { timeZone: "UTC" }, moment: { timeStyle: "short" } }[kind];
  // English without a country is written as the answers are.
  return how ? new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, { dateStyle: "long", .../** @type {any} */ (how) }).format(new Date(value)) : null;
}

/** What was chosen of a few as their buttons call it, in the same order; anything else as it is. */
export function called({ kind, options }, value, choices) {
  return kind === "many" ? value.map((one) => choices[options.indexOf(one)]?.label ?? one) : value;
}
