/* Models in PICT's language, as parts that a form can edit, and back; tables of rows. The text is what counts: lines that
 * the form does not know (comments, sub-models) stay as they are.
 *
 * PICT has no relations beside sub-models. A relation is a comment, `# relation: A, B, C @ 3`, so that other tools can read
 * the model, too. */

const isConstraint = (line) => /^\s*(\[|\(|IF\s*(\[|\(|NOT\b|IS)|NOT\s*[[(]|IS(NEGATIVE|POSITIVE)\s*\()/i.test(line);

const parseLine = (line) => {
  const relation = /^\s*#\s*relation:\s*(.*?)\s*@\s*(\d*)\s*$/.exec(line);
  if (relation)
    return { kind: "relation", members: relation[1], strength: relation[2] };
  const colon = line.indexOf(":");
  if (colon < 0 || /^\s*[#{]/.test(line))
    return { kind: "other", text: line };
  return { kind: "parameter", name: line.slice(0, colon).trim(), values: line.slice(colon + 1).trim() };
};

export const parseModel = (text) => {
  const lines = text.replace(/\r/g, "").split("\n");
  const first = lines.findIndex(isConstraint), end = first < 0 ? lines.length : first;
  const parts = lines.slice(0, end).map(parseLine);
  while (parts.length && parts.at(-1).kind === "other" && !parts.at(-1).text.trim())
    parts.pop();
  return { parts, constraints: lines.slice(end).join("\n").trimEnd() };
};

const lineOf = (part) => part.kind === "parameter" ? `${part.name}: ${part.values}`
  : part.kind === "relation" ? `# relation: ${part.members} @ ${part.strength}` : part.text;

export const printModel = ({ parts, constraints }) => `${parts.map(lineOf).join("\n")}\n${constraints.trim() ? `\n${constraints}\n` : ""}`;

/* As --relation takes them; one that is not filled in yet does not count. */
export const relationsOf = ({ parts }) => parts.filter((part) => part.kind === "relation" && part.members.trim() && part.strength)
  .map((part) => `${part.members}@${part.strength}`).join(";");

/* A parameter without a name or values is being typed: it is left out until then. */
export const isBeingTyped = (part) => part.kind === "parameter" && (!part.name || !part.values);

/* The cells of a table with a header line, with tabs, or with commas and the quotes of CSV. */
export const parseTable = (text) => {
  const separator = text.split("\n", 1)[0].includes("\t") ? "\t" : ",";
  const rows = [[""]];
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i], row = rows.at(-1);
    if (quoted && char === '"' && text[i + 1] === '"')
      row[row.length - 1] += text[i++];
    else if (char === '"' && separator === "," && (quoted || !row.at(-1)))
      quoted = !quoted;
    else if (!quoted && char === separator)
      row.push("");
    else if (!quoted && char === "\n")
      rows.push([""]);
    else if (char !== "\r")
      row[row.length - 1] += char;
  }
  return rows.filter((row) => row.some(Boolean));
};

export const printTable = (rows) => rows.map((row) => `${row.join("\t")}\n`).join("");

/* A model whose parameters have the values that occur in the table. */
export const modelOfTable = ([names, ...rows]) => names.map((name, column) =>
  `${name}: ${[...new Set(rows.map((row) => row[column]).filter(Boolean))].join(", ")}\n`).join("");
