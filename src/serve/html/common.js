/* What all pages of the server share: the top, requests, and what a run is called. */

export const $ = (id) => document.getElementById(id);

const here = location.pathname.split("/").at(-1);
for (const link of document.querySelectorAll(".pages a"))
  if (link.getAttribute("href").replace("./", "") === here) {
    link.setAttribute("aria-current", "page");
    document.title = `${link.textContent} · heddle`;
  }
$("theme")?.addEventListener("click", switchTheme);

const say = (text) => {
  const place = $("trouble");
  if (!place)
    return;
  place.hidden = !text;
  place.textContent = text;
};

/* The server may have ended: that is said at the top, until it answers again. */
const ask = async (path, options) => {
  try {
    const answer = await fetch(path, options);
    say("");
    return answer;
  } catch (error) {
    if (error.name !== "AbortError")
      say("The server does not answer.");
    throw error;
  }
};

export const get = async (path) => {
  const answer = await ask(path, {});
  if (!answer.ok)
    throw new Error((await answer.text()).trim());
  return answer.json();
};

/* Sends a form; an answer that is no success is an error with the server's sentence. */
export const post = async (path, fields, signal) => {
  const answer = await ask(path, { method: "POST", body: new URLSearchParams(fields), signal });
  const text = await answer.text();
  if (!answer.ok)
    throw Object.assign(new Error(text.trim()), { status: answer.status });
  return text;
};

export const statusBadge = (status) => {
  const [cls, word] = { 0: ["clean", "nothing found"], 1: ["found", "found"], 3: ["bound", "not complete"] }[status] ?? ["bound", "failed"];
  return element("span", { cls: `badge ${cls}` }, word);
};

/* A number is that of a run in the database. */
export const nameOf = (run) => /^\d+$/.test(run.name) ? `run ${run.name}` : run.name.replace(/\.json$/, "");
export const whenOf = (run) => new Date(run.modified * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
export const placeOf = (f) => f.file ? `${f.file}:${f.line}${f.function && f.function !== "?" ? ` in ${f.function}` : ""}` : "";
export const kindOf = (f) => element("span", { cls: `kind${f.kind === "data-race" ? " race" : f.bug ? "" : " limit"}` }, f.kind.replaceAll("-", " "));
export const pageOf = (run) => `run?name=${encodeURIComponent(run.name)}`;
