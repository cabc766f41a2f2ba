-- A Pepper-class humanoid: 17 joints, and lights outside the kinematic tree.
return {
  name = "pepper",
  title = "Pepper-class humanoid",
  model = "model.urdf",
  source = {
    "Aldebaran, Pepper technical documentation: links, joints, masses, motors, sensors, LEDs",
    "postures 'stand' and 'rest': after the postures StandInit and Crouch of the same documentation",
    "hands: from the finger joints of the vendor's own URDF (ros-naoqi/pepper_robot, \z
      pepper1.0_generated_urdf), of which the tips "
      .. "of thumb and fingers are 0.008 to 0.04 m apart at 0.02, and 0.08 to 0.11 m at 0.98",
    "accelerations, reach of a grasp: chosen by us, none are published",
  },
  base = "fixed",

  -- rad/s^2; brisk for the head and the arms, gentle where the whole upper body swings
  acceleration = {
    HeadYaw = 14, HeadPitch = 14,
    HipRoll = 3, HipPitch = 3, KneePitch = 3,
    LShoulderPitch = 12, LShoulderRoll = 12, LElbowYaw = 15, LElbowRoll = 15, LWristYaw = 25, LHand = 25,
    RShoulderPitch = 12, RShoulderRoll = 12, RElbowYaw = 15, RElbowRoll = 15, RWristYaw = 25, RHand = 25,
  },

  groups = { "head", "body", "left_arm", "right_arm", "lights" },
  dofs = {
    { name = "HeadYaw", label = "head left-right", group = "head" },
    { name = "HeadPitch", label = "head down-up", group = "head" },
    { name = "HipRoll", label = "hip sideways", group = "body" },
    { name = "HipPitch", label = "hip forward-backward", group = "body" },
    { name = "KneePitch", label = "knee", group = "body" },
    { name = "LShoulderPitch", label = "left shoulder down-up", group = "left_arm" },
    { name = "LShoulderRoll", label = "left shoulder outward", group = "left_arm" },
    { name = "LElbowYaw", label = "left upper arm twist", group = "left_arm" },
    { name = "LElbowRoll", label = "left elbow", group = "left_arm" },
    { name = "LWristYaw", label = "left wrist twist", group = "left_arm" },
    { name = "LHand", label = "left hand open", group = "left_arm", grip = true },
    { name = "RShoulderPitch", label = "right shoulder down-up", group = "right_arm" },
    { name = "RShoulderRoll", label = "right shoulder outward", group = "right_arm" },
    { name = "RElbowYaw", label = "right upper arm twist", group = "right_arm" },
    { name = "RElbowRoll", label = "right elbow", group = "right_arm" },
    { name = "RWristYaw", label = "right wrist twist", group = "right_arm" },
    { name = "RHand", label = "right hand open", group = "right_arm", grip = true },
    { name = "EyeLedBrightness", label = "eye lights", group = "lights", outside = true, unit = "1",
      lower = 0, upper = 1, rest = 1, velocity = 10, acceleration = 200 },
    { name = "EarLedBrightness", label = "ear lights", group = "lights", outside = true, unit = "1",
      lower = 0, upper = 1, rest = 1, velocity = 10, acceleration = 200 },
    { name = "ShoulderLedBrightness", label = "shoulder lights", group = "lights", outside = true, unit = "1",
      lower = 0, upper = 1, rest = 0.5, velocity = 10, acceleration = 200 },
  },

  -- as in the documentation's lists of sensors: touch on head and hands, the chest's button, bumpers, two
  -- sonars
  inputs = {
    touch_head = { kind = "touch", label = "head" },
    touch_left_hand = { kind = "touch", label = "back of the left hand" },
    touch_right_hand = { kind = "touch", label = "back of the right hand" },
    chest_button = { kind = "button", label = "chest" },
    bumper_left = { kind = "button", label = "left bumper" },
    bumper_right = { kind = "button", label = "right bumper" },
    bumper_back = { kind = "button", label = "back bumper" },
    sonar_front = { kind = "range", label = "front sonar", near = 0.5, rest = 5 },
    sonar_back = { kind = "range", label = "back sonar", near = 0.5, rest = 5 },
    microphone = { kind = "microphone", label = "microphones in the head", loud = -30 },
    imu = { kind = "imu", label = "inertial unit in the torso", tilt = 0.5 },
  },

  -- what a person takes by name
  parts = {
    head = { "head" }, torso = { "body" }, left_arm = { "left_arm" }, right_arm = { "right_arm" },
    arms = { "left_arm", "right_arm" }, left_hand = { "LWristYaw", "LHand" },
      right_hand = { "RWristYaw", "RHand" },
    eyes = { "EyeLedBrightness" }, ears = { "EarLedBrightness" }, lights = { "lights" },
  },

  home = "stand",
  poses = {
    -- upright, arms beside the body, looking ahead
    stand = {
      joints = {
        HeadYaw = 0, HeadPitch = -0.2, HipRoll = 0, HipPitch = -0.03, KneePitch = 0,
        LShoulderPitch = 1.58, LShoulderRoll = 0.14, LElbowYaw = -1.22, LElbowRoll = -0.52,
        LWristYaw = 0, LHand = 0.6,
        RShoulderPitch = 1.58, RShoulderRoll = -0.14, RElbowYaw = 1.22, RElbowRoll = 0.52,
        RWristYaw = 0, RHand = 0.6,
      },
    },
    -- leaning on its own weight, as before the motors are switched off
    rest = {
      joints = {
        HeadYaw = 0, HeadPitch = 0.45, HipRoll = 0, HipPitch = -1.0, KneePitch = 0.5,
        LShoulderPitch = 1.2, LShoulderRoll = 0.2, LElbowYaw = -0.5, LElbowRoll = -0.2,
        LWristYaw = 0, LHand = 0.1,
        RShoulderPitch = 1.2, RShoulderRoll = -0.2, RElbowYaw = 0.5, RElbowRoll = 0.2,
        RWristYaw = 0, RHand = 0.1,
      },
    },
    -- every joint at zero, or at its limit nearest to zero: arms stretched forward
    neutral = {
      joints = {
        HeadYaw = 0, HeadPitch = 0, HipRoll = 0, HipPitch = 0, KneePitch = 0,
        LShoulderPitch = 0, LShoulderRoll = 0.009, LElbowYaw = 0, LElbowRoll = -0.009,
        LWristYaw = 0, LHand = 0.02,
        RShoulderPitch = 0, RShoulderRoll = -0.009, RElbowYaw = 0, RElbowRoll = 0.009,
        RWristYaw = 0, RHand = 0.02,
      },
    },
    -- right hand raised, open
    greet = {
      joints = {
        HeadYaw = 0, HeadPitch = -0.25, HipRoll = 0, HipPitch = -0.05, KneePitch = 0,
        LShoulderPitch = 1.58, LShoulderRoll = 0.14, LElbowYaw = -1.22, LElbowRoll = -0.52,
        LWristYaw = 0, LHand = 0.6,
        RShoulderPitch = 0.55, RShoulderRoll = -0.35, RElbowYaw = 1.7, RElbowRoll = 1.35,
        RWristYaw = 0.6, RHand = 0.95,
      },
    },
    -- right hand near the chin, head tilted up and aside
    think = {
      joints = {
        HeadYaw = 0.35, HeadPitch = -0.35, HipRoll = 0.05, HipPitch = 0.03, KneePitch = 0,
        LShoulderPitch = 1.45, LShoulderRoll = 0.16, LElbowYaw = -1.0, LElbowRoll = -0.9,
        LWristYaw = 0, LHand = 0.5,
        RShoulderPitch = 0.3, RShoulderRoll = -0.17, RElbowYaw = 0.88, RElbowRoll = 1.36,
        RWristYaw = -0.3, RHand = 0.3,
      },
    },
    -- both arms spread in welcome
    open_arms = {
      joints = {
        HeadYaw = 0, HeadPitch = -0.2, HipRoll = 0, HipPitch = -0.05, KneePitch = 0,
        LShoulderPitch = 0.9, LShoulderRoll = 0.6, LElbowYaw = -1.6, LElbowRoll = -0.7,
        LWristYaw = -1.0, LHand = 0.95,
        RShoulderPitch = 0.9, RShoulderRoll = -0.6, RElbowYaw = 1.6, RElbowRoll = 0.7,
        RWristYaw = 1.0, RHand = 0.95,
      },
    },
    -- a bow of farewell
    bow = {
      joints = {
        HeadYaw = 0, HeadPitch = 0.3, HipRoll = 0, HipPitch = -0.5, KneePitch = 0.1,
        LShoulderPitch = 1.6, LShoulderRoll = 0.2, LElbowYaw = -1.0, LElbowRoll = -0.3,
        LWristYaw = 0, LHand = 0.6,
        RShoulderPitch = 1.6, RShoulderRoll = -0.2, RElbowYaw = 1.0, RElbowRoll = 0.3,
        RWristYaw = 0, RHand = 0.6,
      },
    },
  },

  -- what the simulated world knows of its hands, in the frame of the wrist: that of the gripper turns when
  -- the hand opens. The point of grasp is between the tips of thumb and fingers of a hand that is half shut
  hands = {
    left = { link = "l_wrist", grip = "LHand", open = 0.98, shut = 0.02, span = 0.09, reach = 0.04,
      grasp = { 0.087, -0.01, -0.043 } },
    right = { link = "r_wrist", grip = "RHand", open = 0.98, shut = 0.02, span = 0.09, reach = 0.04,
      grasp = { 0.087, 0.01, -0.043 } },
  },

  -- links by what they are for
  roles = {
    head = "Head", gaze = "CameraTop_frame", torso = "torso",
    left_hand = "l_gripper", right_hand = "r_gripper", tool = "r_gripper", screen = "Tablet_frame",
  },
}
