--- `brio check FILE`: reports every fault of a behavior with its file and line, and runs nothing.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

local function check(t, text, ...)
  local file = t:folder() .. "/made.lua"
  files.write(file, text)
  return brio("check", file, ...), file
end

local head = 'local brio = require "brio"\nlocal want = brio.want\n'

local good = head .. [[
local made = brio.behavior "made" { robot = "pepper", start = "calm" }
made.calm = {
  wants = { want.joint_match { joint = "HeadYaw", goal = 0.2 } },
  on = { person_appeared = "eager" },
}
made.eager = {
  wants = { want.joint_match { joint = "HeadPitch", goal = 0.1 } },
  after = { 2, "calm" },
}
return made
]]

test("a good file passes", function(t)
  local run = check(t, good)
  t:code(run, 0)
  t:check(not run.text:find "traceback", "%s", run.text)
end)

test("the behaviors that ship pass", function(t)
  for _, path in ipairs(files.lines("ls " .. harness.root .. "/behaviors/*.lua")) do
    if not path:match "_test%.lua$" and files.read(path):find "brio%.behavior" then
      t:code(brio("check", path), 0)
    end
  end
end)

test("a fault has its line also in a file whose name is long", function(t)
  local file = t:folder() .. "/" .. ("long"):rep(30) .. ".lua"
  files.write(file, good:gsub("made%.eager = {", "made.eager = = {"))
  local run = brio("check", file)
  t:code(run, 3)
  t:has(run.text, file .. ":8: unexpected")
end)

-- Each row: what to replace in the good file, the replacement, and the message with its line.
local faults = {
  { "a syntax error", "made%.eager = {", "made.eager = = {", 8, "=" },
  { "an unknown joint", '"HeadYaw"', '"HeadYew"', 5, "did you mean 'HeadYaw'" },
  { "an unknown state", '"eager" },', '"eagre" },', 6, "did you mean 'eager'" },
  { "an unknown state of a timer", '2, "calm"', '2, "clam"', 10, "did you mean 'calm'" },
  { "an unknown start", 'start = "calm"', 'start = "clam"', 3, "clam" },
  { "an unknown objective", "want%.joint_match { joint = \"HeadPitch\"",
    "want.joint_mach { joint = \"HeadPitch\"", 9,
    "joint_mach" },
  { "an unknown argument", "goal = 0%.1", "gaol = 0.1", 9, "gaol" },
  { "an unknown field of a state", "after = {", "aftr = {", 10, "aftr" },
  { "an unknown global", "goal = 0%.2", "goal = zero", 5, "zero" },
  { "a field of the wrong type", 'after = { 2, "calm" }', "after = 2", 10, "after" },
  { "a link that the robot lacks", 'want.joint_match { joint = "HeadPitch", goal = 0%.1 }',
    'want.position_match { link = "Hed", goal = { 0, 0, 1 } }', 9, "Hed" },
}

for _, fault in ipairs(faults) do
  test(fault[1] .. " is named with file and line", function(t)
    local text, count = good:gsub(fault[2], (fault[3]:gsub("%%", "%%%%")))
    t:equal(count, 1, "the number of replacements")
    local run, file = check(t, text)
    t:code(run, 3)
    t:has(run.text, ("%s:%d:"):format(file:match "[^/]*$", fault[4]))
    t:has(run.text, fault[5])
    t:check(not run.text:find "stack traceback", "a person who mistypes needs no traceback:\n%s", run.text)
  end)
end

test("all faults are named at once", function(t)
  local text = good:gsub('"HeadYaw"', '"HeadYew"'):gsub('"HeadPitch"', '"HeadPich"')
  local run = check(t, text)
  t:code(run, 3)
  t:has(run.text, ":5:")
  t:has(run.text, ":9:")
end)

test("a name of another robot's passes with that robot", function(t)
  local text = good:gsub("HeadYaw", "panda_joint1"):gsub("HeadPitch", "panda_joint2"):gsub('"pepper"',
    '"panda"')
  t:code(check(t, text), 0)
  local run = check(t, good, "--robot", "panda")
  t:code(run, 3)
  t:has(run.text, "HeadYaw")
end)

test("a robot that does not exist is named", function(t)
  local run = check(t, (good:gsub('"pepper"', '"peper"')))
  t:check(run.code ~= 0, "exit code 0")
  t:has(run.text, "did you mean 'pepper'")
end)

test("what is no behavior is said", function(t)
  for _, text in ipairs { "", "return 3\n", "return { start = 'x' }\n" } do
    local run, file = check(t, text)
    t:code(run, 3)
    t:has(run.text, file:match "[^/]*$")
  end
end)

test("a file that never ends its load is stopped", function(t)
  local run, file = check(t, head .. "while true do end\n", { timeout = 20 })
  t:code(run, 3)
  t:has(run.text, file:match "[^/]*$")
end)

test("a file that reaches for the machine is stopped", function(t)
  for _, reach in ipairs { "os.execute 'touch /tmp/x'", "io.open '/etc/passwd'", "require 'luv'",
      "dofile 'x.lua'",
                           "debug.getregistry()", "load(string.dump(print))" } do
    local run = check(t, head .. "local x = " .. reach .. "\nreturn brio.behavior 'x' { start = 'y' }\n")
    t:code(run, 3)
    t:has(run.text, ":3:")
  end
end)

test("bytecode and binary rubbish are refused", function(t)
  for _, text in ipairs { string.dump(function() return 1 end), "\0\1\2\255", ("x"):rep(100000) } do
    local run = check(t, text)
    t:code(run, 3)
  end
end)

test("a syntax fault far down is at its line", function(t)
  local run, file = check(t, ("-- line\n"):rep(4999) .. "local = 3\n")
  t:code(run, 3)
  t:has(run.text, file:match "[^/]*$" .. ":5000:")
end)

-- Warnings: what could run, and is most likely not meant ---------------------------------------------------

local uncertain = [==[
local brio = require "brio"
local b = brio.behavior "b" { robot = "pepper", start = "idle", tune = { near = brio.param(2, "m", 0.5, 4) } }
-- self:emmit, self.tune.naer: a comment
--[[ self:emmit
]] local text = [[self:emmit]] .. "self:emmit \" self.tune.naer" -- and a text
local stack = {}
function stack:emits() return self.emits end
b.idle = {
  on = { person_apeared = "greet", cup_apeared = "greet", knock = "greet", tree_don = "greet", plan_redy = "greet" },
  tick = function(self) if self.tune.naer then self:emmit("x") end self.memroy.x = self.own self:whre "Head" end,
}
b.greet = {
  start = "a", states = { a = { after = { 1, "b" } }, b = {}, c = {} },
  run = function(self) self:await("touchd", 2) self:emit "plan_ready" return text == "" and "asked" or "idle" end,
}
b.asked = { after = { 2, "idle" } }
b.lost = { after = { 1, "lost_too" } }
b.lost_too = { go = { { on = "buton_pressed", to = "lost" } } }
return b
]==]

test("names that are most likely misspelled, and states that nothing leads to, are warnings with their lines",
  function(t)
  local run, file = check(t, uncertain)
  t:code(run, 0)
  t:has(run.out, "good, with warnings")
  local said = {}
  for line, text in run.out:gmatch "made%.lua:(%d+): warning: ([^\n]*)" do
    said[#said + 1] = line .. " " .. text
  end
  table.sort(said)
  t:equal(table.concat(said, "\n"), table.concat({
    "10 there is no self.memroy (did you mean self.memory?)",
    "10 there is no self:emmit (did you mean self:emit?)",
    "10 there is no self:whre (did you mean self:where?)",
    "10 tune has no 'naer' (did you mean 'near'?): self.tune.naer is nil",
    "13 nothing leads to state 'greet.c'",
    "14 nothing here fires the event 'touchd' (did you mean 'touched'?)",
    "17 nothing leads to state 'lost'",
    "18 nothing here fires the event 'buton_pressed' (did you mean 'button_pressed'?)",
    "18 nothing leads to state 'lost_too'",
    "2 nothing reads self.tune.near: to tune 'near' changes nothing",
    "9 nothing here fires the event 'cup_apeared' (did you mean 'cup_appeared'?)",
    "9 nothing here fires the event 'person_apeared' (did you mean 'person_appeared'?)",
    "9 nothing here fires the event 'plan_redy' (did you mean 'plan_ready'?)",
    "9 nothing here fires the event 'tree_don' (did you mean 'tree_done'?)",
  }, "\n"))
  t:check(not run.out:find("knock", 1, true), "an event that anybody may fire is none")
  t:has(check(t, uncertain, "--json").out, '"severity":"warning"')
  t:check(file, "a file")
  local read = uncertain:gsub("self%.tune%.naer then", "pairs(self.tune) then")
  t:check(not check(t, read).out:find("nothing reads", 1, true), "what reads all values reads each of them")
end)

test("the behaviors that ship have no such warnings", function(t)
  for _, path in ipairs(files.lines("ls " .. harness.root .. "/behaviors/*.lua")) do
    if not path:match "_test%.lua$" and files.read(path):find "brio%.behavior" then
      local out = brio("check", path).out
      t:check(not out:find "did you mean" and not out:find "nothing leads" and not out:find "nothing reads",
        "%s", out)
    end
  end
end)

test("a fault in a helper says in which states it counts", function(t)
  local folder = t:folder()
  files.write(folder .. "/arms.lua", [[
local want = require "brio.want"
return { hand = function()
  local made = want.joint_match { joint = "RHandd", goal = 1 }
  return made
end }
]])
  files.write(folder .. "/made.lua", head .. [[
local arms = require "arms"
local function head()
  local made = want.joint_match { joint = "HeadYow", goal = 0 }
  return made
end
local shared = want.joint_match { joint = "HeadPich", goal = 0 }
local b = brio.behavior "b" { robot = "pepper", start = "idle" }
b.idle = {
  wants = { head(), shared, want.joint_match { joint = "LHandd", goal = 0 } },
  after = { 1, "greet" },
}
b.greet = { start = "near", states = { near = { wants = { head(), arms.hand(), shared } } } }
return b
]])
  local run = brio("check", folder .. "/made.lua")
  t:code(run, 3)
  t:has(run.out, "made.lua:5: want.joint_match: robot 'pepper' has no joint 'HeadYow' (did you mean \z
    'HeadYaw'?) "
    .. "(in states 'greet.near', 'idle')")
  t:has(run.out, "made.lua:8: want.joint_match: robot 'pepper' has no joint 'HeadPich' (did you mean \z
    'HeadPitch'?) "
    .. "(in states 'greet.near', 'idle')")
  t:has(run.out, "made.lua:11: want.joint_match: robot 'pepper' has no joint 'LHandd' (did you mean \z
    'LHand'?)\n")
  t:has(run.out, "arms.lua:3: want.joint_match: robot 'pepper' has no joint 'RHandd' (did you mean \z
    'RHand'?) (in state 'greet.near')")
end)

test("goals that are functions are tried on a few poses", function(t)
  local run = check(t, head .. [[
local b = brio.behavior "b" { robot = "pepper", start = "idle", memory = { level = 0.1 }, tune = { far = brio.param(0.2, "rad", 0, 1) } }
b.idle = { wants = {
  want.joint_match { joint = "HeadYaw", goal = function(self) return { 1, 2 } end },
  want.orientation_match { link = "Head", goal = function(self) return self:wheer("head") end },
  want.position_match { link = "LForeArm", goal = function(self) return self:where("head").position end },
  want.joint_match { joint = "HeadPitch", goal = function(self) return self.memory.seen.angle end },
  want.joint_match { joint = "RHand", goal = function(self) return self:where("head").position[3] > 1 and 0.5 or "open" end },
  want.joint_match { joint = "LHand", goal = function(self) return nil end },
  want.joint_match { joint = "RElbowYaw", goal = function(self) return self.memory.level + self.tune.far + self:random() end },
  want.joint_match { joint = "LElbowYaw", goal = function(self) while true do end end },
} }
return b
]])
  t:code(run, 3)
  local said = {}
  for line, text in run.out:gmatch "made%.lua:(%d+): (goal of [^\n]*)" do
    said[#said + 1] = line .. " " .. text
  end
  t:equal(table.concat(said, "\n"), table.concat({
    "5 goal of want.joint_match, in the neutral pose: a scalar goal must be a finite number, not table",
    "6 goal of want.orientation_match: attempt to call a nil value (method 'wheer')",
    "9 goal of want.joint_match, in the neutral pose: a scalar goal must be a finite number, not open",
    "12 goal of want.joint_match: the script used up its time budget: it was stopped (an endless loop?)",
  }, "\n"))
end)

test("a DOF or group that --drive names and the robot lacks is said, to check and to run", function(t)
  local arm = harness.root .. "/behaviors/scan.lua"
  for _, run in ipairs { brio("check", arm, "--drive", "wirst"),
      brio("run", arm, "--drive", "wirst", "--for", "1") } do
    t:check(run.code ~= 0, "it fails")
    t:has(run.text, "no DOF or group 'wirst' (did you mean 'wrist'?)")
  end
  t:code(brio("check", arm, "--drive", "wrist"), 0)
end)

test("--json says the same to programs", function(t)
  local run, file = check(t, (good:gsub('"HeadYaw"', '"HeadYew"')), "--json")
  t:code(run, 3)
  t:check(harness.is_json(run.out), "no JSON: %s", run.out)
  t:has(run.out, '"line":5')
  t:has(run.out, file:match "[^/]*$")
  t:check(harness.is_json(check(t, good, "--json").out), "no JSON for a good file")
end)

harness.done()
