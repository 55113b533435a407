/* The pairs page: a model on the left, as a form or as text; its rows on the right, while it is typed. */
import { $, post } from "./common.js";
import { isBeingTyped, modelOfTable, parseModel, parseTable, printModel, printTable, relationsOf } from "./pict.js";

const page = Math.random().toString(16).slice(2);
const example = `OS: Linux, FreeBSD, macOS, Windows
Compiler: gcc, clang, msvc
Build: debug, release
Allocator: libc, jemalloc, mimalloc
Threads: 1, 2, 16

IF [OS] = "Windows" THEN [Compiler] <> "gcc" AND [Allocator] <> "jemalloc";
IF [Compiler] = "msvc" THEN [OS] = "Windows";
`;
let text = "", model = null, shown = null, selected = -1, due = 0, asking = null;

/* --- the answer ------------------------------------------------------------------------------------------ */

const MOST_ROWS = 2000;

const cellText = (row, column) => row[column] < 0 ? "" : shown.parameters[column].values[row[column]];
const tableOf = () => printTable([shown.parameters.map((p) => p.name), ...shown.rows.map((row) => row.map((_, column) => cellText(row, column)))]);

const showNumbers = () => {
  const number = (n, name) => element("div", {}, element("b", {}, n), element("span", {}, name));
  const all = shown.parameters.reduce((product, p) => product * p.values.length, 1);
  const percent = shown.tuples > 0 ? 100 * shown.covered / shown.tuples : 100;
  $("numbers").replaceChildren(number(shortNumber(shown.rows.length), shown.smallest ? "rows, the fewest possible" : "rows"),
    number(all > 1e6 ? all.toExponential(1) : shortNumber(all), "combinations in all"),
    ...shown.tuples < 0 ? [] : [number(shortNumber(shown.covered), `of ${shortNumber(shown.tuples)} tuples`),
      number(`${percent.toFixed(percent === 100 ? 0 : 1)} %`, "covered")],
    number(`${(1000 * shown.seconds).toFixed(shown.seconds < .01 ? 1 : 0)} ms`, shown.method ?? ""));
};

const showCurve = () => {
  const { curve, tuples } = shown;
  $("curve").replaceChildren(...tuples > 0 && curve.length > 1 ? [drawChart({ label: "coverage after each row", height: 150,
    curve: [[0, 0], ...curve.map((covered, index) => [index + 1, 100 * covered / tuples])],
    xText: (n) => n ? `row ${Math.round(n)}` : "", yText: (n) => `${Math.round(n)} %` })] : []);
};

const rowOf = (row, index) => {
  const news = shown.curve[index] - (index ? shown.curve[index - 1] : 0);
  const made = element("tr", { cls: index < shown.kept ? "kept" : "", title: index < shown.kept ? "from the test set that is extended" : "", "aria-selected": String(index === selected) },
    element("td", {}, String(index + 1)),
    ...row.map((_, column) => element("td", { cls: cellText(row, column).startsWith("~") ? "negative" : "" }, cellText(row, column))),
    element("td", { cls: "news" }, Number.isNaN(news) ? "" : `+${news}`));
  made.dataset.row = index;
  return made;
};

const showTable = () => {
  const head = element("tr", {}, element("th", {}), ...shown.parameters.map((p) => element("th", {}, p.name)),
    element("th", { title: "tuples that no row before it covers" }, "new"));
  $("table").replaceChildren(element("table", {}, element("thead", {}, head), element("tbody", {}, ...shown.rows.slice(0, MOST_ROWS).map(rowOf))));
  const more = shown.rows.length - MOST_ROWS;
  $("notes").textContent = shown.notes.trim() + (more > 0 ? ` ${more} more rows are exported, but not shown.` : "");
};

const show = () => {
  selected = -1;
  $("tuples").hidden = true;
  showNumbers();
  showCurve();
  showTable();
};

/* --- the tuples of a row --------------------------------------------------------------------------------- */

const fieldsOf = (rows) => ({ model: sent(), relation: relationsOf(model), strength: $("strength").value, method: $("method").value,
  seed: $("seed").value, time: "0.3", rows, ...$("order").checked ? { order: "coverage" } : {} });

const pick = async (index) => {
  if (!shown || index < 0 || index >= Math.min(shown.rows.length, MOST_ROWS))
    return;
  selected = index;
  for (const row of $("table").querySelectorAll("tbody tr"))
    row.setAttribute("aria-selected", String(Number(row.dataset.row) === index));
  $("table").querySelector('[aria-selected="true"]').scrollIntoView({ block: "nearest" });
  const list = (title, tuples, cls) => tuples.length
    ? [element("h3", {}, title), element("ul", { cls }, ...tuples.map((tuple) => element("li", {}, tuple)))] : [];
  try {
    const { first, again } = JSON.parse(await post("api/pairs", { ...fieldsOf(tableOf()), page: `${page}t`, row: String(index) }));
    $("tuples").replaceChildren(...list(`Row ${index + 1} is the first to cover ${first.length}`, first, "first"),
      ...list(`Rows before it cover ${again.length} more of its tuples`, again, "again"));
    $("tuples").hidden = false;
  } catch (error) {
    if (error.status !== 409)
      complain(error.message);
  }
};

/* --- asking ---------------------------------------------------------------------------------------------- */

const complain = (sentence) => {
  $("problem").hidden = !sentence;
  $("problem").textContent = sentence;
};

/* The model without what is only half typed. */
const sent = () => {
  const { parts, constraints } = model;
  return parts.some(isBeingTyped) && parts.some((part) => part.kind === "parameter" && !isBeingTyped(part))
    ? printModel({ parts: parts.map((part) => isBeingTyped(part) ? { kind: "other", text: "" } : part), constraints }) : text;
};

const compute = async () => {
  asking?.abort();
  asking = new AbortController();
  try {
    shown = JSON.parse(await post("api/pairs", { ...fieldsOf($("rows-given").value), page }, asking.signal));
    complain("");
    show();
    document.querySelector(".outcome").classList.remove("stale");
  } catch (error) {
    if (error.name === "AbortError" || error.status === 409)
      return;
    complain(error.message);
  }
};

const later = () => {
  document.querySelector(".outcome").classList.add("stale");
  clearTimeout(due);
  due = setTimeout(compute, 120);
};

/* --- the model ------------------------------------------------------------------------------------------- */

const inputFor = (part, key, label) => {
  const input = element("input", { type: "text", value: part[key], "aria-label": label, placeholder: label, spellcheck: false });
  input.addEventListener("input", () => { part[key] = input.value; fromForm(); });
  return input;
};

const itemFor = (part) => {
  const remove = element("button", { type: "button", title: "remove", "aria-label": "remove" }, "×");
  remove.addEventListener("click", () => {
    model.parts.splice(model.parts.indexOf(part), 1);
    fillForm();
    fromForm();
  });
  return part.kind === "parameter"
    ? element("div", { cls: "item" }, inputFor(part, "name", "name"), inputFor(part, "values", "values, with commas between"), remove)
    : element("div", { cls: "item relation" }, inputFor(part, "members", "parameters, with commas between"), inputFor(part, "strength", "strength"), remove);
};

const fillForm = () => {
  const items = (kind) => model.parts.filter((part) => part.kind === kind).map(itemFor);
  $("parameters").replaceChildren(...items("parameter"));
  $("relations").replaceChildren(...items("relation"));
  $("constraints").value = model.constraints;
};

const fromForm = () => {
  text = printModel(model);
  $("model").value = text;
  later();
};

const setText = (fresh) => {
  text = fresh;
  model = parseModel(text);
  $("model").value = text;
  fillForm();
  later();
};

const add = (part, list) => {
  const last = model.parts.findLastIndex((other) => other.kind === part.kind);
  model.parts.splice(last < 0 ? model.parts.length : last + 1, 0, part);
  fillForm();
  $(list).lastElementChild.querySelector("input").focus();
};

const showTab = (form) => {
  $("form").hidden = !form;
  $("text-part").hidden = form;
  $("tab-form").setAttribute("aria-selected", String(form));
  $("tab-text").setAttribute("aria-selected", String(!form));
};

const setRows = (rows) => {
  $("rows-given").value = rows;
  const count = rows.trim() ? parseTable(rows).length - 1 : 0;
  $("existing-state").textContent = count ? `${count} rows are kept` : "none given";
  later();
};

/* --- files ------------------------------------------------------------------------------------------------ */

const importTable = (table) => {
  if (!text.trim() || text === example)
    setText(modelOfTable(table));
  setRows(printTable(table));
  $("existing").open = true;
};

/* As heddle pairs --json writes them; `source` is the model, if this page has exported it. */
const importJson = ({ source, parameters, rows }) => {
  if (source)
    setText(source);
  if (Array.isArray(parameters) && Array.isArray(rows))
    importTable([parameters, ...rows]);
  else if (!source)
    throw new Error("there are no parameters and rows");
};

const importFile = async (file) => {
  const content = await file.text();
  try {
    if (/\.json$/i.test(file.name))
      importJson(JSON.parse(content));
    else if (/\.(csv|tsv)$/i.test(file.name))
      importTable(parseTable(content));
    else
      setText(content);
  } catch (error) {
    complain(`${file.name}: ${error.message}`);
  }
};

const save = (name, content) => {
  const link = element("a", { href: URL.createObjectURL(new Blob([content])), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
};

const endings = { csv: "csv", tsv: "tsv", json: "json", markdown: "md", c: "h" };

const exportAs = async (format) => {
  if (format === "model") {
    save("model.txt", text);
    return;
  }
  try {
    const content = await post("api/pairs", { ...fieldsOf($("rows-given").value), page: `${page}e`, output: format });
    save(`pairs.${endings[format]}`, format === "json" ? JSON.stringify({ ...JSON.parse(content), source: text }, null, 2) : content);
  } catch (error) {
    complain(error.message);
  }
};

/* --- input ------------------------------------------------------------------------------------------------- */

$("tab-form").addEventListener("click", () => showTab(true));
$("tab-text").addEventListener("click", () => showTab(false));
$("add-parameter").addEventListener("click", () => add({ kind: "parameter", name: "", values: "" }, "parameters"));
$("add-relation").addEventListener("click", () => add({ kind: "relation", members: "", strength: "3" }, "relations"));
$("constraints").addEventListener("input", () => { model.constraints = $("constraints").value; fromForm(); });
$("model").addEventListener("input", () => {
  text = $("model").value;
  model = parseModel(text);
  fillForm();
  later();
});
$("rows-given").addEventListener("input", () => setRows($("rows-given").value));
$("keep").addEventListener("click", () => { if (shown) setRows(tableOf()); });
for (const id of ["strength", "method", "seed", "order"])
  $(id).addEventListener("input", later);
$("import").addEventListener("change", async () => {
  await importFile($("import").files[0]);
  $("import").value = "";
});
$("export").addEventListener("change", () => { exportAs($("export").value); $("export").value = ""; });
$("table").addEventListener("click", (event) => {
  const row = event.target.closest("tbody tr");
  if (row)
    pick(Number(row.dataset.row));
});
$("table").addEventListener("keydown", (event) => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by) {
    event.preventDefault();
    pick(selected + by);
  }
});
setText(example);
