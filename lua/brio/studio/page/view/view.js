// The 3-D view: the robot, a ghost of it, the ground; drawn only when something has changed.
import * as THREE from "/v/three.js";
import { Chain } from "/page/view/kinematics.js";
import { Layers } from "/page/view/layers.js";

const colors = [0x5c8cc7, 0xed9e54, 0x61ad94, 0xd97378, 0x9e85c4, 0xdbc266, 0x78b5d1, 0xb89475];
const plain = 0xccd1d9, bright = 0xffb000;

const turns = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };

// One geometry for all bodies of a link.
function geometryOf(bodies) {
  const points = [], indices = [];
  for (const body of bodies) {
    const first = points.length / 3;
    for (const value of body.points) points.push(value);
    for (const index of body.triangles) indices.push(first + index);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  geometry.setIndex(indices);
  geometry.computeBoundingSphere();
  return geometry;
}

// A robot: meshes by link, moved by its chain.
class Body {
  constructor(model, geometries, materialOf) {
    this.chain = new Chain(model);
    this.group = new THREE.Group();
    this.meshes = [];
    for (const [link, geometry] of geometries) {
      const mesh = new THREE.Mesh(geometry, materialOf(link));
      mesh.matrixAutoUpdate = false;
      mesh.name = link;
      mesh.userData.at = 7 * this.chain.index.get(link);
      this.meshes.push(mesh);
      this.group.add(mesh);
    }
    this.place();
  }

  place() {
    const p = this.chain.forward(), one = new THREE.Vector3(1, 1, 1);
    for (const mesh of this.meshes) {
      const i = mesh.userData.at;
      mesh.matrix.compose(new THREE.Vector3(p[i], p[i + 1], p[i + 2]),
        new THREE.Quaternion(p[i + 3], p[i + 4], p[i + 5], p[i + 6]), one);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  set(pose) {
    this.chain.take(pose);
    this.place();
  }
}

export class View {
  // A view in an element; picked(link or null) is called when a person clicks.
  constructor(host, picked) {
    this.host = host;
    this.picked = picked;
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: false });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setClearColor(0xf1f3f6);
    const canvas = this.renderer.domElement;
    canvas.tabIndex = 0;
    canvas.setAttribute("aria-label", "the robot; drag to turn, wheel to zoom, click a link to pick it");
    host.append(canvas);
    this.scene = new THREE.Scene();
    this.layers = new Layers(this.scene);
    this.layerData = new Map();
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.draw());
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x99a0aa, 2.2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.set(1, 2, 4);
    this.scene.add(sun);
    this.drawn = 0;
    this.listen(canvas);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(host);
    this.resize();
  }

  listen(canvas) {
    let down = null;
    canvas.addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; });
    canvas.addEventListener("pointerup", (event) => {
      if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 5) this.pick(event);
      down = null;
    });
    canvas.addEventListener("keydown", (event) => {
      const turn = turns[event.key];
      if (turn) this.turn(turn[0], turn[1], 1);
      else if (event.key === "+" || event.key === "-") this.turn(0, 0, event.key === "+" ? 0.9 : 1.1);
      else return;
      event.preventDefault();
    });
  }

  // Turn the camera about the robot by two angles, rad, and scale its distance.
  turn(azimuth, tilt, scale) {
    const target = this.controls.target, d = this.camera.position.clone().sub(target);
    const r = d.length() * scale;
    const a = Math.atan2(d.y, d.x) + azimuth;
    const b = Math.max(0.05, Math.min(Math.PI - 0.05, Math.acos(d.z / d.length()) + tilt));
    this.camera.position.set(r * Math.sin(b) * Math.cos(a), r * Math.sin(b) * Math.sin(a), r * Math.cos(b));
    this.camera.position.add(target);
    this.controls.update();
    this.draw();
  }

  resize() {
    const width = Math.max(1, this.host.clientWidth), height = Math.max(1, this.host.clientHeight);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  // Show a robot in place of the one before; null: none.
  setModel(model) {
    for (const body of [this.robot, this.ghost]) if (body) this.scene.remove(body.group);
    if (this.ground) this.scene.remove(this.ground);
    for (const geometry of (this.geometries || new Map()).values()) geometry.dispose();
    this.robot = this.ghost = this.ground = null;
    if (!model) return this.draw();
    const links = new Map(), order = [...new Set(Object.values(model.groups))];
    for (const body of model.bodies) {
      if (!links.has(body.link)) links.set(body.link, []);
      links.get(body.link).push(body);
    }
    this.geometries = new Map([...links].map(([link, bodies]) => [link, geometryOf(bodies)]));
    const flat = (color) => new THREE.MeshLambertMaterial({ color, flatShading: true });
    this.materials = order.map((_, i) => flat(colors[i % colors.length]));
    const other = flat(plain);
    this.highlight = flat(bright);
    this.robot = new Body(model, this.geometries,
      (link) => this.materials[order.indexOf(model.groups[link])] || other);
    const veil = new THREE.MeshLambertMaterial({ color: 0x2f6f9f, transparent: true, opacity: 0.28,
      depthWrite: false, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
    this.ghost = new Body(model, this.geometries, () => veil);
    this.ghost.group.visible = false;
    this.scene.add(this.robot.group, this.ghost.group);
    this.model = model;
    this.frame();
  }

  // Put the camera where it sees all of the robot, and the ground below it.
  frame() {
    const lower = [1e9, 1e9, 1e9], upper = [-1e9, -1e9, -1e9], point = new THREE.Vector3();
    for (const mesh of this.robot.meshes) {
      const positions = mesh.geometry.getAttribute("position");
      for (let i = 0; i < positions.count; i++) {
        point.fromBufferAttribute(positions, i).applyMatrix4(mesh.matrix);
        [point.x, point.y, point.z].forEach((value, k) => {
          lower[k] = Math.min(lower[k], value);
          upper[k] = Math.max(upper[k], value);
        });
      }
    }
    const size = Math.max(0.2, Math.hypot(upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]));
    const grid = new THREE.GridHelper(Math.ceil(size * 3), Math.ceil(size * 3) * 4, 0xc3c9d2, 0xd3d8df);
    this.cell = 0.25;
    this.center = this.robot.chain.base.slice(0, 2);
    grid.rotation.x = Math.PI / 2;
    grid.position.z = Math.min(0, lower[2]);
    this.ground = grid;
    this.scene.add(grid);
    const target = [0, 1, 2].map((k) => (lower[k] + upper[k]) / 2);
    this.controls.target.set(...target);
    this.camera.near = size / 100;
    this.camera.far = size * 30;
    this.camera.position.set(target[0] + size * 1.35, target[1] + size * 0.75, target[2] + size * 0.45);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  // The pose {values, base}.  The camera and the grid go with a base that moves.
  setPose(pose) {
    if (!this.robot) return;
    this.robot.set(pose);
    this.follow(this.robot.chain.base);
    this.draw();
  }

  follow([x, y]) {
    const dx = x - this.center[0], dy = y - this.center[1];
    if (dx === 0 && dy === 0) return;
    this.center = [x, y];
    for (const one of [this.camera.position, this.controls.target]) {
      one.x += dx;
      one.y += dy;
    }
    this.camera.updateMatrixWorld();
    // The grid moves by whole cells, so that the ground seems to stand.
    this.ground.position.x = Math.round(x / this.cell) * this.cell;
    this.ground.position.y = Math.round(y / this.cell) * this.cell;
  }

  // The ghost's pose; null: no ghost.
  setGhost(pose) {
    if (!this.ghost) return;
    this.ghost.group.visible = !!pose;
    if (pose) this.ghost.set(pose);
    this.draw();
  }

  // People and things that the robot sees: a person as a figure, a thing as a box of its size.
  setScene(objects) {
    const known = new Map(this.things || []);
    this.things = new Map();
    for (const one of objects) {
      const thing = known.get(one.id) || this.newThing(one);
      known.delete(one.id);
      const { position: p, orientation: q } = one.pose;
      thing.position.set(p[0], p[1], p[2]);
      if (q) thing.quaternion.set(q[0], q[1], q[2], q[3]);
      this.things.set(one.id, thing);
    }
    for (const thing of known.values()) this.scene.remove(thing);
    this.draw();
  }

  newThing(one) {
    const color = one.color ? new THREE.Color(...one.color) : one.kind === "person" ? 0x6b5b95 : 0x3c8d6e;
    const material = new THREE.MeshLambertMaterial({ color, transparent: true, opacity: 0.75 });
    const thing = new THREE.Group();
    if (one.kind === "person") {
      const height = one.size?.[2] || 1.7;
      const head = new THREE.Mesh(new THREE.SphereGeometry(0.11, 14, 10), material);
      const body = new THREE.Mesh(new THREE.CapsuleGeometry(0.17, height - 0.72, 4, 12), material);
      const nose = new THREE.Mesh(new THREE.SphereGeometry(0.03, 8, 6), material);
      body.rotation.x = Math.PI / 2;
      body.position.z = -height / 2 - 0.02;
      nose.position.x = 0.11;
      thing.add(head, body, nose);
    } else {
      thing.add(new THREE.Mesh(new THREE.BoxGeometry(...(one.size || [0.08, 0.08, 0.08])), material));
    }
    // Who stands between the camera and the robot must not hide it.
    const at = new THREE.Vector3();
    for (const mesh of thing.children) {
      mesh.onBeforeRender = (_renderer, _scene, camera) => {
        const away = thing.getWorldPosition(at).distanceTo(camera.position);
        material.opacity = Math.min(0.75, Math.max(0.1, 0.5 * away - 0.5));
      };
    }
    thing.name = one.id;
    this.scene.add(thing);
    return thing;
  }

  // The data of a layer (layers.js); null: it is hidden.
  setLayer(name, data) {
    if (this.layerData.get(name) === data) return;
    this.layerData.set(name, data);
    this.layers.set(name, data, this.robot?.chain);
    this.draw();
  }

  // The picture as it is, as PNG: done(blob).
  png(done) {
    this.renderer.render(this.scene, this.camera);
    this.renderer.domElement.toBlob(done, "image/png");
  }

  // Mark a link; null: none.
  mark(link) {
    if (!this.robot) return;
    for (const mesh of this.robot.meshes) {
      if (mesh.userData.own) mesh.material = mesh.userData.own;
      mesh.userData.own = null;
      if (mesh.name === link) {
        mesh.userData.own = mesh.material;
        mesh.material = this.highlight;
      }
    }
    this.draw();
  }

  pick(event) {
    if (!this.robot) return;
    const box = this.renderer.domElement.getBoundingClientRect();
    const at = new THREE.Vector2((event.clientX - box.left) / box.width * 2 - 1,
      1 - (event.clientY - box.top) / box.height * 2);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.camera);
    const hit = ray.intersectObjects(this.robot.meshes, false)[0];
    this.picked(hit ? hit.object.name : null);
  }

  // Draw in the next frame of the browser.
  draw() {
    if (this.due) return;
    this.due = requestAnimationFrame(() => {
      this.due = null;
      this.renderer.render(this.scene, this.camera);
      this.drawn++;
    });
  }
}
