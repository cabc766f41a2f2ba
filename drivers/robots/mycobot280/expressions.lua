-- What a small arm does at each emotion: tall and reaching out, shrinking back, leaning in, drooping; and its
-- light. Joints are in rad, over whatever else is wanted of them, and softly: a goal of the tool wins.
--
-- That a lamp or an arm is read so is after Bretan, Hoffman and Weinberg, "Emotionally expressive dynamic
-- physical behaviors in robots", Int. J. Human-Computer Studies 78, 2015: height and openness show valence.
-- How far is chosen by us.
return {
  robot = "mycobot280",
  about = "the posture of a desktop arm, and its light",
  source = "directions: Bretan et al. 2015; amounts chosen by us",
  follow = 0.1, -- a tool that is to be somewhere gives way by millimeters
  angles = { "pleased", "happy", "laughing", "surprised", "afraid", "angry", "disgusted", "sad", "depressed",
    "tired", "relaxed" },
  dofs = {
    -- it turns away
    joint2_to_joint1 = {  0.00,  0.00,  0.00,  0.00,  0.00,  0.00,  0.40,  0.10,  0.05,  0.00,  0.00 },
    -- below 0: forward
    joint3_to_joint2 = { -0.02, -0.05, -0.05,  0.25,  0.35, -0.30,  0.20,  0.00, -0.05, -0.10,  0.00 },
    -- above 0: raised
    joint4_to_joint3 = {  0.12,  0.25,  0.40,  0.20, -0.35,  0.20, -0.15, -0.30, -0.38, -0.40, -0.05 },
    -- above 0: it looks up
    joint5_to_joint4 = {  0.10,  0.30,  0.45,  0.45,  0.30,  0.40, -0.10, -0.30, -0.35, -0.40, -0.05 },
    joint6_to_joint5 = {  0.00,  0.06,  0.10,  0.00,  0.00,  0.00,  0.15,  0.08,  0.05,  0.00,  0.05 },
    LightBrightness =  {  0.40,  0.60,  0.90,  1.00,  0.70,  1.00,  0.30,  0.08,  0.04,  0.00,  0.15 },
  },
}
