--- A session script for the kiosk: the steps that the operator at the desk takes with a visitor. See
--- docs/operators/desk.md.
---
---     brio run behaviors/kiosk.lua --session behaviors/kiosk_session.lua
---     brio attach
local brio = require "brio"

return brio.session {
  name = "visit",
  title = "A visitor at the kiosk",
  slots = { name = { ask = "the visitor's name, as on the form", default = "you" } },
  before = { "the consent form is signed", "the camera records", "nobody else is near" },
  after = { "the camera is off", "the questionnaire is filled in" },
  keys = {
    f1 = "play nod", f2 = "hush", -- at any time
    h = 'say "hello {name}"', x = "note something odd",
  },
  steps = {
    { "wait", text = "Let the visitor come by itself. Say nothing.", on = { somebody_near = "greet" },
      warn = 120 },
    { "greet", text = "Greet the visitor as soon as it looks at the robot.", expect = 'say "hello {name}"',
      late = 4, warn = 10 },
    { "ask", text = "Ask for the way, and wait for the answer. Do not help.",
      expect = "say which way is the station?", go = { y = "thank", n = "insist" } },
    { "insist", text = "It does not know, or says nothing: ask once more, slowly.",
      expect = "say could you point to the station?", after = { 20, "thank" } },
    { "thank", cue = 'say "thank you, {name}"', after = { 4, "goodbye" } },
    { "goodbye", text = "Let the visitor go. Look after it until it is gone.",
      expect = { "go farewell", "say goodbye" } },
  },
}
