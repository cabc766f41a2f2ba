--- State machines beyond a list of states: states inside others as targets, history, and how a run tells of them.
local function machine(t, text, options)
  options = options or {}
  options.robot = "ur3e"
  options.source = [[
local brio = require "brio"
local b = brio.behavior "b" { start = "one", memory = { log = {} }, FIELDS }
local function note(self, what) table.insert(self.memory.log, what) end
]] .. text .. "\nreturn b\n"
  options.source = options.source:gsub("FIELDS", options.fields or "")
  return t:run("source", options)
end

-- How it is told ------------------------------------------------------------------------------------------------------

test("the story of a run tells causes before effects, and why each state was entered", function(t)
  local run = machine(t, [[
b.one = { enter = function(self) self:emit "e1" end, exit = function(self) self:emit "left_one" end, on = { e1 = "two" } }
b.two = { enter = function(self) self:emit "e2" end, on = { e2 = "three" } }
b.three = { run = function(self) self:wait(0.1) return "four" end }
b.four = { tick = function(self) if self:elapsed() > 0.1 then return "five" end end }
b.five = { run = function(self) self:wait(0.1) end, on = { done = "six" } }
b.six = { enter = function(self) self:emit "doomed" error "ouch" end }
b.safe = { enter = function(self) self:emit "safe_now" end }
]], { fields = 'safe = "safe"', recorded = true })
  run:advance(1)
  run:finish()
  local told = {}
  for _, row in ipairs(run:sql "SELECT sentence FROM story WHERE kind <> 'version' ORDER BY place") do
    told[#told + 1] = row.sentence:gsub(" in b: .*", " in b"):gsub("after .*", "after")
  end
  t:equal(told, { "b starts", "b: starts in one", "event e1", "event left_one", "b: one -> two, because e1", "event e2",
    "b: two -> three, because e2", "b: three -> four, because its run was over", "b: four -> five, because its tick said so",
    "event done", "b: five -> six, because done (the run of five is over)", "event doomed", "error in b", "b ends: failed, after",
    "safe starts", "b: starts in safe, because it failed", "event safe_now", "safe ends: failed, after" })
end)
