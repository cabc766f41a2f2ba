// Recorded runs: what is known of each, and the poses at any time.  A coarse line of frames over the whole
// run is there from the beginning; finer pieces are fetched where somebody looks.
import { get } from "/page/link.js";
import { between, readFrames } from "/page/frames.js";

const coarse = 200, piece = 8, step = 1 / 30, mostPieces = 48, mostLoads = 2;

// Layers that a recorded run has, and the least time between two requests for them, ms; after a fault it
// doubles with each further one, up to the longest.
export const layerNames = ["scene", "goals", "near", "balance", "mind"];
const layersEvery = 120, layersLongest = 8000;

export class Run {
  constructor(about) {
    Object.assign(this, about);
    this.duration = Math.max(about.duration || 0, 0.1);
    this.pieces = new Map();
    this.loads = 0;
    this.coarse = [];
  }

  static async open(number) {
    const made = new Run(await get("run", { run: number }));
    const spacing = made.duration / coarse;
    made.coarse = await made.fetch(0, made.duration, Math.max(spacing, step));
    return made;
  }

  async fetch(from, to, spacing) {
    return readFrames(await get("frames", { run: this.run, from, to, step: spacing }));
  }

  // The pose at a time; `loaded` is called when finer ones have come.
  at(t, loaded) {
    const number = Math.floor(t / piece), found = this.pieces.get(number);
    if (!found) this.load(number, loaded);
    if (found && found.length) return between(found, t);
    return between(this.coarse, t);
  }

  async load(number, loaded) {
    if (this.loads >= mostLoads || number < 0) return;
    this.loads++;
    this.pieces.set(number, null);
    try {
      const frames = await this.fetch(number * piece, Math.min(this.duration, (number + 1) * piece) + step,
        step);
      this.pieces.set(number, frames);
      if (this.pieces.size > mostPieces) this.pieces.delete(this.pieces.keys().next().value);
      loaded();
    } catch (fault) {
      this.pieces.delete(number);
    } finally {
      this.loads--;
    }
  }

  // Ask for the layers of a moment, one request at a time: taken(data, t) gets each answer.  While one is on
  // its way, and after a fault, the newest moment waits; a run without a studio gets no answer.
  async layersAt(t, names, taken) {
    this.wanted = { t, names };
    if (this.asking) return;
    this.asking = true;
    let pause = layersEvery;
    while (this.wanted) {
      const { t: at, names: some } = this.wanted;
      this.wanted = null;
      try {
        taken(await get("layers", { run: this.run, t: at, names: some.join(",") }), at);
        pause = layersEvery;
      } catch (fault) {
        this.wanted ||= { t: at, names: some };
        pause = Math.min(2 * pause, layersLongest);
      }
      await new Promise((done) => setTimeout(done, pause));
    }
    this.asking = false;
  }

  // The names of the DOFs in the frames.
  get names() { return this.dofs.map((dof) => dof.name); }
}

// A function that puts the values of a pose in the order of one list of names into that of another.
export function mapping(from, to) {
  const places = to.map((name) => from.indexOf(name));
  if (places.every((place, i) => place === i)) return (pose) => pose;
  return (pose) => pose && { base: pose.base,
    values: Float32Array.from(places, (place) => (place < 0 ? NaN : pose.values[place])) };
}
