/* The pages of heddle serve. Each test has a server of its own, in a folder of its own. */
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { open } from "./browser.mjs";
import { holds, is, isQuiet, shot, texts, until } from "./harness.mjs";

const servers = [];

/* It takes far longer than any test waits. */
writeFileSync("busy.c", `#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *thread(void *unused)
{
    for (int i = 0; i < 12; i++)
        n++;
    return unused;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, thread, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return n == 36 ? 0 : 1;
}
`);

const serve = (...programs) => new Promise((resolve, reject) => {
  const folder = mkdtempSync(`${process.cwd()}/serve-`);
  for (const program of programs)
    copyFileSync(program, `${folder}/${program}`);
  mkdirSync(`${folder}/heddle-out`);
  /* As users run it: each check keeps its run in the folder's database. */
  const env = { ...process.env, HEDDLE_OPTIONS: "" };
  const run = (...words) => spawnSync("heddle", words, { encoding: "utf8", cwd: folder, env });
  const process_ = spawn("heddle", ["serve"], { cwd: folder });
  servers.push(process_);
  process_.on("error", reject);
  process_.stdout.on("data", (line) => resolve({ folder, run, address: String(line).replace("heddle: ", "").trim() }));
});

export const stopServers = () => servers.forEach((server) => server.kill("SIGTERM"));

const quiet = async (what, opened) => {
  isQuiet(what, opened);
  await opened.close();
};
const rowCount = (page, count) => until(page, (n) => document.querySelectorAll("#table tbody tr").length === n
  && !document.querySelector(".outcome.stale"), count);

/* The rows of a table as arrays of texts, without their numbers. */
const rowsOf = (page) => page.locator("#table tbody tr").evaluateAll((rows) =>
  rows.map((row) => [...row.children].slice(1, -1).map((cell) => cell.textContent)));

/* Every pair of values of two columns that occurs. */
const pairsOf = (rows) => new Set(rows.flatMap((row) => row.flatMap((a, i) => row.slice(i + 1).map((b, j) => `${i}=${a} ${i + 1 + j}=${b}`))));

export const serveTests = {
  async runs() {
    const { address, run } = await serve("deadlock.c", "two_failures.c", "clean.c");
    const opened = await open(address), { page } = opened;
    await page.waitForSelector("#none:visible");
    run("check", "--result=heddle-out/first.json", "deadlock.c");
    run("check", "--result=heddle-out/second.json", "--stop=never", "two_failures.c");
    run("check", "clean.c");
    await until(page, () => document.querySelectorAll(".run").length === 3);
    is("newest first", await texts(page, ".run .name"), ["clean.c", "two_failures.c", "deadlock.c"]);
    is("badges", await texts(page, ".run > .badge"), ["nothing found", "found", "found"]);
    is("findings", await texts(page, ".run:nth-child(2) .tag .kind"), ["assertion", "assertion", "data race", "data race"]);
    await shot(page, "serve-runs");
    await page.fill("#filter", "deadlock");
    is("filtered", await texts(page, ".run .name"), ["deadlock.c"]);
    await page.click(".run .name a");
    await page.waitForSelector(".replay");
    is("the page of the run", await texts(page, ".chip.end"), ["waits for T1", "waits for second", "waits for first"]);
    await page.click(".replay");
    await page.waitForSelector(".replayed");
    const said = await page.textContent(".replayed");
    holds("replayed", said.includes("WARNING: heddle: deadlock") && said.includes("status 1, it happened again"));
    await shot(page, "serve-replay");
    await page.click("text=all runs");
    await until(page, () => document.querySelectorAll(".run").length === 3);
    await quiet("runs", opened);
  },

  /* The same program before and after a change: a finding is gone, the others stay though their lines have moved. */
  async compare() {
    const { address, folder, run } = await serve("two_failures.c");
    run("check", "--html=before.html", "--stop=never", "two_failures.c");
    const text = readFileSync(`${folder}/two_failures.c`, "utf8");
    const gone = /^.*assert\(.*$/m.exec(text)[0];
    writeFileSync(`${folder}/two_failures.c`, `/* one line more */\n${text.replace(gone, gone.replace(/assert\(.*\)/, "assert(1)"))
      .replace("    return 0;", "    if (t)\n        b = 3;\n    return 0;")}`);
    run("check", "--html=after.html", "--stop=never", "two_failures.c");
    const opened = await open(`${address}compare`), { page } = opened;
    await page.waitForSelector("#difference:visible");
    is("chosen", [await page.inputValue("#before"), await page.inputValue("#after")], ["1", "2"]);
    const [fresh, lost, same] = await texts(page, "#numbers b");
    is("new, gone, same", [fresh, lost, same], ["0", "1", "3"]);
    holds("the moved line", (await texts(page, ".group.same small")).some((place) => /two_failures.c:21.* → two_failures.c:22/.test(place)));
    holds("lines reached only after", await page.locator(".source .gained").count() > 0);
    is("nothing is reached only before", await page.locator(".source .lost").count(), 0);
    await shot(page, "serve-compare");
    await page.click("#swap");
    await until(page, () => document.querySelector("#numbers b").textContent === "1");
    is("swapped", (await texts(page, "#numbers b")).slice(0, 3), ["1", "0", "3"]);
    holds("the address has both", page.url().endsWith("compare?before=2&after=1"));
    await quiet("compare", opened);
  },

  async live() {
    const { address, folder } = await serve("busy.c", "deadlock.c");
    const opened = await open(`${address}live`), { page } = opened;
    await page.waitForSelector("#start:visible");
    await page.fill("#words", "busy.c --stop=never");
    await page.click("#start button");
    await page.waitForSelector(".check-box");
    const executions = () => page.locator(".check-box .numbers b").first().textContent();
    await until(page, () => document.querySelectorAll(".check-box .curve").length === 1);
    const before = await executions();
    await until(page, (n) => document.querySelector(".check-box .numbers b").textContent !== n, before);
    is("it runs", await texts(page, ".check-box .badge"), ["running"]);
    await shot(page, "serve-live");
    await page.click(".check-box header button");
    await page.waitForSelector(".check-box .badge.bound");
    holds("it was stopped", (await page.textContent(".check-box pre")).includes("interrupted"));
    await page.click(".check-box header a");
    await page.waitForSelector("#numbers div");
    is("its result", await page.textContent("#program"), "busy.c");
    await page.goto(`${address}live`);

    /* A check that runs elsewhere. */
    const other = spawn("heddle", ["check", "--progress=heddle-out/other.progress", "busy.c"], { cwd: folder });
    await page.waitForSelector('.check-box[data-name="other"] .badge.running');
    other.kill("SIGINT");
    await until(page, () => !document.querySelector('.check-box[data-name="other"]'));
    const last = readFileSync(`${folder}/heddle-out/other.progress`, "utf8").trim().split("\n").map(JSON.parse);
    is("the file of the progress", [last[0].program, last.at(-1)], ["busy.c", { status: 3 }]);
    holds("samples", last.slice(1, -1).every((s) => Array.isArray(s) && s.length === 5));

    /* Words that are refused. */
    for (const [words, why] of [["--cflags=-fplugin=x.so deadlock.c", "cannot be used from a page"], ["--json=../x deadlock.c", "cannot be used from a page"],
      ["/etc/passwd", "no such file in this folder"], ["../deadlock.c", "no such file in this folder"], ["--time=1", "name a C file"]]) {
      await page.fill("#words", words);
      await page.click("#start button");
      await until(page, (text) => document.getElementById("problem").textContent.includes(text), why);
    }
    is("what the browser says of them", opened.said.filter((line) => !line.includes("status of 422")), []);
    is("requests", opened.asked(), []);
    is("nothing was written beside the folder", spawnSync("ls", [folder], { encoding: "utf8" }).stdout.trim().split("\n"),
      ["busy.c", "deadlock.c", "heddle-out"]);
    await opened.close();
  },

  async pairs() {
    const { address } = await serve();
    const opened = await open(`${address}pairs`), { page } = opened;
    await page.waitForSelector("#table tbody tr");
    holds("rows of the example", await page.locator("#table tbody tr").count() >= 12);
    holds("constraints hold", (await rowsOf(page)).every(([os, compiler]) => (compiler === "msvc") <= (os === "Windows") && !(os === "Windows" && compiler === "gcc")));
    await shot(page, "serve-pairs");

    /* A model that is typed. */
    await page.click("#tab-text");
    await page.fill("#model", "");
    await page.locator("#model").pressSequentially("A: 1, 2, 3\nB: x, y, z\nC: p, q, r\n");
    await rowCount(page, 9);
    const rows = await rowsOf(page);
    is("every pair is there", pairsOf(rows).size, 27);
    is("numbers", (await texts(page, "#numbers b")).slice(0, 4), ["9", "27", "27", "100 %"]);
    is("the smallest", (await texts(page, "#numbers span"))[0], "rows, the fewest possible");
    is("each row is new", (await texts(page, "#table td.news")), Array(9).fill("+3"));
    holds("a curve", (await page.getAttribute("#curve .curve", "d")).split("L").length === 10);

    /* The form has the same model; what is typed there changes the rows. */
    await page.click("#tab-form");
    is("parameters", await page.locator("#parameters .item input:first-child").evaluateAll((all) => all.map((i) => i.value)), ["A", "B", "C"]);
    await page.click("#add-parameter");
    await page.keyboard.type("D");
    await page.keyboard.press("Tab");
    await page.keyboard.type("on, off");
    await until(page, () => document.querySelectorAll("#table th").length === 6);
    is("a column more", (await texts(page, "#table th")).slice(1), ["A", "B", "C", "D", "new"]);
    await page.fill("#constraints", 'IF [A] = 1 THEN [D] = "off";');
    await until(page, () => [...document.querySelectorAll("#table tbody tr")].every((row) => row.children[1].textContent !== "1" || row.children[4].textContent === "off"));
    await page.fill("#constraints", "IF [A] = 1 THEN [D] = ");
    await page.waitForSelector("#problem:visible");
    holds("an error names the line", /^model:\d+:/.test(await page.textContent("#problem")));
    await page.fill("#constraints", "");
    await page.waitForSelector("#problem", { state: "hidden" });

    /* A relation: all 27 triples of A, B, C. */
    await page.click("#add-relation");
    await page.keyboard.type("A, B, C");
    await until(page, () => document.querySelectorAll("#table tbody tr").length >= 27);
    is("triples", new Set((await rowsOf(page)).map((row) => row.slice(0, 3).join())).size, 27);
    await page.click("#relations .item button");
    await until(page, () => document.querySelectorAll("#table tbody tr").length < 27);

    /* The tuples of a row. */
    await page.click("#table tbody tr:nth-child(1)");
    await page.waitForSelector("#tuples .first li");
    is("the first row covers every pair of its values", await page.locator("#tuples .first li").count(), 6);
    await page.locator("#table").press("ArrowDown");
    await until(page, () => document.querySelector("#tuples h3").textContent.startsWith("Row 2"));
    is("of the second, too", await page.locator("#tuples li").count(), 6);
    await shot(page, "serve-tuples");
    const before = await page.locator("#table tbody tr").count();
    await page.selectOption("#strength", "3");
    await until(page, (n) => document.querySelectorAll("#table tbody tr").length > n, before);
    await page.selectOption("#strength", "full");
    await rowCount(page, 54);
    is("what the browser says", opened.said.filter((line) => !/status of (422|409)/.test(line)), []);
    is("requests", opened.asked(), []);
    await opened.close();
  },

  /* Import, export, extend. */
  async pairs_files() {
    const { address } = await serve();
    const opened = await open(`${address}pairs`, { acceptDownloads: true }), { page } = opened;
    await page.waitForSelector("#table tbody tr");
    const bring = (name, content) => page.setInputFiles("#import", { name, mimeType: "text/plain", buffer: Buffer.from(content) });
    const take = async (format) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.selectOption("#export", format)]);
      return readFileSync(await download.path(), "utf8");
    };
    const model = "# kept as it is\nA: 1, 2, 3\nB: x, y\n# relation: A, B @ 2\nC: p, ~q\n\nIF [A] = 1 THEN [B] = \"x\";\n";
    await bring("model.pict", model);
    await until(page, () => [...document.querySelectorAll("#table th")].map((th) => th.textContent).join() === ",A,B,C,new");
    is("the model comes back", await take("model"), model);
    const csv = await take("csv"), lines = csv.trim().split("\n");
    is("CSV", lines[0], "A,B,C");
    is("as many rows as shown", lines.length - 1, await page.locator("#table tbody tr").count());
    holds("C", (await take("c")).includes("heddle_pairs_rows[]"));
    holds("Markdown", (await take("markdown")).startsWith("| A | B | C |"));
    const json = await take("json");
    is("JSON", JSON.parse(json).rows.map((row) => row.join()), lines.slice(1));

    /* An existing set is kept, and what is missing is added. */
    await bring("rows.csv", "A,B,C\n2,y,p\n3,x,\n");
    await until(page, () => document.querySelectorAll("#table tr.kept").length === 2);
    const rows = await rowsOf(page);
    is("kept", [rows[0], rows[1].slice(0, 2)], [["2", "y", "p"], ["3", "x"]]);
    holds("told", (await page.textContent("#notes")).includes("1 rows kept, 1 changed"));
    is("counted", await page.textContent("#existing-state"), "2 rows are kept");

    /* What was exported is imported: the model and its rows. */
    await bring("model.pict", "X: 1\n");
    await bring("pairs.json", json);
    await until(page, (n) => document.querySelectorAll("#table tr.kept").length === n, lines.length - 1);
    is("no row more", await page.locator("#table tbody tr").count(), lines.length - 1);
    await bring("broken.json", "{");
    await page.waitForSelector("#problem:visible");
    holds("a broken file", (await page.textContent("#problem")).startsWith("broken.json: "));
    await quiet("pairs_files", opened);
  },

  async serve_dark() {
    const { address, run } = await serve("deadlock.c");
    run("check", "--result=heddle-out/first.json", "deadlock.c");
    for (const path of ["", "compare", "live", "pairs", "run?name=first.json"]) {
      const opened = await open(address + path, { colorScheme: "dark" }), { page } = opened;
      const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      await page.waitForSelector("#theme");
      is(`${path}: dark`, await ground(), "rgb(20, 22, 26)");
      await until(page, (title) => document.title === title, `${path.startsWith("run?") ? "deadlock.c" : path || "runs"} · heddle`);
      if (path === "pairs")
        await page.waitForSelector("#table tbody tr");
      await shot(page, `serve-dark-${path.split("?")[0] || "runs"}`);
      await page.click("#theme");
      is(`${path}: light`, await ground(), "rgb(246, 245, 242)");
      await quiet(`${path}: dark`, opened);
    }
  },
};
