-- What an arm does at each emotion: tall and reaching out, shrinking back, leaning in, drooping. Joints are
-- in rad, over whatever else is wanted of them, and softly: a goal of the tool wins. The fingers stay: they
-- may hold something.
--
-- That a lamp or an arm is read so is after Bretan, Hoffman and Weinberg, "Emotionally expressive dynamic
-- physical behaviors in robots", Int. J. Human-Computer Studies 78, 2015: height and openness show valence.
-- How far is chosen by us.
return {
  robot = "panda",
  about = "the posture of a seven-joint arm",
  source = "directions: Bretan et al. 2015; amounts chosen by us",
  follow = 0.1, -- a tool that is to be somewhere gives way by millimeters
  angles = { "pleased", "happy", "laughing", "surprised", "afraid", "angry", "disgusted", "sad", "depressed",
    "tired", "relaxed" },
  dofs = {
    -- it turns away
    panda_joint1 = {  0.00,  0.00,  0.00,  0.00,  0.00,  0.00,  0.40,  0.10,  0.05,  0.00,  0.00 },
    -- above 0: forward
    panda_joint2 = {  0.02,  0.05,  0.05, -0.25, -0.35,  0.30, -0.20, -0.05,  0.00,  0.05,  0.00 },
    -- above 0: stretched
    panda_joint4 = {  0.12,  0.25,  0.40,  0.30, -0.25, -0.05, -0.15, -0.35, -0.42, -0.45, -0.08 },
    panda_joint5 = {  0.00,  0.06,  0.10,  0.00,  0.00,  0.00,  0.15,  0.10,  0.08,  0.00,  0.06 },
    -- above 0: it looks up
    panda_joint6 = {  0.15,  0.35,  0.55,  0.50,  0.25,  0.30, -0.10, -0.40, -0.48, -0.50, -0.10 },
    panda_joint7 = {  0.00,  0.08,  0.15,  0.00,  0.00,  0.00, -0.20, -0.10, -0.08,  0.00,  0.06 },
  },
}
