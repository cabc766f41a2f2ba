// What the page uses of three.js.
export { AmbientLight, BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, DirectionalLight, DoubleSide, EdgesGeometry, Float32BufferAttribute,
  GridHelper, Group, HemisphereLight, Line, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial,
  MeshLambertMaterial, PerspectiveCamera, PlaneGeometry, Points, PointsMaterial, Quaternion, Raycaster, Scene,
  SphereGeometry, Vector2, Vector3, WebGLRenderer } from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
