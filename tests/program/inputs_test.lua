--- Inputs of a run from outside: at the prompt, and from a gamepad whose events come out of a pipe.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

local behavior = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "pepper", start = "calm", memory = { count = 0 } }
made.calm = {
  on = { touched = function(self, data) self.memory.count = self.memory.count + 1 self:log("felt %s", data.name) end,
    button_pressed = function(self, data) self:log("pressed %s", data.name) end,
    button_released = function(self, data) self:log("released %s", data.name) end },
}
return made
]]

local brio = files.quote(harness.program)

local function started(t, ...)
  local folder = t:folder()
  local run = { socket = folder .. "/x.sock", folder = folder, store = folder .. "/x.db" }
  files.write(folder .. "/made.lua", behavior)
  run.process = harness.start_brio("run", folder .. "/made.lua", "--store", run.store, "--socket", run.socket, "--quiet", ...)
  for _ = 1, 500 do
    if files.output("test -S " .. run.socket .. " && echo yes") == "yes" then break end
    harness.sleep(0.02)
  end
  harness.sleep(0.2)
  return run
end

local function say(run, lines)
  return harness.run { ("%s attach %s"):format(brio, run.socket), input = lines .. "\n", timeout = 20 }
end

local function says(t, run, line, piece)
  local answer = say(run, line)
  t:code(answer, 0)
  t:has(answer.out, piece)
end

local function ended(run)
  say(run, "stop\nstop")
  return harness.wait(run.process, 20)
end

test("a person at the prompt sets inputs, and sets them free", function(t)
  local run = started(t)
  says(t, run, "input", "~touch_head +false +%(touch, from rest%)")
  says(t, run, "input touch_head true", "touch_head: true, until `input touch_head off`")
  harness.sleep(0.1)
  says(t, run, "memory.count", "1")
  says(t, run, "input touch_head", "~true +%(touch, until `input touch_head off`, from operator%)")
  says(t, run, "self.inputs.touch_head", "true")
  says(t, run, "input touch_head off", "is the world's again")
  harness.sleep(0.1)
  says(t, run, "self.inputs.touch_head", "false")
  for line, piece in pairs { ["input touch_haed"] = "did you mean 'touch_head'", ["input touch_head 3"] = "must be true or false",
      ["input sonar_front -1"] = "must be meters, at least 0" } do
    local answer = say(run, line)
    t:code(answer, 3)
    t:has(answer.err, piece)
  end
  t:has(harness.brio("monitor", run.socket).out, "~inputs.- touch_head false")
  ended(run)
  t:equal(harness.sql(run.store, "select value || ' ' || source from inputs where name = 'touch_head' order by id"),
    "false rest\ntrue operator\nfalse rest", "the record")
  t:equal(harness.sql(run.store, "select detail from states where cause = 'event'"), "", "no state was left")
  t:has(harness.sql(run.store, "select group_concat(name || ' ' || source) from events"), "touched operator")
  t:has(harness.sql(run.store, "select group_concat(command || ' ' || coalesce(arguments, '')) from operator"), 'input "touch_head true"')
end)

harness.done()
