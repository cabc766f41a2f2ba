--- The tables that people write for `brio.standing`.
local records = {}

local numbers = { "map", of = "number" }

--- A contact.
records.contact = {
  link = { "string", needed = true, doc = "what touches" },
  point = { "table", doc = "{x, y, z} in the link's frame, m; with a sole, a pose" },
  at = { "table", doc = "{x, y, z}, m, or a pose, where it is held; where the first frame has it, at the \z
    height `ground`, unless given" },
  sole = { "vector", size = 2, unit = "m", doc = "length and width of a sole: it does not tilt, either" },
  friction = { "number", lower = 0.001, upper = 1000, doc = "coefficient; that of the options unless given" },
  torsion = { "number", lower = 0, upper = 1000, value = 0.05, unit = "m",
    doc = "greatest moment about the normal by the press, of a sole" },
  grips = { "boolean", value = false, doc = "it holds pulled, too, and supports nothing" },
}

--- Weights of the difference to the animation, squared.
records.weights = {
  frame = { "number", lower = 0, value = 1500, doc = "of a frame" },
  key = { "number", lower = 0, value = 1e4, doc = "of a keyframe" },
  ending = { "number", lower = 0, value = 1e5, doc = "of the last frame of a window" },
}

--- An animation.
records.animation = {
  rate = { "number", above = 0, upper = 10000, needed = true, unit = "1/s", doc = "frames per second" },
  frames = { "list", of = "table", needed = true, doc = "configurations" },
  keys = { "list", of = "number", doc = "numbers of the keyframes" },
}

--- Options of optimize.
records.options = {
  contacts = { "list", of = { "record", fields = records.contact }, needed = true,
    doc = "what stays where it is" },
  ground = { "number", unit = "m", value = 0, doc = "height of the ground" },
  friction = { "number", lower = 0.001, upper = 1000, value = 0.6, doc = "coefficient of the contacts" },
  margin = { "number", lower = -1, upper = 1, value = 0, unit = "m",
    doc = "of the centre of mass within the support" },
  calm = { "number", lower = 0, value = 0.01,
    doc = "weight of velocities squared, small: for those that nothing else determines" },
  tempo = { "number", lower = 0, value = 1,
    doc = "weight of (stretch - 1) squared, small: the animation's own \z
    time where torques hardly depend on it" },
  stretch = { "number", lower = 1, upper = 100, value = 4,
    doc = "greatest factor by which time is stretched" },
  window = { "number", lower = 0, value = 4,
    doc = "keyframes that a window spans; 0: all frames in one problem" },
  overlap = { "number", lower = 0, value = 1, doc = "keyframes that windows have in common" },
  every = { "number", lower = 1, value = 12,
    doc = "frames between the marks of an animation without keyframes" },
  weights = { "record", fields = records.weights, doc = "of the difference to the animation" },
  scale = { "map", of = "number",
    doc = "torque that costs 1, by variable, N m or N, such as the gear's ratio" },
  motors = { "list", of = "string", doc = "variables that have a motor; all" },
  limits = { "record", doc = "those of the robot unless given", fields = {
    lower = numbers, upper = numbers, velocity = numbers, effort = numbers } },
  scheme = { "choice", of = { "hermite_simpson", "trapezoidal" }, value = "hermite_simpson",
    doc = "of collocation" },
  backend = { "choice", of = { "structured", "ipopt" }, value = "structured", doc = "the method" },
  start = { "choice", of = { "base", "whole" }, value = "base",
    doc = "what of the first frame is kept: its base, with contacts closed, or all of it, which must stand" },
  settle = { "number", lower = 0, value = 0,
    doc = "weight of all velocities squared at the end, where the base's translation is at rest anyway" },
  seconds = { "number", lower = 0, value = 600, unit = "s", doc = "of computing, at most, for all windows" },
  iterations = { "number", lower = 1, value = 300, doc = "of a window, at most" },
  tolerance = { "number", above = 0, upper = 1, value = 1e-7, doc = "of constraints, scaled" },
  from = { "table", doc = "a result to go on from" },
  finished = { "function",
    doc = "gets (result so far, windows) after each window that keeps the constraints" },
  resume = { "table", doc = "a result that `finished` got: its windows are not solved again" },
  report = { "function", doc = "gets (window, windows, progress) after each iteration; false cancels" },
}

return records
