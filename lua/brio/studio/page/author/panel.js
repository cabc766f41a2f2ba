// Making behavior by hand: the statechart of a file, cards of its states, forms for what is new, undo.  Each edit
// is a change of the author's own Lua, which the run loads again.
import { html, useEffect, useState } from "/v/ui.js";
import * as state from "/page/state.js";
import { changesOf } from "/page/panels/diff.js";
import { EditChart } from "/page/author/chart.js";
import { StateCard } from "/page/author/cards.js";
import { openAt, Snippets, Value } from "/page/author/values.js";
import { about, create, edit, file, forget, list, partAt, partOf, read, readAbout, redo, retry, said, undo, waiting }
  from "/page/author/edits.js";

const everyMs = 1000;

// What the run's log says about the file since an edit.
function verdict(name, since) {
  const short = name.replace(/^.*\//, "");
  return state.log.value.slice(since).filter((line) => line.text.includes(short)).slice(-2);
}

// Texts of the two sides of an edit that was refused.
function Sides({ mine, theirs }) {
  return html`<div class="diff"><h3>- as the file is now, + as you would have it</h3><pre>${changesOf(theirs, mine)
    .map(({ sign, text }) => html`<div class=${{ "+": "added", "-": "removed", "@": "place" }[sign] || ""}>${sign}
      ${text}</div>`)}</pre></div>`;
}

// What the last edit came to, and what waits.
function Answer() {
  const one = said.value, name = file.value?.name || "", kept = waiting.value, other = state.edited.value;
  return html`${other && other.hash !== one?.hash && html`<p class="name">${other.who}: ${other.what}</p>`}
    ${one && html`<p class=${"verdict " + (one.good ? "" : "bad")} role="status">${one.text}
      ${one.good && one.since !== undefined && verdict(name, one.since).map((line) => html`<span
        class=${"entry " + line.level}> · ${line.text}</span>`)}</p>`}
    ${one && !one.good && one.mine && one.theirs && html`<${Sides} mine=${one.mine} theirs=${one.theirs} />`}
    ${kept.length > 0 && html`<p class="problem" role="alert">${kept.length} edits wait: ${kept[0].why}
      <button onClick=${retry}>Try again</button><button onClick=${forget}>Give up</button></p>`}`;
}

// A new state.
function NewState({ want, take }) {
  const [name, setName] = useState("");
  async function add() {
    const made = name.trim();
    const value = `{\n  wants = {\n    ${want}.collision_avoidance {},\n    ${want}.joint_limits {},\n  },\n}`;
    const answer = await edit({ op: "add", path: made, value });
    if (answer.error) return;
    setName("");
    take(made);
  }
  return html`<input aria-label="name of a new state" placeholder="new state" size="10" value=${name}
      onInput=${(event) => setName(event.target.value)}
      onKeyDown=${(event) => { if (event.key === "Enter" && name.trim()) add(); }} />
    <button disabled=${!name.trim()} onClick=${add}>Add state</button>`;
}

// Events that transitions often wait for.
const events = ["person_appeared", "person_lost", "done", "tree_done", "tree_failed", "button_pressed", "touched",
  "range_near", "range_clear", "sound_began", "bumped"];

// A new transition between two states.
function NewLead({ from, to, names, locals, close }) {
  const [kind, setKind] = useState("on"), [target, setTarget] = useState(to);
  const [event, setEvent] = useState("person_appeared");
  const [seconds, setSeconds] = useState("2"), [condition, setCondition] = useState("");
  async function add(trigger) {
    const answer = await edit({ op: "lead", path: from, kind, trigger, to: target });
    if (!answer.error) close();
  }
  const functions = list(locals).filter((one) => one.is_function);
  return html`<form class="tools new-lead" onSubmit=${(one) => one.preventDefault()}>
    <strong>${from} →</strong>
    <select aria-label="to" value=${target} onChange=${(one) => setTarget(one.target.value)}>
      ${names.map((name) => html`<option>${name}</option>`)}</select>
    <select aria-label="kind of transition" value=${kind} onChange=${(one) => setKind(one.target.value)}>
      <option value="on">when the event comes</option><option value="after">after a time</option>
      <option value="when">on a condition</option></select>
    ${kind === "on" && html`<input aria-label="event" list="known-events" value=${event}
        onInput=${(one) => setEvent(one.target.value)} />
      <datalist id="known-events">${events.map((name) => html`<option>${name}</option>`)}</datalist>
      <button onClick=${() => add(event.trim())}>Add transition</button>`}
    ${kind === "after" && html`<input aria-label="seconds" type="number" min="0" step="any" value=${seconds}
        onInput=${(one) => setSeconds(one.target.value)} /> s
      <button onClick=${() => add(String(Number(seconds) || 0))}>Add transition</button>`}
    ${kind === "when" && html`<${Snippets} use="when" label="condition ..." button="Add transition" done=${add} />
      ${functions.length > 0 && html`<select aria-label="function of the file" value=${condition}
        onChange=${(one) => setCondition(one.target.value)}><option value="">or a function of the file</option>
        ${functions.map((one) => html`<option>${one.name}</option>`)}</select>`}
      ${condition && html`<button onClick=${() => add(condition)}>Add transition</button>`}`}
    <button onClick=${close}>Cancel</button></form>`;
}

// A new behavior, from a template.
function NewBehavior({ close }) {
  const [name, setName] = useState(""), [kind, setKind] = useState("empty");
  return html`<form class="tools" onSubmit=${(event) => event.preventDefault()}>
    <input aria-label="name of the behavior" placeholder="name" size="12" value=${name}
      onInput=${(event) => setName(event.target.value)} />
    <select aria-label="template" value=${kind} onChange=${(event) => setKind(event.target.value)}>
      ${Object.entries(about.value?.templates || {}).map(([key, words]) => html`<option value=${key}>${key}: ${words}
        </option>`)}</select>
    <button disabled=${!name.trim()} onClick=${async () => {
      const made = await create(name.trim(), kind, state.run.value.robot);
      if (made) close(made);
    }}>Create</button><button onClick=${() => close(null)}>Cancel</button></form>`;
}

// Numbers that people tune: brio.param(value, unit, lower, upper).
function Tunes({ parts }) {
  const behavior = list(parts).find((one) => one.path === "behavior");
  const rows = list(partOf(behavior?.parts, "tune")?.parts);
  if (!rows.length) return null;
  return html`<h4>numbers to tune</h4>${rows.map((row) => {
    const [value, unit, lower, upper] = list(row.parts);
    return value && html`<div class="row"><span class="name">${row.key}</span><${Value} part=${value} label=${row.key}
      field=${{ lower: lower?.value, upper: upper?.value, unit: unit?.value }} /></div>`;
  })}`;
}

export function Author() {
  const [name, setName] = useState(null), [picked, setPicked] = useState(null), [beside, setBeside] = useState("");
  const [lead, setLead] = useState(null), [making, setMaking] = useState(false);
  const run = state.run.value, live = state.isLive.value && run.status === "live", shown = name || run.behavior;
  useEffect(() => {
    if (!live || !shown) return;
    readAbout();
    read(shown);
    const timer = setInterval(() => read(shown), everyMs);
    return () => clearInterval(timer);
  }, [live, shown, state.me.value?.client, state.edited.value?.hash]);
  if (!live) return html`<p>Behavior is made on a live run.</p>`;
  const one = file.value, outline = one?.outline, chart = outline?.chart;
  if (!one || one.name !== shown) return html`<${Answer} /><p>...</p>`;
  const mayWrite = state.me.value?.role === "author";
  const states = list(chart?.states).map((each) => ({ ...each, part: partAt(outline.parts, each.path) || each }));
  const names = states.map((each) => each.name);
  const card = (path) => {
    const found = states.find((each) => each.path === path);
    return found && html`<${StateCard} key=${path} one=${found} chart=${{ ...chart, states }}
      gone=${() => setPicked(null)} renamed=${(made) => setPicked(made)} />`;
  };
  return html`
    <div class="tools"><span class="name">${one.name}</span>
      <button disabled=${!one.undo || !mayWrite} title=${one.undo || ""} onClick=${undo}>Undo</button>
      <button disabled=${!one.redo || !mayWrite} title=${one.redo || ""} onClick=${redo}>Redo</button>
      ${chart && html`<${NewState} want=${outline.want || "want"} take=${setPicked} />`}
      <button onClick=${() => setMaking(!making)}>New behavior</button>
      ${name && name !== run.behavior && html`<button onClick=${() => setName(null)}>
        Back to ${run.behavior}</button>`}
      ${!mayWrite && html`<span class="name">only authors change files</span>`}</div>
    ${making && html`<${NewBehavior} close=${(made) => {
      setMaking(false);
      if (made) setName(made);
    }} />`}
    ${one.fault && html`<p class="problem" role="alert">line ${one.fault.line}: ${one.fault.message}. Nothing is
      lost: edits wait until the file is Lua again.
      <button onClick=${() => openAt(one.fault.line)}>line ${one.fault.line}</button></p>`}
    <${Answer} />
    ${!chart ? html`<p>This file has no states.</p>` : html`
      <${EditChart} states=${states} start=${chart.start} picked=${picked} take=${setPicked}
        lead=${(from, to) => setLead({ from, to: names.find((each) => to === each) || to })} />
      ${lead && html`<${NewLead} key=${lead.from + lead.to} from=${lead.from} to=${lead.to} names=${names}
        locals=${outline.locals} close=${() => setLead(null)} />`}
      ${picked && html`<div class="tools"><label>beside it <select value=${beside} onChange=${(event) =>
          setBeside(event.target.value)}><option value="">nothing</option>
        ${states.filter((each) => each.path !== picked).map((each) => html`<option>${each.path}</option>`)}
        </select></label>
        <button onClick=${() => setLead({ from: picked, to: names.find((each) => each !== picked) || picked })}>
          New transition</button></div>`}
      <div class="cards">${picked && card(picked)}${picked && beside && beside !== picked && card(beside)}</div>
      <${Tunes} parts=${outline.parts} />`}`;
}
