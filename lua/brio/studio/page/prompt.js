// The prompt: a line with completion and history, and what was answered.
import { html, useEffect, useRef, useState } from "/v/ui.js";
import * as state from "/page/state.js";
import { ask, say } from "/page/main.js";

// The part that all candidates begin with.
function common(list) {
  let part = list[0] || "";
  for (const one of list) while (!one.startsWith(part)) part = part.slice(0, -1);
  return part;
}

// The text without its last `bytes` bytes of UTF-8.
function cutBytes(text, bytes) {
  const all = new TextEncoder().encode(text);
  return new TextDecoder().decode(all.slice(0, all.length - bytes));
}

export function Prompt() {
  const [text, setText] = useState(""), [list, setList] = useState([]), [open, setOpen] = useState(false);
  const history = useRef([]), at = useRef(0), field = useRef(null), end = useRef(null);
  const said = state.transcript.value;
  useEffect(() => { if (end.current) end.current.scrollTop = end.current.scrollHeight; }, [said, open]);

  async function complete() {
    const before = text.slice(0, field.current.selectionStart), behind = text.slice(before.length);
    const answer = await ask({ complete: before });
    const candidates = Array.isArray(answer.candidates) ? answer.candidates : [];
    if (candidates.length > 0) {
      const made = cutBytes(before, answer.length) + common(candidates);
      if (made.length >= before.length) setText(made + behind);
    }
    setList(candidates.length > 1 ? candidates : []);
  }

  async function send() {
    const line = text.trim();
    if (!line) return;
    history.current.push(line);
    at.current = history.current.length;
    setText("");
    setList([]);
    setOpen(true);
    await say(line);
  }

  function recall(by) {
    at.current = Math.min(Math.max(at.current + by, 0), history.current.length);
    setText(history.current[at.current] || "");
  }

  function onKey(event) {
    const act = { Tab: complete, Enter: send, ArrowUp: () => recall(-1), ArrowDown: () => recall(1),
      Escape: () => { setList([]); setOpen(false); } }[event.key];
    if (!act || (event.key === "Tab" && (event.shiftKey || !text))) return;
    event.preventDefault();
    act();
  }

  return html`<div class="prompt">
    ${open && html`<div class="said" ref=${end} role="log" aria-label="answers">
      ${said.map((one) => html`<pre class=${one.kind}>${one.kind === "line" ? "brio> " : ""}${one.text}
        </pre>`)}</div>`}
    ${list.length > 0 && html`<div class="candidates" role="listbox" aria-label="candidates">
      ${list.slice(0, 40).map((one) => html`<button role="option"
        onClick=${() => { setText(text.replace(/\S*$/, "") + one); setList([]); field.current.focus(); }}>
          ${one}</button>`)}
      ${list.length > 40 && html`<span>and ${list.length - 40} more</span>`}</div>`}
    <label class="line"><span>brio></span>
      <input ref=${field} value=${text} spellcheck=${false} autocomplete="off" autocapitalize="off"
        aria-label="a line for the run; Tab completes"
          placeholder="a line for the run: state, play nod, say hello, Lua"
        onInput=${(event) => { setText(event.target.value); setList([]); }} onKeyDown=${onKey} />
      <button onClick=${send}>Send</button>
      ${said.length > 0 && html`<button onClick=${() => setOpen(!open)} aria-expanded=${open}>
        ${open ? "Hide" : "Answers"}</button>`}
    </label>
  </div>`;
}
