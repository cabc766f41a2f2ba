// Forward kinematics of brio's own model: the poses of all links, from the values of its variables.

// Rotate a vector by a quaternion (x, y, z, w at offset i).
function rotate(q, i, x, y, z, out) {
  const qx = q[i], qy = q[i + 1], qz = q[i + 2], qw = q[i + 3];
  const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
  out[0] = x + qw * tx + qy * tz - qz * ty;
  out[1] = y + qw * ty + qz * tx - qx * tz;
  out[2] = z + qw * tz + qx * ty - qy * tx;
  return out;
}

// The poses in `p` (7 numbers each: position, quaternion) at a, moved by a position and a turn: into b.
const moved = [0, 0, 0];
function place(p, a, x, y, z, qx, qy, qz, qw, b) {
  rotate(p, a + 3, x, y, z, moved);
  const ax = p[a + 3], ay = p[a + 4], az = p[a + 5], aw = p[a + 6];
  p[b] = p[a] + moved[0];
  p[b + 1] = p[a + 1] + moved[1];
  p[b + 2] = p[a + 2] + moved[2];
  p[b + 3] = aw * qx + ax * qw + ay * qz - az * qy;
  p[b + 4] = aw * qy - ax * qz + ay * qw + az * qx;
  p[b + 5] = aw * qz + ax * qy - ay * qx + az * qw;
  p[b + 6] = aw * qw - ax * qx - ay * qy - az * qz;
}

// The elementary motions of a joint: {part (of its variables), slides, axis}.  A planar joint's x and y are
// those of the joint, turned the shortest way from z to the normal.
function motionsOf(joint) {
  const axis = joint.axis;
  if (joint.type === "fixed") return [];
  if (joint.type === "floating") {
    return [[0, true, [1, 0, 0]], [1, true, [0, 1, 0]], [2, true, [0, 0, 1]],
      [5, false, [0, 0, 1]], [4, false, [0, 1, 0]], [3, false, [1, 0, 0]]];
  }
  if (joint.type === "planar") {
    const [nx, ny, nz] = axis;
    let q = [1, 0, 0, 0];
    if (nz > -1 + 1e-9) {
      const length = Math.hypot(nx, ny, 1 + nz);
      q = [-ny / length, nx / length, 0, (1 + nz) / length];
    }
    return [[0, true, rotate(q, 0, 1, 0, 0, [])], [1, true, rotate(q, 0, 0, 1, 0, [])], [2, false, axis]];
  }
  return [[0, joint.type === "prismatic", axis]];
}

export class Chain {
  constructor(model) {
    this.model = model;
    this.index = new Map(model.links.map((name, i) => [name, i]));
    this.variables = [];
    this.variable = new Map();
    const above = new Map(model.joints.map((joint) => [joint.child, joint]));
    this.steps = model.links.map((name) => this.stepOf(above.get(name)));
    this.poses = new Float64Array(7 * model.links.length);
    this.values = new Float64Array(this.variables.length);
    this.base = [...model.base.position, ...model.base.orientation];
    this.reset();
    // The variable of each DOF of a frame; -1: it is outside the tree.
    this.places = model.dofs.map((dof) => (dof.outside ? -1 : this.variable.get(dof.name) ?? -1));
  }

  // The number of a variable, by its name.
  number(name) {
    if (!this.variable.has(name)) {
      this.variable.set(name, this.variables.length);
      this.variables.push(name);
    }
    return this.variable.get(name);
  }

  stepOf(joint) {
    if (!joint) return null;
    const numbers = joint.variables.map((name) => this.number(name));
    const mimic = joint.mimic || { multiplier: 1, offset: 0 };
    return { parent: 7 * this.index.get(joint.parent), p: joint.origin.position, q: joint.origin.orientation,
      place: joint.place,
      motions: motionsOf(joint).map(([part, slides, axis]) => ({ variable: numbers[part], slides, axis,
        multiplier: mimic.multiplier, offset: mimic.offset })) };
  }

  // The neutral pose, and the home pose of what the model names.
  reset() {
    this.variables.forEach((name, i) => {
      this.values[i] = this.model.home[name] ?? this.model.neutral[name] ?? 0;
    });
  }

  // Set the variables from the values of a frame, in the order of the model's DOFs, and the base from its
  // pose (null: it stands where the model has it).
  take({ values, base }) {
    if (base) this.base = base;
    for (let i = 0; i < this.places.length; i++) {
      if (this.places[i] >= 0 && values[i] === values[i]) this.values[this.places[i]] = values[i];
    }
  }

  // Compute the poses of all links: 7 numbers each, in the world.  O(links).
  forward() {
    const p = this.poses;
    for (let i = 0; i < 7; i++) p[i] = this.base[i];
    for (let link = 1; link < this.steps.length; link++) {
      const step = this.steps[link], at = 7 * link;
      place(p, step.parent, step.p[0], step.p[1], step.p[2], step.q[0], step.q[1], step.q[2], step.q[3], at);
      for (const { variable, slides, axis, multiplier, offset } of step.motions) {
        const value = multiplier * this.values[variable] + offset;
        if (slides) {
          place(p, at, axis[0] * value, axis[1] * value, axis[2] * value, 0, 0, 0, 1, at);
        } else {
          const s = Math.sin(value / 2);
          place(p, at, 0, 0, 0, axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(value / 2), at);
        }
      }
      if (step.place) place(p, at, ...step.place.position, ...step.place.orientation, at);
    }
    return p;
  }
}
