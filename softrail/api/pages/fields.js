/** The form of an answer: what a JSON schema asks for, as fields, and whether what is in them fits. */

/** What a schema asks for: `{kind, schema, …}`; null where words are the better answer. */
export function fieldOf(schema) {
  const told = plain(schema);
  if (!told) return null;
  const of = (kind, more = {}) => ({ kind, schema: told, ...more });
  if (told.enum) return of("choice", { options: told.enum });
  switch (told.type) {
    case "boolean":
      return of("choice", { options: [true, false] });
    case "integer":
    case "number":
      return of("number");
    case "string":
      return of({ attachment: "file", date: "date", time: "time", "date-time": "moment" }[told.format] ?? "text");
    case "array":
      return listOf(told, of);
    default:
      return null;
  }
}

function listOf(schema, of) {
  const item = fieldOf(schema.items ?? {});
  if (item?.kind === "choice") return of("many", { options: item.options });
  if (item?.kind === "file") return of("file", { many: true, schema: { ...item.schema, ...schema } });
  return item && ["text", "number", "date"].includes(item.kind) ? of("lines", { item }) : null;
}

/** A schema with the one form that a value has in it, and whether there may be none. */
function plain(schema) {
  if ("const" in schema) return { ...schema, enum: [schema.const] };
  const ways = schema.anyOf;
  if (!ways) return schema;
  const some = ways.filter((way) => way.type !== "null");
  const found = some.length === 1 ? plain(some[0]) : mixed(some);
  return found && { ...found, ...schema };
}

/** A number that may also come as text is a number to people. */
function mixed(ways) {
  const number = ways.find((way) => way.type === "number" || way.type === "integer");
  return number && ways.every((way) => way === number || way.type === "string") ? number : null;
}

/** Whether a form is better than words: a date is, a sentence is not. */
export const helps = (field) => !["text", "lines"].includes(field.kind);

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
