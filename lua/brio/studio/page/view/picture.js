// The 3-D view in the page, with the control of its layers and a picture to take away.
import { effect, html, useEffect, useRef, useState } from "/v/ui.js";
import * as player from "/page/player.js";
import * as state from "/page/state.js";
import { ask } from "/page/main.js";
import { View } from "/page/view/view.js";
import { titles } from "/page/view/layers.js";

// Save bytes as a file of the browser.
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// The layers of what is shown; a live run that is paused has none, since they are those of its newest moment.
function showLayers(view) {
  const known = !state.isLive.value || state.following.value, on = state.layers.value;
  const data = state.layerData.value;
  view.setScene(known && on.has("scene") ? state.scene.value : []);
  for (const [name] of titles) {
    if (name !== "scene") view.setLayer(name, known && on.has(name) ? data[name] : null);
  }
}

// How many things a layer shows, for people who do not see the drawing.
function countOf(name, data) {
  const value = name === "scene" ? state.scene.value : data[name];
  return Array.isArray(value) ? ` (${value.length})` : "";
}

function LayerChoice({ view }) {
  const on = state.layers.value, data = state.layerData.value;
  function toggle(name) {
    const next = new Set(state.layers.peek());
    if (!next.delete(name)) next.add(name);
    state.layers.value = next;
  }
  function picture() {
    const { run } = state.shown.value, number = run || state.run.value.number || "";
    view.current.png((blob) => save(blob, `run${number}-${state.t.value.toFixed(2)}s.png`));
  }
  return html`<details class="layers"><summary>layers</summary>
    ${titles.map(([name, title]) => html`<label><input type="checkbox" name=${name} checked=${on.has(name)}
      onChange=${() => toggle(name)} /> ${title}${on.has(name) ? countOf(name, data) : ""}</label>`)}
    <button onClick=${picture}>Picture (PNG)</button>
  </details>`;
}

// The view, in an element of its own that no redraw touches.
export function Picture() {
  const host = useRef(null), made = useRef(null);
  useEffect(() => {
    const view = new View(host.current, (link) => { state.picked.value = link; });
    made.current = view;
    window.studio.view = view;
    player.setView(view);
    const undo = [
      effect(() => { view.setModel(state.model.value); view.mark(state.picked.peek()); }),
      effect(() => view.mark(state.picked.value)),
      effect(() => showLayers(view)),
    ];
    return () => undo.forEach((one) => one());
  }, []);
  return html`<section class="view" aria-label="3-D view">
    <div class="canvas" ref=${host}></div>
    ${!state.model.value && html`<p class="notice">There is no robot to draw yet.</p>`}
    <${LayerChoice} view=${made} />
    <${Picked} />
  </section>`;
}

// A DOF with its range.
function rangeOf(dof) {
  return `${dof.name}: ${dof.lower?.toFixed(3) ?? "-∞"} to ${dof.upper?.toFixed(3) ?? "∞"} ${dof.unit}`;
}

// The link that was picked: its joint, the range, and why it is where it is.
function Picked() {
  const [why, setWhy] = useState("");
  const link = state.picked.value, model = state.model.value;
  const joint = link && model?.joints.find((one) => one.child === link);
  const dofs = model && joint ? model.dofs.filter((dof) => joint.variables.includes(dof.name)) : [];
  const name = dofs[0]?.name;
  useEffect(() => {
    setWhy("");
    if (name && state.isLive.value) ask({ line: "why " + name }).then((answer) => setWhy(answer.text
      || answer.error || ""));
  }, [name]);
  if (!link) return null;
  return html`<aside class="picked">
    <button class="close" aria-label="close" onClick=${() => { state.picked.value = null; }}>×</button>
    <strong>${link}</strong>
    <div>${joint ? `${joint.type} joint ${joint.name}` : "the root link"}${joint?.mimic
      ? `, follows ${joint.mimic.joint}` : ""}</div>
    ${dofs.map((dof) => html`<div>
      ${rangeOf(dof)}</div>`)}
    ${why && html`<pre>${why}</pre>`}
  </aside>`;
}
