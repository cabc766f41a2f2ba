// Every axis: position, command, range; and jogging, which ends by itself half a second after the page falls
// silent or is hidden.
import { html, useEffect, useRef, useState } from "/v/ui.js";
import * as player from "/page/player.js";
import * as state from "/page/state.js";
import { ask } from "/page/main.js";

const everyMs = 80;

// Send the values that a person holds, again and again: control ends half a second after the last one.
function useJog() {
  const held = useRef(new Map()), timer = useRef(0), [why, setWhy] = useState("");
  async function send() {
    if (document.hidden || held.current.size === 0) return stop();
    const values = [...held.current].map(([name, value]) => `${name}=${value.toFixed(5)}`).join(" ");
    const answer = await ask({ line: "perform page " + values });
    if (answer.error) {
      setWhy(answer.error);
      stop();
    }
  }
  function stop() {
    clearInterval(timer.current);
    timer.current = 0;
    held.current.clear();
  }
  function hold(name, value) {
    held.current.set(name, value);
    setWhy("");
    if (!timer.current) {
      timer.current = setInterval(send, everyMs);
      send();
    }
  }
  function release(name) {
    held.current.delete(name);
    if (held.current.size === 0) stop();
  }
  useEffect(() => {
    const hidden = () => { if (document.hidden) stop(); };
    document.addEventListener("visibilitychange", hidden);
    return () => {
      document.removeEventListener("visibilitychange", hidden);
      stop();
    };
  }, []);
  return { hold, release, why };
}

export function Joints() {
  const jog = useJog(), [kept, setKept] = useState(new Map());
  const model = state.model.value, live = state.isLive.value;
  if (!model) return html`<p>There is no robot.</p>`;
  void state.t.value;
  const values = live ? player.rings[0].at(state.t.value)?.values : null;
  const about = new Map((live && state.axes.value ? state.axes.value.axes : []).map((one) => [one.name,
    one]));
  function set(name, value) {
    jog.hold(name, value);
    setKept(new Map(kept).set(name, value));
  }
  function free(name) {
    jog.release(name);
    const next = new Map(kept);
    next.delete(name);
    setKept(next);
  }
  return html`
    <p class="hint">Hold a slider to move a joint; let go, and the robot has it back after half a second.</p>
    ${jog.why && html`<p class="bad" role="alert">${jog.why}</p>`}
    <table class="joints"><thead><tr><th>DOF</th><th>position</th><th>jog</th><th>command</th>
      <th>load, °C</th></tr></thead><tbody>
    ${model.dofs.map((dof, i) => {
      const value = values ? values[i] : undefined, one = about.get(dof.name);
      const lower = dof.lower ?? -Math.PI, upper = dof.upper ?? Math.PI;
      return html`<tr key=${dof.name}><th scope="row">${dof.name}</th>
        <td class="number">${value === undefined || Number.isNaN(value) ? ""
          : `${value.toFixed(3)} ${dof.unit}`}</td>
        <td><input type="range" min=${lower} max=${upper} step=${(upper - lower) / 400} disabled=${!live
          || state.run.value.status !== "live"}
          value=${kept.get(dof.name) ?? value ?? 0} aria-label=${"jog " + dof.name}
          onInput=${(event) => set(dof.name, Number(event.target.value))} onChange=${() => free(dof.name)}
          onPointerUp=${() => free(dof.name)} onBlur=${() => free(dof.name)} /></td>
        <td>${one && one.command !== undefined ? one.command.toFixed(3) : ""}</td>
        <td>${one && one.load !== undefined ? one.load.toFixed(2) : ""} ${one
          && one.temperature !== undefined ? one.temperature.toFixed(0) : ""}</td></tr>`;
    })}</tbody></table>`;
}
