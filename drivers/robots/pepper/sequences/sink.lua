-- The body sinks a little, and comes up again with a breath.
return {
  name = "sink",
  about = "sinks, and comes up with a breath",
  robot = "pepper",
  curve = "minimum_jerk",
  follow = 20, -- it gives way to what is wanted of the arm
  tracks = {
    HipPitch = {
      { 0, kind = "input" }, { 1.5, -0.03, kind = "superposition" }, { 2.7, 0.015, kind = "superposition" },
      { 4.2, kind = "input" },
    },
    KneePitch = {
      { 0, kind = "input" }, { 1.5, 0.02, kind = "superposition" }, { 2.7, -0.01, kind = "superposition" },
      { 4.2, kind = "input" },
    },
    LShoulderPitch = {
      { 0.3, kind = "input" }, { 1.9, 0.05, kind = "superposition" }, { 3, -0.03, kind = "superposition" },
      { 4.6, kind = "input" },
    },
    RShoulderPitch = {
      { 0.35, kind = "input" }, { 1.95, 0.05, kind = "superposition" },
        { 3.05, -0.03, kind = "superposition" },
      { 4.7, kind = "input" },
    },
    HeadPitch = {
      { 0.2, kind = "input" }, { 1.7, 0.05, kind = "superposition" }, { 2.9, -0.02, kind = "superposition" },
      { 4.4, kind = "input" },
    },
  },
}
