-- A myCobot 280 desktop arm: 6 joints, and the light at its wrist outside the kinematic tree.
return {
  name = "mycobot280",
  title = "myCobot 280 desktop arm",
  model = "model.urdf",
  source = {
    "Elephant Robotics, myCobot 280 M5 documentation: DH parameters, ranges, speed, mass",
    "accelerations: chosen by us, none are published",
  },
  base = "fixed",
  default_acceleration = 10, -- rad/s^2

  groups = { "arm", "wrist", "lights" },
  dofs = {
    { name = "joint2_to_joint1", label = "base turn", group = "arm" },
    { name = "joint3_to_joint2", label = "shoulder", group = "arm" },
    { name = "joint4_to_joint3", label = "elbow", group = "arm" },
    { name = "joint5_to_joint4", label = "wrist tilt", group = "wrist" },
    { name = "joint6_to_joint5", label = "wrist turn", group = "wrist" },
    { name = "joint6output_to_joint6", label = "flange turn", group = "wrist" },
    { name = "LightBrightness", label = "light at the wrist", group = "lights", outside = true, unit = "1",
      lower = 0, upper = 1, rest = 0.2, velocity = 10, acceleration = 200 },
  },

  -- what a person takes by name
  parts = { arm = { "arm", "wrist" }, wrist = { "wrist" }, lights = { "lights" } },

  home = "ready",
  poses = {
    -- every joint at zero: stretched straight up
    neutral = {
      joints = {
        joint2_to_joint1 = 0, joint3_to_joint2 = 0, joint4_to_joint3 = 0,
        joint5_to_joint4 = 0, joint6_to_joint5 = 0, joint6output_to_joint6 = 0,
      },
    },
    -- elbow bent, flange pointing down in front
    ready = {
      joints = {
        joint2_to_joint1 = 0, joint3_to_joint2 = -0.4, joint4_to_joint3 = -1.4,
        joint5_to_joint4 = 0.23, joint6_to_joint5 = 0, joint6output_to_joint6 = 0,
      },
    },
    -- folded over the base
    rest = {
      joints = {
        joint2_to_joint1 = 0, joint3_to_joint2 = 1.6, joint4_to_joint3 = -2.3,
        joint5_to_joint4 = 0.7, joint6_to_joint5 = 0, joint6output_to_joint6 = 0,
      },
    },
    -- stretched forward, flange pointing down
    reach = {
      joints = {
        joint2_to_joint1 = 0, joint3_to_joint2 = -1.0, joint4_to_joint3 = -0.8,
        joint5_to_joint4 = 0.2292, joint6_to_joint5 = 0, joint6output_to_joint6 = 0,
      },
    },
    -- flange level, looking forward
    look = {
      joints = {
        joint2_to_joint1 = 0, joint3_to_joint2 = 0.6, joint4_to_joint3 = -1.6,
        joint5_to_joint4 = 1.0, joint6_to_joint5 = 0, joint6output_to_joint6 = 0,
      },
    },
  },

  roles = { tool = "joint6_flange", flange = "joint6_flange", right_hand = "joint6_flange" },
}
