// The log of the run, by severity, with a filter.
import { html, useEffect, useRef, useState } from "/v/ui.js";
import * as state from "/page/state.js";

const levels = ["debug", "info", "warning", "error"];

// The lines that are shown: live, or those of a recorded run up to its moment.
function linesOf(shown) {
  if (shown.live) return state.log.value;
  return [...(shown.log || []), ...(shown.faults || []).map((one) => ({ t: one.t, level: one.severity,
    text: one.message }))]
    .sort((a, b) => (a.t ?? 0) - (b.t ?? 0));
}

export function Log() {
  const [least, setLeast] = useState("info"), [filter, setFilter] = useState("");
  const list = useRef(null), follows = useRef(true);
  const shown = state.shown.value;
  const lines = linesOf(shown).filter((one) => levels.indexOf(one.level) >= levels.indexOf(least)
    && (!filter || one.text.toLowerCase().includes(filter.toLowerCase())));
  const now = shown.live ? Infinity : state.t.value;
  useEffect(() => { if (follows.current && shown.live) list.current.scrollTop = list.current.scrollHeight; });
  return html`
    <div class="tools">
      <label>from <select value=${least} onChange=${(event) => setLeast(event.target.value)}>
        ${levels.map((one) => html`<option>${one}</option>`)}</select></label>
      <input type="search" placeholder="filter" aria-label="filter" value=${filter} onInput=${(event) =>
        setFilter(event.target.value)} />
      <span>${lines.length} lines</span>
    </div>
    <div class="lines" role="log" ref=${list} tabIndex="0" onScroll=${(event) => {
      const box = event.currentTarget;
      follows.current = box.scrollTop + box.clientHeight > box.scrollHeight - 20;
    }}>
      ${lines.slice(-500).map((one) => html`<div class=${"entry " + one.level + (one.t > now ? " later"
        : "")}>
        <time>${one.t !== undefined && one.t !== null ? one.t.toFixed(2) : ""}</time> <span>${one.text}</span>
          </div>`)}
    </div>`;
}
