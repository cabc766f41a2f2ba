--- Does a robot that nods more often seem to listen better?  Each participant tells it about two days; a wizard speaks for it.
--- docs/studies.md goes through this study.
local brio = require "brio"

return brio.study {
  name = "listening",
  title = "Does a robot that nods more often seem to listen better?",
  about = "Participants tell a humanoid robot about a day. It nods seldom or often; what it says is chosen by a wizard.",
  design = "within",
  counterbalance = "williams",
  conditions = {
    { name = "seldom", about = "the robot nods every 12 s", tune = { every = 12 } },
    { name = "often", about = "the robot nods every 3 s", tune = { every = 3 } },
  },
  participants = 12,
  seed = 4711,
  behavior = "../nodding.lua",
  session = "listening_session.lua",
  questionnaires = { "godspeed" },
  minutes = 10,
  late_after = 4,
  consent = "form of 3 May",
  wizards = {
    { code = "W1", part = "what the robot says", training_minutes = 60, experience = "two studies" },
    { code = "W2", part = "gestures; marks errors", training_minutes = 60, experience = "none" },
  },
  facts = {
    age = { lowest = 18, highest = 99, unit = "years" },
    robots_before = { "never", "seldom", "often" },
  },
  report = {
    robot = {
      kind = "One humanoid robot, Pepper (1.2 m), on a fixed base.",
      autonomy = "Gaze, idle motion and nodding are the robot's own. Words and other gestures come from the wizards.",
      capabilities = "Head, arms and hips move; it speaks with a synthetic voice. It recognizes nothing of what is said.",
    },
    users = {
      demographics = "Students and staff, found by a notice at the entrance.",
      instructions = "Tell the robot about a day of your last week. It will listen, and ask.",
    },
    wizards = {
      hypotheses = "W1 did not know what was to be shown. W2 did.",
      recognition = "Both saw the participant on a screen and heard them over headphones, from the next room.",
      production = "The lines of the session script, and gestures by keys; other lines count as unscripted.",
    },
    study = {
      hypotheses = "Likeability (Godspeed III) is higher in the condition 'often'.",
      place = "A quiet room, the participant on a chair 1.5 m in front of the robot.",
      scenario = "Welcome, four questions, farewell: ten minutes.",
      ethics = "Approved by the ethics committee; consent in writing before the first session.",
    },
  },
}
