/* The lanes: a row per step, a column per thread. Only the rows in sight exist, so that long executions stay smooth. */

/* Colours of objects: far apart, and readable on light and dark. */
const colourOf = (object) => `hsl(${(object * 137.5 + 150) % 360} 55% 48%)`;

const makeLanes = (root, onPick) => {
  const ROW = 24, GUTTER = 52, SPARE = 12, NARROWEST = 150, LETTER = 7.23;
  let finding = null, rows = [], places = new Map(), current = -1, past = null, width = NARROWEST, frame = 0;
  const heads = element("div", { cls: "heads" });
  const canvas = element("div", { cls: "canvas" });
  const art = drawing("svg", { width: "100%", height: "100%" });
  const list = element("div");
  root.append(heads, canvas);
  canvas.append(art, list);

  const left = (thread) => GUTTER + finding.lanes.of[thread] * width;

  const layOut = () => {
    const count = Math.max(1, finding.lanes.count);
    width = Math.max(NARROWEST, Math.floor((root.clientWidth - GUTTER - 2) / count));
    const whole = GUTTER + count * width;
    canvas.style.width = heads.style.width = `${whole}px`;
    canvas.style.height = `${Math.max(rows.length * ROW + 8, 60)}px`;
    heads.replaceChildren(...finding.lanes.threads.map((thread) => {
      const { name, process } = finding.threads[thread];
      const head = element("span", { title: process ? `${process}: ${name}` : name }, name,
        ...(process ? [element("small", {}, ` ${process}`)] : []));
      head.style.left = `${left(thread)}px`;
      head.style.width = `${width}px`;
      return head;
    }));
    canvas.querySelectorAll(".lane").forEach((lane) => lane.remove());
    for (const thread of finding.lanes.threads) {
      const lane = element("div", { cls: "lane" });
      lane.style.left = `${left(thread)}px`;
      canvas.prepend(lane);
    }
  };

  const makeRow = (place) => {
    const index = rows[place], step = finding.steps[index];
    const state = [index === current ? "now" : "", past && !past.has(index) ? "away" : ""].filter(Boolean).join(" ");
    const role = [step.role, finding.accesses.includes(index) ? "access" : "", step.end ? "end" : ""].filter(Boolean).join(" ");
    const chip = element("span", { cls: `chip ${role}`, title: step.text }, step.text);
    chip.style.left = `${left(step.thread) + 14}px`;
    chip.style.maxWidth = `${width - 20}px`;
    const row = element("div", { cls: `row ${state}`, role: "option", "aria-selected": String(index === current) },
      element("span", { cls: "number" }, step.end ? "" : String(step.number)), chip);
    row.dataset.step = index;
    row.style.top = `${place * ROW}px`;
    return row;
  };

  /* Where the chip of a step ends; its letters have one width. */
  const chipEnd = (step) => Math.min(width - 6, 14 + 20 + step.text.length * LETTER);

  const middle = (place) => place * ROW + ROW / 2;

  const arrowTo = (place) => {
    const index = rows[place], step = finding.steps[index];
    const sent = finding.sentBy.get(index);
    for (const from of new Set(sent === undefined ? step.earlier : [...step.earlier, sent])) {
      const start = places.get(from);
      if (start === undefined || finding.lanes.of[finding.steps[from].thread] < 0)
        continue;
      const lit = (from === sent ? " message" : "") + (past && !past.has(index) ? " away" : index === current || from === current ? " lit" : "");
      const cause = finding.steps[from], right = left(step.thread) > left(cause.thread);
      const x1 = left(cause.thread) + (right ? chipEnd(cause) : 14), x2 = left(step.thread) + (right ? 13 : chipEnd(step));
      const y1 = middle(start), y2 = middle(place), bend = Math.max(24, Math.abs(x2 - x1) / 3) * (right ? 1 : -1);
      art.append(
        drawing("path", { class: `arrow${lit}`, d: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` }),
        drawing("path", { class: `tip${lit}`, d: right ? `M${x2 + 1} ${y2}l-6 -3.5v7z` : `M${x2 - 1} ${y2}l6 -3.5v7z` }));
    }
  };

  /* The first row at or after a step. */
  const firstFrom = (index) => {
    let low = 0, high = rows.length;
    while (low < high) {
      const at = (low + high) >> 1;
      if (rows[at] < index)
        low = at + 1;
      else
        high = at;
    }
    return low;
  };

  const drawHolds = (first, last) => {
    for (const hold of finding.holds) {
      const from = firstFrom(hold.from), to = firstFrom(hold.to + 1) - 1;
      if (to < first || from > last || to < from)
        continue;
      art.append(drawing("rect", { x: left(hold.thread) + 2 + (hold.depth % 3) * 4, y: middle(from) - 6, width: 3,
        height: Math.max(12, middle(to) - middle(from) + 12), rx: 1.5, fill: colourOf(hold.object), class: "hold" },
        drawing("title", {}, `${finding.threads[hold.thread].name} holds ${finding.objects[hold.object].name}`)));
    }
  };

  const draw = () => {
    frame = 0;
    if (!finding)
      return;
    const first = Math.max(0, Math.floor((root.scrollTop - 30) / ROW) - SPARE);
    const last = Math.min(rows.length - 1, Math.ceil((root.scrollTop + root.clientHeight) / ROW) + SPARE);
    const made = [];
    art.replaceChildren();
    drawHolds(first, last);
    for (let place = first; place <= last; place++) {
      made.push(makeRow(place));
      arrowTo(place);
    }
    list.replaceChildren(...made);
    if (!rows.length)
      list.replaceChildren(element("p", { cls: "empty" }, finding.steps.length ? "No step matches." : "No steps were recorded for this finding."));
  };
  const schedule = () => { frame = frame || requestAnimationFrame(draw); };

  const reveal = () => {
    const place = places.get(current);
    if (place === undefined)
      return;
    const top = place * ROW, room = root.clientHeight - 30;
    if (top < root.scrollTop + ROW)
      root.scrollTop = Math.max(0, top - 2 * ROW);
    else if (top + 2 * ROW > root.scrollTop + room)
      root.scrollTop = top + 3 * ROW - room;
  };

  root.addEventListener("scroll", schedule, { passive: true });
  list.addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (row)
      onPick(Number(row.dataset.step));
  });
  new ResizeObserver(() => { if (finding) { layOut(); schedule(); } }).observe(root);

  return {
    show(which, chosen) {
      finding = which;
      rows = chosen;
      places = new Map(rows.map((index, place) => [index, place]));
      layOut();
      draw();
    },
    pick(index, itsPast) {
      current = index;
      past = itsPast;
      reveal();
      draw();
    },
  };
};
