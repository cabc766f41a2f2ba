// The pictures of the live run's cameras, a few times a second while the panel is open.
import { html, useEffect, useRef, useState } from "/v/ui.js";
import { get } from "/page/link.js";
import * as state from "/page/state.js";

// ms between two pictures, and after a fault.
const every = 200, afterFault = 1000;

function Eye({ name }) {
  const picture = useRef(null), [why, setWhy] = useState("...");
  useEffect(() => {
    let timer = 0, over = false, address = null;
    async function next() {
      let pause = every;
      try {
        const blob = document.hidden ? null : await get("picture", { name });
        if (over) return;
        if (blob?.waits) setWhy(blob.waits);
        else if (blob) {
          const before = address;
          address = URL.createObjectURL(blob);
          picture.current.src = address;
          await picture.current.decode();
          if (before) URL.revokeObjectURL(before);
          if (!over) setWhy("");
        }
      } catch (fault) {
        if (!over) setWhy(fault.message);
        pause = afterFault;
      }
      if (!over) timer = setTimeout(next, pause);
    }
    next();
    return () => {
      over = true;
      clearTimeout(timer);
      if (address) URL.revokeObjectURL(address);
    };
  }, [name]);
  return html`<figure class="eye"><img ref=${picture} alt=${"what the camera " + name + " sees"} hidden=${why !== ""} />
    <figcaption>${name}${why && html` <span role="status">${why}</span>`}</figcaption></figure>`;
}

export function Camera() {
  const run = state.run.value, names = Array.isArray(run.cameras) ? run.cameras : [];
  if (!state.isLive.value || run.status !== "live") return html`<p>Only a live run shows what its cameras see.</p>`;
  if (!names.length) return html`<p>This run has no camera.</p>`;
  return names.map((name) => html`<${Eye} key=${run.number + name} name=${name} />`);
}
