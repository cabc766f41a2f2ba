// Questions to the store in SQL, as the prompt's word `sql` asks them.
import { html, useState } from "/v/ui.js";
import { ask } from "/page/main.js";

const examples = [
  "SELECT run, behavior, robot, duration, outcome FROM run_summary ORDER BY run DESC LIMIT 20",
  "SELECT state, count(*) AS times, round(sum(seconds), 2) AS seconds FROM states_timeline " +
    "GROUP BY state ORDER BY seconds DESC",
  "SELECT t, name, source FROM events ORDER BY run DESC, t DESC LIMIT 50"];

export function Query() {
  const [text, setText] = useState(examples[0]), [rows, setRows] = useState(null), [why,
    setWhy] = useState("");
  async function run() {
    setWhy("...");
    const answer = await ask({ line: "sql " + text.replace(/\s+/g, " ").trim() });
    setWhy(answer.error || (answer.rows ? "" : answer.text || ""));
    setRows(answer.rows || null);
  }
  const names = rows && rows.length ? Object.keys(rows[0]) : [];
  return html`
    <label class="query">SQL <textarea rows="3" spellcheck=${false} value=${text} onInput=${(event) =>
      setText(event.target.value)}
      onKeyDown=${(event) => { if (event.key === "Enter" && event.ctrlKey) run(); }}></textarea></label>
    <div class="tools"><button onClick=${run}>Ask (Ctrl+Enter)</button>
      ${examples.map((one, i) => html`<button onClick=${() => setText(one)}>example ${i + 1}</button>`)}
      ${why && html`<span role="status">${why}</span>`}</div>
    ${rows && html`<p>${rows.length} rows</p>`}
    ${names.length > 0 && html`<table><thead><tr>${names.map((name) => html`<th>${name}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${names.map((name) => html`<td>
        ${row[name] === null ? "" : String(row[name])}</td>`)}</tr>`)}</tbody></table>`}`;
}
