-- What it looks with (docs/animation/gaze.md): the tool, along its fingers.
return {
  base = "panda_link0",
  head = { link = "panda_hand_tcp", axis = { 0, 0, 1 }, up = { 1, 0, 0 }, roll = 0, speed = 1, tau = 0.1,
    weight = 20, keep = 1 },
  source = { "speeds and times: chosen by us" },
}
