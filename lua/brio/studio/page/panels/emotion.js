// What the robot feels and attends to: valence and arousal in a plane, with the way of the last minute, and the
// targets of its gaze by their salience.
import { html } from "/v/ui.js";
import * as state from "/page/state.js";

const size = 150, middle = size / 2, reach = middle - 12;

// A point of the plane: valence to the right, arousal up, both from -1 to 1.
function place([valence, arousal]) {
  return [middle + reach * Math.max(-1, Math.min(1, valence)), middle - reach * Math.max(-1, Math.min(1, arousal))];
}

function Plane({ emotion }) {
  const [x, y] = place([emotion.valence, emotion.arousal]), [mx, my] = place(emotion.mood);
  const trail = state.trail.value.map(place);
  const words = `${emotion.name}; valence ${emotion.valence.toFixed(2)}, arousal ${emotion.arousal.toFixed(2)}`;
  return html`<figure class="emotion"><svg viewBox=${`0 0 ${size} ${size}`} role="img"
      aria-label=${"emotion: " + words}>
    <circle cx=${middle} cy=${middle} r=${reach} class="rim" />
    <path d=${`M${middle - reach},${middle}h${2 * reach}M${middle},${middle - reach}v${2 * reach}`} class="axis" />
    <text x=${size - 2} y=${middle - 4} class="end">pleasant</text>
    <text x=${middle + 4} y="10">aroused</text>
    ${trail.length > 1 && html`<polyline points=${trail.map((one) => one.map((v) => v.toFixed(1)).join(",")).join(" ")}
      class="trail" />`}
    <circle cx=${mx} cy=${my} r="4" class="mood"><title>mood</title></circle>
    <circle cx=${x} cy=${y} r="6" class="dot" /></svg>
    <figcaption>${words}</figcaption></figure>`;
}

// The targets of attention, the most salient first.
function Attention({ targets, looks }) {
  const most = Math.max(1e-9, ...targets.map((one) => one.salience));
  return html`<table class="attention"><caption>attention</caption>
    <thead><tr><th>target</th><th>kind</th><th>salience</th></tr></thead>
    <tbody>${targets.map((one) => html`<tr key=${one.target} class=${one.target === looks ? "on" : ""}>
      <td>${one.target}${one.target === looks ? " (looked at)" : ""}</td><td>${one.kind}</td><td><span class="meter">
        <span style=${{ width: Math.max(0, 100 * one.salience / most) + "%" }}></span></span>
        ${one.salience.toFixed(2)}</td></tr>`)}</tbody></table>`;
}

export function Feelings() {
  const mind = state.mind.value;
  if (!mind) return null;
  const targets = Array.isArray(mind.targets) ? mind.targets : [];
  return html`<div class="feelings">
    ${mind.emotion && html`<${Plane} emotion=${mind.emotion} />`}
    ${targets.length > 0 && html`<${Attention} targets=${targets} looks=${mind.looks} />`}</div>`;
}
