// What is shown when: the live feed, its last minute, or a recorded run; in one clock.
import { effect, untracked } from "/v/ui.js";
import { get } from "/page/link.js";
import { COMMAND, MEASURED, Ring, readFrame } from "/page/frames.js";
import { Run, layerNames, mapping } from "/page/recorded.js";
import * as state from "/page/state.js";

export const rings = [new Ring(3600), new Ring(1200)];
let view = null, other = null, map = (pose) => pose, otherMap = map;
export const counts = { frames: 0, applied: 0 };

export function setView(one) { view = one; }

// Apply the pose at the time that is shown.
function show() {
  if (!view || !state.model.value) return;
  const t = state.t.value, shown = state.shown.value;
  const pose = shown.live ? rings[MEASURED].at(t) : shown.at(t, show);
  if (pose) view.setPose(shown.live ? pose : map(pose));
  counts.applied++;
  if (!shown.live) showLayers(shown, t);
  const ghost = state.ghost.value;
  if (ghost === "command" && shown.live) view.setGhost(rings[COMMAND].at(t));
  else if (typeof ghost === "number" && other) view.setGhost(otherMap(other.at(t, show)));
  else view.setGhost(null);
}

// Show the layers of a recorded run that are chosen, as they were at a time.
function showLayers(run, t) {
  const chosen = new Set([...state.layers.value, "mind"]);
  const names = layerNames.filter((name) => chosen.has(name));
  run.layersAt(t, names, (data) => {
    if (state.shown.value !== run) return;
    const { scene, ...others } = data;
    if (scene) state.scene.value = Array.isArray(scene) ? scene : [];
    state.takeLayers(others);
  });
}

// A frame of the live feed.
export function take(data) {
  const frame = readFrame(data);
  if (!frame || frame.source > COMMAND) return;
  counts.frames++;
  rings[frame.source].add(frame);
  if (frame.source !== MEASURED) return;
  if (Math.abs(frame.t - state.newest.value) >= 0.1) state.newest.value = frame.t;
  if (!due) due = requestAnimationFrame(follow);
}

// Show the newest frame, once a picture of the browser: a slow machine leaves frames out.
let due = 0;
function follow() {
  due = 0;
  if (!state.isLive.value || !state.following.value || !rings[MEASURED].last) return;
  state.t.value = rings[MEASURED].last.t;
  show();
}

// The names of DOFs in the order of the model.
function names() { return (state.model.value?.dofs || []).map((dof) => dof.name); }

// Forget what was drawn beside another run.
function clearLayers() {
  state.scene.value = [];
  state.layerData.value = {};
  state.mind.value = null;
  state.trail.value = [];
}

// Show the live run, at its newest moment.
export async function goLive() {
  clearLayers();
  state.shown.value = { live: true };
  state.following.value = true;
  state.playing.value = false;
  if (typeof state.ghost.value === "number") state.ghost.value = "off";
  if (state.newest.value) state.t.value = state.newest.value;
  await readModel();
}

// Show a recorded run from its beginning.
export async function open(number) {
  const run = await Run.open(number);
  const model = await get("model", { run: number }).catch((fault) => {
    state.problem.value = fault.message;
    return null;
  });
  if (model) state.model.value = model;
  map = mapping(run.names, names());
  clearLayers();
  state.playing.value = false;
  state.shown.value = run;
  state.t.value = 0;
  if (state.ghost.value === "command") state.ghost.value = "off";
  show();
  return run;
}

// Compare with another run, as a ghost at the same time; null: no ghost.
export async function compare(number) {
  other = number === null ? null : await Run.open(number);
  if (other) otherMap = mapping(other.names, names());
  state.ghost.value = number === null ? "off" : number;
  show();
}

// The robot of the live run.
export async function readModel() {
  try {
    state.model.value = await get("model");
  } catch (fault) {
    state.model.value = null;
  }
  show();
}

// The times that can be shown: from, to.
export function span() {
  const shown = state.shown.value;
  if (!shown.live) return [0, shown.duration];
  const first = rings[MEASURED].first, newest = state.newest.value;
  return [first ? Math.max(first.t, newest - 60) : 0, Math.max(newest, 0.1)];
}

// Look at a moment; live: stop following, or follow again at the end.
export function seek(t) {
  const [from, to] = span();
  const at = Math.min(Math.max(t, from), to);
  if (state.isLive.value) state.following.value = at > to - 0.15;
  state.t.value = state.isLive.value && state.following.value ? state.newest.value : at;
  show();
}

export function togglePlay() {
  if (state.isLive.value) {
    state.following.value = !state.following.value;
    if (state.following.value) seek(Infinity);
    return;
  }
  if (!state.playing.value && state.t.value >= state.shown.value.duration - 1e-3) state.t.value = 0;
  state.playing.value = !state.playing.value;
}

// Advance a recorded run that plays.
let before = 0;
function advance(now) {
  if (!state.playing.value || state.isLive.value) return;
  const dt = Math.min(0.25, (now - before) / 1000) * state.speed.value;
  before = now;
  state.t.value = Math.min(state.shown.value.duration, state.t.value + dt);
  if (state.t.value >= state.shown.value.duration) state.playing.value = false;
  show();
  if (state.playing.value) requestAnimationFrame(advance);
}

effect(() => {
  if (!state.playing.value) return;
  untracked(() => {
    before = performance.now();
    requestAnimationFrame(advance);
  });
});

effect(() => {
  state.ghost.value;
  state.layers.value;
  untracked(show);
});
