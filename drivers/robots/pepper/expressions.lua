-- What a Pepper-class body does at each emotion: the head, the lean of the trunk, arms, hands and lights.
-- Joints are in rad, over whatever else is wanted of them.
--
-- Which way parts go is after Coulson, "Attributing emotion to static body postures", J. Nonverbal Behavior
-- 28(2), 2004, and Xu, Broekens, Hindriks and Neerincx, "Mood expression through parameterized functional
-- behavior of robots", RO-MAN 2013: a raised head, open arms and hands where it is pleasant; the head down,
-- arms close where it is not. How far is chosen by us.
local shoulder_pitch = { -0.05, -0.15, -0.35, -0.45, -0.40, -0.10, -0.15,  0.05,  0.08,  0.08,  0.00 }
local hands          = {  0.10,  0.20,  0.30,  0.35,  0.20, -0.50, -0.10, -0.25, -0.35, -0.35,  0.00 }

return {
  robot = "pepper",
  about = "the posture of a Pepper-class body, and its lights",
  source = "directions: Coulson 2004, Xu et al. 2013; amounts chosen by us",
  angles = { "pleased", "happy", "laughing", "surprised", "afraid", "angry", "disgusted", "sad", "depressed",
    "tired", "relaxed" },
  dofs = {
    -- above 0: down
    HeadPitch =      { -0.08, -0.14, -0.20, -0.18, -0.05,  0.08, -0.05,  0.28,  0.32,  0.34,  0.06 },
    -- it turns away
    HeadYaw =        {  0.00,  0.00,  0.00,  0.00,  0.00,  0.00,  0.25,  0.08,  0.05,  0.00,  0.00 },
    -- above 0: back
    HipPitch =       {  0.02,  0.04,  0.05,  0.07,  0.06, -0.12,  0.05, -0.12, -0.16, -0.16, -0.02 },
    -- below 0: raised
    LShoulderPitch = shoulder_pitch, RShoulderPitch = shoulder_pitch,
    LShoulderRoll =  {  0.05,  0.12,  0.25,  0.30,  0.02,  0.25,  0.05, -0.06, -0.08, -0.08,  0.02 },
    RShoulderRoll =  { -0.05, -0.12, -0.25, -0.30, -0.02, -0.25, -0.05,  0.06,  0.08,  0.08, -0.02 },
    LElbowRoll =     { -0.05, -0.15, -0.45, -0.50, -0.80, -0.35, -0.35,  0.20,  0.25,  0.30,  0.05 },
    RElbowRoll =     {  0.05,  0.15,  0.45,  0.50,  0.80,  0.35,  0.35, -0.20, -0.25, -0.30, -0.05 },
    LHand = hands, RHand = hands,
    EyeLedBrightness =      { 1.00, 1.00, 1.00, 1.00, 0.80, 1.00, 0.60, 0.40, 0.30, 0.15, 0.60 },
    EarLedBrightness =      { 1.00, 1.00, 1.00, 1.00, 0.70, 0.90, 0.50, 0.35, 0.25, 0.10, 0.60 },
    ShoulderLedBrightness = { 0.60, 0.80, 1.00, 1.00, 0.70, 1.00, 0.35, 0.20, 0.10, 0.05, 0.40 },
  },
}
