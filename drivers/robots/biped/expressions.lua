-- What the body does at each emotion: the head, the lean of the chest, arms and hands. Joints are in rad,
-- over whatever else is wanted of them.
--
-- Which way parts go is after Coulson, "Attributing emotion to static body postures", J. Nonverbal Behavior
-- 28(2), 2004, and Xu, Broekens, Hindriks and Neerincx, "Mood expression through parameterized functional
-- behavior of robots", RO-MAN 2013: a raised head, open arms where it is pleasant; the head down, arms close
-- where it is not. How far is chosen by us.
local shoulder_pitch = { -0.05, -0.15, -0.35, -0.45, -0.40, -0.10, -0.15,  0.05,  0.08,  0.08,  0.00 }
local elbow          = { -0.05, -0.15, -0.45, -0.50, -0.80, -0.35, -0.35,  0.15,  0.20,  0.25,  0.05 }

return {
  robot = "biped",
  about = "the posture of a biped above its waist",
  source = "directions: Coulson 2004, Xu et al. 2013; amounts chosen by us",
  angles = { "pleased", "happy", "laughing", "surprised", "afraid", "angry", "disgusted", "sad", "depressed",
    "tired", "relaxed" },
  dofs = {
    -- above 0: down
    neck_pitch =           { -0.08, -0.14, -0.20, -0.18, -0.05,  0.08, -0.05,  0.28,  0.32,  0.34,  0.06 },
    -- it turns away
    neck_yaw =             {  0.00,  0.00,  0.00,  0.00,  0.00,  0.00,  0.25,  0.08,  0.05,  0.00,  0.00 },
    -- above 0: forward
    waist_pitch =          { -0.02, -0.04, -0.05, -0.07, -0.06,  0.12, -0.05,  0.12,  0.16,  0.16,  0.02 },
    -- below 0: raised
    left_shoulder_pitch = shoulder_pitch, right_shoulder_pitch = shoulder_pitch,
    left_shoulder_roll =   {  0.05,  0.12,  0.25,  0.30,  0.02,  0.25,  0.05, -0.02, -0.02, -0.02,  0.02 },
    right_shoulder_roll =  { -0.05, -0.12, -0.25, -0.30, -0.02, -0.25, -0.05,  0.02,  0.02,  0.02, -0.02 },
    left_elbow = elbow, right_elbow = elbow,
  },
}
