/* Curves over time, or over anything else that grows. */

/* `curve` and `sight` are points [x, y]; `marks` are points with a text; `xText` makes a text of an x. */
const drawChart = ({ label, curve, sight = [], marks = [], xText, yText = shortNumber, height = 190 }) => {
  const W = 760, L = 58, B = 26, T = 12;
  const right = Math.max(curve.at(-1)[0], 1e-9), most = Math.max(1, ...curve.map(([, y]) => y), ...sight.map(([, y]) => y));
  const x = (a) => L + a / right * (W - L - 12), y = (b) => height - B - b / most * (height - B - T);
  const path = (points) => points.map(([a, b], i) => `${i ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("");
  const art = drawing("svg", { viewBox: `0 0 ${W} ${height}`, width: "100%", role: "img", "aria-label": label });
  for (const part of [0, .5, 1])
    art.append(drawing("line", { class: "grid", x1: L, x2: W - 12, y1: y(part * most), y2: y(part * most) }),
      drawing("text", { x: L - 8, y: y(part * most) + 4, "text-anchor": "end" }, yText(part * most)),
      drawing("text", { x: x(part * right), y: height - 8, "text-anchor": part === 1 ? "end" : part ? "middle" : "start" }, xText(part * right)));
  art.append(drawing("path", { class: "sight", d: path(sight) }), drawing("path", { class: "curve", d: path(curve) }));
  for (const [a, b, text] of marks)
    art.append(drawing("circle", { class: "found", cx: x(a), cy: y(b), r: 4 }, drawing("title", {}, text)));
  return art;
};

/* How a search goes, from samples [seconds, executions, hunting, findings, in sight]. */
const drawSearch = (samples) => {
  const time = samples.at(-1)[0];
  const most = Math.max(1, ...samples.map((s) => Math.max(s[1] + s[2], s[4] < 20 * s[1] ? s[4] : 0)));
  return drawChart({
    label: "executions over time",
    curve: [[0, 0], ...samples.map((s) => [s[0], s[1] + s[2]])],
    sight: samples.filter((s) => s[4] > 0 && s[4] <= most).map((s) => [s[0], s[4]]),
    marks: samples.filter((s, i) => s[3] > (i ? samples[i - 1][3] : 0)).map((s) => [s[0], s[1] + s[2], `${s[3]} found`]),
    xText: (t) => time < 1 ? `${(t * 1000).toFixed(time < .01 ? 1 : 0)} ms` : `${t.toFixed(time < 10 ? 2 : 0)} s`,
  });
};
