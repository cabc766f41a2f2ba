-- What it looks with (docs/animation/gaze.md): the flange, along its axis.
return {
  base = "g_base",
  head = { link = "joint6_flange", axis = { 0, 0, 1 }, up = { 1, 0, 0 }, roll = 0, speed = 1, tau = 0.1,
    weight = 20, keep = 1 },
  source = { "speeds and times: chosen by us" },
}
