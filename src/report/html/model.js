/* The data of the page, and what follows from it: no drawing here.
 *
 * A step in the file is [thread, text, object, role, value, source, line, [earlier…], matters]. After the steps of a finding come
 * what its threads do at the end (`end`), as steps without an object. */

const model = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);

  const toStep = ([thread, text, object, role, value, source, line, earlier, matters], number) =>
    ({ number, thread, text, object, role, value, source, line, earlier, matters: Boolean(matters), end: false });

  const endsOf = (finding) => finding.threads.flatMap((thread, index) => {
    if (!thread.end)
      return [];
    return [{ number: 0, thread: index, text: thread.end, object: -1, role: "", value: null, earlier: [], matters: true, end: true,
      source: thread.source, line: thread.line }];
  });

  /* Threads without a step take no lane. */
  const lanesOf = (finding, steps) => {
    const used = finding.threads.map((_, index) => steps.some((step) => step.thread === index));
    let next = 0;
    return { of: used.map((is) => is ? next++ : -1), count: next,
      threads: finding.threads.map((_, index) => index).filter((index) => used[index]) };
  };

  /* From when to when a thread holds an object: bars beside its lane. `depth` keeps bars of one thread apart. */
  const holdsOf = (steps) => {
    const open = new Map(), holds = [], depths = new Map();
    const close = (key, last) => {
      const hold = open.get(key);
      if (!hold)
        return;
      hold.to = last;
      open.delete(key);
      depths.get(hold.thread).delete(hold.depth);
    };
    steps.forEach((step, index) => {
      const key = step.thread + ":" + step.object;
      if ((step.role === "take" || step.role === "share") && !open.has(key)) {
        const taken = depths.get(step.thread) || depths.set(step.thread, new Set()).get(step.thread);
        let depth = 0;
        while (taken.has(depth))
          depth++;
        taken.add(depth);
        const hold = { thread: step.thread, object: step.object, from: index, to: steps.length - 1, depth };
        open.set(key, hold);
        holds.push(hold);
      } else if (step.role === "give") {
        close(key, index);
      }
    });
    return holds;
  };

  const prepare = (finding, index) => {
    const steps = finding.steps.map(toStep);
    steps.forEach((step, number) => { step.number = number + 1; });
    steps.push(...endsOf(finding));
    const hits = new Map();
    for (const step of steps)
      if (step.source >= 0 && !step.end) {
        const key = step.source + ":" + step.line;
        hits.set(key, (hits.get(key) || 0) + 1);
      }
    const before = new Array(finding.threads.length).fill(-1);
    steps.forEach((step, at) => {
      step.before = before[step.thread]; /* the step of its thread before it */
      before[step.thread] = at;
    });
    const held = new Set(steps.filter((step) => ["take", "share", "give"].includes(step.role)).map((step) => step.object));
    /* Results that were stored earlier have no messages. */
    const sentBy = new Map((finding.messages ?? []).map(([from, to]) => [to, from]));
    const inSlice = steps.filter((step) => step.matters && !step.end).length;
    return { ...finding, index, count: finding.steps.length, steps, inSlice, held, sentBy, hits, lanes: lanesOf(finding, steps), holds: holdsOf(steps) };
  };

  const findings = data.findings.map(prepare);

  /* What each thread is at, who holds what, and the values of variables, after the step `at`. */
  const stateAt = (finding, at) => {
    const threads = finding.threads.map(() => -1);
    const objects = finding.objects.map(() => ({ holders: new Set(), value: null, step: -1 }));
    for (let index = 0; index <= at && index < finding.steps.length; index++) {
      const step = finding.steps[index];
      threads[step.thread] = index;
      if (step.object < 0)
        continue;
      const object = objects[step.object];
      object.step = index;
      if (step.value !== null)
        object.value = step.value;
      if (step.role === "take" || step.role === "share")
        object.holders.add(step.thread);
      else if (step.role === "give")
        object.holders.delete(step.thread);
    }
    return { threads, objects };
  };

  /* All steps that happen before `at`, and itself. */
  const pastOf = (finding, at) => {
    const past = new Set(), left = [at];
    while (left.length) {
      const index = left.pop();
      if (index < 0 || past.has(index))
        continue;
      past.add(index);
      const step = finding.steps[index];
      left.push(step.before, ...step.earlier, finding.sentBy.get(index) ?? -1);
    }
    return past;
  };

  /* The indices of the steps that a filter lets through. */
  const select = (finding, object, words, onlySlice) => {
    const text = words.trim().toLowerCase();
    const rows = [];
    finding.steps.forEach((step, index) => {
      const place = step.source >= 0 ? data.sources[step.source].name + ":" + step.line : "";
      if ((!onlySlice || step.matters) && (object < 0 || step.object === object)
        && (!text || step.text.toLowerCase().includes(text) || place.toLowerCase().includes(text)))
        rows.push(index);
    });
    return rows;
  };

  return { data, findings, stateAt, pastOf, select };
})();
