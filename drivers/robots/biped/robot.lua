-- A biped that walks: 33 joints. It was made up for trying behaviors without a robot, and nothing of it is
-- measured.
return {
  name = "biped",
  title = "biped for trying behaviors",
  model = "model.urdf",
  source = {
    "made up for brio: lengths of a person of 1.65 m, joints as humanoid robots have them",
    "a kinematic model: it keeps limits and clearances, and feet where they are set; it knows no forces and \z
      cannot fall",
    "speeds, accelerations and masses: chosen by us",
  },
  -- where the pelvis goes follows from the feet that stand (docs/behaviors/walking.md)
  base = "free",
  base_center = { 0, 0, 0.905 },

  -- rad/s^2
  default_acceleration = 30,
  acceleration = {
    left_hip_yaw = 80, left_hip_roll = 80, left_hip_pitch = 80, left_knee = 120, left_ankle_pitch = 80,
      left_ankle_roll = 80,
    right_hip_yaw = 80, right_hip_roll = 80, right_hip_pitch = 80, right_knee = 120, right_ankle_pitch = 80,
    right_ankle_roll = 80, waist_yaw = 12, waist_roll = 12, waist_pitch = 12, neck_yaw = 14, neck_pitch = 14,
  },

  groups = { "head", "waist", "left_arm", "right_arm", "left_hand", "right_hand", "left_leg", "right_leg" },
  dofs = {
    { name = "neck_yaw", label = "head left-right", group = "head" },
    { name = "neck_pitch", label = "head down-up", group = "head" },
    { name = "waist_yaw", label = "chest left-right", group = "waist" },
    { name = "waist_roll", label = "chest sideways", group = "waist" },
    { name = "waist_pitch", label = "chest forward-backward", group = "waist" },
    { name = "left_shoulder_pitch", label = "left shoulder forward", group = "left_arm" },
    { name = "left_shoulder_roll", label = "left shoulder outward", group = "left_arm" },
    { name = "left_shoulder_yaw", label = "left upper arm twist", group = "left_arm" },
    { name = "left_elbow", label = "left elbow bent", group = "left_arm" },
    { name = "left_wrist_yaw", label = "left wrist twist", group = "left_arm" },
    { name = "left_wrist_roll", label = "left wrist sideways", group = "left_arm" },
    { name = "left_wrist_pitch", label = "left wrist forward", group = "left_arm" },
    { name = "left_grip", label = "left hand shut", group = "left_hand", grip = true },
    { name = "right_shoulder_pitch", label = "right shoulder forward", group = "right_arm" },
    { name = "right_shoulder_roll", label = "right shoulder outward", group = "right_arm" },
    { name = "right_shoulder_yaw", label = "right upper arm twist", group = "right_arm" },
    { name = "right_elbow", label = "right elbow bent", group = "right_arm" },
    { name = "right_wrist_yaw", label = "right wrist twist", group = "right_arm" },
    { name = "right_wrist_roll", label = "right wrist sideways", group = "right_arm" },
    { name = "right_wrist_pitch", label = "right wrist forward", group = "right_arm" },
    { name = "right_grip", label = "right hand shut", group = "right_hand", grip = true },
    { name = "left_hip_yaw", label = "left leg twist", group = "left_leg" },
    { name = "left_hip_roll", label = "left leg outward", group = "left_leg" },
    { name = "left_hip_pitch", label = "left leg forward", group = "left_leg" },
    { name = "left_knee", label = "left knee bent", group = "left_leg" },
    { name = "left_ankle_pitch", label = "left foot down-up", group = "left_leg" },
    { name = "left_ankle_roll", label = "left foot sideways", group = "left_leg" },
    { name = "right_hip_yaw", label = "right leg twist", group = "right_leg" },
    { name = "right_hip_roll", label = "right leg outward", group = "right_leg" },
    { name = "right_hip_pitch", label = "right leg forward", group = "right_leg" },
    { name = "right_knee", label = "right knee bent", group = "right_leg" },
    { name = "right_ankle_pitch", label = "right foot down-up", group = "right_leg" },
    { name = "right_ankle_roll", label = "right foot sideways", group = "right_leg" },
  },

  -- what a person takes by name
  parts = {
    head = { "head" }, torso = { "waist" }, left_arm = { "left_arm" }, right_arm = { "right_arm" },
    arms = { "left_arm", "right_arm" }, left_hand = { "left_hand" }, right_hand = { "right_hand" },
    left_leg = { "left_leg" }, right_leg = { "right_leg" }, legs = { "left_leg", "right_leg" },
  },

  home = "stand",
  poses = {
    -- upright, knees a little bent, feet 24 cm apart
    stand = {
      joints = {
        left_hip_roll = 0.0237, left_hip_pitch = -0.25, left_knee = 0.5, left_ankle_pitch = -0.25,
          left_ankle_roll = -0.0237,
        left_shoulder_pitch = 0.1, left_shoulder_roll = 0.15, left_elbow = -0.4, left_grip = -0.3,
        right_hip_roll = -0.0237, right_hip_pitch = -0.25, right_knee = 0.5, right_ankle_pitch = -0.25,
          right_ankle_roll = 0.0237,
        right_shoulder_pitch = 0.1, right_shoulder_roll = -0.15, right_elbow = -0.4, right_grip = 0.3,
      },
    },
    -- the same, as trees of others call it
    home = {
      joints = {
        left_hip_roll = 0.0237, left_hip_pitch = -0.25, left_knee = 0.5, left_ankle_pitch = -0.25,
          left_ankle_roll = -0.0237,
        left_shoulder_pitch = 0.1, left_shoulder_roll = 0.15, left_elbow = -0.4, left_grip = -0.3,
        right_hip_roll = -0.0237, right_hip_pitch = -0.25, right_knee = 0.5, right_ankle_pitch = -0.25,
          right_ankle_roll = 0.0237,
        right_shoulder_pitch = 0.1, right_shoulder_roll = -0.15, right_elbow = -0.4, right_grip = 0.3,
      },
    },
    -- with hanging arms and head: the feet stay where they are
    rest = {
      joints = {
        left_hip_roll = 0.0237, left_hip_pitch = -0.25, left_knee = 0.5, left_ankle_pitch = -0.25,
          left_ankle_roll = -0.0237,
        left_shoulder_pitch = 0.05, left_shoulder_roll = 0.1, left_elbow = -0.1, left_grip = -0.5,
        right_hip_roll = -0.0237, right_hip_pitch = -0.25, right_knee = 0.5, right_ankle_pitch = -0.25,
          right_ankle_roll = 0.0237,
        right_shoulder_pitch = 0.05, right_shoulder_roll = -0.1, right_elbow = -0.1, right_grip = 0.5,
        neck_pitch = 0.3,
      },
    },
    -- every joint at zero: legs stretched
    straight = {
      joints = {
        left_hip_pitch = 0,
        left_shoulder_roll = 0,
        right_hip_pitch = 0,
        right_shoulder_roll = 0,
      },
    },
    -- right hand raised
    greet = {
      joints = {
        left_hip_roll = 0.0237, left_hip_pitch = -0.25, left_knee = 0.5, left_ankle_pitch = -0.25,
          left_ankle_roll = -0.0237,
        left_shoulder_pitch = 0.1, left_shoulder_roll = 0.15, left_elbow = -0.4, left_grip = -0.3,
        right_hip_roll = -0.0237, right_hip_pitch = -0.25, right_knee = 0.5, right_ankle_pitch = -0.25,
          right_ankle_roll = 0.0237,
        right_shoulder_pitch = -1.2, right_shoulder_roll = -0.6, right_elbow = -1.7, right_grip = 0,
        neck_pitch = -0.1,
      },
    },
    -- both hands in front of the chest
    ready = {
      joints = {
        left_hip_roll = 0.0237, left_hip_pitch = -0.25, left_knee = 0.5, left_ankle_pitch = -0.25,
          left_ankle_roll = -0.0237,
        left_shoulder_pitch = -0.3, left_shoulder_roll = 0.15, left_elbow = -1.4, left_grip = -0.2,
        right_hip_roll = -0.0237, right_hip_pitch = -0.25, right_knee = 0.5, right_ankle_pitch = -0.25,
          right_ankle_roll = 0.0237,
        right_shoulder_pitch = -0.3, right_shoulder_roll = -0.15, right_elbow = -1.4, right_grip = 0.2,
      },
    },
    -- knees bent far
    crouch = {
      joints = {
        left_hip_roll = 0.0237, left_hip_pitch = -0.7, left_knee = 1.4, left_ankle_pitch = -0.7,
          left_ankle_roll = -0.0237,
        left_shoulder_pitch = 0.1, left_shoulder_roll = 0.15, left_elbow = -0.4, left_grip = -0.3,
        right_hip_roll = -0.0237, right_hip_pitch = -0.7, right_knee = 1.4, right_ankle_pitch = -0.7,
          right_ankle_roll = 0.0237,
        right_shoulder_pitch = 0.1, right_shoulder_roll = -0.15, right_elbow = -0.4, right_grip = 0.3,
        waist_pitch = 0.2,
      },
    },
  },

  -- what the simulated world knows of its hands: fingers open 10 cm wide, and a thing in front of the palm is
  -- held
  hands = {
    left = { link = "left_palm", grip = "left_grip", open = 0, shut = -1.2, span = 0.1, reach = 0.05,
      grasp = { 0, -0.045, -0.02 }, palm = 0.01 },
    right = { link = "right_palm", grip = "right_grip", open = 0, shut = 1.2, span = 0.1, reach = 0.05,
      grasp = { 0, 0.045, -0.02 }, palm = 0.01 },
  },

  -- and of its body: upright cylinders
  bodies = {
    { link = "pelvis", radius = 0.15, below = 0.85, above = 0.1 },
    { link = "torso", radius = 0.19, below = 0, above = 0.55 },
  },

  -- links by what they are for
  roles = {
    head = "head", gaze = "camera", torso = "torso", chest = "torso", pelvis = "pelvis",
      left_hand = "left_palm",
    right_hand = "right_palm", tool = "right_palm", left_foot = "left_sole", right_foot = "right_sole",
  },
}
