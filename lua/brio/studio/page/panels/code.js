// The files of a run: live, an editor with checks as one types, saving and the run's verdict; recorded, the
// version of the moment.  Versions can be compared, and an earlier one taken into the editor.
import { html, useEffect, useRef, useState } from "/v/ui.js";
import { EditorState, EditorView, StreamLanguage, basicSetup, lintGutter, lua, setDiagnostics } from "/v/code.js";
import { get } from "/page/link.js";
import { changesOf } from "/page/panels/diff.js";
import * as state from "/page/state.js";
import { ask, say } from "/page/main.js";

const nonce = document.querySelector("meta[name=nonce]").content;
const pauseMs = 500;

// A text in an editor; `api.current` gets what the panel needs of it.
function Editor({ text, label, readOnly, changed, api }) {
  const host = useRef(null);
  useEffect(() => {
    const extensions = [basicSetup, StreamLanguage.define(lua), lintGutter(), EditorState.readOnly.of(readOnly),
      EditorView.cspNonce.of(nonce), EditorView.contentAttributes.of({ "aria-label": label }),
      EditorView.updateListener.of((update) => { if (update.docChanged) changed(); })];
    const view = new EditorView({ parent: host.current, state: EditorState.create({ doc: text, extensions }) });
    api.current = {
      text: () => view.state.doc.toString(),
      replace: (made) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: made } }),
      show(faults) {
        const marks = faults.map((fault) => {
          const line = view.state.doc.line(Math.min(Math.max(1, fault.line), view.state.doc.lines));
          return { from: line.from, to: line.to, severity: fault.severity === "warning" ? "warning" : "error",
            message: fault.message };
        }).sort((a, b) => a.from - b.from);
        view.dispatch(setDiagnostics(view.state, marks));
      },
    };
    if (state.codeLine.value) {
      const line = view.state.doc.line(Math.min(state.codeLine.value, view.state.doc.lines));
      state.codeLine.value = null;
      view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: "center" }) });
      view.focus();
    }
    return () => {
      api.current = null;
      view.destroy();
    };
  }, [text, readOnly]);
  return html`<div class="editor" ref=${host}></div>`;
}

// What differs between two texts, line by line, without the parts that are equal.
function Diff({ a, b, title }) {
  return html`<div class="diff"><h3>${title}</h3><pre>${changesOf(a, b).map(({ sign, text }) => html`<div
    class=${{ "+": "added", "-": "removed", "@": "place" }[sign] || ""}>${sign} ${text}</div>`)}</pre></div>`;
}

// The version of a file at a moment.
function versionAt(versions, t) {
  let found = versions[0];
  for (const one of versions) if (one.t <= t + 1e-6) found = one;
  return found;
}

// The files that a run has recorded, {name: versions}; again when `again` changes.
function useFiles(run, again) {
  const [files, setFiles] = useState(new Map());
  useEffect(() => {
    if (!run) return;
    get("versions", { run }).then((rows) => {
      const made = new Map();
      for (const row of rows) made.set(row.name, [...(made.get(row.name) || []), row]);
      setFiles(made);
    }, (fault) => { state.problem.value = fault.message; });
  }, [run, again]);
  return files;
}

// The lines of the log about a file since a moment: what the run says to the text that was saved.
function verdictOf(name, since) {
  const short = name.replace(/^.*\//, "");
  return state.log.value.slice(since).filter((line) => line.text.includes(short));
}

// Files of the live run: they are read from the disk.
function Live({ name, versions }) {
  const [file, setFile] = useState(null), [dirty, setDirty] = useState(false), [why, setWhy] = useState("");
  const [faults, setFaults] = useState(null), [saved, setSaved] = useState(null), [other, setOther] = useState(null);
  const api = useRef(null), timer = useRef(0), asked = useRef(0);
  const mayWrite = state.me.value?.role === "author";
  async function read() {
    const answer = await ask({ read: name });
    setWhy(answer.error || "");
    if (answer.text === undefined) return;
    setFile({ name, text: answer.text, hash: answer.hash });
    setDirty(false);
    setFaults(null);
  }
  useEffect(() => {
    setSaved(null);
    setOther(null);
    read();
    return () => clearTimeout(timer.current);
  }, [name]);
  async function check() {
    const number = ++asked.current, text = api.current?.text();
    if (text === undefined) return;
    const answer = await ask({ check: name, text });
    if (number !== asked.current || !api.current) return;
    if (answer.error === "busy") return changed();
    const list = Array.isArray(answer.faults) ? answer.faults : [];
    setFaults(answer.error ? null : list);
    api.current.show(list);
  }
  function changed() {
    setDirty(api.current?.text() !== file.text);
    clearTimeout(timer.current);
    timer.current = setTimeout(check, pauseMs);
  }
  async function save() {
    const text = api.current.text(), since = state.log.value.length;
    const answer = await ask({ write: name, text, hash: file.hash });
    setWhy(answer.error || "");
    if (answer.error) return;
    // The editor keeps its text, its marks and its history.
    file.text = text;
    file.hash = answer.hash;
    setDirty(false);
    setSaved({ since });
  }
  async function take(hash) {
    const one = await get("source", { hash });
    api.current.replace(one.source);
  }
  async function compare(hash) {
    if (!hash) return setOther(null);
    const one = await get("source", { hash });
    setOther({ hash, text: one.source });
  }
  if (!file || file.name !== name) return html`<p>${why || "..."}</p>`;
  const errors = faults?.filter((one) => one.severity !== "warning").length;
  const verdict = saved ? verdictOf(name, saved.since) : [];
  return html`
    <div class="tools">
      <button class="primary" disabled=${!dirty || !mayWrite} onClick=${save}>Save (Ctrl+S)</button>
      <button onClick=${read}>Read again</button>
      <button onClick=${() => say("rollback")} disabled=${!mayWrite}>Roll back the run</button>
      <label>compare with <select value=${other?.hash || ""} onChange=${(event) => compare(event.target.value)}>
        <option value="">nothing</option>${versions.map((one) => html`<option value=${one.hash}>
          ${one.hash.slice(0, 8)}, from ${one.t.toFixed(2)} s</option>`)}</select></label>
      ${other && html`<button onClick=${() => take(other.hash)}>Into the editor</button>`}
      <span role="status" class=${errors ? "bad" : "name"}>${faults === null ? "" : errors
        ? `${errors} errors: ${faults[0].line}: ${faults[0].message}` : faults.length ? `${faults.length} warnings`
          : "checked: good"}</span>
      ${!mayWrite && html`<span class="name">only authors save</span>`}
      ${why && html`<span class="bad" role="alert">${why}</span>`}</div>
    ${verdict.length > 0 && html`<div class="verdict" role="status">${verdict.slice(-3).map((line) => html`<div
      class=${"entry " + line.level}>${line.text}</div>`)}</div>`}
    <div class="column" onKeyDown=${(event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === "s") {
        event.preventDefault();
        if (dirty && mayWrite) save();
      }
    }}><${Editor} text=${file.text} label=${name} readOnly=${false} changed=${changed} api=${api} /></div>
    ${other && api.current && html`<${Diff} a=${other.text} b=${api.current.text()}
      title=${`from ${other.hash.slice(0, 8)} to the editor`} />`}`;
}

// Files of a recorded run, in the version of the moment.
function Recorded({ name, versions }) {
  const [hash, setHash] = useState(null), [text, setText] = useState(null), [before, setBefore] = useState(null);
  const api = useRef(null), current = versions.find((one) => one.hash === hash)
    || versionAt(versions, state.t.value);
  const last = versions[versions.indexOf(current) - 1];
  useEffect(() => {
    setBefore(null);
    if (current) get("source", { hash: current.hash }).then((one) => setText(one.source));
  }, [current?.hash]);
  async function compare() {
    if (before) return setBefore(null);
    const one = await get("source", { hash: last.hash });
    setBefore(one.source);
  }
  return html`<div class="tools"><label>version <select value=${current?.hash} onChange=${(event) =>
      setHash(event.target.value)}>
    ${versions.map((one) => html`<option value=${one.hash}>${one.hash.slice(0,
      8)}, from ${one.t.toFixed(2)} s</option>`)}</select></label>
    ${last && html`<button aria-pressed=${!!before} onClick=${compare}>What changed</button>`}</div>
    ${text !== null && html`<${Editor} text=${text} label=${name} readOnly=${true} changed=${() => {}}
      api=${api} />`}
    ${before && html`<${Diff} a=${before} b=${text} title="since the version before" />`}`;
}

export function Code() {
  const [name, setName] = useState(null);
  const shown = state.shown.value, run = shown.live ? state.run.value.number : shown.run;
  const files = useFiles(run, shown.live ? state.log.value.length : 0);
  const names = files.size ? [...files.keys()] : shown.live && state.run.value.behavior ? [state.run.value.behavior]
    : [];
  const chosen = names.includes(name) ? name : names[0];
  if (!chosen) return html`<p>The files of this run are not known here.</p>`;
  const versions = files.get(chosen) || [];
  return html`
    <div class="tools"><label>file <select value=${chosen} onChange=${(event) => setName(event.target.value)}>
      ${names.map((one) => html`<option>${one}</option>`)}</select></label></div>
    ${shown.live && state.run.value.status === "live"
      ? html`<${Live} key=${chosen} name=${chosen} versions=${versions} />`
      : html`<${Recorded} key=${chosen + run} name=${chosen} versions=${versions} />`}`;
}
