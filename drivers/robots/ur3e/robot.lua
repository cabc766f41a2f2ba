-- A UR3e arm: 6 joints.
return {
  name = "ur3e",
  title = "UR3e arm",
  model = "model.urdf",
  source = {
    "Universal Robots, 'DH Parameters for calculations of kinematics and dynamics', table UR3e",
    "Universal Robots, UR3e technical specifications: ranges, speeds, mass",
    "Universal Robots, 'Max. joint torques'",
    "accelerations: chosen by us, none are published as limits",
  },
  base = "fixed",

  -- rad/s^2; full speed within 0.4 s
  acceleration = {
    shoulder_pan_joint = 8, shoulder_lift_joint = 8, elbow_joint = 8,
    wrist_1_joint = 16, wrist_2_joint = 16, wrist_3_joint = 16,
  },

  groups = { "arm", "wrist" },
  dofs = {
    { name = "shoulder_pan_joint", label = "base turn", group = "arm" },
    { name = "shoulder_lift_joint", label = "shoulder", group = "arm" },
    { name = "elbow_joint", label = "elbow", group = "arm" },
    { name = "wrist_1_joint", label = "wrist 1", group = "wrist" },
    { name = "wrist_2_joint", label = "wrist 2", group = "wrist" },
    { name = "wrist_3_joint", label = "wrist 3", group = "wrist" },
  },

  -- what a person takes by name
  parts = { arm = { "arm", "wrist" }, wrist = { "wrist" } },

  home = "ready",
  poses = {
    -- stretched straight up, as the controller's home position
    upright = {
      joints = {
        shoulder_pan_joint = 0, shoulder_lift_joint = -1.5708, elbow_joint = 0,
        wrist_1_joint = -1.5708, wrist_2_joint = 0, wrist_3_joint = 0,
      },
    },
    -- elbow bent, tool pointing down in front
    ready = {
      joints = {
        shoulder_pan_joint = 0, shoulder_lift_joint = -1.5708, elbow_joint = 1.5708,
        wrist_1_joint = -1.5708, wrist_2_joint = -1.5708, wrist_3_joint = 0,
      },
    },
    -- folded back over the base, tool pointing down
    rest = {
      joints = {
        shoulder_pan_joint = 0, shoulder_lift_joint = -2.3, elbow_joint = 2.4,
        wrist_1_joint = -1.6708, wrist_2_joint = -1.5708, wrist_3_joint = 0,
      },
    },
    -- stretched forward, tool pointing down
    reach = {
      joints = {
        shoulder_pan_joint = 0, shoulder_lift_joint = -1.0, elbow_joint = 1.2,
        wrist_1_joint = -1.7708, wrist_2_joint = -1.5708, wrist_3_joint = 0,
      },
    },
    -- tool held forward at the height of the elbow, as if showing something
    present = {
      joints = {
        shoulder_pan_joint = 0, shoulder_lift_joint = -1.9, elbow_joint = 1.7,
        wrist_1_joint = 0.2, wrist_2_joint = 1.5708, wrist_3_joint = 0,
      },
    },
  },

  roles = { tool = "tool0", flange = "flange", right_hand = "tool0" },
}
