/* The unfolding: what an unfolding explorer has built of all executions. Events in a lane per thread, causes above; a
 * thread that can go on in several ways has a column for each. The graph comes in dot's language, as --dot draws it.
 */

const parseNet = (text) => {
  const events = new Map(), makers = new Map(), users = [], direct = [];
  let thread = "";
  const push = (map, key, value) => map.has(key) ? map.get(key).push(value) : map.set(key, [value]);
  for (const line of text.split("\n")) {
    const lane = /^\s*label="(.*)";$/.exec(line), event = /^\s*e(\d+) \[shape=box( style=dotted)? label="(.*)"\];$/.exec(line);
    const edge = /^\s*([ect])(\d+) -> ([ect])(\d+)(.*);$/.exec(line);
    if (lane)
      thread = lane[1];
    else if (event)
      events.set(Number(event[1]), { id: Number(event[1]), thread, dotted: Boolean(event[2]), words: event[3].replace(/^\d+: /, "").split("\\n"), causes: [] });
    else if (edge && edge[1] === "e" && edge[3] === "e")
      direct.push([Number(edge[2]), Number(edge[4])]);
    else if (edge && edge[1] === "e")
      push(makers, edge[3] + edge[4], Number(edge[2]));
    else if (edge)
      users.push([edge[1] + edge[2], Number(edge[4]), edge[5].includes("dashed")]);
  }
  const add = (from, to, kind) => {
    const event = events.get(to);
    if (event && events.has(from) && !event.causes.some((cause) => cause.from === from))
      event.causes.push({ from, kind });
  };
  for (const [place, user, looks] of users)
    for (const maker of makers.get(place) || [])
      add(maker, user, place[0] === "t" ? "own" : looks ? "looks" : "after");
  for (const [from, to] of direct)
    add(from, to, "after");
  return [...events.values()].sort((a, b) => a.id - b.id);
};

/* Puts each event below its causes; causes have smaller numbers. */
const layOutNet = (events) => {
  const WIDTH = 132, HEIGHT = 40, DOWN = 62, GAP = 26;
  const byId = new Map(events.map((event) => [event.id, event]));
  const threads = [...new Set(events.map((event) => event.thread))];
  const rankOf = (event) => {
    if (event.rank === undefined) {
      event.rank = 0; /* of a cycle, which no net has */
      event.rank = Math.max(0, ...event.causes.map(({ from }) => rankOf(byId.get(from)) + 1));
    }
    return event.rank;
  };
  events.forEach(rankOf);
  /* The first event after another one of its thread is below it; each further one begins a column of its own. */
  let left = 0;
  const lanes = threads.map((thread) => {
    const continued = new Set();
    let columns = 0;
    for (const event of events.filter((other) => other.thread === thread)) {
      const own = event.causes.find(({ kind }) => kind === "own")?.from;
      event.column = own === undefined || continued.has(own) ? columns++ : byId.get(own).column;
      continued.add(own);
      event.x = left + 6 + event.column * WIDTH;
      event.y = 30 + event.rank * DOWN;
    }
    const lane = { thread, left, width: columns * WIDTH + GAP };
    left += lane.width;
    return lane;
  });
  return { byId, lanes, width: left, height: 30 + DOWN * (1 + Math.max(0, ...events.map((event) => event.rank))), boxWidth: WIDTH - 14, boxHeight: HEIGHT };
};

/* `sourceText` gives the text of `file.c:12`, or "". */
const makeNet = (root, text, sourceText) => {
  const events = parseNet(text), net = layOutNet(events);
  const art = drawing("svg", { tabindex: "0", role: "img", "aria-label": "unfolding" });
  const middle = (event) => event.x + net.boxWidth / 2;
  let chosen = null, view = { x: 0, y: 0, scale: 1 };

  for (const lane of net.lanes)
    art.append(drawing("rect", { class: "net-lane", x: lane.left, y: 0, width: lane.width - 14, height: net.height, rx: 8 }),
      drawing("text", { class: "net-head", x: lane.left + 10, y: 18 }, lane.thread));
  const edges = events.flatMap((event) => event.causes.map(({ from, kind }) => {
    const cause = net.byId.get(from), x1 = middle(cause), y1 = cause.y + net.boxHeight, x2 = middle(event), y2 = event.y;
    const bend = Math.max(14, (y2 - y1) / 2);
    const line = drawing("path", { class: `net-edge ${kind}`, d: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}` });
    art.append(line);
    return { line, from, to: event.id };
  }));
  const boxes = events.map((event) => {
    const box = drawing("g", { class: `net-event${event.dotted ? " dotted" : ""}`, transform: `translate(${event.x} ${event.y})` },
      drawing("rect", { width: net.boxWidth, height: net.boxHeight, rx: 6 }),
      ...event.words.map((word, index) => drawing("text", { x: 8, y: event.words.length > 1 ? 16 + 15 * index : 24, class: index ? "place" : "" }, word)),
      drawing("title", {}, [`event ${event.id} of ${event.thread}: ${event.words.join(", ")}`, sourceText(event.words.at(-1))].filter(Boolean).join("\n")));
    box.addEventListener("click", () => { if (!dragged) choose(event.id === chosen ? null : event.id); });
    art.append(box);
    return { box, event };
  });

  const pastOf = (id) => {
    const past = new Set(), left = [id];
    while (left.length) {
      const at = left.pop();
      if (past.has(at))
        continue;
      past.add(at);
      left.push(...net.byId.get(at).causes.map(({ from }) => from));
    }
    return past;
  };
  const choose = (id) => {
    chosen = id;
    const past = id === null ? null : pastOf(id);
    for (const { box, event } of boxes) {
      box.classList.toggle("chosen", event.id === id);
      box.classList.toggle("past", Boolean(past?.has(event.id)));
      box.classList.toggle("away", Boolean(past && !past.has(event.id)));
    }
    for (const { line, from, to } of edges) {
      line.classList.toggle("past", Boolean(past?.has(from) && past.has(to)));
      line.classList.toggle("away", Boolean(past && !(past.has(from) && past.has(to))));
    }
  };

  /* --- zoom and pan --- */
  const show = () => art.setAttribute("viewBox", `${view.x} ${view.y} ${root.clientWidth / view.scale} ${root.clientHeight / view.scale}`);
  const fit = () => {
    const scale = Math.min(1, root.clientWidth / (net.width + 10), root.clientHeight / (net.height + 10));
    view = { x: -5, y: -5, scale: Math.max(scale, .25) };
    show();
  };
  const zoom = (by, px = root.clientWidth / 2, py = root.clientHeight / 2) => {
    const scale = Math.min(4, Math.max(.05, view.scale * by));
    view = { x: view.x + px / view.scale - px / scale, y: view.y + py / view.scale - py / scale, scale };
    show();
  };
  const pan = (dx, dy) => { view.x -= dx / view.scale; view.y -= dy / view.scale; show(); };
  let held = null, dragged = false;
  art.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.offsetX, event.offsetY);
  }, { passive: false });
  art.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; dragged = false; });
  art.addEventListener("pointermove", (event) => {
    if (!held || !(event.buttons & 1))
      return;
    const [dx, dy] = [event.clientX - held[0], event.clientY - held[1]];
    if (!dragged && Math.abs(dx) + Math.abs(dy) < 4)
      return;
    dragged = true;
    held = [event.clientX, event.clientY];
    pan(dx, dy);
  });
  art.addEventListener("pointerup", () => { held = null; });
  const keys = { "+": () => zoom(1.3), "-": () => zoom(1 / 1.3), 0: fit, Escape: () => choose(null),
    ArrowLeft: () => pan(60, 0), ArrowRight: () => pan(-60, 0), ArrowUp: () => pan(0, 60), ArrowDown: () => pan(0, -60) };
  art.addEventListener("keydown", (event) => {
    if (!keys[event.key])
      return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
  const button = (label, title, act) => {
    const made = element("button", { type: "button", title, "aria-label": title }, label);
    made.addEventListener("click", act);
    return made;
  };
  root.replaceChildren(art, element("div", { cls: "net-tools" }, button("+", "zoom in", () => zoom(1.3)),
    button("−", "zoom out", () => zoom(1 / 1.3)), button("fit", "show everything", fit)));
  fit();
};
