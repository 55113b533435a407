import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { close, open } from "./browser.mjs";
import { check, counts, fails, heddle, holds, is, isQuiet, shot, state, texts } from "./harness.mjs";
import { serveTests, stopServers } from "./serve.mjs";

const tests = {
  ...serveTests,

  async page() {
    const opened = await open(check("deadlock.c", "deadlock.html")), { page } = opened;
    is("title", await page.title(), "deadlock.c · heddle");
    holds("verdict", (await page.textContent("#verdict")).includes("1 finding"));
    is("one finding", await page.locator("#findings li").count(), 1);
    is("lanes", await texts(page, ".heads span"), ["main thread", "thread T1", "thread T2"]);
    is("ends", await texts(page, ".chip.end"), ["waits for T1", "waits for second", "waits for first"]);
    is("locks at the end", [await state(page, "first"), await state(page, "second")], ["held by T1", "held by T2"]);
    is("bars of locks", await page.locator("svg .hold").count(), 2);
    holds("what happened, in words", (await page.textContent("#about .story")).startsWith("T0 waits for the end of T1 at deadlock.c:30. T1 waits for second"));
    await page.locator("#state tr", { hasText: "second" }).locator(".watch").click();
    is("a watched object is first", await page.locator("#state tr:has(.watch)").first().locator(".watch").textContent(), "★");
    await page.locator("#state tr", { hasText: "second" }).locator(".watch").click();
    await page.click("#first");
    is("position", await page.textContent("#position"), "step 1 of 2");
    is("locks after one step", [await state(page, "first"), await state(page, "second")], ["held by T1", "not used yet"]);
    is("source line", await page.textContent(".source .here span:nth-child(3)"), "    pthread_mutex_lock(a);");
    await page.fill("#find-finding", "nothing like it");
    is("no finding is left", await page.locator("#findings li").count(), 0);
    await shot(page, "deadlock");
    isQuiet("page", opened);
    await opened.close();
  },

  async keyboard() {
    const opened = await open(check("two_failures.c", "two.html", "--stop=never")), { page } = opened;
    is("findings", await page.locator("#findings li").count(), 4);
    await page.keyboard.press("n");
    await page.keyboard.press("n");
    is("third finding", await page.textContent('#findings [aria-current="true"] .kind'), "data race");
    is("the accesses are marked", await page.locator(".chip.access").count(), 2);
    await page.keyboard.press("Home");
    is("first", await page.textContent("#position"), "step 1 of 9");
    const before = await state(page, "plain");
    await page.keyboard.press("ArrowRight");
    is("second", await page.textContent("#position"), "step 2 of 9");
    is("a write changes the variable", [before, await state(page, "plain")], ["0", "1"]);
    await page.keyboard.press("ArrowLeft");
    is("back", await state(page, "plain"), "0");
    await page.keyboard.press("End");
    is("last", await page.textContent("#position"), "step 9 of 9");
    await page.keyboard.press("/");
    is("search has the focus", await page.evaluate(() => document.activeElement.id), "find-step");
    await page.keyboard.type("n");
    is("a letter in the search is no command", await page.textContent('#findings [aria-current="true"] .kind'), "data race");
    await page.keyboard.press("Escape");
    is("Escape clears it", await page.inputValue("#find-step"), "");
    await page.keyboard.press("p");
    is("previous finding", await page.textContent('#findings [aria-current="true"] .kind'), "assertion");
    holds("the address has the step", /#f=1&s=\d+/.test(page.url()));
    await page.reload();
    is("it is there again after loading", await page.textContent('#findings [aria-current="true"] .kind'), "assertion");
    isQuiet("keyboard", opened);
    await opened.close();
  },

  async filters() {
    const opened = await open(check("two_failures.c", "two.html", "--stop=never")), { page } = opened;
    await page.keyboard.press("n");
    await page.keyboard.press("n");
    const all = await page.locator(".row").count();
    holds("arrows", await page.locator(".arrow").count() > 0);
    await page.selectOption("#object", { label: "plain (variable)" });
    const some = await texts(page, ".row .chip");
    holds("fewer rows", some.length < all && some.length > 0 && some.every((text) => / plain( |$)/.test(text)));
    is("only that object in the state", await page.locator("#state tr", { hasText: "other" }).count(), 0);
    await page.fill("#find-step", "write");
    holds("both filters", (await texts(page, ".row .chip")).every((text) => text.startsWith("write plain")));
    await page.fill("#find-step", "two_failures.c:34");
    is("no step", await texts(page, ".empty"), ["No step matches."]);
    await page.selectOption("#object", "");
    is("by position", await texts(page, ".row .chip"), ["atomic store b = 2"]);
    await page.fill("#find-step", "");
    await page.check("#past");
    await page.keyboard.press("Home");
    await page.locator("body").click({ position: { x: 5, y: 890 } });
    await page.keyboard.press("Home");
    is("the past of the first step is itself", await page.locator(".row:not(.away)").count(), 1);
    await page.keyboard.press("End");
    holds("the last step has a past", await page.locator(".row:not(.away)").count() > 1);
    await page.locator('.source [data-line="34"]').click();
    is("a click on a line", (await page.textContent(".row.now .chip")), "atomic store b = 2");
    await shot(page, "past");
    isQuiet("filters", opened);
    await opened.close();
  },

  async long() {
    const opened = await open(check("long_way.c", "long.html")), { page } = opened;
    is("steps", await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).findings[0].steps.length), 10000);
    holds("only rows in sight exist", await page.locator(".row").count() < 120);
    is("those that matter are shown first", await page.isChecked("#slice"), true);
    const slice = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).findings[0].steps.filter((step) => step[8]).length);
    is("no others", await page.getAttribute("#slider", "max"), String(slice + await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).findings[0].threads.filter((t) => t.end).length) - 1));
    await page.keyboard.press("Escape");
    is("all steps", await page.isChecked("#slice"), false);
    await page.keyboard.press("Home");
    /* What one step costs, in the page's own time, without waiting for anything: the bound is generous, as the verdict
     * must not depend on load; drawing all rows takes seconds. */
    const cost = await page.evaluate(async () => {
      const press = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      const started = performance.now();
      for (let i = 0; i < 50; i++)
        press();
      return (performance.now() - started) / 50;
    });
    holds(`a step is drawn in ${cost.toFixed(1)} ms`, cost < 400);
    is("fifty steps on", await page.textContent("#position"), "step 51 of 10000");
    await page.locator("#slider").fill("7499");
    is("the slider", await page.textContent("#position"), "step 7500 of 10000");
    is("the variable there", await state(page, "count"), "1875");
    holds("the row is in sight", await page.locator(".row.now").isVisible());
    await page.evaluate(() => { document.getElementById("lanes").scrollTop = 24 * 5000; });
    await page.waitForFunction(() => [...document.querySelectorAll(".row .number")].some((n) => n.textContent === "5005"));
    await page.fill("#find-step", "write count = 1000");
    is("search among 10,000 steps", await texts(page, ".row .chip"), ["write count = 1000"]);
    await shot(page, "long");
    isQuiet("long", opened);
    await opened.close();
  },

  async dark() {
    const file = check("deadlock.c", "deadlock.html");
    const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await open(file, { colorScheme: "dark" }), light = await open(file, { colorScheme: "light" });
    is("grounds", [await ground(dark.page), await ground(light.page)], ["rgb(20, 22, 26)", "rgb(246, 245, 242)"]);
    await light.page.click("#theme");
    is("switched", await ground(light.page), "rgb(20, 22, 26)");
    await light.page.keyboard.press("d");
    is("and back", await ground(light.page), "rgb(246, 245, 242)");
    await dark.page.keyboard.press("d");
    is("from dark", await ground(dark.page), "rgb(246, 245, 242)");
    await dark.page.keyboard.press("d");
    await shot(dark.page, "dark");
    isQuiet("dark", dark);
    await dark.close();
    await light.close();
  },

  /* The lines that the whole search reached: 36 executions, of which some end at an assertion. */
  async reached() {
    const opened = await open(check("two_failures.c", "two.html", "--stop=never")), { page } = opened;
    await page.click("#reached summary");
    const counts = Object.fromEntries((await page.locator("#reached .reached").evaluateAll((lines) =>
      lines.map((line) => [line.children[0].textContent, Number(line.children[1].textContent)]))));
    const executions = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).counts.executions);
    is("main is in every execution", counts["40"] ?? counts["41"], executions);
    holds("what comes after a failure is in fewer", counts["16"] < counts["11"] && counts["16"] > 0);
    is("no other line", counts["1"], undefined);
    await shot(page, "reached");
    isQuiet("reached", opened);
    await opened.close();
  },

  /* The unfolding: 20 events of the three threads' locks, both orders. */
  async unfolding() {
    const opened = await open(check("deadlock.c", "net.html", "--stop=never")), { page } = opened;
    const events = page.locator(".net-event"), drawn = await events.count();
    holds("events", drawn > 10);
    is("lanes", await texts(page, ".net-head"), ["T1", "T2"]);
    const past = async () => (await texts(page, ".net-event.past title")).map((title) => title.replace(/event \d+ of /, ""));
    const last = page.locator(".net-event", { hasText: "unlockdeadlock.c:9" }).first();
    await last.click();
    is("the past of an unlock", (await past()).filter((text) => text.startsWith("T1")),
      ["T1: starts", "T1: lock, deadlock.c:7\npthread_mutex_lock(a);", "T1: lock, deadlock.c:8\npthread_mutex_lock(b);",
        "T1: unlock, deadlock.c:9\npthread_mutex_unlock(b);"]);
    is("the rest is dim", await page.locator(".net-event.away").count(), drawn - (await past()).length);
    holds("arrows of the past", await page.locator(".net-edge.past").count() >= (await past()).length - 1);
    await page.locator("#net-part").scrollIntoViewIfNeeded();
    await shot(page, "unfolding");
    await last.click();
    is("nothing is chosen", await past(), []);
    const box = () => page.getAttribute(".net svg", "viewBox"), before = await box();
    await page.click('.net button[title="zoom in"]');
    const width = (text) => Number(text.split(" ")[2]);
    holds("zoomed in", width(await box()) < width(before));
    await page.locator(".net svg").hover({ position: { x: 400, y: 300 } });
    await page.mouse.wheel(0, 300);
    await page.mouse.down();
    await page.mouse.move(200, 500, { steps: 4 });
    await page.mouse.up();
    holds("moved", (await box()).split(" ")[0] !== before.split(" ")[0]);
    await page.click('.net button[title="show everything"]');
    is("all in sight again", await box(), before);
    isQuiet("unfolding", opened);
    await opened.close();
    /* Of a large unfolding, the beginning, which has all causes of its events. Here dpor ends the search. */
    writeFileSync("crowded.c", `#include <pthread.h>
#include <stdatomic.h>
static atomic_int a, b;
static void *run(void *arg)
{
    for (int i = 0; i < 4; i++) {
        a++;
        b = a;
    }
    return arg;
}
int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, run, 0);
    run(0);
    return pthread_join(other, 0);
}
`);
    const large = await open(check("crowded.c", "crowded.html")), data = JSON.parse(await large.page.textContent("#data"));
    is("dpor has ended it", data.explorer, "dpor");
    is("the first 2,000 events", await large.page.locator(".net-event").count(), 2000);
    const note = await large.page.textContent("#net-note");
    holds(note, /^Of [0-9,]+ events, the first 2,000 are shown\. dpor ended the search/.test(note));
    await large.page.locator(".net-event").nth(1999).dispatchEvent("click");
    holds("the last one has a past", await large.page.locator(".net-event.past").count() > 3);
    await large.close();
    const none = await open(check("deadlock.c", "dpor.html", "--explore=dpor"));
    holds("dpor has no net", !(await none.page.locator("#net-part").isVisible()));
    await none.close();
  },

  /* The second message is received first: its arrow leads from the second send. */
  async messages() {
    const opened = await open(check("overtakes.c", "messages.html")), { page } = opened;
    is("the message", await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).findings[0].messages), [[1, 2]]);
    is("its arrow", await page.locator(".arrow.message").count(), 1);
    is("a mailbox is not held by anyone", await state(page, "mailbox 0"), "receive mailbox 0 (outcome 2 of 2) by T0");
    await shot(page, "messages");
    isQuiet("messages", opened);
    await opened.close();
  },

  async clean() {
    const opened = await open(check("clean.c", "clean.html")), { page } = opened;
    holds("nothing found", (await page.textContent("#calm")).includes("everything explored, nothing found"));
    holds("no lanes", !(await page.locator("#finding").isVisible()));
    holds("numbers", (await texts(page, "#numbers span")).includes("executions"));
    isQuiet("clean", opened);
    await opened.close();
  },

  /* Without JavaScript: the report is there as text. */
  async text() {
    const opened = await open(check("two_failures.c", "two.html", "--stop=never"), { javaScriptEnabled: false }), { page } = opened;
    const said = await page.innerText("body");
    for (const text of ["SUMMARY: heddle: data race two_failures.c:21 in touch", "SUMMARY: heddle: assertion two_failures.c:11",
      "everything explored, 4 findings", "to see it again: heddle replay"])
      holds(text, said.includes(text));
    holds("no data in sight", !said.includes('"format"'));
    await opened.close();
    /* What is special in HTML, in a source line and in a message. */
    writeFileSync("special.c", '#include <assert.h>\nint main(void)\n{\n    const char *text = "</script><b>&amp;";\n    assert(!text && "</script><!--{css}-->");\n    return 0;\n}\n');
    const special = await open(check("special.c", "special.html"));
    holds("markup stays text", (await special.page.innerText("#about h2")).includes("</script>"));
    is("no element came of it", await special.page.locator("b:text('&amp;')").count(), 0);
    isQuiet("special", special);
    await special.close();
  },

  async print() {
    const opened = await open(check("two_failures.c", "two.html", "--stop=never")), { page } = opened;
    await page.emulateMedia({ media: "print" });
    holds("the text is printed", await page.locator("#text").isVisible());
    holds("the lanes are not", !(await page.locator("#app").isVisible()));
    const paper = await page.pdf({ format: "A4" });
    holds("pages", paper.length > 10000);
    isQuiet("print", opened);
    await opened.close();
  },

  /* The page of a stored result is the page of the check. */
  async report() {
    heddle("check", "--html=direct.html", "--result=stored.json", "deadlock.c");
    is("status", heddle("report", "stored.json", "-o", "made.html").status, 0);
    is("the same page", readFileSync("made.html", "utf8") === readFileSync("direct.html", "utf8"), true);
    is("a name of its own", heddle("report", "stored.json").stdout, "heddle: stored.json.html\n");
    const stored = JSON.parse(readFileSync("stored.json", "utf8"));
    holds("its text is as wide as on a terminal", stored.text.includes("T0 waits for the end of T1 at deadlock.c:30."));
    writeFileSync("other.json", '{"version": "0.1.0"}');
    const other = heddle("report", "other.json"), none = heddle("report", "none.json"), nothing = heddle("report");
    is("statuses", [other.status, none.status, nothing.status], [2, 2, 2]);
    is("not a result", other.stderr, "heddle: other.json: not a result of 'heddle check --result=FILE'\n");
    holds("no file", none.stderr.includes("none.json: the result cannot be read: No such file or directory"));
    const opened = await open("made.html");
    is("it opens", await opened.page.locator("#findings li").count(), 1);
    isQuiet("report", opened);
    await opened.close();
  },

  /* Every kind of file against the schema that OASIS publishes, and a damaged one, which it must refuse. */
  async sarif() {
    const schema = createRequire(import.meta.url)("schemastore/schemas/json/sarif-2.1.0.json");
    const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false, unicodeRegExp: false });
    addFormats(ajv);
    delete schema.$schema;
    const validate = ajv.compile(schema);
    for (const [program, ...options] of [["race.c"], ["deadlock.c"], ["uaf.c"], ["two_failures.c", "--stop=never"], ["clean.c"],
      ["two_failures.c", "--stop=never", "--suppress=some.supp"], ["long.c", "--max-tests=1"]]) {
      writeFileSync("some.supp", "assertion\n");
      heddle("check", "--sarif=out.sarif", ...options, program);
      const log = JSON.parse(readFileSync("out.sarif", "utf8"));
      is(`${program} ${options.join(" ")}: valid`, validate(log) ? [] : validate.errors.slice(0, 3), []);
      const flow = log.runs[0].results[0]?.codeFlows?.[0].threadFlows[0];
      if (flow) {
        flow.locations[0].importance = "unheard-of";
        is(`${program}: a damaged file is refused`, validate(log), false);
      }
    }
  },
};

execFileSync("heddle", ["--version"]);
for (const name of process.argv.slice(2)) {
  try {
    await tests[name]();
  } catch (error) {
    fails(`${name}: ${error.message.split("\n").slice(0, 3).join(" ")}`);
  }
}
stopServers();
await close();
const { passed, failed } = counts();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
