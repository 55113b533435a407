/* The page: what is chosen, and what changes with it. */

(() => {
  const { data, findings } = model;
  const $ = (id) => document.getElementById(id);
  const MANY = 60; /* of more steps, those that matter are shown first */
  let finding = null, rows = [], current = 0;
  const watched = new Set(); /* objects that stand first in the state */

  /* --- the top --------------------------------------------------------------------------------- */

  const words = { 0: ["clean", "nothing found"], 1: ["found", "found"], 3: ["bound", "not complete"] };
  const [cls, word] = words[data.status] || ["bound", "failed"];
  document.title = `${data.program} · heddle`;
  $("program").textContent = data.program;
  $("verdict").replaceChildren(element("span", { cls: `badge ${cls}` }, word), data.verdict);
  $("tools").hidden = $("app").hidden = $("search-part").hidden = false;

  $("theme").addEventListener("click", switchTheme);

  /* --- findings --------------------------------------------------------------------------------- */

  const kindClass = (f) => !f.bug ? "kind limit" : f.suppressed ? "kind suppressed" : f.kind === "data-race" ? "kind race" : "kind";
  const placeOf = (f) => f.file ? `${f.file}:${f.line}${f.function && f.function !== "?" ? ` in ${f.function}` : ""}` : "";

  const listFindings = () => {
    const text = $("find-finding").value.trim().toLowerCase();
    $("findings").replaceChildren(...findings
      .filter((f) => `${f.kind} ${f.message} ${placeOf(f)}`.toLowerCase().includes(text))
      .map((f) => {
        const button = element("button", { type: "button", "aria-current": String(f === finding) },
          element("span", { cls: kindClass(f) }, f.kind.replaceAll("-", " ") + (f.suppressed ? " (suppressed)" : "")),
          element("span", { cls: "message" }, f.message),
          element("span", { cls: "place", title: placeOf(f) }, placeOf(f)));
        button.addEventListener("click", () => choose(f.index));
        return element("li", {}, button);
      }));
  };

  const describe = () => {
    const parts = [element("span", { cls: kindClass(finding) }, finding.kind.replaceAll("-", " ")),
      element("h2", {}, finding.message)];
    if (finding.story)
      parts.push(element("p", { cls: "story" }, finding.story));
    if (placeOf(finding))
      parts.push(element("p", {}, element("code", {}, placeOf(finding))));
    if (finding.suppressed)
      parts.push(element("p", {}, "suppressed by ", element("code", {}, finding.suppressed)));
    if (!finding.confirmed)
      parts.push(element("p", {}, "A fresh process did not show it again: it is not confirmed."));
    if (finding.replay) {
      const command = `heddle replay ${finding.replay}`;
      const copy = element("button", { type: "button", cls: "copy" }, "copy");
      copy.addEventListener("click", async () => {
        try { await navigator.clipboard.writeText(command); copy.textContent = "copied"; } catch { copy.textContent = "select it"; }
      });
      parts.push(element("p", {}, element("code", {}, command), copy));
    }
    $("about").replaceChildren(...parts);
  };

  /* --- steps ------------------------------------------------------------------------------------- */

  const lanes = makeLanes($("lanes"), (index) => pick(index));

  const filter = () => {
    const object = $("object").value === "" ? -1 : Number($("object").value);
    rows = model.select(finding, object, $("find-step").value, $("slice").checked);
    lanes.show(finding, rows);
    $("slider").max = Math.max(0, rows.length - 1);
    if (rows.length && !rows.includes(current))
      current = rows.findLast((index) => index <= current) ?? rows[0];
    pick(current);
  };

  const choose = (index) => {
    finding = findings[index];
    $("object").replaceChildren(element("option", { value: "" }, "all"),
      ...finding.objects.map((object, number) => element("option", { value: String(number) }, `${object.name} (${object.what})`)));
    $("find-step").value = "";
    $("slice").disabled = !finding.inSlice;
    $("slice").checked = finding.inSlice > 0 && finding.steps.length > MANY;
    watched.clear();
    current = Math.max(0, finding.accesses.length ? finding.accesses.at(-1) : finding.steps.length - 1);
    listFindings();
    describe();
    filter();
  };

  const pick = (index) => {
    current = index;
    const place = rows.indexOf(index);
    $("slider").value = String(Math.max(0, place));
    const step = finding.steps[index];
    $("position").textContent = !step || place < 0 ? "no step" : step.end ? "the end" : `step ${step.number} of ${finding.count}`;
    lanes.pick(index, $("past").checked ? model.pastOf(finding, index) : null);
    if (!step)
      return;
    const state = model.stateAt(finding, index);
    showSource(step, state);
    showState(step, state);
    try { history.replaceState(null, "", `#f=${finding.index}&s=${index}`); } catch { /* not for this address */ }
  };

  const move = (by) => {
    if (!rows.length)
      return;
    const place = rows.indexOf(current);
    pick(rows[Math.min(rows.length - 1, Math.max(0, place + by))]);
  };

  /* --- the source ---------------------------------------------------------------------------------- */

  const MOST_LINES = 1600; /* of a longer file: those around the position */
  let shown = { finding: null, source: -1, from: 0 };

  const nextAt = (source, line) => {
    const all = finding.steps.map((_, index) => index).filter((index) => finding.steps[index].source === source && finding.steps[index].line === line);
    return all.find((index) => index > current) ?? all[0];
  };

  const fillSource = (source, line) => {
    const { lines } = data.sources[source];
    const from = lines.length > MOST_LINES ? Math.max(0, line - MOST_LINES / 2) : 0;
    $("source").replaceChildren(...lines.slice(from, from + MOST_LINES).map((text, offset) => {
      const number = from + offset + 1, count = finding.hits.get(`${source}:${number}`) || 0;
      const made = element("div", { cls: count ? "hit" : "", title: count ? `${count} steps of this execution` : "" },
        element("span", { cls: "n" }, String(number)), element("span", { cls: "hits" }, count ? `×${count}` : ""), element("span", {}, text || " "));
      made.dataset.line = number;
      return made;
    }));
    shown = { finding, source, from };
  };

  const showSource = (step, state) => {
    if (step.source < 0 || !data.sources[step.source].lines.length) {
      $("source-name").textContent = "Source: not known for this step";
      $("source").replaceChildren();
      shown = { finding: null, source: -1, from: 0 };
      return;
    }
    $("source-name").textContent = `${data.sources[step.source].name}:${step.line}`;
    const inside = step.line > shown.from && step.line <= shown.from + MOST_LINES;
    if (shown.finding !== finding || shown.source !== step.source || !inside)
      fillSource(step.source, step.line);
    const box = $("source");
    box.querySelectorAll(".who").forEach((mark) => mark.remove());
    box.querySelectorAll(".here, .there").forEach((line) => line.classList.remove("here", "there"));
    state.threads.forEach((index, thread) => {
      const at = index >= 0 ? finding.steps[index] : null;
      const line = at && at.source === step.source ? box.querySelector(`[data-line="${at.line}"]`) : null;
      if (!line)
        return;
      line.classList.add(thread === step.thread ? "here" : "there");
      line.append(element("span", { cls: "who" }, `T${thread}`));
    });
    const here = box.querySelector(`[data-line="${step.line}"]`);
    if (here && (here.offsetTop < box.scrollTop + 20 || here.offsetTop > box.scrollTop + box.clientHeight - 40))
      box.scrollTop = here.offsetTop - box.clientHeight / 2;
  };

  $("source").addEventListener("click", (event) => {
    const line = event.target.closest(".hit");
    const index = line ? nextAt(shown.source, Number(line.dataset.line)) : undefined;
    if (index === undefined)
      return;
    if (!rows.includes(index))
      clearFilters();
    pick(index);
  });

  /* --- the state -------------------------------------------------------------------------------------- */

  const table = (title, ...lines) => lines.length
    ? element("table", {}, element("thead", {}, element("tr", {}, element("th", { colSpan: 2 }, title))), element("tbody", {}, ...lines)) : "";
  const line = (fresh, name, text) => element("tr", { cls: fresh ? "fresh" : "" }, element("td", {}, ...[name].flat()), element("td", {}, text));

  const threadLine = (step, state, thread) => {
    const at = state.threads[thread] >= 0 ? finding.steps[state.threads[thread]] : null;
    const place = at && at.source >= 0 ? ` (${data.sources[at.source].name.split("/").at(-1)}:${at.line})` : "";
    return line(thread === step.thread, `T${thread}`, at ? at.text + place : "has done nothing yet");
  };

  const objectLine = (step, object, number) => {
    const { name, what } = finding.objects[number];
    const text = what === "variable" ? object.value === null ? "not read or written yet" : object.value
      : object.holders.size ? `held by ${[...object.holders].map((thread) => `T${thread}`).join(", ")}`
        : object.step < 0 ? "not used yet" : finding.held.has(number) ? "free"
          : `${finding.steps[object.step].text} by T${finding.steps[object.step].thread}`;
    const dot = element("span", { cls: "dot" });
    dot.style.background = colourOf(number);
    const watch = element("button", { type: "button", cls: "watch", title: "watch: show it first", "aria-pressed": String(watched.has(number)) },
      watched.has(number) ? "★" : "☆");
    watch.addEventListener("click", () => {
      if (!watched.delete(number))
        watched.add(number);
      pick(current);
    });
    return line(number === step.object, [watch, ...(what === "variable" ? [] : [dot]), element("span", { cls: "name" }, name)], text);
  };

  const showState = (step, state) => {
    const number = (object, index) => [object, index];
    const all = state.objects.map(number);
    const wanted = $("object").value;
    const kept = all.filter(([, index]) => wanted === "" || index === Number(wanted))
      .sort(([, a], [, b]) => watched.has(b) - watched.has(a) || a - b);
    const lines = (isVariable) => kept.filter(([, index]) => (finding.objects[index].what === "variable") === isVariable)
      .map(([object, index]) => objectLine(step, object, index));
    $("state").replaceChildren(
      table("Threads", ...finding.lanes.threads.map((thread) => threadLine(step, state, thread))),
      table("Locks and other objects", ...lines(false)), table("Variables", ...lines(true)));
    /* Only the box moves: the page stays where it is. */
    const box = $("state"), fresh = [...box.querySelectorAll(".fresh")].at(-1)?.getBoundingClientRect(), seen = box.getBoundingClientRect();
    if (fresh && (fresh.top < seen.top || fresh.bottom > seen.bottom))
      box.scrollTop += fresh.top - seen.top - box.clientHeight / 2;
  };

  /* --- the search --------------------------------------------------------------------------------------- */

  const showNumbers = () => {
    const { counts } = data;
    const rate = data.seconds > 0 ? (counts.executions + counts.hunted) / data.seconds : 0;
    const boxes = [["executions", counts.executions], ["hunting", counts.hunted], ["redundant", counts.redundant], ["steps", counts.steps],
      ["per second", rate], ["queries", counts.queries], ["restarts", counts.restarts]].filter(([name, n]) => n || name === "executions");
    $("numbers").replaceChildren(...boxes.map(([name, n]) => element("div", {}, element("b", {}, shortNumber(n)), element("span", {}, name))),
      element("div", {}, element("b", {}, `${data.seconds.toFixed(2)} s`), element("span", {}, `with ${data.explorer}`)));
    $("notices").replaceChildren(...data.notices.map((text) => element("li", {}, text)));
  };

  const showChart = () => {
    const { samples } = data;
    if (samples.length > 1 && samples.at(-1)[0] > 0)
      $("chart").replaceChildren(drawSearch(samples));
    $("chart-note").hidden = !$("chart").firstChild;
    $("chart-sight").hidden = !$("chart").querySelector(".sight")?.getAttribute("d");
  };

  /* --- lines -------------------------------------------------------------------------------------------- */

  const fillReached = (box, source, counts) => {
    box.replaceChildren(...data.sources[source].lines.map((text, index) => {
      const count = counts.get(index + 1);
      return element("div", { cls: count === undefined ? "" : count ? "reached" : "never" },
        element("span", { cls: "n" }, String(index + 1)), element("span", { cls: "hits" }, count === undefined ? "" : String(count)),
        element("span", {}, text || " "));
    }));
  };

  const showReached = () => {
    const files = new Map();
    for (const [source, line, executions] of data.reached)
      (files.get(source) || files.set(source, new Map()).get(source)).set(line, executions);
    $("reached-part").hidden = $("reached-link").hidden = !files.size;
    $("reached").replaceChildren(...[...files].map(([source, counts]) => {
      const box = element("div", { cls: "source" });
      const part = element("details", {}, element("summary", {}, data.sources[source].name,
        element("small", {}, `${[...counts.values()].filter(Boolean).length} places reached`)), box);
      /* Long files are filled when they are looked at. */
      part.addEventListener("toggle", () => { if (part.open && !box.childElementCount) fillReached(box, source, counts); });
      return part;
    }));
  };

  /* --- the unfolding ------------------------------------------------------------------------------------ */

  /* The text of `file.c:12`, where the file's name is its last part. */
  const sourceText = (place) => {
    const [, name, line] = /^(.*):(\d+)$/.exec(place) ?? [];
    return data.sources.find((source) => source.name.split("/").at(-1) === name)?.lines[line - 1]?.trim() ?? "";
  };

  const showNet = () => {
    $("net-part").hidden = $("net-link").hidden = !data.unfolding;
    if (!data.unfolding)
      return;
    makeNet($("net"), data.unfolding, sourceText);
    const [, shown, all] = /^\s*\/\/ (\d+) of (\d+) events$/m.exec(data.unfolding) ?? [];
    const parts = shown ? [`Of ${Number(all).toLocaleString("en")} events, the first ${Number(shown).toLocaleString("en")} are shown.`] : [];
    if (!["unfold", "naive", "contextual"].includes(data.explorer))
      parts.push(`${data.explorer} ended the search; this is what the unfolding explorer had built until then.`);
    $("net-note").textContent = parts.join(" ");
  };

  /* --- input ------------------------------------------------------------------------------------------------ */

  const clearFilters = () => {
    $("object").value = $("find-step").value = "";
    $("slice").checked = false;
    filter();
  };
  const chooseNext = (by) => choose((finding.index + by + findings.length) % findings.length);

  const keys = {
    ArrowLeft: () => move(-1), ArrowRight: () => move(1), ArrowUp: () => move(-1), ArrowDown: () => move(1),
    PageUp: () => move(-20), PageDown: () => move(20), Home: () => move(-1e9), End: () => move(1e9),
    n: () => chooseNext(1), p: () => chooseNext(-1), "/": () => $("find-step").focus(), d: switchTheme, Escape: clearFilters,
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input[type=search], select");
    if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape"))
      return;
    const act = findings.length || event.key === "d" ? keys[event.key] : undefined;
    if (!act)
      return;
    event.preventDefault();
    if (typing)
      event.target.blur();
    act();
  });
  $("first").addEventListener("click", () => move(-1e9));
  $("back").addEventListener("click", () => move(-1));
  $("forth").addEventListener("click", () => move(1));
  $("last").addEventListener("click", () => move(1e9));
  $("slider").addEventListener("input", () => { if (rows.length) pick(rows[Number($("slider").value)]); });
  $("object").addEventListener("change", filter);
  $("find-step").addEventListener("input", filter);
  $("past").addEventListener("change", () => pick(current));
  $("slice").addEventListener("change", filter);
  $("find-finding").addEventListener("input", listFindings);

  showNumbers();
  showChart();
  showNet();
  showReached();
  if (!findings.length) {
    $("finding").hidden = true;
    document.querySelector("aside.findings").hidden = true;
    $("calm").hidden = false;
    $("calm").classList.toggle("bound", data.status !== 0);
    $("calm").textContent = data.verdict;
    $("app").style.gridTemplateColumns = "minmax(0, 1fr)";
  } else {
    const wanted = /^#f=(\d+)&s=(\d+)$/.exec(location.hash);
    choose(wanted && findings[wanted[1]] ? Number(wanted[1]) : 0);
    if (wanted && finding.steps[wanted[2]]) {
      if (!rows.includes(Number(wanted[2])))
        clearFilters();
      pick(Number(wanted[2]));
    }
  }
})();
