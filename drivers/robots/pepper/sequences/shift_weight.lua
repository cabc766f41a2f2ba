-- Weight goes to one side, the arm there gives, and the head stays upright.
return {
  name = "shift_weight",
  about = "weight goes to its left; played mirrored, to its right",
  robot = "pepper",
  curve = "minimum_jerk",
  follow = 20, -- it gives way to what is wanted of the arm
  tracks = {
    HipRoll = {
      { 0, kind = "input" }, { 0.4, 0.004, kind = "superposition" }, { 1.8, -0.035, kind = "superposition" },
      { 5, -0.03, kind = "superposition" }, { 7, kind = "input" },
    },
    LShoulderRoll = {
      { 0.3, kind = "input" }, { 2.2, 0.04, kind = "superposition" }, { 5.3, 0.03, kind = "superposition" },
      { 7.3, kind = "input" },
    },
    LElbowRoll = {
      { 0.4, kind = "input" }, { 2.4, -0.06, kind = "superposition" }, { 5.4, -0.05, kind = "superposition" },
      { 7.4, kind = "input" },
    },
  },
}
