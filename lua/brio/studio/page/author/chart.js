// The statechart of the text, to be edited: a click takes a state or a transition, a drag from one state to
// another makes a transition.
import { html, useEffect, useRef, useState } from "/v/ui.js";
import * as state from "/page/state.js";
import { layOut } from "/page/panels/mind.js";
import { list } from "/page/author/edits.js";

function words(lead) {
  return lead.kind === "after" ? `${lead.trigger} s` : lead.kind === "on" ? lead.trigger
    : lead.trigger.replace(/^function.*$/, "condition");
}

// The place of the pointer in the chart's own units.
function placeOf(svg, event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [point.x, point.y];
}

function Box({ one, active, picked, start, down, take }) {
  return html`<g class=${"state" + (one.compound ? " compound" : "") + (active ? " active" : "")
      + (picked ? " picked" : "")}
    tabIndex="0" role="button" aria-label=${"state " + one.name} data-state=${one.name}
    onPointerDown=${(event) => down(event, one.name)}
    onKeyDown=${(event) => { if (event.key === "Enter") take(one.name); }}>
    <rect x=${one.x - one.width / 2} y=${one.y - one.height / 2} width=${one.width} height=${one.height} rx="8" />
    <text x=${one.x} y=${one.compound ? one.y - one.height / 2 + 12 : one.y + 4}>${start ? "▸ " : ""}${one.label}
    </text></g>`;
}

// states: of the outline; picked: a path; take(path); lead(from, to) after a drag.
export function EditChart({ states, start, picked, take, lead }) {
  const [drawn, setDrawn] = useState(null), [drag, setDrag] = useState(null), svg = useRef(null);
  const known = states.map((one) => ({ name: one.path,
    leads: list(one.transitions).map((each) => ({ label: words(each), to: each.to })) }));
  const key = JSON.stringify(known);
  useEffect(() => {
    let stale = false;
    layOut(known).then((made) => { if (!stale) setDrawn(made); },
      (fault) => { state.problem.value = "the statechart: " + fault.message; });
    return () => { stale = true; };
  }, [key]);
  if (!drawn) return html`<p>...</p>`;
  const active = new Set(list(state.states.value).filter((one) => one.active !== undefined
    && one.active !== null).map((one) => one.name));
  function down(event, name) {
    event.preventDefault();
    const [x, y] = placeOf(svg.current, event);
    svg.current.setPointerCapture(event.pointerId);
    setDrag({ from: name, x0: x, y0: y, x, y });
  }
  function move(event) {
    if (!drag) return;
    const [x, y] = placeOf(svg.current, event);
    setDrag({ ...drag, x, y });
  }
  function up(event) {
    if (!drag) return;
    const [x, y] = placeOf(svg.current, event);
    const over = drawn.nodes.find((one) => !one.compound && Math.abs(one.x - x) <= one.width / 2
      && Math.abs(one.y - y) <= one.height / 2);
    setDrag(null);
    if (Math.hypot(x - drag.x0, y - drag.y0) < 6) return take(drag.from);
    if (over) lead(drag.from, over.name);
  }
  const box = (one) => html`<${Box} key=${one.name} one=${one} active=${active.has(one.name)}
    picked=${picked === one.name} start=${start === one.name} down=${down} take=${take} />`;
  return html`<svg ref=${svg} class="chart editable" viewBox=${`0 0 ${drawn.width} ${drawn.height}`}
    style=${{ maxWidth: drawn.width * 1.25 + "px" }} onPointerMove=${move} onPointerUp=${up}
    aria-label="states: click one to edit it, drag from one to another for a transition">
    <defs><marker id="tip2" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
      <path d="M0 0L8 4L0 8z" /></marker></defs>
    ${drawn.nodes.filter((one) => one.compound).map(box)}
    ${drawn.edges.map((edge) => html`<g class=${"lead" + (active.has(edge.from) ? " active" : "")}>
      <path d=${"M" + edge.points.map((point) => `${point.x},${point.y}`).join("L")} marker-end="url(#tip2)" />
      <text x=${edge.x} y=${edge.y + 4}>${edge.label}</text></g>`)}
    ${drawn.nodes.filter((one) => !one.compound).map(box)}
    ${drag && html`<path class="drag" d=${`M${drag.x0},${drag.y0}L${drag.x},${drag.y}`}
      marker-end="url(#tip2)" />`}</svg>`;
}
