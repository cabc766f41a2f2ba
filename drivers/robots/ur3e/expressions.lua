-- What an arm does at each emotion: tall and reaching out, shrinking back, leaning in, drooping. Joints are
-- in rad, over whatever else is wanted of them, and softly: a goal of the tool wins.
--
-- That a lamp or an arm is read so is after Bretan, Hoffman and Weinberg, "Emotionally expressive dynamic
-- physical behaviors in robots", Int. J. Human-Computer Studies 78, 2015: height and openness show valence.
-- How far is chosen by us.
return {
  robot = "ur3e",
  about = "the posture of a six-joint arm",
  source = "directions: Bretan et al. 2015; amounts chosen by us",
  follow = 0.1, -- a tool that is to be somewhere gives way by millimeters
  angles = { "pleased", "happy", "laughing", "surprised", "afraid", "angry", "disgusted", "sad", "depressed",
    "tired", "relaxed" },
  dofs = {
    -- it turns away
    shoulder_pan_joint =  {  0.00,  0.00,  0.00,  0.00,  0.00,  0.00,  0.40,  0.10,  0.05,  0.00,  0.00 },
    -- above 0: forward
    shoulder_lift_joint = {  0.02,  0.05,  0.05, -0.25, -0.35,  0.30, -0.20,  0.00,  0.05,  0.10,  0.00 },
    -- below 0: raised
    elbow_joint =         { -0.12, -0.25, -0.40, -0.20,  0.35, -0.20,  0.15,  0.35,  0.42,  0.45,  0.05 },
    -- below 0: it looks up
    wrist_1_joint =       { -0.10, -0.25, -0.40, -0.45, -0.30, -0.40,  0.10,  0.30,  0.35,  0.40,  0.05 },
    wrist_3_joint =       {  0.00,  0.10,  0.18,  0.00,  0.00,  0.00, -0.20, -0.10, -0.08,  0.00,  0.06 },
  },
}
