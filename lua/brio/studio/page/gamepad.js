// The gamepad of the browser, for the run: as if it were at the robot's machine, by the run's own mapping (the
// prompt's word `pad`).  It works while a person has switched it on and the page is visible; half a second
// after the last line the run releases everything by itself.
import { signal } from "/v/ui.js";

const everyMs = 80;

// Places of the browser's standard gamepad (https://www.w3.org/TR/gamepad/#remapping) and the kernel's names.
const axes = ["ABS_X", "ABS_Y", "ABS_RX", "ABS_RY"];
const buttons = ["BTN_SOUTH", "BTN_EAST", "BTN_WEST", "BTN_NORTH", "BTN_TL", "BTN_TR", null, null, "BTN_SELECT",
  "BTN_START", "BTN_THUMBL", "BTN_THUMBR", null, null, null, null, "BTN_MODE"];
const triggers = [[6, "ABS_Z"], [7, "ABS_RZ"]], cross = [[14, 15, "ABS_HAT0X"], [12, 13, "ABS_HAT0Y"]];

// "off", "waits" (for a button of a gamepad), "on", or a sentence why it is not.
export const status = signal("off");
export const name = signal("");

// The inputs of a gamepad as the kernel names them: {name: value}.
export function inputsOf(pad) {
  const made = {}, value = (i) => pad.buttons[i]?.value ?? 0;
  axes.forEach((axis, i) => { made[axis] = Math.max(-1, Math.min(1, pad.axes[i] ?? 0)); });
  buttons.forEach((button, i) => { if (button) made[button] = pad.buttons[i]?.pressed ? 1 : 0; });
  for (const [i, axis] of triggers) made[axis] = value(i);
  for (const [less, more, axis] of cross) made[axis] = value(more) - value(less);
  return made;
}

function round(value) { return Math.round(value * 1000) / 1000; }

let timer = 0, ask = null, panic = [], raised = false, told = "";

// Whether anything is pressed or away from the middle.
function busy(inputs) { return Object.values(inputs).some((value) => Math.abs(value) > 0.02); }

async function send() {
  const pad = [...navigator.getGamepads()].find((one) => one && one.mapping === "standard");
  if (document.hidden || !pad) {
    status.value = "waits";
    return release();
  }
  status.value = "on";
  name.value = pad.id;
  const inputs = inputsOf(pad);
  // The panic stop does not wait for the run's scripts.
  const wants = panic.some((button) => inputs[button] === 1);
  if (wants && !raised) ask({ panic: true });
  raised = wants;
  const line = "pad " + Object.entries(inputs).map(([key, value]) => `${key}=${round(value)}`).join(" ");
  // A gamepad at rest says so once; one that is held is said again and again.
  if (line === told && !busy(inputs)) return;
  told = line;
  const answer = await ask({ line });
  if (answer.error) stop(answer.error);
}

// Tell the run that nothing is held.
function release() {
  if (told === "") return;
  told = "";
  ask({ line: "pad off" });
}

export function stop(why = "off") {
  clearInterval(timer);
  timer = 0;
  release();
  status.value = why;
}

// Begin; `askRun` sends a request to the run.
export async function start(askRun) {
  ask = askRun;
  const answer = await ask({ line: "pad" });
  if (answer.error) {
    status.value = answer.error;
    return;
  }
  panic = JSON.parse(answer.text).panic;
  status.value = "waits";
  clearInterval(timer);
  timer = setInterval(send, everyMs);
}

document.addEventListener("visibilitychange", () => { if (document.hidden && timer) release(); });
