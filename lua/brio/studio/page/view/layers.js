// What a view draws beside the robot, each in a layer that can be shown or hidden: frames, clouds, gaze, goals,
// near pairs, ways of arms, footsteps, balance, contact forces.  The data are those of the prompt's word `layers`, in the world.
import * as THREE from "/v/three.js";

const white = new THREE.Vector3(1, 1, 1);

// Names in order, with their titles.
export const titles = [["scene", "people, things"], ["frames", "frames"], ["clouds", "clouds"], ["gaze", "gaze"],
  ["goals", "goals"], ["near", "near pairs"], ["ways", "ways of arms"],
  ["steps", "footsteps"], ["balance", "balance"], ["contacts", "contact forces"]];

const axisColors = [0xc0392b, 0x2e8b57, 0x2f5fbf];

// Lines between points, flat: six numbers each.
function lines(points, color, opacity = 1) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color, transparent: opacity < 1,
    opacity }));
}

function ball(at, radius, color, opacity = 0.9) {
  const made = new THREE.Mesh(new THREE.SphereGeometry(radius, 12, 8), new THREE.MeshBasicMaterial({ color,
    transparent: true, opacity }));
  made.position.set(...at);
  return made;
}

// Three axes at a pose.
function triad(p, q, length) {
  const group = new THREE.Group();
  axisColors.forEach((color, k) => {
    const end = [0, 0, 0];
    end[k] = length;
    group.add(lines([0, 0, 0, ...end], color));
  });
  group.position.set(...p);
  if (q) group.quaternion.set(...q);
  return group;
}

// A vector turned by a quaternion.
function turned(q, v) { return new THREE.Vector3(...v).applyQuaternion(new THREE.Quaternion(...q)).toArray(); }

// The points of a cloud: base64 of 16-bit numbers; its color by height.
function cloudOf(one) {
  const bytes = atob(one.points), count = Math.floor(bytes.length / 6), view = new DataView(new ArrayBuffer(6));
  const places = new Float32Array(3 * count), colors = new Float32Array(3 * count);
  const matrix = new THREE.Matrix4(), point = new THREE.Vector3(), color = new THREE.Color();
  if (one.p) matrix.compose(new THREE.Vector3(...one.p), new THREE.Quaternion(...one.q), white);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 6; k++) view.setUint8(k, bytes.charCodeAt(6 * i + k));
    point.set(view.getInt16(0, true), view.getInt16(2, true), view.getInt16(4, true)).multiplyScalar(one.step);
    point.applyMatrix4(matrix).toArray(places, 3 * i);
    color.setHSL(0.66 - 0.5 * Math.min(1, Math.max(0, point.z / 2)), 0.7, 0.4).toArray(colors, 3 * i);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(places, 3));
  geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3));
  return new THREE.Points(geometry, new THREE.PointsMaterial({ size: 3, sizeAttenuation: false,
    vertexColors: true }));
}

// Where a link is; null: it is unknown.
function originOf(chain, link) {
  const at = chain && chain.index.get(link);
  return at === undefined || !chain ? null : [...chain.poses.slice(7 * at, 7 * at + 3)];
}

const goalColor = 0x9c1f6e;

// What is drawn for each form of goal.
const goalForms = {
  translation: (goal, from) => [ball(goal, 0.018, goalColor), ...way(from, goal)],
  rotation: (goal, from) => (from ? [triad(from, goal, 0.14)] : []),
  pose: (goal, from) => [triad(goal.position, goal.orientation, 0.14), ...way(from, goal.position)],
  line: (goal) => {
    const p = goal.position, d = goal.direction, n = Math.hypot(...d) || 1;
    const end = (s) => p.map((value, k) => value + s * d[k] / n);
    return [lines([...end(-0.6), ...end(0.6)], goalColor), ball(end(0.6), 0.012, goalColor)];
  },
  ellipse: (goal) => {
    const made = ball(goal.position, 1, goalColor, 0.2);
    made.scale.set(...goal.size);
    if (goal.orientation) made.quaternion.set(...goal.orientation);
    return [made];
  },
  points: (goal) => [loop(goal, goalColor)],
};

// A line from a link to its goal.
function way(from, to) { return from ? [lines([...from, ...to], goalColor, 0.6)] : []; }

// A closed line.
function loop(points, color) {
  const flat = [];
  points.forEach((point, i) => flat.push(...point, ...points[(i + 1) % points.length]));
  return lines(flat, color);
}

// The convex hull of points in the plane of x and y, counterclockwise.  O(n log n), Andrew's monotone chain.
export function hullOf(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const made = [];
    for (const p of list) {
      const left = (a, b) => (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
      while (made.length > 1 && left(made[made.length - 2], made[made.length - 1]) <= 0) made.pop();
      made.push(p);
    }
    return made.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

// What each layer draws: objects of its data.
const draw = {
  frames: (list) => list.map((one) => triad(one.p, one.q, 0.12)),
  clouds: (list) => list.map(cloudOf),
  gaze: (list) => list.flatMap((one) => [lines([...one.from, ...one.to], one.away ? 0x7a8794 : 0xb35a00),
    ball(one.to, 0.02, 0xb35a00)]),
  goals: (list, chain) => list.flatMap((one) => goalForms[one.form](one.goal, originOf(chain, one.link))),
  near: (list) => list.flatMap((one) => [lines([...one.from, ...one.to], 0xb3261e),
    ball(one.from, 0.008, 0xb3261e), ball(one.to, 0.008, 0xb3261e)]),
  ways: (list) => list.flatMap((one) => [...one.points.slice(1).map((point, k) =>
    lines([...one.points[k], ...point], 0x1f6f8b)), ball(one.points[one.points.length - 1], 0.014, 0x1f6f8b)]),
  steps: (list) => list.map((one) => {
    const waits = one.state === "waits", color = one.side === "left" ? 0x1f6f8b : 0x8a5a00;
    const made = new THREE.Mesh(new THREE.BoxGeometry(0.2, 0.09, 0.004), new THREE.MeshBasicMaterial({ color,
      transparent: true, opacity: waits ? 0.35 : 0.7 }));
    made.position.set(...one.p);
    made.quaternion.set(...one.q);
    return made;
  }),
  balance: (one, chain) => {
    const made = [], contacts = list(one.contacts).map(({ link, p }) => {
      const at = chain && chain.index.get(link);
      if (at === undefined || !chain) return null;
      const pose = chain.poses.slice(7 * at, 7 * at + 7), d = turned(pose.slice(3), p);
      return d.map((value, k) => value + pose[k]);
    }).filter(Boolean);
    const floor = contacts.length ? Math.min(...contacts.map((p) => p[2])) : 0;
    for (const p of contacts) made.push(ball(p, 0.008, 0x2c6e49));
    if (contacts.length > 2) made.push(loop(hullOf(contacts).map((p) => [p[0], p[1], floor + 0.002]), 0x2c6e49));
    if (one.com) made.push(ball(one.com, 0.025, 0x14202b),
      lines([...one.com, one.com[0], one.com[1], floor], 0x14202b, 0.6));
    if (one.press) made.push(ball([one.press[0], one.press[1], floor], 0.015, 0xb35a00));
    if (one.capture) made.push(ball([one.capture[0], one.capture[1], floor], 0.012, 0x9c1f6e));
    return made;
  },
  contacts: (all, chain) => {
    const press = pressureOf(all.filter((one) => chain?.index.has(one.link)));
    return [...all.flatMap(forceOf), ...(press ? [ball(press, 0.016, 0x7a3b86)] : [])];
  },
};

// A contact force is drawn with a millimeter for each newton.
const metersPerNewton = 0.001, forceColor = 0xb3261e;

// The point of the ground at which what presses on the robot from below acts; null: nothing does.
export function pressureOf(contacts) {
  let sum = 0;
  const at = [0, 0, 0];
  for (const { p, force } of contacts) {
    if (force[2] <= 0) continue;
    sum += force[2];
    p.forEach((value, k) => { at[k] += force[2] * value; });
  }
  return sum > 0 ? at.map((value) => value / sum) : null;
}

// The line of a force, with its point at the end.
function forceOf({ p, force }) {
  const end = p.map((value, k) => value + metersPerNewton * force[k]);
  return [ball(p, 0.006, forceColor), lines([...p, ...end], forceColor), ball(end, 0.009, forceColor, 0.6)];
}

function list(value) { return Array.isArray(value) ? value : []; }

// Free what the graphics have of an object.
function dispose(object) {
  object.traverse((one) => {
    one.geometry?.dispose();
    one.material?.dispose();
  });
}

export class Layers {
  constructor(scene) {
    this.scene = scene;
    this.groups = new Map();
  }

  // Show the data of a layer; null: nothing.
  set(name, data, chain) {
    const old = this.groups.get(name);
    if (old) {
      this.scene.remove(old);
      dispose(old);
      this.groups.delete(name);
    }
    if (!data || !draw[name]) return;
    const group = new THREE.Group();
    group.name = "layer " + name;
    for (const object of draw[name](name === "balance" ? data : list(data), chain)) group.add(object);
    this.groups.set(name, group);
    this.scene.add(group);
  }

  // How many things a layer draws.
  count(name) { return this.groups.get(name)?.children.length || 0; }
}
