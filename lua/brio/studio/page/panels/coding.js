// Coding of what happens in a run, as ELAN does it: stretches and moments in tiers, by several coders, put at the
// moment of the time bar; and how far two coders agree.
import { html, signal, useEffect, useState } from "/v/ui.js";
import { get } from "/page/link.js";
import * as player from "/page/player.js";
import * as state from "/page/state.js";
import { ask } from "/page/main.js";
import { Marks } from "/page/marks.js";

// What the coder has set, kept while other panels are open.
const coder = signal(""), tier = signal("coding"), codes = signal("looks, smiles, speaks, touches");
const open = signal({});          // code: when its stretch began
export const again = signal(0);   // counts the marks that were put or taken back

// What this page has put and taken back; the time bar follows.
const marks = new Marks((fields) => ask(fields), (run, mark, there) => {
  const shown = state.shown.value;
  if (state.isLive.value && state.run.value.number === run) {
    state.events.value = state.events.value.filter((one) => one.mark !== mark.id);
    if (there) state.addEvent({ t: mark.t0, to: mark.t1, name: `${mark.tier}: ${mark.label}`, note: true, mark: mark.id });
  } else if (!state.isLive.value && shown.run === run) {
    const others = (shown.notes || []).filter((one) => one.id !== mark.id);
    shown.notes = (there ? [...others, { ...mark, live: 0 }] : others).sort((a, b) => a.t0 - b.t0);
  }
  again.value++;
});

// The number of the run that is shown; undefined: it is not recorded.
export function runShown() { return state.isLive.value ? state.run.value.number : state.shown.value.run; }

// Put a mark into the run; resolves to a sentence, "" if all is well.
export async function put(mark) {
  const run = runShown();
  if (!run) return "this run is not recorded";
  return marks.put(run, mark);
}

// Whether the coder of this panel, or the person of the studio, has put a mark after the run was recorded.
function isOwn(one) {
  return !one.live && (one.coder ? one.coder === coder.value.trim() || one.coder === state.who.value && one.tier === "note"
    : one.tier === "note" && state.who.value === null);
}

// The code of a coder at each time of a grid, "" for none; moments count for one step.
function gridOf(marks, duration, step) {
  const made = new Array(Math.max(1, Math.ceil(duration / step))).fill("");
  for (const mark of marks) {
    const from = Math.floor(mark.t0 / step), to = Math.max(from + 1, Math.ceil((mark.t1 ?? mark.t0) / step));
    for (let i = from; i < to && i < made.length; i++) made[i] = mark.label;
  }
  return made;
}

// Cohen's kappa of two lists of codes (Educational and Psychological Measurement 20, 1960): the agreement beyond
// that of chance; NaN if all is one code.
export function kappa(a, b) {
  const n = a.length, ofA = new Map(), ofB = new Map();
  let same = 0;
  for (let i = 0; i < n; i++) {
    if (a[i] === b[i]) same++;
    ofA.set(a[i], (ofA.get(a[i]) || 0) + 1);
    ofB.set(b[i], (ofB.get(b[i]) || 0) + 1);
  }
  let chance = 0;
  for (const [code, count] of ofA) chance += count / n * ((ofB.get(code) || 0) / n);
  return (same / n - chance) / (1 - chance);
}

// How far each pair of coders agrees in a tier, on a grid of 0.1 s.
export function agreements(marks, duration) {
  const coders = [...new Set(marks.map((one) => one.coder))].sort(), made = [];
  const grids = new Map(coders.map((who) => [who, gridOf(marks.filter((one) => one.coder === who), duration,
    0.1)]));
  coders.forEach((a, i) => coders.slice(i + 1).forEach((b) => made.push({ a, b,
    kappa: kappa(grids.get(a), grids.get(b)) })));
  return made;
}

// A code: pressed, a stretch begins; pressed again, it ends there and is kept.
function CodeButton({ code, number, moment, tell }) {
  const began = open.value[code];
  async function press() {
    const t = state.t.value, base = { tier: tier.value.trim(), label: code, coder: coder.value.trim() };
    if (moment) return tell(await put({ ...base, t0: t }));
    if (began === undefined) {
      open.value = { ...open.value, [code]: t };
      return tell("");
    }
    const [t0, t1] = began < t ? [began, t] : [t, began], rest = { ...open.value };
    delete rest[code];
    if (t1 > t0) {
      const why = await put({ ...base, t0, t1 });
      tell(why);
      if (why) return;
    }
    open.value = rest;
  }
  return html`<button class=${began !== undefined ? "on" : ""} aria-pressed=${began !== undefined}
    data-key=${number <= 9 ? number : undefined} onClick=${press}>${code}${began !== undefined
      ? `, from ${began.toFixed(1)} s` : ""} ${number <= 9 && html`<kbd>${number}</kbd>`}</button>`;
}

function useNotes(run) {
  const [notes, setNotes] = useState([]);
  useEffect(() => {
    if (run) get("run", { run }).then((row) => setNotes(Array.isArray(row.notes) ? row.notes : []), () => {});
  }, [run, again.value]);
  return notes;
}

export function Coding() {
  const [moment, setMoment] = useState(false), [why, setWhy] = useState("");
  const run = runShown(), notes = useNotes(run);
  if (!run) return html`<p>This run is not recorded: nothing can be marked in it.</p>`;
  const list = codes.value.split(",").map((one) => one.trim()).filter(Boolean).slice(0, 40);
  const own = notes.filter((one) => one.tier === tier.value.trim());
  const pairs = agreements(own.filter((one) => one.coder), player.span()[1]);
  const set = (to) => (event) => { to.value = event.target.value; };
  return html`<div onKeyDown=${(event) => {
      if (event.target.tagName === "INPUT" && event.target.type !== "checkbox") return;
      const key = event.key.toLowerCase(), undo = (event.ctrlKey || event.metaKey) && (key === "z" || key === "y");
      if (undo) event.preventDefault();
      if (undo) (key === "y" || event.shiftKey ? marks.redo() : marks.undo()).then(setWhy);
      else if (/^[1-9]$/.test(key)) event.currentTarget.querySelector(`[data-key="${key}"]`)?.click();
    }}>
    <div class="tools"><label>coder <input size="5" value=${coder.value} onInput=${set(coder)} placeholder="C1" />
      </label><label>tier <input size="10" value=${tier.value} onInput=${set(tier)} /></label>
      <label><input type="checkbox" checked=${moment} onChange=${(event) => setMoment(event.target.checked)} />
        moments</label>
      <button disabled=${marks.done.length === 0} onClick=${() => marks.undo().then(setWhy)}>Undo</button>
      <button disabled=${marks.undone.length === 0} onClick=${() => marks.redo().then(setWhy)}>Redo</button></div>
    <label class="field">codes <input value=${codes.value} onInput=${set(codes)} /></label>
    <div class="tools big">${list.map((code, i) => html`<${CodeButton} key=${code} code=${code} number=${i + 1}
      moment=${moment} tell=${setWhy} />`)}</div>
    ${why && html`<p class="bad" role="alert">${why}</p>`}
    ${pairs.length > 0 && html`<p>${pairs.map((one) => html`<span class="name">${one.a} and ${one.b}: κ
      ${Number.isNaN(one.kappa) ? "unknown" : one.kappa.toFixed(2)} </span>`)}</p>`}
    <table><thead><tr><th>from</th><th>to</th><th>tier</th><th>label</th><th>coder</th><th></th></tr></thead>
      <tbody>${notes.slice(-300).map((one) => html`<tr><td><button onClick=${() => player.seek(one.t0)}>
        ${one.t0.toFixed(2)}</button></td><td class="number">${one.t1?.toFixed(2) ?? ""}</td><td>${one.tier}</td>
        <td>${one.label}</td><td>${one.coder || ""}</td><td>${isOwn(one) && html`<button
          aria-label=${"take back " + one.label} onClick=${() => marks.takeBack(run, one).then(setWhy)}>Take
          back</button>`}</td></tr>`)}</tbody></table></div>`;
}
