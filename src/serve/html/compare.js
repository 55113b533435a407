/* What has changed between two runs: findings by their fingerprints, which survive shifted lines; lines by their text. */
import { $, get, kindOf, nameOf, placeOf, whenOf } from "./common.js";

let runs = [];
const wanted = new URLSearchParams(location.search);

/* --- findings --------------------------------------------------------------------------------------- */

const keyOf = (f) => f.fingerprint ?? `${f.kind} ${placeOf(f)} ${f.message}`;

const showFindings = (before, after) => {
  const old = new Map(before.findings.map((f) => [keyOf(f), f])), now = new Map(after.findings.map((f) => [keyOf(f), f]));
  const groups = [
    ["new", [...now].filter(([key]) => !old.has(key))],
    ["gone", [...old].filter(([key]) => !now.has(key))],
    ["same", [...now].filter(([key]) => old.has(key))],
  ];
  $("numbers").replaceChildren(...groups.map(([name, list]) => element("div", {}, element("b", {}, String(list.length)), element("span", {}, `${name} findings`))),
    ...[["executions", "executions"], ["seconds", "seconds"]].map(([key, name]) => {
      const of = (data) => key === "seconds" ? data.seconds.toFixed(2) : shortNumber(data.counts.executions);
      return element("div", {}, element("b", {}, `${of(before)} → ${of(after)}`), element("span", {}, name));
    }));
  const made = groups.flatMap(([name, list]) => list.map(([key, f]) => element("div", { cls: `group ${name}` },
    element("span", { cls: "which" }, name), kindOf(f), " ", f.message, " ",
    element("small", {}, name === "same" && placeOf(f) !== placeOf(old.get(key)) ? `${placeOf(old.get(key))} → ${placeOf(f)}` : placeOf(f)))));
  $("findings").replaceChildren(...made.length ? made : [element("p", { cls: "note" }, "Neither run has a finding.")]);
};

/* --- lines ---------------------------------------------------------------------------------------------- */

/* Pairs of equal lines, in order: the longest common subsequence between the common beginning and end. */
const matchLines = (a, b) => {
  const pairs = new Map();
  let start = 0, endA = a.length, endB = b.length;
  while (start < endA && start < endB && a[start] === b[start])
    pairs.set(start, start++);
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1])
    pairs.set(--endB, --endA);
  const rows = endA - start, columns = endB - start;
  if (rows * columns > 4e6)
    return pairs; /* too different to be told line by line */
  const best = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1));
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      best[i][j] = a[start + i] === b[start + j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
  for (let i = 0, j = 0; i < rows && j < columns;)
    if (a[start + i] === b[start + j])
      pairs.set(start + j++, start + i++);
    else if (best[i + 1][j] >= best[i][j + 1])
      i++;
    else
      j++;
  return pairs; /* from lines of b to lines of a */
};

/* Per source: its lines, and how many executions came to each. */
const reachedOf = (data) => new Map(data.sources.map((source, index) => [source.name, { lines: source.lines,
  counts: new Map(data.reached.filter(([at]) => at === index).map(([, line, executions]) => [line, executions])) }]));

const lineOf = (number, text, before, after) => {
  const cls = before === undefined && after === undefined ? "" : before === undefined || (!before && after) ? "gained"
    : after === undefined || (before && !after) ? "lost" : "either";
  const count = (n) => element("span", {}, n === undefined ? "" : String(n));
  return element("div", { cls }, element("span", { cls: "n" }, String(number)),
    element("span", { cls: "both-counts" }, count(before), count(after)), element("span", {}, text || " "));
};

const showFile = (name, old, now) => {
  const box = element("div", { cls: "source" });
  const pairs = old ? matchLines(old.lines, now.lines) : new Map();
  const lines = now.lines.map((text, index) => {
    const earlier = pairs.get(index);
    return lineOf(index + 1, text, earlier === undefined ? undefined : old.counts.get(earlier + 1), now.counts.get(index + 1));
  });
  box.append(...lines);
  const gained = lines.filter((line) => line.className === "gained").length, lost = lines.filter((line) => line.className === "lost").length;
  return element("details", { open: gained + lost > 0 }, element("summary", {}, name,
    element("small", {}, `${gained} reached only after, ${lost} only before`)), box);
};

const showCoverage = (before, after) => {
  const old = reachedOf(before), now = reachedOf(after);
  const files = [...now].filter(([name, { counts }]) => counts.size || old.get(name)?.counts.size);
  $("coverage").replaceChildren(...files.length ? files.map(([name, file]) => showFile(name, old.get(name), file))
    : [element("p", { cls: "note" }, "Neither run has counted lines.")]);
};

/* --- the choice ----------------------------------------------------------------------------------------- */

const show = async () => {
  const names = [$("before").value, $("after").value];
  history.replaceState(null, "", `compare?before=${encodeURIComponent(names[0])}&after=${encodeURIComponent(names[1])}`);
  const [before, after] = await Promise.all(names.map((name) => get(`api/run?name=${encodeURIComponent(name)}`)));
  showFindings(before, after);
  showCoverage(before, after);
  $("difference").hidden = false;
};

const start = async () => {
  ({ runs } = await get("api/runs"));
  $("none").hidden = runs.length > 1;
  for (const id of ["before", "after"])
    $(id).replaceChildren(...runs.map((run) => element("option", { value: run.name }, `${run.result.program} · ${nameOf(run)} · ${whenOf(run)}`)));
  const has = (name) => runs.some((run) => run.name === name);
  $("after").value = has(wanted.get("after")) ? wanted.get("after") : runs[0]?.name;
  $("before").value = has(wanted.get("before")) ? wanted.get("before") : runs[1]?.name;
  $("before").addEventListener("change", show);
  $("after").addEventListener("change", show);
  $("swap").addEventListener("click", () => {
    [$("before").value, $("after").value] = [$("after").value, $("before").value];
    show();
  });
  if (runs.length > 1)
    await show();
};

start();
