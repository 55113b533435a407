/* A page in headless Chromium. A file is not allowed to ask for anything; a page of a server may ask that server. */
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
  const served = file.startsWith("http:"), address = served ? file : pathToFileURL(resolve(file)).href;
  const own = served ? /^http:\/\/[^/]+\/[0-9a-f]{32}\//.exec(address)[0] : "";
  const mayAsk = (url) => served ? url.startsWith(own) || url.startsWith("blob:") : url === address;
  await page.goto(address);
  return { page, said, asked: () => asked.filter((url) => !mayAsk(url)), close: () => context.close() };
};

export const close = () => browser?.close();
