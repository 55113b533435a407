/* Checks that run: those that this page started, and those that write their progress into the folder. */
import { $, get, post, statusBadge } from "./common.js";

const boxes = new Map(); /* by name */
const SILENT = 5; /* seconds without a line: the check may have been killed */

const parse = (line) => {
  try { return JSON.parse(line); } catch { return null; }
};

/* One entry per check, however it is known. */
const join = ({ checks, progress }) => {
  const all = new Map();
  for (const { name, lines, seconds } of progress) {
    const values = lines.map(parse).filter(Boolean), head = values.find((v) => v.program), end = values.find((v) => "status" in v);
    all.set(name.replace(/\.progress$/, ""), { title: head?.program ?? name, samples: values.filter(Array.isArray),
      ended: Boolean(end), status: end?.status, silent: seconds > SILENT ? seconds : 0, own: false });
  }
  for (const { name, text, ended, stopped, status, seconds, output } of checks)
    all.set(name, { samples: [], silent: 0, ...all.get(name), title: text, ended, status, stopped, seconds, output, own: true });
  /* A file that a check has left behind long ago is no live view. */
  return new Map([...all].filter(([, check]) => check.own || !check.ended));
};

const makeBox = (name) => {
  const parts = { title: element("b"), badge: element("span"), stop: element("button", { type: "button" }, "stop"),
    result: element("a", { href: `run?name=${encodeURIComponent(`${name}.json`)}` }, "result"),
    numbers: element("div", { cls: "numbers" }), chart: element("div", { cls: "chart" }), output: element("pre") };
  const box = element("div", { cls: "check-box" }, element("header", {}, parts.badge, parts.title, parts.result, element("span", { cls: "spring" }), parts.stop),
    parts.numbers, parts.chart, parts.output);
  box.dataset.name = name;
  parts.stop.addEventListener("click", () => { parts.stop.disabled = true; post("api/stop", { name }); });
  return { box, parts };
};

const badgeOf = (check) => check.ended ? statusBadge(check.status)
  : element("span", { cls: `badge ${check.silent ? "bound" : "running"}` }, check.silent ? `silent for ${Math.round(check.silent)} s` : check.stopped ? "stopping" : "running");

const fillBox = ({ parts }, check) => {
  parts.title.textContent = check.title;
  parts.badge.replaceChildren(badgeOf(check));
  parts.stop.hidden = check.ended || !check.own;
  parts.result.hidden = !check.own || !check.ended || ![0, 1, 3].includes(check.status);
  const [seconds, tests, hunted, found, sight] = check.samples.at(-1) ?? [check.seconds ?? 0, 0, 0, 0, 0];
  const number = (n, name) => element("div", {}, element("b", {}, n), element("span", {}, name));
  parts.numbers.replaceChildren(number(shortNumber(tests), "executions"), number(shortNumber(hunted), "hunting"), number(String(found), "found"),
    number(sight > 0 ? shortNumber(sight) : "?", "in sight"), number(seconds > 0 ? shortNumber((tests + hunted) / seconds) : "0", "per second"),
    number(`${(check.seconds ?? seconds).toFixed(1)} s`, "so far"));
  parts.numbers.hidden = !check.samples.length;
  parts.chart.replaceChildren(...check.samples.length > 1 ? [drawSearch(check.samples)] : []);
  parts.output.hidden = !check.output;
  parts.output.textContent = check.output ?? "";
};

const refresh = async () => {
  try {
    const live = await get("api/live"), checks = join(live);
    $("start").hidden = !live.starts;
    $("none").hidden = checks.size > 0;
    for (const [name, { box }] of boxes)
      if (!checks.has(name)) {
        box.remove();
        boxes.delete(name);
      }
    for (const [name, check] of checks) {
      if (!boxes.has(name)) {
        boxes.set(name, makeBox(name));
        $("checks").prepend(boxes.get(name).box);
      }
      fillBox(boxes.get(name), check);
    }
  } catch { /* it is said at the top */ }
  setTimeout(refresh, 400);
};

$("start").addEventListener("submit", async (event) => {
  event.preventDefault();
  const problem = $("problem");
  try {
    await post("api/check", { text: $("words").value });
    problem.hidden = true;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
});
refresh();
