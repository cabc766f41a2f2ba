// In place of link.js in a page that opens from the disk (`brio export RUN --as page`): the answers of a studio
// about one recorded run, from what the page itself contains.
import { HEAD, readFrames } from "/page/frames.js";

const data = JSON.parse(document.getElementById("run").textContent);

// The bytes of all frames, which have one size.
const bytes = Uint8Array.from(atob(data.frames), (letter) => letter.charCodeAt(0));
const frames = readFrames(bytes.buffer);
const size = frames[0]?.size || HEAD;

// The frames of a stretch, at least `step` apart, one behind the other.
function framesOf({ from, to, step }) {
  const chosen = [];
  let due = -Infinity;
  frames.forEach((frame, i) => {
    if (frame.t < from - 1e-6 || frame.t > to + 1e-6 || frame.t < due - 1e-6) return;
    chosen.push(i);
    due = frame.t + step;
  });
  const made = new Uint8Array(size * chosen.length);
  chosen.forEach((i, k) => made.set(bytes.subarray(size * i, size * (i + 1)), size * k));
  return made.buffer;
}

// The line of a DOF.
function seriesOf({ dof, from, to, points }) {
  const place = data.run.dofs.findIndex((one) => one.name === dof), made = { name: dof, t: [], measured: [] };
  const step = (to - from) / points;
  let due = -Infinity;
  for (const frame of frames) {
    if (frame.t < from || frame.t > to || frame.t < due) continue;
    made.t.push(frame.t);
    made.measured.push(frame.values[place]);
    due = frame.t + step;
  }
  return { ...made, unit: data.run.dofs[place]?.unit, command: made.t.map(() => null), goal: made.t.map(() => null) };
}

const answers = {
  start: () => ({ offline: true, first: data.run.run, run: { status: "recorded", behavior: data.run.behavior,
    robot: data.run.robot, number: data.run.run }, logs: [] }),
  runs: () => [data.run],
  run: () => data.run,
  model: () => data.model,
  versions: () => data.run.versions || [],
  source: ({ hash }) => data.sources[hash],
  frames: framesOf,
  series: seriesOf,
};

export async function get(name, query) {
  const found = answers[name] && answers[name](query);
  if (!found) throw new Error("this page does not contain that");
  return found;
}

export async function enter() { return answers.start(); }

export class Link {
  constructor(on) { queueMicrotask(() => on.open()); }
  get ready() { return false; }
  send() { return false; }
  ask() { return Promise.resolve({ error: "this page is a recording: there is no run behind it" }); }
}
