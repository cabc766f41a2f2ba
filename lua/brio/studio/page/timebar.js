// The time bar: where in time the page is, with states, events, operators' lines, faults and notes of the
// run.
import { html, useEffect, useRef, useState } from "/v/ui.js";
import * as player from "/page/player.js";
import * as state from "/page/state.js";
import { again, put } from "/page/panels/coding.js";

const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];
const stateColors = ["#9dbfe0", "#c9d8a8", "#e6c8a0", "#d3b6dc", "#a8d5cf", "#e4b3b3", "#c4c4a0", "#b9c0ea"];

// A time as minutes and seconds.
export function clock(t) {
  const minutes = Math.floor(t / 60), seconds = t - 60 * minutes;
  return `${minutes}:${seconds.toFixed(2).padStart(5, "0")}`;
}

// The color of a state, by its name.
export function colorOf(name) {
  let sum = 0;
  for (const letter of name.split(".")[0]) sum = (sum * 31 + letter.codePointAt(0)) >>> 0;
  return stateColors[sum % stateColors.length];
}

// What stands on the bar: spans of states, and marks {t, kind, text}.
function contents(shown) {
  if (shown.live) {
    const spans = [], marks = [];
    for (const one of state.events.value) {
      if (one.state) {
        if (spans.length) spans[spans.length - 1].to = one.t;
        spans.push({ name: one.name, from: one.t, to: Infinity });
      } else {
        marks.push({ t: one.t, to: one.to, kind: one.note ? "note" : "event", text: one.name });
      }
    }
    for (const line of state.log.value) {
      if (line.t && (line.level === "error" || line.level === "warning")) marks.push({ t: line.t,
        kind: "fault", text: line.text });
    }
    return { spans, marks };
  }
  const spans = (shown.states || []).filter((one) => one.depth === 1)
    .map((one) => ({ name: one.state, from: one.entered, to: one.left_at ?? shown.duration }));
  const marks = [
    ...(shown.events || []).map((one) => ({ t: one.t, kind: "event", text: one.name })),
    ...(shown.operator || []).map((one) => ({ t: one.t, kind: "operator", text: `${one.who
      || ""}: ${one.command}` })),
    ...(shown.faults || []).map((one) => ({ t: one.t, kind: "fault", text: one.message })),
    ...(shown.versions || []).filter((one) => one.t > 0).map((one) => ({ t: one.t, kind: "version",
      text: "version of " + one.name })),
    ...(shown.notes || []).map((one) => ({ t: one.t0, to: one.t1, kind: "note", text: `${one.tier}: ${one.label
      || ""}` })),
  ];
  return { spans, marks };
}

const colors = { event: "#1f4f7a", operator: "#7a3b86", fault: "#b3261e", version: "#2c6e49",
  note: "#8a5a00" };
const lanes = { event: 0, operator: 1, version: 1, note: 2, fault: 2 };

function paint(canvas) {
  const width = canvas.clientWidth, height = canvas.clientHeight, scale = Math.min(devicePixelRatio, 2);
  if (canvas.width !== width * scale) canvas.width = width * scale;
  if (canvas.height !== height * scale) canvas.height = height * scale;
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  const [from, to] = player.span(), { spans, marks } = contents(state.shown.value);
  const x = (t) => (Math.min(Math.max(t, from), to) - from) / Math.max(to - from, 1e-6) * width;
  pen.font = "11px system-ui, sans-serif";
  for (const span of spans) {
    if (span.to < from || span.from > to) continue;
    const left = x(span.from), right = x(span.to);
    pen.fillStyle = colorOf(span.name);
    pen.fillRect(left, 0, Math.max(1, right - left - 1), 16);
    pen.fillStyle = "#14202b";
    if (right - left > 40) pen.fillText(span.name, left + 4, 12, right - left - 8);
  }
  for (const mark of marks) {
    if (mark.t < from || mark.t > to) continue;
    pen.fillStyle = colors[mark.kind];
    pen.fillRect(x(mark.t) - 1, 18 + 7 * lanes[mark.kind], 2, 6);
    if (mark.to) pen.fillRect(x(mark.t), 22 + 7 * lanes[mark.kind], Math.max(1, x(mark.to) - x(mark.t)), 2);
  }
  pen.fillStyle = "#14202b";
  pen.fillRect(x(state.t.value) - 1, 0, 2, height);
}

// The marks near a place, for the tip.
function near(canvas, event) {
  const [from, to] = player.span(), box = canvas.getBoundingClientRect();
  const t = from + (event.clientX - box.left) / box.width * (to - from), room = 4 / box.width * (to - from);
  const { spans, marks } = contents(state.shown.value);
  const found = marks.filter((mark) => Math.abs(mark.t - t) < room).slice(0, 5);
  const span = spans.find((one) => one.from <= t && t < one.to);
  return [clock(Math.max(0, t)), span?.name, ...found.map((mark) =>
    `${mark.t.toFixed(2)} s ${mark.text}`)].filter(Boolean).join("\n");
}

function Bar() {
  const canvas = useRef(null), dragging = useRef(false);
  useEffect(() => {
    const observer = new ResizeObserver(() => paint(canvas.current));
    observer.observe(canvas.current);
    return () => observer.disconnect();
  }, []);
  // Read here, so that the bar is drawn again when they change.
  void [state.t.value, state.newest.value, state.shown.value, state.events.value, state.log.value,
    again.value];
  useEffect(() => paint(canvas.current));
  function seek(event) {
    const box = canvas.current.getBoundingClientRect(), [from, to] = player.span();
    player.seek(from + (event.clientX - box.left) / box.width * (to - from));
  }
  const [from, to] = player.span();
  return html`<canvas ref=${canvas} class="bar" role="slider" tabIndex="0" aria-label="time of the run"
    aria-valuemin=${from} aria-valuemax=${to} aria-valuenow=${state.t.value}
      aria-valuetext=${clock(state.t.value)}
    onPointerDown=${(event) => { dragging.current = true;
    event.currentTarget.setPointerCapture(event.pointerId); seek(event); }}
    onPointerMove=${(event) => { if (dragging.current) seek(event);
    else event.currentTarget.title = near(canvas.current, event); }}
    onPointerUp=${() => { dragging.current = false; }}
    onKeyDown=${(event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
      if (by) player.seek(state.t.value + by * (event.shiftKey ? 0.1 : 1));
      else if (event.key === "Home") player.seek(-Infinity);
      else if (event.key === "End") player.seek(Infinity);
      else if (event.key === " ") player.togglePlay();
      else return;
      event.preventDefault();
    }}></canvas>`;
}

// A note at the moment that the bar shows when the field is opened.
function Note() {
  const [at, setAt] = useState(null), [text, setText] = useState(""), [why, setWhy] = useState("");
  const field = useRef(null);
  useEffect(() => { if (at !== null) field.current.focus(); }, [at]);
  async function save() {
    if (!text.trim()) return setAt(null);
    const fault = await put({ tier: "note", t0: at, label: text.trim() });
    setWhy(fault);
    if (fault) return;
    setText("");
    setAt(null);
  }
  if (at === null) return html`<button onClick=${() => setAt(state.t.value)}>Note</button>`;
  return html`<label class="note">${clock(at)} <input ref=${field} value=${text} aria-label="note"
    maxlength="500" onInput=${(event) => setText(event.target.value)} onKeyDown=${(event) => {
      if (event.key === "Enter") save();
      if (event.key === "Escape") setAt(null);
    }} /><button onClick=${save}>Keep</button>${why && html`<span class="bad" role="alert">${why}</span>`}</label>`;
}

export function TimeBar() {
  const live = state.isLive.value, runs = live ? state.following.value : state.playing.value;
  return html`<div class="time">
    <button onClick=${player.togglePlay} aria-label=${runs ? "pause" : "play"}>
      ${runs ? "❚❚" : "▶"}</button>
    ${!state.offline.value && html`<button class=${live && state.following.value ? "on" : ""}
      onClick=${() => player.goLive()}>Live</button>`}
    <output class="now">${clock(state.t.value)}</output>
    <${Bar} />
    ${!live && html`<label>speed <select value=${state.speed.value}
      onChange=${(event) => { state.speed.value = Number(event.target.value); }}>
      ${speeds.map((one) => html`<option value=${one}>${one}×</option>`)}</select></label>
      <span class="name">run ${state.shown.value.run}</span>`}
    ${!state.offline.value && html`<${Note} />`}
    <label><input type="checkbox" checked=${state.ghost.value !== "off"} onChange=${(event) => {
      state.ghost.value = event.target.checked ? "command" : "off"; }} /> ghost</label>
  </div>`;
}
