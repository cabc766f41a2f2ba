// The objectives of the pose: weight and its target, cost, goal, whose they are.
import { html } from "/v/ui.js";
import * as state from "/page/state.js";

function Bar({ value, most }) {
  const share = most > 0 ? Math.min(100, 100 * value / most) : 0;
  return html`<span class="meter"><span style=${{ width: share + "%" }}></span></span>`;
}

export function Goals() {
  if (!state.isLive.value) return html`<p>Objectives are shown of the live run.</p>`;
  const rows = Array.isArray(state.wants.value) ? state.wants.value : [];
  const weight = Math.max(1e-9, ...rows.map((row) => Math.max(row.weight, row.target)));
  const cost = Math.max(1e-9, ...rows.map((row) => row.weight * row.cost));
  if (rows.length === 0) return html`<p>No objective has a weight: the pose is held.</p>`;
  return html`<table class="goals"><thead><tr><th>objective</th><th>whose</th><th>weight</th>
    <th>weighted cost</th><th>goal</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${row.key}>
      <td class="key">${row.key}${row.operator ? html` <em>${row.operator}</em>` : ""}</td><td>
        ${row.whose}</td>
      <td><${Bar} value=${row.weight} most=${weight} />
        ${row.weight.toPrecision(3)}${Math.abs(row.weight - row.target) > 1e-3 * weight ? " → "
          + row.target.toPrecision(3) : ""}</td>
      <td><${Bar} value=${row.weight * row.cost} most=${cost} />${(row.weight * row.cost).toPrecision(3)}</td>
      <td class="goal">${row.goal}</td></tr>`)}</tbody></table>`;
}
