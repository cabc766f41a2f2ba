// The behavior tree that runs, as an indented list: status, time, reason of failure; search; what runs now.
import { html, useEffect, useRef, useState } from "/v/ui.js";
import * as state from "/page/state.js";
import { say } from "/page/main.js";

const row = 22;
const signs = { r: "●", p: "❚❚", s: "✓", f: "✕", ".": "·" };
const names = { r: "running", p: "paused", s: "succeeded", f: "failed", ".": "not begun" };

// Hundredths of a second as text; "": the node has not begun.
function seconds(hundredths) { return hundredths >= 0 ? ` ${(hundredths / 100).toFixed(2)} s ` : ""; }

export function Tree() {
  const [filter, setFilter] = useState(""), [chosen, setChosen] = useState(0);
  const [top, setTop] = useState(0), [height, setHeight] = useState(400);
  const box = useRef(null), tree = state.tree.value;
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(() => setHeight(box.current ? box.current.clientHeight : 400));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [tree === null]);
  if (!state.isLive.value) {
    return html`<p>Trees are shown of the live run; SQL has those of recorded ones (tree_nodes).</p>`;
  }
  if (!tree) return html`<p>No tree runs: the state that the behavior is in has none.</p>`;
  const wanted = filter.toLowerCase();
  const numbers = [];
  for (let i = 0; i < tree.nodes; i++) {
    const known = tree.rows[i];
    const words = known ? `${known[1]} ${known[2]} ${i + 1}`.toLowerCase() : "";
    if (!wanted || words.includes(wanted)) numbers.push(i);
  }
  const first = Math.max(0, Math.floor(top / row) - 5);
  const last = Math.min(numbers.length, first + Math.ceil(height / row) + 10);
  // The deepest running node.
  function running() {
    let at = -1;
    numbers.forEach((number, place) => { if (tree.s[number] === "r") at = place; });
    if (at >= 0) {
      box.current.scrollTop = Math.max(0, at * row - height / 2);
      setChosen(numbers[at] + 1);
    }
  }
  function word(text) { say("tree " + text); }
  const counts = {};
  for (const sign of tree.s) counts[sign] = (counts[sign] || 0) + 1;
  const summary = `${tree.state}: ${tree.nodes} nodes, ${counts.r || 0} running, ${counts.f || 0} failed` +
    (tree.held ? `, in charge: ${tree.held}` : "");
  return html`
    <div class="tools">
      <input type="search" placeholder="search nodes" aria-label="search nodes" value=${filter}
        onInput=${(event) => setFilter(event.target.value)} />
      <button onClick=${running}>What runs now</button>
      <button onClick=${() => word("auto " + (tree.automatic ? "off" : "on"))}>
        ${tree.automatic ? "Step by step" : "Automatic"}</button>
      ${!tree.automatic && html`<button onClick=${() => word("step")}>Step</button>`}
      ${chosen > 0 && html`<button onClick=${() => word("show " + chosen)}>Show ${chosen}</button>
        <button onClick=${() => word("next " + chosen)}>Next</button>
        <button onClick=${() => word("pause " + chosen)}>Pause</button>
        <button onClick=${() => word("resume " + chosen)}>Resume</button>
        <button onClick=${() => word("stop " + chosen)}>Stop node</button>
        <button onClick=${() => word("break " + chosen)}>Break</button>`}
      <span>${summary}</span>
    </div>
    <div class="nodes" ref=${box} tabIndex="0" role="tree" aria-label="behavior tree"
      onScroll=${(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown=${(event) => {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!by) return;
        const place = Math.min(Math.max(numbers.indexOf(chosen - 1) + by, 0), numbers.length - 1);
        setChosen(numbers[place] + 1);
        event.preventDefault();
      }}>
      <div style=${{ height: numbers.length * row + "px" }}>
        ${numbers.slice(first, last).map((number, place) => {
          const known = tree.rows[number], sign = tree.s[number];
          return html`<div key=${number} role="treeitem" aria-selected=${chosen === number + 1}
            aria-level=${known ? known[0] + 1 : 1}
            class=${`node s${sign === "." ? "i" : sign}${chosen === number + 1 ? " on" : ""}`}
            onClick=${() => setChosen(number + 1)}
            style=${{ top: (first + place) * row + "px",
              paddingLeft: 6 + 14 * (known ? known[0] : 0) + "px" }}>
            <span class="sign" title=${names[sign]} aria-label=${names[sign]}>${signs[sign]}</span>
            <span class="number">${number + 1} </span>
            ${known ? html`<strong>${known[1]}</strong> <span>${known[2]}</span>` : "..."}
            <span class="seconds">${seconds(tree.e[number])}</span>
            <span class="why">${sign === "f" ? tree.why.get(number + 1) : ""}</span>
          </div>`;
        })}
      </div>
    </div>`;
}
