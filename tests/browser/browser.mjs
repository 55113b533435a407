/* A page in headless Chromium that is not allowed to ask for anything. */
import { chromium } from "playwright-core";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

let browser = null;

export const open = async (file, options = {}) => {
  browser ??= await chromium.launch({ executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"] });
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  const said = [], asked = [];
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(error.message));
  page.on("request", (request) => asked.push(request.url()));
  const address = pathToFileURL(resolve(file)).href;
  await page.goto(address);
  return { page, said, asked: () => asked.filter((url) => url !== address), close: () => context.close() };
};

export const close = () => browser?.close();
