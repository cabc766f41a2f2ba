-- A Panda arm with its two-finger hand: 7 joints and the fingers, which move as one.
return {
  name = "panda",
  title = "Panda arm and hand",
  model = "model.urdf",
  source = {
    "Franka Emika, FCI documentation, 'Robot and interface specifications': DH parameters, limits",
    "Franka Emika, hand product manual: travel, speed, force, mass",
    "Gaz and others, 'Dynamic Identification of the Franka Emika Panda Robot With Retrieval of Feasible "
      .. "Parameters Using Penalty-Based Optimization', IEEE RA-L 4(4), 2019: masses of the links",
    "pose 'ready': the start position of the FCI examples",
    "acceleration of the fingers, reach of a grasp: chosen by us",
  },
  base = "fixed",

  -- rad/s^2, m/s^2 for the fingers; FCI documentation, table "Necessary conditions"
  acceleration = {
    panda_joint1 = 15, panda_joint2 = 7.5, panda_joint3 = 10, panda_joint4 = 12.5,
    panda_joint5 = 15, panda_joint6 = 20, panda_joint7 = 20,
    panda_finger_joint1 = 0.5,
  },

  groups = { "arm", "wrist", "hand" },
  dofs = {
    { name = "panda_joint1", label = "base turn", group = "arm" },
    { name = "panda_joint2", label = "shoulder", group = "arm" },
    { name = "panda_joint3", label = "upper arm twist", group = "arm" },
    { name = "panda_joint4", label = "elbow", group = "arm" },
    { name = "panda_joint5", label = "forearm twist", group = "wrist" },
    { name = "panda_joint6", label = "wrist", group = "wrist" },
    { name = "panda_joint7", label = "hand turn", group = "wrist" },
    { name = "panda_finger_joint1", label = "fingers open", group = "hand", grip = true },
  },

  -- what a person takes by name
  parts = { arm = { "arm", "wrist" }, wrist = { "wrist" }, hand = { "hand" } },

  home = "ready",
  poses = {
    -- elbow bent, hand pointing down in front
    ready = {
      joints = {
        panda_joint1 = 0, panda_joint2 = -0.7854, panda_joint3 = 0, panda_joint4 = -2.3562,
        panda_joint5 = 0, panda_joint6 = 1.5708, panda_joint7 = 0.7854, panda_finger_joint1 = 0.035,
      },
    },
    -- folded close to the base, hand pointing down, fingers closed
    rest = {
      joints = {
        panda_joint1 = 0, panda_joint2 = -1.2, panda_joint3 = 0, panda_joint4 = -2.8,
        panda_joint5 = 0, panda_joint6 = 1.6, panda_joint7 = 0.7854, panda_finger_joint1 = 0,
      },
    },
    -- stretched forward, hand pointing down
    reach = {
      joints = {
        panda_joint1 = 0, panda_joint2 = 0.4, panda_joint3 = 0, panda_joint4 = -1.6,
        panda_joint5 = 0, panda_joint6 = 2.0, panda_joint7 = 0.7854, panda_finger_joint1 = 0.04,
      },
    },
    -- hand held forward, level, as if showing something
    present = {
      joints = {
        panda_joint1 = 0, panda_joint2 = -0.4, panda_joint3 = 0, panda_joint4 = -2.2,
        panda_joint5 = 0, panda_joint6 = 3.3708, panda_joint7 = 0.7854, panda_finger_joint1 = 0.02,
      },
    },
    -- stretched up, hand pointing forward
    upright = {
      joints = {
        panda_joint1 = 0, panda_joint2 = 0, panda_joint3 = 0, panda_joint4 = -0.1,
        panda_joint5 = 0, panda_joint6 = 1.6708, panda_joint7 = 0.7854, panda_finger_joint1 = 0.02,
      },
    },
  },

  -- what the simulated world knows of its hand: each finger goes 0.04 m, and a thing about the tool center is
  -- held
  hands = {
    hand = { link = "panda_hand", grip = "panda_finger_joint1", open = 0.04, shut = 0, span = 0.08,
      reach = 0.03, grasp = { 0, 0, 0.1034 } },
  },

  roles = { tool = "panda_hand_tcp", flange = "panda_link8", right_hand = "panda_hand" },
}
