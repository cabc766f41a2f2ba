// Values of a file as controls: numbers with sliders and units, texts, names of links and joints, tables of
// these; what is computed shows its code and leads to its line.
import { html, useState } from "/v/ui.js";
import * as state from "/page/state.js";
import { about, edit, list, lua } from "/page/author/edits.js";

// Show a line of the file in the panel of the code.
export function openAt(line) {
  state.codeLine.value = line;
  state.panel.value = "code";
}

// The range of a number: of its schema, or of the joint that it is the goal of.
function rangeOf(field, joint) {
  const dof = joint && list(state.model.value?.dofs).find((one) => one.name === joint);
  const lower = dof ? dof.lower : field?.lower, upper = dof ? dof.upper : field?.upper;
  return Number.isFinite(lower) && Number.isFinite(upper) && upper - lower <= 200 ? [lower, upper] : null;
}

function Numeric({ part, label, field, joint, unit }) {
  const [held, setHeld] = useState(null), range = rangeOf(field, joint);
  const value = held ?? part.value;
  function set(text) {
    setHeld(null);
    const number = Number(text);
    if (text === "" || !Number.isFinite(number) || number === part.value) return;
    edit({ op: "set", path: part.path, value: lua(number) });
  }
  return html`<span class="numeric">
    ${range && html`<input type="range" aria-label=${"slide " + label} min=${range[0]} max=${range[1]} step="any"
      value=${value} onInput=${(event) => setHeld(Number(event.target.value))}
      onChange=${(event) => set(Number(event.target.value).toFixed(3))} />`}
    <input type="number" step="any" aria-label=${label} value=${Number(Number(value).toFixed(6))}
      onChange=${(event) => set(event.target.value)} />
    ${unit && unit !== "1" && html`<span class="name">${unit}</span>`}</span>`;
}

// Names of the robot for a field; null: any text.
function namesFor(field) {
  const model = state.model.value;
  if (!model || !field) return null;
  if (field.type === "link") return list(model.links);
  if (field.type === "joint") return list(model.dofs).filter((one) => !one.outside).map((one) => one.name);
  return field.type === "choice" ? list(field.of) : null;
}

function Text({ part, label, names }) {
  const set = (text) => { if (text !== part.value) edit({ op: "set", path: part.path, value: lua(text) }); };
  if (!names) {
    return html`<input aria-label=${label} value=${part.value} onChange=${(event) => set(event.target.value)} />`;
  }
  const all = names.includes(part.value) ? names : [part.value, ...names];
  return html`<select aria-label=${label} value=${part.value} onChange=${(event) => set(event.target.value)}>
    ${all.map((one) => html`<option>${one}</option>`)}</select>`;
}

// A value, by what it is.
export function Value({ part, label, field, joint, unit }) {
  if (part.kind === "number") {
    return html`<${Numeric} part=${part} label=${label} field=${field} joint=${joint} unit=${unit || field?.unit} />`;
  }
  if (part.kind === "text") return html`<${Text} part=${part} label=${label} names=${namesFor(field)} />`;
  if (part.kind === "constant" && typeof part.value === "boolean") {
    return html`<input type="checkbox" aria-label=${label} checked=${part.value} onChange=${(event) =>
      edit({ op: "set", path: part.path, value: String(event.target.checked) })} />`;
  }
  if (part.kind === "table") {
    return html`<span class="vector">${list(part.parts).map((one) => html`<label>${typeof one.key === "string"
      ? one.key + " " : ""}<${Value} part=${one} label=${`${label} ${one.key}`} /></label>`)}</span>`;
  }
  const line = part.value_line || part.line;
  return html`<code class="goal">${(part.text || part.callee || "").slice(0, 60)}</code>
    <button onClick=${() => openAt(line)} title="what is computed is edited in the code">line ${line}</button>`;
}

// A snippet with the values that it asks for; done(lua).
export function Snippet({ row, button, done }) {
  const [given, setGiven] = useState({});
  const value = (name, usual) => given[name] ?? usual;
  function fill() {
    let text = row.lua;
    for (const [name, , usual] of list(row.values)) {
      const raw = String(value(name, usual));
      const clean = typeof usual === "number" ? String(Number(raw) || 0) : raw.replace(/[^\w.-]/g, "");
      text = text.replaceAll(`{${name}}`, clean);
    }
    done(text);
  }
  return html`<span class="snippet">${list(row.values).map(([name, unit, usual]) => html`<label>${name.toLowerCase()}
    <input aria-label=${name.toLowerCase()} size="6" value=${value(name, usual)} onInput=${(event) =>
      setGiven({ ...given, [name]: event.target.value })} />${unit}</label>`)}
    <button onClick=${fill}>${button}</button></span>`;
}

// A choice among the snippets of a use, and the values of the chosen one.
export function Snippets({ use, label, button, done }) {
  const [at, setAt] = useState("");
  const rows = list(about.value?.snippets).filter((row) => row.use === use);
  if (!rows.length) return null;
  const words = (row) => row.label.replace(/\{(\w+)\}/g, (_, name) => name.toLowerCase());
  return html`<select aria-label=${label} value=${at} onChange=${(event) => setAt(event.target.value)}>
      <option value="">${label}</option>${rows.map((row, i) => html`<option value=${String(i)}>${words(row)}</option>`)}
    </select>${at !== "" && html`<${Snippet} key=${at} row=${rows[at]} button=${button} done=${(text) => {
      setAt("");
      done(text);
    }} />`}`;
}
