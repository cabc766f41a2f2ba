// The studio's page: joins the studio, keeps what it hears, and shows it.
import { effect, html, render, untracked } from "/v/ui.js";
import { enter, Link } from "/page/link.js";
import * as player from "/page/player.js";
import * as state from "/page/state.js";
import { App } from "/page/app.js";

let link = null;
const root = document.getElementById("app");

export function ask(fields) { return link.ask(fields); }

// Send a line as at the prompt, and show it with its answer.
export async function say(line) {
  state.say("line", line);
  const answer = await ask({ line });
  if (answer.rows) state.say("answer", JSON.stringify(answer.rows, null, 1));
  else if (answer.error) state.say("error", answer.error);
  else if (answer.text) state.say("answer", answer.text);
  return answer;
}

// What the studio tells all pages, by its name.
const hear = {
  run(value) {
    const before = state.run.value;
    state.run.value = value;
    if (value.status === "live" && (before.status !== "live" || before.number !== value.number)) {
      player.rings.forEach((ring) => ring.clear());
      state.events.value = [];
      state.layerData.value = {};
      state.mind.value = null;
      state.trail.value = [];
      state.newest.value = 0;
      if (state.isLive.value) player.goLive();
    }
  },
  desk(value) {
    state.desk.value = value;
    state.deskAt.value = performance.now();
    // The state that the page finds; those that follow are told as they are entered.
    if (value.state && !state.events.value.some((one) => one.state)) {
      state.addEvent({ t: value.since ?? 0, name: value.state, state: true });
    }
  },
  push(value) {
    if (value.push === "event") state.addEvent({ t: value.t, name: value.name, source: value.source });
    if (value.push === "state") state.addEvent({ t: value.t, name: value.state, state: true });
  },
  log: state.addLog,
  people(value) { state.people.value = { operators: value.operators || [], locks: value.locks || [] }; },
  me(value) { state.me.value = value; },
  problem(value) { state.problem.value = value; },
  tree: state.mergeTree,
  edited(value) { state.edited.value = value; },
  states(value) { state.states.value = value; },
  wants(value) { state.wants.value = value; },
  axes(value) { state.axes.value = value; },
  // Layers that come late belong to no recorded run.
  scene(value) { if (state.isLive.value) state.scene.value = Array.isArray(value) ? value : []; },
  layers(value) { if (state.isLive.value) state.takeLayers(value); },
};

// What the panel that is open needs from the run.
const needs = { author: ["states"], mind: ["states", "scene", "layer mind"], tree: ["tree"], goals: ["wants"], joints: ["axes"] };

function watch() {
  const layers = [...state.layers.value].map((name) => (name === "scene" ? name : "layer " + name));
  link.send({ watch: state.isLive.value ? [...layers, ...(needs[state.panel.value] || [])] : [] });
}

async function begin() {
  let start;
  try {
    start = await enter();
  } catch (fault) {
    root.replaceChildren();
    render(html`<p class="notice">${fault.message}</p>`, root);
    return;
  }
  state.run.value = start.run;
  state.who.value = start.as ?? null;
  state.offline.value = start.offline === true;
  state.log.value = Array.isArray(start.logs) ? start.logs : [];
  root.replaceChildren();
  render(html`<${App} />`, root);
  link = new Link({
    message(message) { for (const name in message) if (hear[name]) hear[name](message[name]); },
    frame: player.take,
    open() {
      state.connected.value = true;
      watch();
    },
    lost() {
      state.connected.value = false;
      state.me.value = null;
    },
  });
  effect(() => {
    state.panel.value;
    state.isLive.value;
    state.layers.value;
    untracked(watch);
  });
  if (start.first) await player.open(start.first);
  else await player.readModel();
}

// For tests, which drive the page from outside.
window.studio = { state, player, ask, say };

begin();
