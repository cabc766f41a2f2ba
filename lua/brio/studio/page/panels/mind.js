// The behavior's states as a statechart, with the active path, and the transitions that lead on from it.
import { html, useEffect, useState } from "/v/ui.js";
import * as state from "/page/state.js";
import { say } from "/page/main.js";
import { Feelings } from "/page/panels/emotion.js";

function list(value) { return Array.isArray(value) ? value : []; }

// What a transition waits for.
function cause(lead) { return lead.event || (lead.after ? `${lead.after} s` : lead.label || "condition"); }

// The states with the places that dagre gives them: {nodes, edges, width, height}.
export async function layOut(states) {
  const { graphlib, layout } = await import("/v/graph.js");
  const graph = new graphlib.Graph({ compound: true, multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 24, ranksep: 46, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  const names = new Set(states.map((one) => one.name));
  const parentOf = (name) => (name.includes(".") ? name.replace(/\.[^.]*$/, "") : null);
  const parents = new Set(states.map((one) => parentOf(one.name)).filter((name) => names.has(name)));
  for (const { name } of states) {
    const short = name.split(".").pop();
    graph.setNode(name, { label: short, width: 16 + 7.5 * short.length, height: 30 });
    const above = parentOf(name);
    if (above && names.has(above)) graph.setParent(name, above);
  }
  // An edge of a compound state begins at its first child: dagre lays out edges of leaves alone.
  const leaf = (name) => {
    while (parents.has(name) && states.some((one) => one.name.startsWith(name
      + "."))) name = states.find((one) => one.name.startsWith(name + ".")).name;
    return name;
  };
  states.forEach((one) => list(one.leads).forEach((lead, i) => {
    const to = states.find((other) => other.name === lead.to || other.name.split(".").pop() === lead.to);
    if (!to) return;
    const text = cause(lead);
    graph.setEdge(leaf(one.name), leaf(to.name), { label: text, width: 6.2 * text.length, height: 13,
      labelpos: "c", from: one.name, to: to.name }, `${one.name}-${i}`);
  }));
  layout(graph);
  const size = graph.graph();
  return { width: size.width, height: size.height,
    nodes: graph.nodes().map((name) => ({ name, compound: parents.has(name), ...graph.node(name) })),
    edges: graph.edges().map((edge) => graph.edge(edge)) };
}

function Chart({ states }) {
  const [drawn, setDrawn] = useState(null);
  const key = JSON.stringify(states.map((one) => [one.name, one.leads]));
  useEffect(() => { layOut(states).then(setDrawn, (fault) => { state.problem.value = "the statechart: "
    + fault.message; }); }, [key]);
  if (!drawn) return html`<p>...</p>`;
  const active = new Set(states.filter((one) => one.active !== undefined && one.active !== null).map((one) =>
    one.name));
  return html`<svg class="chart" viewBox=${`0 0 ${drawn.width} ${drawn.height}`}
    style=${{ maxWidth: drawn.width + "px" }}
      role="img" aria-label=${"states; active: " + [...active].join(", ")}>
    <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
      <path d="M0 0L8 4L0 8z" /></marker></defs>
    ${drawn.nodes.filter((one) => one.compound).map((one) => html`<g class=${"state compound"
      + (active.has(one.name) ? " active" : "")}>
      <rect x=${one.x - one.width / 2} y=${one.y - one.height / 2} width=${one.width} height=${one.height}
        rx="8" />
      <text x=${one.x} y=${one.y - one.height / 2 + 12}>${one.label}</text></g>`)}
    ${drawn.edges.map((edge) => html`<g class=${"lead" + (active.has(edge.from) ? " active" : "")}>
      <path d=${"M" + edge.points.map((point) => `${point.x},${point.y}`).join("L")} marker-end="url(#tip)" />
      <text x=${edge.x} y=${edge.y + 4}>${edge.label}</text></g>`)}
    ${drawn.nodes.filter((one) => !one.compound).map((one) => html`<g class=${"state" + (active.has(one.name)
      ? " active" : "")}>
      <rect x=${one.x - one.width / 2} y=${one.y - one.height / 2} width=${one.width} height=${one.height}
        rx="8" />
      <text x=${one.x} y=${one.y + 4}>${one.label}</text></g>`)}
  </svg>`;
}

// What a transition of the status waits for, and where it leads.
function nextText(one, now) {
  const wait = one.at ? `in ${Math.max(0, one.at - now).toFixed(0)} s` : one.label || "condition";
  return `${one.event || wait} → ${one.to}`;
}

// The status of the run, in words.
function Now() {
  const desk = state.desk.value;
  if (!desk) return null;
  const since = desk.since !== undefined ? ` for ${(desk.t - desk.since).toFixed(1)} s` : "";
  const rows = [["state", desk.state && desk.state + since], ["does", list(desk.leaves).join(", ")],
    ["plays", list(desk.plays).join(", ")], ["says", desk.says && `“${desk.says}”`], ["looks at", desk.looks],
    ["sees", state.scene.value.map((one) => `${one.id} (${one.kind})`).join(", ")],
    ["next", list(desk.nexts).map((one) => nextText(one, desk.t)).join(", ")],
    ["parts", list(desk.owners).map((one) => `${one.part}: ${one.who}`).join(", ")],
    ["motors", list(desk.troubles).join(", ")],
    ["faults", desk.faults ? `${desk.faults}, last: ${desk.fault}` : ""]];
  return html`<dl class="now">
    ${rows.filter((row) => row[1]).map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>`;
}

// Why a recorded state was entered, and when.
function since(one) {
  return `${one.entered.toFixed(2)} s, because ${one.cause}${one.detail ? ` (${one.detail})` : ""}`;
}

// The states of a recorded run around its moment.
function Recorded() {
  const t = state.t.value, shown = state.shown.value;
  const active = (shown.states || []).filter((one) => one.entered <= t && (one.left_at ?? Infinity) > t);
  const actions = (shown.actions || []).filter((one) => one.started <= t && (one.ended ?? Infinity) > t);
  const inner = active[active.length - 1];
  return html`<dl class="now">
    <dt>states</dt><dd>${active.map((one) => one.state).join(" › ") || "none"}</dd>
    ${inner && html`<dt>since</dt><dd>${since(inner)}</dd>`}
    ${actions.slice(0, 20).map((one) => html`<dt>${one.kind}</dt>
      <dd>${one.name}${one.who ? ` (${one.who})` : ""}, since ${one.started.toFixed(2)} s</dd>`)}</dl>
    <${Feelings} />`;
}

export function Mind() {
  if (!state.isLive.value) return html`<${Recorded} />`;
  const states = list(state.states.value);
  return html`<${Now} />
    <${Feelings} />
    ${states.length > 0 && html`<${Chart} states=${states} />`}
    ${states.length > 0 && html`<div class="tools">${states.map((one) => html`<button
      class=${one.active !== undefined ? "on" : ""}
      onClick=${() => say("go " + one.name)}>go ${one.name}</button>`)}</div>`}`;
}

