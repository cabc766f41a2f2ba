// Recorded runs: open one, or compare it with what is shown.
import { html, useEffect, useState } from "/v/ui.js";
import { get } from "/page/link.js";
import * as player from "/page/player.js";
import * as state from "/page/state.js";

export function Runs() {
  const [rows, setRows] = useState(null), [why, setWhy] = useState(""), [busy, setBusy] = useState(0);
  const load = () => get("runs").then((list) => { setRows(Array.isArray(list) ? list : []); setWhy("");
  }, (fault) => setWhy(fault.message));
  useEffect(() => { load(); }, []);
  async function act(work, run) {
    setBusy(run);
    try {
      await work(run);
    } catch (fault) {
      setWhy(fault.message);
    }
    setBusy(0);
  }
  const shown = state.shown.value, ghost = state.ghost.value;
  return html`
    <div class="tools"><button onClick=${load}>Refresh</button>
      ${typeof ghost === "number" && html`<span>compared with run ${ghost}</span>
        <button onClick=${() => player.compare(null)}>End</button>`}
      ${why && html`<span class="bad" role="alert">${why}</span>`}</div>
    ${rows && rows.length === 0 && html`<p>No run is recorded yet.</p>`}
    ${rows && rows.length > 0 && html`<table><thead><tr><th>run</th><th>behavior</th><th>robot</th>
      <th>began</th><th>s</th><th>ended</th><th></th></tr></thead>
      <tbody>${rows.map((row) => html`<tr key=${row.run} class=${shown.run === row.run ? "on" : ""}>
        <td>${row.run}</td><td title=${row.behavior}>${(row.behavior || "").replace(/^.*\//, "")}</td><td>
          ${(row.robot || "").replace(/^.*\//, "")}</td><td>${(row.started_at || "").slice(5,
            16).replace("T", " ")}</td>
        <td>${row.duration?.toFixed(1)}</td><td>${row.outcome}${row.faults ? `, ${row.faults} faults` : ""}
          </td>
        <td class="acts"><button disabled=${busy === row.run} onClick=${() => act(player.open,
          row.run)}>Open</button>
          <button disabled=${busy === row.run} onClick=${() => act(player.compare, row.run)}>Compare</button>
            </td></tr>`)}</tbody></table>`}`;
}
