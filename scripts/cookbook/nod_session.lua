--- What the wizard does in a session of the study "nods".
local brio = require "brio"

return brio.session {
  name = "nods",
  steps = {
    { "welcome", text = "The visitor has come.", expect = { "play greet", "play wave" } },
    { "ask", text = "Ask how it is.", expect = "say how are you" },
    { "listen", text = "Show that you listen.", expect = "play nod", after = { 6, "goodbye" } },
    { "goodbye", text = "Say goodbye.", expect = "play wave" },
  },
}
