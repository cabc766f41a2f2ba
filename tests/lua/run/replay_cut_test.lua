--- Scripts that their budgets of time and memory cut short are cut in the same places in a replay.
local here = debug.getinfo(1, "S").source:match "^@(.*)/[^/]*$"
package.path = here .. "/../../lib/?.lua;" .. package.path
require "brio"
local clock = require "brio.clock"
local door = require "brio.io.input_gate"
local script = require "brio.script"
local talks = require "talks"

local loops = { "while true do self.memory.n = self.memory.n + 1 end",
  "local list = {} while true do list[#list + 1] = #list self.memory.n = #list end",
  "while true do pcall(function() self.memory.n = self.memory.n + 1 error 'x' end) end",
  "coroutine.wrap(function() while true do self.memory.n = self.memory.n + 1 end end)()" }

--- Set the budget of a behavior in a tick, s, until the returned value is closed.
local function with_budget(seconds)
  local budgets = require("brio.io.dispatch").budgets
  budgets.tick, seconds = seconds, budgets.tick
  return setmetatable({}, { __close = function() budgets.tick = seconds end })
end

test("a script that its budget cuts short is cut in the same place", function(t)
  local _ <close> = with_budget(0.005)
  for index, loop in ipairs(loops) do
    local text = talks.behavior(("if self.now > 0.2 and not self.memory.left then self.memory.left = true \z
      %s end")
      :format(loop))
    local file = talks.written(t, "b.lua", text)
    local path = talks.talked(t, file, nil, 0.4)
    t:ok(talks.count(t, path, "SELECT count(*) FROM faults WHERE message LIKE '%time budget%'") >= 1,
      "loop %d is cut", index)
    t:equal(talks.said(talks.replayed(t, path)), "equal", loop)
  end
end)

test("a script that holds too much memory is cut in the same places, whatever catches it", function(t)
  local _ <close> = with_budget(60)
  local path = talks.talked(t, talks.written(t, "m.lua", [[
local brio = require "brio"
local kept = {}
local made = brio.behavior "made" { robot = "pepper", start = "rest", memory = { n = 0, caught = 0 } }
local function fill(self)
  for index = 1, 9 do
    self.memory.n = self.memory.n + 1
    kept[index] = ("x"):rep(6e4):rep(1e3)
  end
end
made.rest = {
  wants = { brio.want.joint_match { joint = "HeadYaw", goal = function(self) return self.memory.n * 1e-3 end } },
  tick = function(self)
    if self.now < 0.02 or self.memory.caught > 1 then return end
    if self.memory.caught == 1 then fill(self) end
    local _, why = pcall(fill, self)
    kept = {}
    self.memory.caught = self.memory.caught + 1
    self:emit("caught", { why = why:match "not enough memory.*", n = self.memory.n })
  end,
}
return made
]]), nil, 0.1)
  t:equal(talks.count(t, path,
    "SELECT count(*) FROM events WHERE name = 'caught' AND data LIKE '%may hold 256 MB%'"), 1)
  t:equal(talks.count(t, path, "SELECT count(*) FROM faults WHERE message LIKE '%may hold 256 MB%'"), 1,
    "uncaught, at last")
  t:equal(talks.said(talks.replayed(t, path)), "equal")
end)

--- Use up several times the CPU time that a budget of 0.005 s allows.
local function spend()
  local till = clock.cpu() + 0.03
  while clock.cpu() < till do end
end

test("a cut that is due while the recorder writes is made behind it, where a replay finds it", function(t)
  local _ <close> = with_budget(0.005)
  local text = talks.behavior "if self.now > 0.1 and not self.memory.left then \z
    self.memory.left = true self:emit 'slow' end"
  local file = talks.written(t, "r.lua", text)
  local path = talks.talked(t, file, nil, 0.3, function(run, tick)
    if tick ~= 0 then return end
    local recorder = run.recorder
    local write = recorder.event
    -- A recorder that takes long for one event. A replay writes nothing, so it never executes these lines.
    local slow = { event = function(self, at, now, event, version)
      if event.name == "slow" then spend() end
      self.slow = (self.slow or 0) + (event.name == "slow" and 1 or 0)
      return write(self, at, now, event, version)
    end }
    script.apart(slow)
    recorder.event = slow.event
  end)
  t:ok(talks.count(t, path, "SELECT count(*) FROM faults WHERE message LIKE '%time budget%'") >= 1,
    "it is cut")
  t:equal(talks.count(t, path, "SELECT count(*) FROM events WHERE name = 'slow'"), 1, "the row is written")
  t:equal(talks.said(talks.replayed(t, path)), "equal")
end)

test("nor is a script cut while it reads an input that goes on the tape", function(t)
  local taped, came = 0, false
  local gate = door.recording()
  gate.opening, gate.tape = false, { note = function() taped = taped + 1 end }
  local good, why = script.call(0.005, function()
    local _ <close> = door.within(gate)
    door.must("file", function()
      spend()
      came = true
      return 1
    end)
    while true do spend() end
  end)
  t:ok(not good and why:find "time budget", "it is cut behind the input: %s", tostring(why))
  t:ok(came and taped == 1, "the input is read and on the tape")
  t:ok(door.replays() == false and door.gate() == nil, "the gate is put back")
end)

test("a coroutine that such a function resumes is not cut either, and its slices end", function(t)
  local made, rounds = {}, 0
  local reads = { whole = function(ways)
    local worker = coroutine.create(function()
      spend()
      made[#made + 1] = ways.name
    end)
    repeat
      local over = ways.work(worker)
      rounds = rounds + 1
    until over
  end }
  script.apart(reads)
  for _, ways in ipairs { { name = "resumed", work = script.resume },
    { name = "sliced", work = function(worker) return script.work(worker, 0.002) end },
    { name = "whole", work = function(worker) return script.work(worker, math.huge) end } } do
    rounds = 0
    local good, why = script.call(0.005, function()
      -- from a coroutine inside another one, too
      script.resume(coroutine.create(function() script.resume(coroutine.create(reads.whole), ways) end))
      while true do spend() end
    end)
    t:ok(not good and why:find "time budget", "%s: it is cut behind it: %s", ways.name, tostring(why))
    t:equal(made[#made], ways.name)
    t:ok(ways.name ~= "sliced" or rounds > 1, "%d slices", rounds)
  end
end)

test("a note that its budget cuts short while it is recorded is replayed", function(t)
  local budgets = require("brio.io.dispatch").budgets
  local before = budgets.line
  budgets.line = 0.005
  local _ <close> = setmetatable({}, { __close = function() budgets.line = before end })
  local path = talks.talked(t, talks.written(t, "n.lua", talks.behavior()), nil, 0.3, function(run, tick, say)
    local put = run.recorder.put
    local slow = { put = function(self, name, row)
      if name == "notes" then spend() end
      return put(self, name, row)
    end }
    if tick == 0 then
      script.apart(slow)
      run.recorder.put = slow.put
    end
    if tick == 20 then say "note the child laughed" end
  end)
  t:equal(talks.count(t, path, "SELECT count(*) FROM notes"), 1, "the row is written")
  t:ok(talks.count(t, path, "SELECT count(*) FROM tapes") > 0, "there is a tape")
  t:equal(talks.said(talks.replayed(t, path)), "equal")
end)

test("a call with a budget of its own is cut wherever it is made from", function(t)
  local reads = { read = function() return script.call(0.005, function() while true do spend() end end) end }
  script.apart(reads)
  local good, why = reads.read()
  t:ok(not good and why:find "time budget", "%s", tostring(why))
end)
