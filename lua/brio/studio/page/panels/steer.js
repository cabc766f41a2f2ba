// Steering: speech, the session script's steps and keys, parts of the body, holding, notes; for a person
// beside the robot too.
import { html, useState } from "/v/ui.js";
import * as state from "/page/state.js";
import * as gamepad from "/page/gamepad.js";
import { ask, say } from "/page/main.js";

function list(value) { return Array.isArray(value) ? value : []; }

// A line for one text, with its button.
function Field({ label, button, line }) {
  const [text, setText] = useState("");
  function send() {
    if (!text.trim()) return;
    say(line(text.trim()));
    setText("");
  }
  return html`<label class="field">${label} <input value=${text} onInput=${(event) =>
    setText(event.target.value)}
    onKeyDown=${(event) => { if (event.key === "Enter") send(); }} /><button onClick=${send}>
      ${button}</button></label>`;
}

// The step of the session script, with what comes next and the keys.
function Session({ session }) {
  return html`<section class="session"><h3>${session.name}${session.index
    ? `: step ${session.index} of ${session.of}, ${session.step}` : ""}</h3>
    ${session.text && html`<p>${session.text}</p>`}
    ${list(session.expected).length > 0 && html`<p>expected: ${list(session.expected).join(", ")}</p>`}
    <div class="tools big"><button onClick=${() => say("step back")}>Back</button>
      <button class="primary" onClick=${() => say("step next")}>Next${session.next ? ": " + session.next : ""}
        </button>
      ${list(session.keys).map(([key, line, label]) => html`<button title=${line} onClick=${() =>
        say("press " + key)}>${label || line} <kbd>${key}</kbd></button>`)}</div>
    </section>`;
}

// The gamepad of this browser, switched on by a person; it ends when the run does.
function Pad() {
  const status = gamepad.status.value, on = status === "on" || status === "waits";
  const words = { off: "", waits: "press a button of it", on: gamepad.name.value }[status] ?? status;
  return html`<div class="tools"><label><input type="checkbox" checked=${on} onChange=${(event) =>
    (event.target.checked ? gamepad.start(ask) : gamepad.stop())} /> gamepad of this browser</label>
    <span role="status" class=${words === status ? "bad" : "name"}>${words}</span></div>`;
}

export function Steer() {
  const desk = state.desk.value || {}, people = state.people.value, mine = state.me.value;
  const steers = state.isLive.value && state.run.value.status === "live";
  if (!steers) return html`<p>Only a live run can be steered.</p>`;
  return html`
    ${desk.session && html`<${Session} session=${desk.session} />`}
    <${Field} label="speech" button="Say" line=${(text) => "say " + text} />
    <${Field} label="look at" button="Look" line=${(text) => "look " + text} />
    <${Field} label="note" button="Note" line=${(text) => "note " + text} />
    <${Pad} />
    <div class="tools big">
      <button onClick=${() => say("hush")}>Hush</button>
      <button onClick=${() => say(desk.held !== undefined ? "go on" : "hold")}>
        ${desk.held !== undefined ? "Go on" : "Hold"}</button>
      <button onClick=${() => say("undo")}>Undo</button>
      <button onClick=${() => say("release")}>Release motors</button>
      <button onClick=${() => say("play")}>Sequences</button>
      <button onClick=${() => say("session steps")}>Steps</button></div>
    ${list(desk.queue).length > 0 && html`<h3>queue</h3><ul>${list(desk.queue).map(([number, when, line]) =>
      html`<li>${number} ${when}: ${line}
      <button onClick=${() => say("unqueue " + number)}>remove</button></li>`)}</ul>`}
    <h3>parts</h3>
    <${Field} label="take a part" button="Take" line=${(text) => "take " + text} />
    <ul class="locks">${list(people.locks).map((lock) => html`<li>${lock.part}: ${lock.who}${lock.share < 1
      ? ` (${lock.share})` : ""}
      <button onClick=${() => say("give " + lock.part)}>give back</button>
        ${lock.asked ? ` asked for by ${lock.asked}` : ""}</li>`)}</ul>
    <h3>people</h3>
    <ul>${list(people.operators).map((one) => html`<li>${one.who}, ${one.role}, ${one.device}${mine
      && one.client === mine.client ? " (this page)" : ""}</li>`)}</ul>`;
}
