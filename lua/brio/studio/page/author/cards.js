// The card of a state: its fields, its transitions, and its properties by rank.
import { html, useState } from "/v/ui.js";
import * as state from "/page/state.js";
import { about, edit, file, list, lua, partAt, partOf } from "/page/author/edits.js";
import { openAt, Snippets, Value } from "/page/author/values.js";
import { say } from "/page/main.js";

// The families of objectives, by the ends of their names.
const families = [["match", /_(match|follow)$|^look_at$|^keep_upright$|^link_line$|^links_in_line$|^joint_coupling$/],
  ["mirror", /_mirroring$/], ["bound", /_bounding$|_limits$/], ["liveliness", /_liveliness$|_noise$/],
  ["smoothness", /_minimization$|^smoothness/], ["balance", /_support$|^gravity/], ["others", /./]];

function familyOf(name) { return families.find(([, pattern]) => pattern.test(name))[0]; }

// The objectives of the schema: list of {name, family, row}.
function objectives() {
  return [...(about.value?.tables.values() || [])].filter((row) => row.name.startsWith("want."))
    .map((row) => ({ name: row.name.slice(5), family: familyOf(row.name.slice(5)), row }));
}

// The schema of a property by what is called: "want.look_at".
function schemaOf(part) {
  const name = part.callee?.match(/([\w]+)$/)?.[1];
  return name ? about.value?.tables.get("want." + name) : null;
}

// A first value of a field.
function usual(field) {
  const model = state.model.value;
  if (field.default !== undefined) return lua(field.default);
  if (field.type === "link") return lua(list(model?.links)[0] || "link");
  if (field.type === "joint") return lua(list(model?.dofs).find((one) => !one.outside)?.name || "joint");
  if (field.name === "goal") return about.value.goals[field.type] || "0";
  return { number: "0", flag: "true", vector: "{ 1, 0, 0 }", string: '""', boolean: "true" }[field.type] || "0";
}

// A new property as Lua: with what it needs.
function newProperty(row) {
  const needed = list(row.fields).filter((field) => field.needed);
  const text = needed.map((field) => `${field.name} = ${usual(field)}`).join(", ");
  return `${file.value.outline.want || "want"}.${row.name.slice(5)} {${text ? " " + text + " " : ""}}`;
}

const weightField = { name: "weight", type: "number", lower: 0, upper: 100 };

// Fields that could be added to a part.
function MoreFields({ path, fields, has, label }) {
  const left = fields.filter((field) => !has.has(field.name));
  if (!left.length) return null;
  return html`<select aria-label=${label} value="" onChange=${(event) => {
    const field = left.find((one) => one.name === event.target.value);
    if (field) edit({ op: "set", path: `${path}.${field.name}`, value: usual(field) });
  }}><option value="">more ...</option>
    ${left.map((field) => html`<option value=${field.name}>${field.name}</option>`)}
  </select>`;
}

// One property: its fields, rank, and what can be added.
function Property({ part, rank, last, label }) {
  const row = schemaOf(part), fields = list(row?.fields);
  const joint = partOf(part.parts, "joint")?.value;
  const title = (part.callee || part.text || "").replace(/^.*\./, "");
  const goal = fields.find((field) => field.name === "goal");
  const move = (to) => edit({ op: "move", path: part.path, to });
  const has = new Set(list(part.parts).map((one) => one.key));
  return html`<article class="property" data-path=${part.path}>
    <header><strong>${rank}. ${title}</strong>
      ${part.via && html`<span class="name" title="a name that several states may use">
        ${list(part.via).join(", ")}</span>`}
      <span class="acts">
        <button aria-label=${`raise ${label}`} disabled=${rank === 1} onClick=${() => move(rank - 1)}>↑</button>
        <button aria-label=${`lower ${label}`} disabled=${rank === last} onClick=${() => move(rank + 1)}>↓</button>
        <button aria-label=${`remove ${label}`} onClick=${() => edit({ op: "remove", path: part.path })}>×</button>
      </span></header>
    ${part.computed ? html`<${Value} part=${part} label=${label} />` : list(part.parts).map((one) => {
      const field = fields.find((each) => each.name === one.key) || (one.key === "weight" ? weightField : null);
      if (typeof one.key === "number" && one.kind === "call") {
        return html`<${Property} part=${one} rank=${one.key} last=${part.parts.length}
          label=${`${label} ${one.key}`} />`;
      }
      return html`<div class="row"><span class="name" title=${field?.doc || ""}>${one.key}</span>
        <${Value} part=${one} label=${`${label} ${one.key}`} field=${field} joint=${one.key === "goal" && joint} />
        ${one.key === "goal" && goal && html`<${Snippets} use=${goal.type} label="as a function ..." button="Set"
          done=${(text) => edit({ op: "set", path: one.path, value: text, over: true })} />`}</div>`;
    })}
    ${row && html`<${MoreFields} path=${part.path} fields=${[...fields, weightField]} has=${has}
      label=${`more of ${label}`} />`}</article>`;
}

// The properties of a state, by rank, and a new one.
function Wants({ one }) {
  const [name, setName] = useState("joint_match");
  const wants = partOf(one.part.parts, "wants"), all = objectives();
  const items = list(wants?.parts).filter((part) => typeof part.key === "number");
  const groups = [...new Set(families.map(([family]) => family))];
  const row = all.find((each) => each.name === name)?.row;
  return html`<h4>properties by rank ${wants?.computed && html`<${Value} part=${wants} label="wants" />`}
      ${wants?.callee && html`<span class="name">through ${wants.callee}</span>`}</h4>
    ${items.map((part, i) => html`<${Property} key=${part.path + part.callee} part=${part} rank=${i + 1}
      last=${items.length} label=${`${one.name} ${i + 1}`} />`)}
    ${!wants?.computed && html`<div class="tools"><select aria-label=${`objective for ${one.name}`} value=${name}
        onChange=${(event) => setName(event.target.value)}>
      ${groups.map((group) => html`<optgroup label=${group}>${all.filter((each) => each.family === group)
        .map((each) => html`<option title=${each.row.doc}>${each.name}</option>`)}</optgroup>`)}</select>
      <button class="add" onClick=${() => edit({ op: "add", path: `${one.path}.wants`, value: newProperty(row) })}>
        Add property</button></div>`}`;
}

// One transition: its trigger and its target.
function Lead({ lead, one, names }) {
  const part = partAt(file.value.outline.parts, lead.path), trigger = partOf(part?.parts, 1);
  const target = lead.kind === "on" ? part : partOf(part?.parts, 2);
  return html`<div class="row lead-row">
    <span class="name">${lead.kind}</span>
    ${lead.kind === "on" || !trigger ? html`<span>${lead.trigger}</span>` : html`<${Value} part=${trigger}
      label=${`${lead.kind} of ${one.name}`} unit=${lead.kind === "after" ? "s" : ""} />`}
    <span>→</span>
    ${target && target.kind === "text" ? html`<select aria-label=${`target of ${lead.path}`} value=${target.value}
      onChange=${(event) => edit({ op: "set", path: target.path, value: lua(event.target.value) })}>
      ${[...new Set([target.value, ...names])].map((name) => html`<option>${name}</option>`)}</select>`
      : html`<span>${lead.to}</span>`}
    <button aria-label=${`remove ${lead.path}`} onClick=${() => edit({ op: "remove", path: lead.path })}>×</button></div>`;
}

const described = new Set(["wants", "on", "after", "when", "go", "states", "regions"]);

// The card of a state: `one` of the chart with its part of the outline.
export function StateCard({ one, chart, gone, renamed }) {
  const [name, setName] = useState(one.name);
  const row = about.value?.tables.get("state"), names = chart.states.map((other) => other.name);
  const fields = list(row?.fields).filter((field) => ["number", "string", "choice"].includes(field.type)
    && (field.name !== "lasts" || one.name === "power_off"));
  const has = new Set(list(one.part.parts).map((part) => part.key));
  async function rename() {
    const answer = await edit({ op: "rename", path: one.path, to: name.trim() });
    if (!answer.error) renamed(name.trim());
  }
  async function remove() {
    const answer = await edit({ op: "remove", path: one.path, leads: true });
    if (!answer.error) gone();
  }
  return html`<section class="card" data-state=${one.path}>
    <div class="tools"><input aria-label="name of the state" size="12" value=${name} onInput=${(event) =>
        setName(event.target.value)} />
      <button disabled=${name.trim() === one.name} onClick=${rename}>Rename</button>
      ${!one.parent && html`<button onClick=${remove}>Delete</button>
        <button disabled=${chart.start === one.name} onClick=${() => edit({ op: "set", path: "behavior.start",
          value: lua(one.name) })}>Start here</button>`}
      <button onClick=${() => say("go " + one.path)}>Enter</button>
      <button onClick=${() => openAt(one.line)}>line ${one.line}</button></div>
    ${list(one.part.parts).filter((part) => !described.has(part.key)).map((part) => html`<div class="row">
      <span class="name">${part.key}</span><${Value} part=${part} label=${`${one.name} ${part.key}`}
        field=${list(row?.fields).find((field) => field.name === part.key)} /></div>`)}
    <${MoreFields} path=${one.path} fields=${fields} has=${has} label=${`more of ${one.name}`} />
    <h4>transitions</h4>
    ${list(one.transitions).map((lead) => html`<${Lead} key=${lead.path} lead=${lead} one=${one}
      names=${names} />`)}
    <${Wants} one=${one} /></section>`;
}
