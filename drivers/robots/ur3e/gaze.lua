-- What it looks with (docs/animation/gaze.md): the tool, along the flange's axis.
return {
  base = "base_link",
  head = { link = "tool0", axis = { 0, 0, 1 }, up = { 1, 0, 0 }, roll = 0, speed = 1, tau = 0.1, weight = 20,
    keep = 1 },
  source = { "speeds and times: chosen by us" },
}
