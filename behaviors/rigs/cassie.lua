-- A rig of Agility Robotics' Cassie, for its MJCF with closed loops (MuJoCo Menagerie, agility_cassie). Its
-- leaf springs are rigid: then the rods couple shin and tarsus to the knee, and ten motors move it.
return {
  name = "cassie",
  source = {
    "ranges, gears and torques: the MJCF's own (its ctrlrange times its gear)",
    "the line of a foot: the capsule of its collision shape",
  },
  rigid = { "left-shin", "left-heel-spring", "right-shin", "right-heel-spring" },
  -- in physics the tarsus is led by the knee: 13 degrees (0.2269 rad) together, as the rods have it;
  -- crank and plantar rod go with the foot, as in the parallelogram that they make with it
  replay = {
    bare = true,
    rigid = { "left-achilles-rod", "right-achilles-rod" },
    mimic = {
      ["left-tarsus"] = { joint = "left-knee", scale = -1, offset = 0.2269 },
      ["left-foot-crank"] = { joint = "left-foot", offset = 0.1082 },
      ["left-plantar-rod"] = { joint = "left-foot", scale = -1, offset = -0.1266 },
      ["right-tarsus"] = { joint = "right-knee", scale = -1, offset = 0.2269 },
      ["right-foot-crank"] = { joint = "right-foot", offset = 0.1082 },
      ["right-plantar-rod"] = { joint = "right-foot", scale = -1, offset = -0.1266 },
    },
  },
  home = {
    ["left-hip-pitch"] = 0.4973, ["left-knee"] = -1.1997, ["left-tarsus"] = 1.4267, ["left-foot"] = -1.5968,
    ["left-foot-crank"] = -1.5244, ["left-plantar-rod"] = 1.5065,
    ["right-hip-pitch"] = 0.4973, ["right-knee"] = -1.1997, ["right-tarsus"] = 1.4267,
      ["right-foot"] = -1.5968,
    ["right-foot-crank"] = -1.5244, ["right-plantar-rod"] = 1.5065,
  },
  pelvis = { link = "cassie-pelvis", part = "chest", move = { 0.6, 0.6, 1 }, turn = { 0.7, 0.5, 0.7 } },
  legs = {
    left = { hip = "left-hip-pitch", foot = "left-foot" },
    right = { hip = "right-hip-pitch", foot = "right-foot" },
  },
  feet = {
    ["left-foot"] = { { -0.0528, 0.0926, 0 }, { 0.0697, -0.0102, 0 } },
    ["right-foot"] = { { -0.0528, 0.0926, 0 }, { 0.0697, -0.0102, 0 } },
  },
  -- in physics a robot sways about its motion: its middle keeps away from the edge of its feet
  margin = 0.02,
  motors = {
    "left-hip-roll", "left-hip-yaw", "left-hip-pitch", "left-knee", "left-foot",
    "right-hip-roll", "right-hip-yaw", "right-hip-pitch", "right-knee", "right-foot",
  },
  -- gears: a torque costs what the motor before its gear gives
  scale = {
    ["left-hip-roll"] = 25, ["left-hip-yaw"] = 25, ["left-hip-pitch"] = 16, ["left-knee"] = 16,
      ["left-foot"] = 50,
    ["right-hip-roll"] = 25, ["right-hip-yaw"] = 25, ["right-hip-pitch"] = 16, ["right-knee"] = 16,
    ["right-foot"] = 50,
  },
}
