// A panel whose libraries are fetched when it is first opened.
import { html, useEffect, useState } from "/v/ui.js";

export function Lazy({ from, name }) {
  const [made, setMade] = useState(null), [why, setWhy] = useState("");
  useEffect(() => { import(from).then((module) => setMade(() => module[name]), (fault) =>
    setWhy(fault.message)); }, [from]);
  if (why) return html`<p class="bad" role="alert">${why}</p>`;
  return made ? html`<${made} />` : html`<p>...</p>`;
}
