// What the page knows, as signals; panels show it.
import { computed, signal } from "/v/ui.js";

export const connected = signal(false);
export const offline = signal(false);            // this page is one recorded run, without a studio behind it
export const run = signal({ status: "none" });   // of the live run: status, behavior, robot, number, store
export const model = signal(null);               // of the robot that is shown
export const who = signal(null);                 // the name of the studio's person; null: none
export const me = signal(null);                  // this page at the run: client, role
export const people = signal({ operators: [], locks: [] });
export const desk = signal(null);                // the run's status
export const deskAt = signal(0);                 // when it came, ms
export const states = signal([]);
export const tree = signal(null);                // {nodes, state, rows, s, e, why, ...}
export const wants = signal([]);
export const axes = signal(null);
export const scene = signal([]);                // people and things that the robot sees
export const layers = signal(new Set(["scene"])); // names of those that are drawn
export const layerData = signal({});             // by name, of the live run
export const mind = signal(null);                // emotion and attention
export const trail = signal([]);                 // of the emotion: [valence, arousal], the newest last
export const log = signal([]);
export const events = signal([]);                // of the live run: {t, name}
export const transcript = signal([]);            // lines and answers of this page's prompt
export const problem = signal(null);
export const edited = signal(null);              // the last edit of a file by any page: {file, hash, who, what}
export const picked = signal(null);              // a link's name
export const panel = signal("mind");
export const codeLine = signal(null);            // of the file, that the panel of the code is to show

// Time: what is shown, and at which moment.
export const shown = signal({ live: true });     // or {run, duration, story...}
export const t = signal(0);                      // robot time, s
export const following = signal(true);           // live: the newest frame is shown
export const playing = signal(false);
export const speed = signal(1);
export const ghost = signal("off");              // "off", "command", or the number of a run
export const newest = signal(0);                 // live: time of the newest frame

export const isLive = computed(() => shown.value.live === true);

const mostLog = 1000, mostSaid = 300, mostEvents = 2000, mostTrail = 240;

// Take an answer of the word `layers`.
export function takeLayers({ mind: now, t: at, ...others }) {
  layerData.value = { ...layerData.value, ...others };
  if (!now) return;
  mind.value = now;
  if (now.emotion && isLive.value) trail.value = [...trail.value.slice(1 - mostTrail), [now.emotion.valence, now.emotion.arousal]];
}

export function addLog(line) { log.value = [...log.value.slice(1 - mostLog), line]; }
export function say(kind, text) { transcript.value = [...transcript.value.slice(1 - mostSaid), { kind,
  text }]; }
export function addEvent(one) { events.value = [...events.value.slice(1 - mostEvents), one]; }

// A list; an empty one may come as an object.
function list(value) { return Array.isArray(value) ? value : []; }

// Merge an answer about the tree into what is known of it.
export function mergeTree(view) {
  if (!view) {
    tree.value = null;
    return;
  }
  const old = tree.value, same = old && old.version === view.version && old.state === view.state;
  const rows = same ? old.rows : new Array(view.nodes);
  const s = same ? old.s.slice() : new Array(view.nodes).fill(".");
  const e = same ? old.e.slice() : new Array(view.nodes).fill(-1);
  const why = same ? new Map(old.why) : new Map();
  list(view.rows).forEach((row, i) => { rows[view.from - 1 + i] = row; });
  for (let i = 0; i < view.s.length; i++) {
    s[view.first - 1 + i] = view.s[i];
    e[view.first - 1 + i] = view.e[i];
  }
  for (const [number, text] of list(view.why)) why.set(number, text);
  tree.value = { ...view, rows, s, e, why };
}
