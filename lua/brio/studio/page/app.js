// The page: a bar with the run and the stop button, the 3-D view, panels in tabs, the time bar, the prompt.
import { html, useEffect, useState } from "/v/ui.js";
import * as state from "/page/state.js";
import { ask } from "/page/main.js";
import { Picture } from "/page/view/picture.js";
import { TimeBar } from "/page/timebar.js";
import { Prompt } from "/page/prompt.js";
import { Mind } from "/page/panels/mind.js";
import { Tree } from "/page/panels/tree.js";
import { Goals } from "/page/panels/goals.js";
import { Joints } from "/page/panels/joints.js";
import { Log } from "/page/panels/log.js";
import { Plots } from "/page/panels/plots.js";
import { Camera } from "/page/panels/camera.js";
import { Coding } from "/page/panels/coding.js";
import { Steer } from "/page/panels/steer.js";
import { Runs } from "/page/panels/runs.js";
import { Query } from "/page/panels/query.js";
import { Lazy } from "/page/lazy.js";

// The panels: name, title, what draws it.
const panels = [["mind", "Mind", Mind], ["tree", "Tree", Tree], ["goals", "Objectives", Goals],
  ["joints", "Joints", Joints], ["steer", "Steer", Steer], ["plots", "Plots", Plots], ["log", "Log", Log],
  ["camera", "Camera", Camera], ["runs", "Runs", Runs],
  ["code", "Code", () => html`<${Lazy} from="/page/panels/code.js" name="Code" />`],
  ["author", "Make", () => html`<${Lazy} from="/page/author/panel.js" name="Author" />`],
  ["coding", "Coding", Coding], ["sql", "SQL", Query]];

// Those of a page without a studio behind it.
const alone = new Set(["mind", "plots", "log", "code", "joints"]);

const words = { recorded: "recording", live: "live", ended: "has ended", crashed: "has crashed", none: "no run" };

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

// The recorded run that is shown; behind it the live one, whose motors the stop button stops.
function Recording({ shown }) {
  const run = state.run.value, live = run.status === "live";
  return html`<div class="about">
    <strong>brio studio</strong>
    <span class="badge" role="status">recording</span>
    <span class="name">${shown.behavior || ""} ${shown.robot ? "on " + shown.robot : ""} · run ${shown.run}</span>
    ${live && html`<span class="badge good">run ${run.number || ""} is live</span>`}
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
  const shown = state.shown.value;
  if (state.connected.value && !shown.live) return html`<${Recording} shown=${shown} />`;
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

function Tabs() {
  const open = state.panel.value, Panel = panels.find(([name]) => name === open)[2];
  const offered = state.offline.value ? panels.filter(([name]) => alone.has(name)) : panels;
  function move(event, by) {
    const at = offered.findIndex(([name]) => name === open);
    const next = offered[(at + by + offered.length) % offered.length][0];
    state.panel.value = next;
    event.currentTarget.querySelector(`#tab-${next}`).focus();
    event.preventDefault();
  }
  return html`<section class="panels">
    <div role="tablist" aria-label="panels" onKeyDown=${(event) => {
      if (event.key === "ArrowRight") move(event, 1);
      if (event.key === "ArrowLeft") move(event, -1);
    }}>
      ${offered.map(([name, title]) => html`<button role="tab" id=${"tab-" + name}
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
  const live = !state.offline.value;
  return html`
    <header><${About} />${live && html`<${Stop} />`}</header>
    ${state.problem.value && html`<p class="problem" role="alert">${state.problem.value}
      <button aria-label="close" onClick=${() => { state.problem.value = null; }}>×</button></p>`}
    <main><${Picture} /><${Tabs} /></main>
    <footer><${TimeBar} />${live && html`<${Prompt} />`}</footer>`;
}
