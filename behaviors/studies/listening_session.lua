--- The session script of listening.lua: ten minutes at the wizards' desk.
local brio = require "brio"

--- W1 says what is expected; what W2 does meanwhile is no slip. Participants are listened to for two and a
--- half minutes after each question.
local minutes = 60

return brio.session {
  name = "listening",
  late = 4,
  before = { "the consent form is signed", "the camera runs", "the participant sits" },
  keys = { f1 = "play nod", f2 = "play shake", f3 = "hush", m = "say Mhm.", g = "say Please go on." },
  steps = {
    { "welcome", text = "The participant looks up.", who = "W1",
      expect = "say Hello. I would like to hear about your day." },
    { "day", text = "They tell about the day.", after = { 2.5 * minutes, "best" } },
    { "best", text = "Ask when they pause.", who = "W1",
      expect = "say What was the best moment of it?", next = "best_told" },
    { "best_told", text = "They tell.", after = { 2.5 * minutes, "worst" } },
    { "worst", text = "Ask when they pause.", who = "W1", expect = "say And what was the worst?",
      next = "worst_told" },
    { "worst_told", text = "They tell. Comfort them if they need it.",
      after = { 2.5 * minutes, "tomorrow" } },
    { "tomorrow", text = "Ask when they pause.", who = "W1", next = "plans",
      expect = { "say What will you do tomorrow?", "say And tomorrow?" } },
    { "plans", text = "They tell.", after = { 2.5 * minutes, "nod" } },
    { "nod", text = "Show that it was understood.", expect = "play nod" },
    { "goodbye", text = "End the talk.", who = "W1", expect = "say Thank you. Goodbye." },
  },
  after = { "the participant has the questionnaire", "the camera is off" },
}
