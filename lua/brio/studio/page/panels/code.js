// The files that ran, in the version of the moment that is shown, with the other versions of each.
import { html, useEffect, useRef, useState } from "/v/ui.js";
import { EditorState, EditorView, StreamLanguage, basicSetup, lua } from "/v/code.js";
import { get } from "/page/link.js";
import * as state from "/page/state.js";

const nonce = document.querySelector("meta[name=nonce]").content;

// A text that can be read, searched and copied.
function Text({ text, label }) {
  const host = useRef(null);
  useEffect(() => {
    const extensions = [basicSetup, StreamLanguage.define(lua), EditorState.readOnly.of(true),
      EditorView.cspNonce.of(nonce), EditorView.contentAttributes.of({ "aria-label": label })];
    const made = EditorState.create({ doc: text, extensions });
    const view = new EditorView({ parent: host.current, state: made });
    return () => view.destroy();
  }, [text]);
  return html`<div class="editor" ref=${host}></div>`;
}

// The version of a file at a moment.
function versionAt(versions, t) {
  let found = versions[0];
  for (const one of versions) if (one.t <= t + 1e-6) found = one;
  return found;
}

export function Code() {
  const [files, setFiles] = useState(null), [name, setName] = useState(null);
  const [hash, setHash] = useState(null);
  const [text, setText] = useState(null), [why, setWhy] = useState("");
  const shown = state.shown.value, run = shown.live ? state.run.value.number : shown.run;
  const versionsChanged = shown.live ? state.log.value.length : 0;
  useEffect(() => {
    if (!run) return;
    get("versions", { run }).then((rows) => {
      const made = new Map();
      for (const row of rows) made.set(row.name, [...(made.get(row.name) || []), row]);
      setFiles(made);
      if (!made.has(name)) setName([...made.keys()][0] || null);
    }, (fault) => setWhy(fault.message));
  }, [run, versionsChanged]);
  const versions = (files && files.get(name)) || [];
  const current = versions.find((one) => one.hash === hash) || versionAt(versions, shown.live ? Infinity
    : state.t.value);
  useEffect(() => {
    if (!current) return;
    get("source", { hash: current.hash }).then((one) => setText(one.source), (fault) =>
      setWhy(fault.message));
  }, [current?.hash]);
  if (!run) return html`<p>This run is not recorded, so its files are not known here.</p>`;
  return html`
    <div class="tools">
      <label>file <select value=${name} onChange=${(event) => { setName(event.target.value); setHash(null);
      }}>
        ${[...(files || new Map()).keys()].map((one) => html`<option>${one}</option>`)}</select></label>
      <label>version <select value=${current?.hash} onChange=${(event) => setHash(event.target.value)}>
        ${versions.map((one) => html`<option value=${one.hash}>${one.hash.slice(0,
          8)}, from ${one.t.toFixed(2)} s</option>`)}</select></label>
      ${why && html`<span class="bad" role="alert">${why}</span>`}</div>
    ${text !== null && html`<${Text} text=${text} label=${name || "file"} />`}`;
}
