/* What the tests share: checks and their counts, heddle, pictures. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";

let passed = 0, failed = 0;
export const is = (what, actual, expected) => {
  if (JSON.stringify(actual) === JSON.stringify(expected)) {
    passed++;
    return;
  }
  failed++;
  console.log(`FAIL: ${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
};
export const holds = (what, condition) => is(what, Boolean(condition), true);

export const heddle = (...words) => spawnSync("heddle", words, { encoding: "utf8" });
export const check = (program, file, ...options) => {
  if (!existsSync(file))
    heddle("check", `--html=${file}`, ...options, program);
  return file;
};
const shots = process.env.SHOTS;
export const shot = async (page, name) => {
  if (!shots)
    return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: `${shots}/${name}.png` });
};
/* No complaint on the console, and no request to anywhere. */
export const isQuiet = (what, opened) => {
  is(`${what}: console`, opened.said, []);
  is(`${what}: requests`, opened.asked(), []);
};
export const texts = (page, selector) => page.locator(selector).allTextContents();
export const state = async (page, name) => (await page.locator("#state tr", { has: page.locator(`td:first-child span.name:text-is("${name}")`) }).locator("td").nth(1).textContent());

/* Waits until `test` is true in the page. (What playwright has for this evaluates texts, which the pages of the server
 * do not allow.) */
export const until = async (page, test, argument) => {
  for (const end = Date.now() + 60000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 40)))
    if (await page.evaluate(test, argument).catch(() => false))
      return;
  throw new Error(`never: ${test}`);
};
export const counts = () => ({ passed, failed });
export const fails = (what) => {
  failed++;
  console.log(`FAIL: ${what}`);
};
