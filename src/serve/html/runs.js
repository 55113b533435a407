/* The runs, each with its verdict and its findings. */
import { $, get, kindOf, nameOf, pageOf, placeOf, statusBadge, whenOf } from "./common.js";

let runs = [], last = "";
const chosen = new Set();

const words = (run) => [run.name, run.result.program, run.result.verdict,
  ...run.result.findings.flatMap((f) => [f.kind, f.message, placeOf(f)])].join(" ").toLowerCase();

const choose = (name, is) => {
  if (is)
    chosen.add(name);
  else
    chosen.delete(name);
  $("compare").disabled = chosen.size !== 2;
};

const lineOf = (run) => {
  const box = element("input", { type: "checkbox", title: "compare", checked: chosen.has(run.name), "aria-label": `compare ${nameOf(run)}` });
  box.addEventListener("change", () => choose(run.name, box.checked));
  return element("li", { cls: "run" }, box,
    element("div", {}, element("div", { cls: "name" }, element("a", { href: pageOf(run) }, run.result.program)),
      element("small", {}, `${nameOf(run)} · ${whenOf(run)}`)),
    element("div", {}, element("div", { cls: "verdict" }, run.result.verdict),
      element("div", { cls: "chips" }, ...run.result.findings.map((f) =>
        element("span", { cls: "tag", title: f.message }, kindOf(f), f.suppressed ? "suppressed " : "", placeOf(f))))),
    statusBadge(run.result.status));
};

const show = () => {
  const text = $("filter").value.trim().toLowerCase();
  $("runs").replaceChildren(...runs.filter((run) => words(run).includes(text)).map(lineOf));
  $("none").hidden = runs.length > 0;
};

const refresh = async () => {
  try {
    const fresh = await get("api/runs"), text = JSON.stringify(fresh);
    if (text !== last) {
      runs = fresh.runs;
      $("problem").textContent = fresh.problem ?? "";
      $("problem").hidden = !fresh.problem;
      last = text;
      show();
    }
  } catch { /* it is said at the top */ }
  setTimeout(refresh, 2000);
};

$("filter").addEventListener("input", show);
$("compare").addEventListener("click", () => {
  /* The older one comes first. */
  const [after, before] = runs.filter((run) => chosen.has(run.name));
  location.href = `compare?before=${encodeURIComponent(before.name)}&after=${encodeURIComponent(after.name)}`;
});
refresh();
