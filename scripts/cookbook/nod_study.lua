--- Do visitors like a robot better that nods often?  The study that the cookbook's runs are made with.
local brio = require "brio"

return brio.study {
  name = "nods",
  title = "Do visitors like a robot better that nods often?",
  design = "within",
  counterbalance = "williams",
  conditions = {
    { name = "seldom", about = "a nod every ten seconds", tune = { every = 10 } },
    { name = "often", about = "a nod every two seconds", tune = { every = 2 } },
  },
  participants = 4,
  seed = 7,
  behavior = "behaviors/nodding.lua",
  session = "nod_session.lua",
  questionnaires = { "godspeed" },
  minutes = 1,
  late_after = 1.5,
  consent = "form 1",
  wizards = { { code = "W1", part = "speech", training_minutes = 30 } },
}
