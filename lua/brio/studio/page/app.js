// The page: a bar with the run and the stop button, the 3-D view, panels in tabs, the time bar, the prompt.
import { effect, html, useEffect, useRef, useState } from "/v/ui.js";
import * as player from "/page/player.js";
import * as state from "/page/state.js";
import { ask } from "/page/main.js";
import { View } from "/page/view/view.js";
import { TimeBar } from "/page/timebar.js";
import { Prompt } from "/page/prompt.js";
import { Mind } from "/page/panels/mind.js";
import { Tree } from "/page/panels/tree.js";
import { Goals } from "/page/panels/goals.js";
import { Joints } from "/page/panels/joints.js";
import { Log } from "/page/panels/log.js";
import { Plots } from "/page/panels/plots.js";
import { Steer } from "/page/panels/steer.js";
import { Runs } from "/page/panels/runs.js";
import { Query } from "/page/panels/query.js";
import { Lazy } from "/page/lazy.js";

// The panels: name, title, what draws it.
const panels = [["mind", "Mind", Mind], ["tree", "Tree", Tree], ["goals", "Objectives", Goals],
  ["joints", "Joints", Joints], ["steer", "Steer", Steer], ["plots", "Plots", Plots], ["log", "Log", Log],
  ["runs", "Runs", Runs], ["code", "Code", () => html`<${Lazy} from="/page/panels/code.js" name="Code" />`],
  ["sql", "SQL", Query]];

const words = { live: "live", ended: "has ended", crashed: "has crashed", none: "no run" };

// The stop button: waits for nobody, needs no lock, and says whether the run has confirmed it.
function Stop() {
  const [said, setSaid] = useState("");
  async function stop() {
    setSaid("...");
    const began = performance.now();
    const answer = await ask({ panic: true });
    setSaid(answer.error ? "NOT CONFIRMED: " + answer.error
      : `stopped, confirmed in ${Math.round(performance.now() - began)} ms`);
  }
  const panic = state.desk.value?.panic;
  return html`<div class="stop">
    <span role="status">${panic && !said ? "stopped" : said}</span>
    ${(panic || said) && html`<button onClick=${async () => { await ask({ line: "release" }); setSaid("");
    }}>Release</button>`}
    <button class="panic" onClick=${stop} title="stop every motor at once (Alt+P)">STOP</button>
  </div>`;
}

// What is known of the run, and whether it still speaks.
function About() {
  const [, again] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => again((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, []);
  const run = state.run.value, desk = state.desk.value;
  const silent = run.status === "live" && state.deskAt.value && performance.now() - state.deskAt.value > 2500;
  const kind = !state.connected.value ? "bad" : run.status === "live" ? (silent ? "warn" : "good") : "bad";
  const text = !state.connected.value ? "studio lost" : silent ? "no word from the run" : words[run.status]
    || run.status;
  const others = state.people.value.operators.filter((one) => !one.who.startsWith("studio")).length;
  return html`<div class="about">
    <strong>brio studio</strong>
    <span class="badge ${kind}" role="status">${text}</span>
    <span class="name">${run.behavior || ""} ${run.robot ? "on " + run.robot : ""} ${run.number ? "· run "
      + run.number : ""}</span>
    <span class="name">${desk && run.status === "live" ? `${desk.state
      || ""} · tick p99 ${Math.round(desk.tick_p99_us || 0)} µs` : ""}</span>
    <span class="name">${state.me.value ? `${state.me.value.role}, ${others} here` : ""}</span>
  </div>`;
}

// The 3-D view, in an element of its own that no redraw touches.
function Picture() {
  const host = useRef(null);
  useEffect(() => {
    const view = new View(host.current, (link) => { state.picked.value = link; });
    window.studio.view = view;
    player.setView(view);
    const undo = [
      effect(() => { view.setModel(state.model.value); view.mark(state.picked.peek()); }),
      effect(() => view.mark(state.picked.value)),
      effect(() => view.setScene(state.isLive.value && state.following.value ? state.scene.value : [])),
    ];
    return () => undo.forEach((one) => one());
  }, []);
  return html`<section class="view" aria-label="3-D view">
    <div class="canvas" ref=${host}></div>
    ${!state.model.value && html`<p class="notice">There is no robot to draw yet.</p>`}
    <${Picked} />
  </section>`;
}

// A DOF with its range.
function rangeOf(dof) {
  return `${dof.name}: ${dof.lower?.toFixed(3) ?? "-∞"} to ${dof.upper?.toFixed(3) ?? "∞"} ${dof.unit}`;
}

// The link that was picked: its joint, the range, and why it is where it is.
function Picked() {
  const [why, setWhy] = useState("");
  const link = state.picked.value, model = state.model.value;
  const joint = link && model?.joints.find((one) => one.child === link);
  const dofs = model && joint ? model.dofs.filter((dof) => joint.variables.includes(dof.name)) : [];
  const name = dofs[0]?.name;
  useEffect(() => {
    setWhy("");
    if (name && state.isLive.value) ask({ line: "why " + name }).then((answer) => setWhy(answer.text
      || answer.error || ""));
  }, [name]);
  if (!link) return null;
  return html`<aside class="picked">
    <button class="close" aria-label="close" onClick=${() => { state.picked.value = null; }}>×</button>
    <strong>${link}</strong>
    <div>${joint ? `${joint.type} joint ${joint.name}` : "the root link"}${joint?.mimic
      ? `, follows ${joint.mimic.joint}` : ""}</div>
    ${dofs.map((dof) => html`<div>
      ${rangeOf(dof)}</div>`)}
    ${why && html`<pre>${why}</pre>`}
  </aside>`;
}

function Tabs() {
  const open = state.panel.value, Panel = panels.find(([name]) => name === open)[2];
  function move(event, by) {
    const at = panels.findIndex(([name]) => name === open);
    const next = panels[(at + by + panels.length) % panels.length][0];
    state.panel.value = next;
    event.currentTarget.querySelector(`#tab-${next}`).focus();
    event.preventDefault();
  }
  return html`<section class="panels">
    <div role="tablist" aria-label="panels" onKeyDown=${(event) => {
      if (event.key === "ArrowRight") move(event, 1);
      if (event.key === "ArrowLeft") move(event, -1);
    }}>
      ${panels.map(([name, title]) => html`<button role="tab" id=${"tab-" + name}
        aria-selected=${name === open}
        aria-controls="panel" tabIndex=${name === open ? 0 : -1} onClick=${() => { state.panel.value = name;
        }}>${title}</button>`)}
    </div>
    <div role="tabpanel" id="panel" aria-labelledby=${"tab-" + open} class=${"panel " + open}>
      <${Panel} key=${open} /></div>
  </section>`;
}

// Keys of the whole page.
function onKey(event) {
  if (event.altKey && event.key.toLowerCase() === "p") {
    document.querySelector(".panic").click();
    event.preventDefault();
  }
}

export function App() {
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return html`
    <header><${About} /><${Stop} /></header>
    ${state.problem.value && html`<p class="problem" role="alert">${state.problem.value}
      <button aria-label="close" onClick=${() => { state.problem.value = null; }}>×</button></p>`}
    <main><${Picture} /><${Tabs} /></main>
    <footer><${TimeBar} /><${Prompt} /></footer>`;
}
