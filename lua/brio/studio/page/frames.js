// Frames of poses: version (1 byte), source (1), count of values (2), number (4), robot time in s (8), then a
// single-precision value for each DOF; little-endian.

export const HEAD = 16;
export const MEASURED = 0, COMMAND = 1, GHOST = 2, RECORDED = 3;

// The frame at a position of a view; null: there is none.
export function readFrame(view, at = 0) {
  if (view.byteLength - at < HEAD || view.getUint8(at) !== 1) return null;
  const count = view.getUint16(at + 2, true);
  const size = HEAD + 4 * count;
  if (view.byteLength - at < size) return null;
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) values[i] = view.getFloat32(at + HEAD + 4 * i, true);
  return { source: view.getUint8(at + 1), number: view.getUint32(at + 4, true), t: view.getFloat64(at + 8,
    true),
    values, size };
}

// All frames of a buffer, one behind the other.
export function readFrames(buffer) {
  const view = new DataView(buffer), frames = [];
  for (let at = 0, frame; (frame = readFrame(view, at)); at += frame.size) frames.push(frame);
  return frames;
}

// The newest frames of a source, in order of time: what can be looked at again without a store.
export class Ring {
  constructor(most) {
    this.most = most;
    this.frames = [];
  }

  add(frame) {
    const last = this.frames[this.frames.length - 1];
    if (last && frame.t < last.t) this.frames = [];
    this.frames.push(frame);
    if (this.frames.length > 1.25 * this.most) this.frames = this.frames.slice(-this.most);
  }

  clear() { this.frames = []; }
  get first() { return this.frames[0]; }
  get last() { return this.frames[this.frames.length - 1]; }
  at(t) { return between(this.frames, t); }
}

// The values at a time, from frames in order of time: between two frames in proportion. O(log frames).
export function between(frames, t) {
  if (frames.length === 0) return null;
  let low = 0, high = frames.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (frames[middle].t <= t) low = middle;
    else high = middle - 1;
  }
  const a = frames[low], b = frames[low + 1];
  if (!b || t <= a.t || b.t <= a.t) return a.values;
  const part = (t - a.t) / (b.t - a.t), values = new Float32Array(a.values.length);
  for (let i = 0; i < values.length; i++) values[i] = a.values[i] + part * (b.values[i] - a.values[i]);
  return values;
}
