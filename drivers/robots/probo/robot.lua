-- A Probo-class expressive upper body: 20 degrees of freedom. Six carry the head and the eyes
-- and are joints of the model; fourteen bend the face and are outside the kinematic tree.
return {
  name = "probo",
  title = "Probo-class expressive upper body",
  model = "model.urdf",
  source = {
    "Goris, Saldien, Vanderborght, Lefeber, 'The huggable robot Probo: design of the robotic head', "
      .. "AISB 2009: what moves in the head",
    "Saldien, Vanderborght, Goris, Van Damme, Lefeber, 'A Motion System for Social and Animated Robots', "
      .. "IJARS 2014, doi 10.5772/58402: 20 degrees of freedom, normalized",
    "Saldien, Goris, Yilmazyildiz, Verhelst, Lefeber, 'On the Design of the Huggable Robot Probo', "
      .. "Journal of Physical Agents 2(2), 2008: expressions over valence and arousal",
    "dimensions, ranges in rad, masses, speeds and accelerations: chosen by us",
  },
  base = "fixed",

  -- rad/s^2
  acceleration = {
    NeckPan = 10, NeckTilt = 8, NeckSwing = 8, EyesTilt = 150, EyeLeftPan = 150, EyeRightPan = 150,
  },

  groups = { "neck", "eyes", "eyelids", "brows", "ears", "mouth", "trunk" },
  dofs = {
    { name = "NeckPan", label = "head left-right", group = "neck" },
    { name = "NeckTilt", label = "head down-up", group = "neck" },
    { name = "NeckSwing", label = "head sideways", group = "neck" },
    { name = "EyesTilt", label = "both eyes down-up", group = "eyes" },
    { name = "EyeLeftPan", label = "left eye left-right", group = "eyes" },
    { name = "EyeRightPan", label = "right eye left-right", group = "eyes" },

    -- The face, normalized as in the paper: 0 is the neutral face.  Speeds are in 1/s: an eyelid
    -- closes in a twentieth of a second, the trunk takes a third of one.
    { name = "EyelidLeft", label = "left eyelid: -1 closed, 1 wide open", group = "eyelids",
      outside = true, unit = "1", lower = -1, upper = 1, rest = 0, velocity = 20, acceleration = 400 },
    { name = "EyelidRight", label = "right eyelid: -1 closed, 1 wide open", group = "eyelids",
      outside = true, unit = "1", lower = -1, upper = 1, rest = 0, velocity = 20, acceleration = 400 },
    { name = "BrowInnerLeft", label = "inner end of the left brow: -1 down, 1 up", group = "brows",
      outside = true, unit = "1", lower = -1, upper = 1, rest = 0, velocity = 8, acceleration = 160 },
    { name = "BrowOuterLeft", label = "outer end of the left brow: -1 down, 1 up", group = "brows",
      outside = true, unit = "1", lower = -1, upper = 1, rest = 0, velocity = 8, acceleration = 160 },
    { name = "BrowInnerRight", label = "inner end of the right brow: -1 down, 1 up", group = "brows",
      outside = true, unit = "1", lower = -1, upper = 1, rest = 0, velocity = 8, acceleration = 160 },
    { name = "BrowOuterRight", label = "outer end of the right brow: -1 down, 1 up", group = "brows",
      outside = true, unit = "1", lower = -1, upper = 1, rest = 0, velocity = 8, acceleration = 160 },
    { name = "EarLeft", label = "left ear: -1 hanging back, 1 pricked up", group = "ears",
      outside = true, unit = "1", lower = -1, upper = 1, rest = 0, velocity = 6, acceleration = 120 },
    { name = "EarRight", label = "right ear: -1 hanging back, 1 pricked up", group = "ears",
      outside = true, unit = "1", lower = -1, upper = 1, rest = 0, velocity = 6, acceleration = 120 },
    { name = "MouthCornerLeft", label = "left corner of the mouth: -1 down, 1 up", group = "mouth",
      outside = true, unit = "1", lower = -1, upper = 1, rest = 0, velocity = 8, acceleration = 160 },
    { name = "MouthCornerRight", label = "right corner of the mouth: -1 down, 1 up", group = "mouth",
      outside = true, unit = "1", lower = -1, upper = 1, rest = 0, velocity = 8, acceleration = 160 },
    { name = "MouthOpen", label = "lower lip: -1 pressed shut, 1 wide open", group = "mouth",
      outside = true, unit = "1", lower = -1, upper = 1, rest = 0, velocity = 8, acceleration = 160 },
    { name = "TrunkPan", label = "trunk: -1 to its right, 1 to its left", group = "trunk",
      outside = true, unit = "1", lower = -1, upper = 1, rest = 0, velocity = 3, acceleration = 60 },
    { name = "TrunkTilt", label = "trunk: -1 hanging, 1 raised", group = "trunk",
      outside = true, unit = "1", lower = -1, upper = 1, rest = 0, velocity = 3, acceleration = 60 },
    { name = "TrunkCurl", label = "tip of the trunk: -1 curled in, 1 curled out", group = "trunk",
      outside = true, unit = "1", lower = -1, upper = 1, rest = 0, velocity = 3, acceleration = 60 },
  },

  -- Lids go with the eyes, half as far; what is closed stays closed.  A tilt above 0 looks down.
  eyelids = {
    { lid = "EyelidLeft", eye = "EyesTilt", closed = -1, open = 0, gain = -0.5 },
    { lid = "EyelidRight", eye = "EyesTilt", closed = -1, open = 0, gain = -0.5 },
  },

  -- what a person takes by name
  parts = {
    head = { "neck" }, eyes = { "eyes" }, lids = { "eyelids" }, brows = { "brows" }, ears = { "ears" },
      mouth = { "mouth" },
    trunk = { "trunk" }, face = { "eyelids", "brows", "mouth" },
  },

  -- under the fur: touch is how a huggable robot knows that it is held
  inputs = {
    touch_head = { kind = "touch", label = "head" },
    touch_trunk = { kind = "touch", label = "trunk" },
    touch_belly = { kind = "touch", label = "belly" },
    microphone = { kind = "microphone", label = "microphones in the head", loud = -30 },
  },

  home = "neutral",
  poses = {
    -- awake, looking ahead
    neutral = {
      joints = {
        NeckPan = 0, NeckTilt = 0, NeckSwing = 0, EyesTilt = 0, EyeLeftPan = 0, EyeRightPan = 0,
        EyelidLeft = 0, EyelidRight = 0, EarLeft = 0, EarRight = 0,
        BrowInnerLeft = 0, BrowOuterLeft = 0, BrowInnerRight = 0, BrowOuterRight = 0,
        MouthCornerLeft = 0, MouthCornerRight = 0, MouthOpen = 0,
        TrunkPan = 0, TrunkTilt = 0, TrunkCurl = 0,
      },
    },
    -- asleep, head hanging
    rest = {
      joints = {
        NeckPan = 0, NeckTilt = 0.45, NeckSwing = 0, EyesTilt = 0.3, EyeLeftPan = 0, EyeRightPan = 0,
        EyelidLeft = -1, EyelidRight = -1, EarLeft = -0.8, EarRight = -0.8,
        BrowInnerLeft = -0.2, BrowOuterLeft = -0.2, BrowInnerRight = -0.2, BrowOuterRight = -0.2,
        MouthCornerLeft = 0, MouthCornerRight = 0, MouthOpen = -0.2,
        TrunkPan = 0, TrunkTilt = -0.8, TrunkCurl = -0.5,
      },
    },
    happy = {
      joints = {
        NeckPan = 0, NeckTilt = -0.1, NeckSwing = 0, EyesTilt = 0, EyeLeftPan = 0, EyeRightPan = 0,
        EyelidLeft = 0.2, EyelidRight = 0.2, EarLeft = 0.6, EarRight = 0.6,
        BrowInnerLeft = 0.4, BrowOuterLeft = 0.5, BrowInnerRight = 0.4, BrowOuterRight = 0.5,
        MouthCornerLeft = 0.9, MouthCornerRight = 0.9, MouthOpen = 0.3,
        TrunkPan = 0, TrunkTilt = 0.6, TrunkCurl = 0.6,
      },
    },
    sad = {
      joints = {
        NeckPan = 0, NeckTilt = 0.35, NeckSwing = 0.1, EyesTilt = 0.25, EyeLeftPan = 0, EyeRightPan = 0,
        EyelidLeft = -0.4, EyelidRight = -0.4, EarLeft = -0.9, EarRight = -0.9,
        BrowInnerLeft = 0.7, BrowOuterLeft = -0.6, BrowInnerRight = 0.7, BrowOuterRight = -0.6,
        MouthCornerLeft = -0.8, MouthCornerRight = -0.8, MouthOpen = -0.2,
        TrunkPan = 0, TrunkTilt = -0.9, TrunkCurl = -0.3,
      },
    },
    surprised = {
      joints = {
        NeckPan = 0, NeckTilt = -0.25, NeckSwing = 0, EyesTilt = 0, EyeLeftPan = 0, EyeRightPan = 0,
        EyelidLeft = 1, EyelidRight = 1, EarLeft = 1, EarRight = 1,
        BrowInnerLeft = 0.9, BrowOuterLeft = 0.9, BrowInnerRight = 0.9, BrowOuterRight = 0.9,
        MouthCornerLeft = 0, MouthCornerRight = 0, MouthOpen = 0.9,
        TrunkPan = 0, TrunkTilt = 0.8, TrunkCurl = 0.8,
      },
    },
    angry = {
      joints = {
        NeckPan = 0, NeckTilt = 0.15, NeckSwing = 0, EyesTilt = 0, EyeLeftPan = 0, EyeRightPan = 0,
        EyelidLeft = -0.2, EyelidRight = -0.2, EarLeft = -0.5, EarRight = -0.5,
        BrowInnerLeft = -0.9, BrowOuterLeft = 0.3, BrowInnerRight = -0.9, BrowOuterRight = 0.3,
        MouthCornerLeft = -0.6, MouthCornerRight = -0.6, MouthOpen = -0.5,
        TrunkPan = 0, TrunkTilt = 0.2, TrunkCurl = -0.6,
      },
    },
    -- curious, head tilted
    curious = {
      joints = {
        NeckPan = 0.3, NeckTilt = -0.05, NeckSwing = 0.35, EyesTilt = 0, EyeLeftPan = 0, EyeRightPan = 0,
        EyelidLeft = 0.4, EyelidRight = 0.4, EarLeft = 0.8, EarRight = 0.3,
        BrowInnerLeft = 0.3, BrowOuterLeft = 0.7, BrowInnerRight = 0.1, BrowOuterRight = 0.2,
        MouthCornerLeft = 0.2, MouthCornerRight = 0.2, MouthOpen = 0.1,
        TrunkPan = 0.3, TrunkTilt = 0.3, TrunkCurl = 0.5,
      },
    },
  },

  roles = {
    head = "head", gaze = "gaze_frame", torso = "body", left_eye = "eye_left", right_eye = "eye_right",
    tool = "trunk", screen = "touch_screen",
  },
}
