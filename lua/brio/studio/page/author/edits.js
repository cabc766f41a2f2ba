// The file that a page edits: its parts as the studio reads them, edits with their answers, and those that wait
// because the file cannot be written or is no Lua at the moment.
import { signal } from "/v/ui.js";
import * as state from "/page/state.js";
import { ask } from "/page/main.js";

export const file = signal(null);     // {name, hash, seen, outline, undo, redo, fault}; seen: hash of the outline's text
export const said = signal(null);     // what the last edit came to: {good, text, mine, theirs, since}
export const waiting = signal([]);    // edits that wait: {edit, why}
export const about = signal(null);    // {tables: Map, snippets, goals, templates}

// Edits that wait are tried again when the file has changed, or else after so long, ms: a disk is full no more.
const retryMs = 5000;
let tried = 0;

// This browser, for undo: the same person after the page is loaded again.
function browser() {
  let kept = localStorage.getItem("brio-person");
  if (!kept) {
    const bytes = [...crypto.getRandomValues(new Uint8Array(6))];
    kept = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
    localStorage.setItem("brio-person", kept);
  }
  return kept;
}

function take(answer) {
  if (!answer.file) return;
  const before = file.value?.name === answer.file ? file.value : null;
  file.value = { name: answer.file, hash: answer.hash, undo: answer.undo, redo: answer.redo, fault: answer.fault,
    seen: answer.outline ? answer.hash : before?.seen,
    outline: answer.outline ? JSON.parse(answer.outline) : before?.outline };
}

// Read a file's parts, if they have changed.
export async function read(name) {
  const known = file.value?.name === name ? file.value.hash : undefined;
  const answer = await ask({ outline: name, who: browser(), known });
  if (answer.error) said.value = { good: false, text: answer.error };
  const changed = answer.file !== undefined;
  if (changed) take(answer);
  const due = changed || Date.now() - tried >= retryMs;
  if (due && waiting.value.length && file.value && !file.value.fault) retry();
}

async function send(name, fields) {
  const since = state.log.value.length;
  const answer = await ask({ edit: name, who: browser(), ...fields });
  if (answer.error) {
    said.value = { good: false, text: answer.error, mine: answer.mine, theirs: answer.text };
    if (answer.waits) {
      tried = Date.now();
      waiting.value = [...waiting.value, { name, fields, why: answer.error }];
    } else if (answer.text !== undefined) await read(name);
    return answer;
  }
  take(answer);
  const notes = Array.isArray(answer.notes) ? answer.notes : [];
  const left = list(answer.left).length ? [`the same text stands in lines ${answer.left.join(", ")}`] : [];
  const merged = answer.merged ? ["merged with what others have written"] : [];
  const text = [answer.what, ...merged, ...notes, ...left].join("; ");
  said.value = { good: true, since, hash: answer.hash, text };
  return answer;
}

// Do an operation on the file.
export function edit(op) { return send(file.value.name, { op, hash: file.value.seen }); }

export function undo() { return send(file.value.name, { undo: true }); }
export function redo() { return send(file.value.name, { redo: true }); }

// Try the edits that wait again.
export async function retry() {
  const list = waiting.value;
  waiting.value = [];
  for (const one of list) await send(one.name, { ...one.fields });
}

export function forget() { waiting.value = []; }

export async function create(name, kind, robot) {
  const answer = await ask({ create: name, kind, robot });
  said.value = answer.error ? { good: false, text: answer.error }
    : { good: true, text: `${answer.file} is made: brio run ${answer.file}` };
  return answer.file;
}

// Read the schemas, once.
export async function readAbout() {
  if (about.value) return;
  const answer = await ask({ schemas: true });
  if (answer.error) {
    said.value = { good: false, text: answer.error };
    return;
  }
  about.value = { tables: new Map(JSON.parse(answer.tables).map((row) => [row.name, row])),
    snippets: answer.snippets, goals: answer.goals, templates: answer.templates };
}

// A list; an empty one may come as an object.
export function list(value) { return Array.isArray(value) ? value : []; }

// The part with a key among parts.
export function partOf(parts, key) { return list(parts).find((one) => one.key === key); }

// A part of the outline by its path.
export function partAt(parts, path) {
  for (const part of list(parts)) {
    if (part.path === path) return part;
    const inner = path.startsWith(part.path) && partAt(part.parts, path);
    if (inner) return inner;
  }
  return null;
}

// A value as Lua.
export function lua(value) {
  if (typeof value === "number") return Number.isFinite(value) ? String(Number(value.toFixed(6))) : "0";
  if (typeof value === "string") return '"' + value.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n") + '"';
  if (Array.isArray(value)) return "{ " + value.map(lua).join(", ") + " }";
  return String(value);
}
