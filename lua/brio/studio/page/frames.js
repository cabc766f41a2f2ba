// Frames of poses: version (1 byte), source (1), count of values (2), number (4), robot time in s (8), then a
// single-precision value for each DOF; if 128 is added to the source, also the base's pose: position and
// quaternion (7 values); little-endian.

export const HEAD = 16, VERSION = 2, BASED = 0x80, BASE = 7;
export const MEASURED = 0, COMMAND = 1, GHOST = 2, RECORDED = 3;

// The frame at a position of a view; null: there is none.
export function readFrame(view, at = 0) {
  if (view.byteLength - at < HEAD || view.getUint8(at) !== VERSION) return null;
  const count = view.getUint16(at + 2, true), source = view.getUint8(at + 1);
  const based = (source & BASED) !== 0, size = HEAD + 4 * (count + (based ? BASE : 0));
  if (view.byteLength - at < size) return null;
  const values = floats(view, at + HEAD, count);
  const base = based ? floats(view, at + HEAD + 4 * count, BASE) : null;
  return { source: source & ~BASED, number: view.getUint32(at + 4, true), t: view.getFloat64(at + 8, true),
    values, base, size };
}

function floats(view, at, count) {
  const list = new Float32Array(count);
  for (let i = 0; i < count; i++) list[i] = view.getFloat32(at + 4 * i, true);
  return list;
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

// The pose at a time, {values, base (null: it stands)}, from frames in order of time: between two frames in
// proportion. O(log frames).
export function between(frames, t) {
  if (frames.length === 0) return null;
  let low = 0, high = frames.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (frames[middle].t <= t) low = middle;
    else high = middle - 1;
  }
  const a = frames[low], b = frames[low + 1];
  if (!b || t <= a.t || b.t <= a.t) return a;
  const part = (t - a.t) / (b.t - a.t);
  return { values: mixed(a.values, b.values, part), base: a.base && b.base ? mixedBase(a.base, b.base, part)
    : a.base };
}

function mixed(a, b, part) {
  const values = new Float32Array(a.length);
  for (let i = 0; i < values.length; i++) values[i] = a[i] + part * (b[i] - a[i]);
  return values;
}

// Between two poses: the quaternion on the shorter arc, of unit length again.
function mixedBase(a, b, part) {
  const dot = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
  const made = mixed(a, dot < 0 ? b.map((value, i) => (i > 2 ? -value : value)) : b, part);
  const length = Math.hypot(made[3], made[4], made[5], made[6]) || 1;
  for (let i = 3; i < 7; i++) made[i] /= length;
  return made;
}
