// Plots of DOFs over time: the last seconds of the live run, or a stretch of a recorded one.
import { html, useEffect, useRef, useState } from "/v/ui.js";
import { get } from "/page/link.js";
import { uPlot } from "/v/plot.js";
import * as player from "/page/player.js";
import * as state from "/page/state.js";

const seconds = 20;

// The last seconds of a DOF from the feed: [times, measured, command].
function liveData(place) {
  const now = state.t.value, times = [], measured = [];
  for (const frame of player.rings[0].frames) {
    if (frame.t < now - seconds || frame.t > now) continue;
    times.push(frame.t);
    measured.push(frame.values[place]);
  }
  const command = [], commands = player.rings[1].frames;
  let at = 0;
  for (const t of times) {
    while (at + 1 < commands.length && commands[at + 1].t <= t) at++;
    command.push(commands[at] ? commands[at].values[place] : null);
  }
  return [times, measured, command];
}

function options(name, unit, width) {
  return { width, height: 170, title: name, cursor: { sync: { key: "time" } }, scales: { x: { time: false } },
    axes: [{ label: "s", size: 34, labelSize: 14 }, { label: unit, size: 56, labelSize: 14 }],
    series: [{ label: "t" }, { label: "measured", stroke: "#1f4f7a", width: 1.5 }, { label: "command",
      stroke: "#b3541e", width: 1 }] };
}

function Plot({ name, unit, place }) {
  const host = useRef(null), plot = useRef(null), shown = state.shown.value;
  const moment = shown.live ? Math.floor(state.t.value * 5) : Math.floor(state.t.value / 10);
  useEffect(() => {
    plot.current = new uPlot(options(name, unit, Math.max(200, host.current.clientWidth)), [[], [], []],
      host.current);
    return () => plot.current.destroy();
  }, [name]);
  useEffect(() => {
    if (shown.live) {
      plot.current.setData(liveData(place));
      return undefined;
    }
    let gone = false;
    const from = Math.max(0, moment * 10 - 10), to = Math.min(shown.duration, moment * 10 + 20);
    get("series", { run: shown.run, dof: name, from, to, points: 800 }).then((one) => {
      if (!gone) plot.current.setData([one.t, one.measured, one.command]);
    }, (fault) => { state.problem.value = fault.message; });
    return () => { gone = true; };
  }, [name, moment, shown]);
  return html`<div class="plot" ref=${host}></div>`;
}

export function Plots() {
  const [names, setNames] = useState([]), model = state.model.value;
  if (!model) return html`<p>There is no robot.</p>`;
  const chosen = names.length ? names : model.dofs.slice(0, 2).map((dof) => dof.name);
  function toggle(name) { setNames(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen,
    name]); }
  return html`<details><summary>DOFs</summary><div class="tools">${model.dofs.map((dof) => html`<label>
      <input type="checkbox" checked=${chosen.includes(dof.name)} onChange=${() =>
        toggle(dof.name)} /> ${dof.name}</label>`)}</div></details>
    ${chosen.map((name) => {
      const place = model.dofs.findIndex((dof) => dof.name === name);
      return place >= 0 && html`<${Plot} key=${name + state.shown.value.run} name=${name}
        unit=${model.dofs[place].unit} place=${place} />`;
    })}`;
}
