--- Inputs of a run from outside: at the prompt, and from a gamepad whose events come through a pipe.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local uv = require "luv"
local test, files = harness.test, harness.files
local say, ended = harness.say, harness.ended

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

--- A run with a socket for prompts; its robot may not move yet.
local function begun(t, ...)
  local folder = t:folder()
  local run = { socket = folder .. "/x.sock", folder = folder, store = folder .. "/x.db" }
  files.write(folder .. "/made.lua", behavior)
  run.process = harness.start_brio("run", folder .. "/made.lua", "--store", run.store, "--socket", run.socket,
    "--quiet", "--rate", 50, "--motor-rate", 200, ...) -- slow, for machines with much to do
  return harness.listening(run)
end

local function started(t, ...)
  local run = begun(t, ...)
  harness.await_answer(run, "state", "calm, for")
  return run
end

--- Repeat a query until its answer matches: a run processes outside input between two ticks.
local shows = harness.await_answer

local function says(t, run, line, piece)
  local answer = say(run, line)
  t:code(answer, 0)
  t:has(answer.out, piece)
end

test("a person at the prompt sets inputs, and sets them free", function(t)
  local run = started(t)
  says(t, run, "input", "~touch_head +false +%(touch, from rest%)")
  says(t, run, "input touch_head true", "touch_head: true, until `input touch_head off`")
  shows(run, "memory.count", "1")
  says(t, run, "input touch_head", "~true +%(touch, until `input touch_head off`, from operator%)")
  says(t, run, "self.inputs.touch_head", "true")
  says(t, run, "input touch_head off", "is the world's again")
  shows(run, "self.inputs.touch_head", "false")
  for line, piece in pairs { ["input touch_haed"] = "did you mean 'touch_head'",
      ["input touch_head 3"] = "must be true or false",
      ["input sonar_front -1"] = "must be meters, at least 0" } do
    local answer = say(run, line)
    t:code(answer, 3)
    t:has(answer.err, piece)
  end
  t:has(harness.brio("monitor", run.socket).out, "~inputs.- touch_head false")
  ended(run)
  t:equal(harness.sql(run.store, "select value || ' ' || source from inputs where name = 'touch_head' order \z
    by id"),
    "false rest\ntrue operator\nfalse rest", "the record")
  t:equal(harness.sql(run.store, "select detail from states where cause = 'event'"), "", "no state was left")
  t:has(harness.sql(run.store, "select group_concat(name || ' ' || source) from events"), "touched operator")
  t:has(harness.sql(run.store, "select group_concat(command || ' ' || coalesce(arguments, '')) from \z
    operator"), 'input "touch_head true"')
end)

-- ------------------------------------------------------------------ a gamepad

local KEY, ABS, SYN = 1, 3, 0

--- The bytes of struct input_event, as a 64-bit kernel writes them.
local function event(kind, code, value) return string.pack("<i8i8I2I2i4", 0, 0, kind, code, value) end

local report = event(SYN, 0, 0)

--- A pipe in place of a gamepad.
local function pipe_in(folder)
  local path = folder .. "/pad"
  os.execute("mkfifo " .. path)
  return path
end

local write_only = uv.constants.O_WRONLY | uv.constants.O_NONBLOCK

--- Wait until the run reads the pipe, and write to it: {write, close}.
local function opened(path)
  local fd = harness.await("a reader of " .. path, function() return (uv.fs_open(path, write_only, 0)) end)
  local pad = {}
  function pad.write(_, bytes) assert(uv.fs_write(fd, bytes, -1) == #bytes, "a pipe that is full") end
  function pad.close() uv.fs_close(fd) end
  return pad
end

test("sticks and buttons become inputs, with dead zones, in several pieces", function(t)
  local folder = t:folder()
  local path = pipe_in(folder)
  local run = started(t, "--gamepad", "standard", "--gamepad-device", path)
  says(t, run, "input", "~stick_left_x +0 1 +%(axis, from rest%)")
  local pad = opened(path)
  local press = event(KEY, 0x130, 1) .. report
  pad:write(event(ABS, 0, 32767) .. event(ABS, 1, -32768) .. event(ABS, 3, 2000) .. event(ABS, 5, 255)
    .. event(ABS, 16, -1) .. report .. press:sub(1, 7))
  shows(run, "self.inputs.stick_left_x", "1.0\n")
  pad:write(press:sub(8))
  shows(run, "self.inputs.pad_south", "true")
  says(t, run, "self.inputs.stick_left_y", "1.0\n")
  says(t, run, "self.inputs.stick_right_x", "0\n")
  says(t, run, "self.inputs.trigger_right", "1.0\n")
  says(t, run, "self.inputs.cross_x", "-1.0\n")
  pad:write(event(KEY, 0x130, 2) .. event(KEY, 0x130, 0) .. event(KEY, 0x131, 1) .. event(KEY, 0x131, 0)
    .. report)
  harness.await_row(run.store, "select count(*) = 3 from inputs where name = 'pad_east'")
  says(t, run, "self.inputs.pad_south", "false")
  pad:close()
  local _, text = ended(run)
  t:has(text, "~pressed pad_south.-released pad_south")
  t:has(text, "~pressed pad_east.-released pad_east")
  t:equal(harness.sql(run.store, "select group_concat(value, ' ') from inputs where name = 'pad_east'"),
    "false true false", "the record")
  t:equal(harness.sql(run.store, "select distinct source from inputs where name = 'pad_east' and value = \z
    'true'"), "gamepad", "source")
end)

test("a gamepad may go and come; what is gone counts as let go", function(t)
  local folder = t:folder()
  local path = folder .. "/pad"
  local run = started(t, "--gamepad", "standard", "--gamepad-device", path)
  pipe_in(folder)
  local pad = opened(path)
  pad:write(event(ABS, 0, -32768) .. event(KEY, 0x133, 1) .. report)
  shows(run, "self.inputs.stick_left_x", "-1.0\n")
  pad:close()
  shows(run, "self.inputs.stick_left_x", "~^0\n")
  says(t, run, "self.inputs.pad_north", "false")
  pad = opened(path)
  pad:write(event(ABS, 0, 32767) .. report)
  shows(run, "self.inputs.stick_left_x", "~^1.0\n")
  -- SYN_DROPPED
  pad:write(event(SYN, 3, 0) .. event(KEY, 0x130, 1) .. report .. event(KEY, 0x131, 1) .. report)
  shows(run, "self.inputs.pad_east", "true")
  says(t, run, "self.inputs.stick_left_x", "~^0\n")
  says(t, run, "self.inputs.pad_south", "false")
  pad:close()
  shows(run, "self.inputs.pad_east", "false")
  local _, text = ended(run)
  t:has(text, "~there is a gamepad.-the gamepad is gone: its sticks and buttons count as released.-there \z
    is a \z
    gamepad")
  t:equal(harness.sql(run.store, "select group_concat(name) from events where name like 'gamepad%'"),
    "gamepad_found,gamepad_lost,gamepad_found,gamepad_lost", "events")
end)

test("the panic button stops the motors at once, stays, and is recorded", function(t)
  local folder = t:folder()
  local path = pipe_in(folder)
  local run = begun(t, "--gamepad", "standard", "--gamepad-device", path)
  local pad = opened(path)
  -- this early the motors may not have started: the input counts nevertheless
  pad:write(event(KEY, 0x13c, 1) .. event(KEY, 0x13c, 0) .. report)
  shows(run, "motors", "held by panic")
  says(t, run, "release", "continue")
  local answer
  harness.await("motors that are released", function()
    answer = say(run, "motors").out
    return answer:find "moving on" and not answer:find "panic"
  end, { seen = function() return answer end })
  pad:close()
  ended(run)
  t:has(harness.sql(run.store, "select group_concat(who || ' ' || command) from operator"), "gamepad panic")
end)

test("rubbish from a gamepad moves nothing, and mappings that are wrong are refused", function(t)
  local folder = t:folder()
  local path = pipe_in(folder)
  local run = started(t, "--gamepad", "standard", "--gamepad-device", path)
  local pad = opened(path)
  local rubbish = {}
  for i = 1, 24 * 400 do rubbish[i] = string.char(i * 7919 % 251) end
  pad:write(table.concat(rubbish))
  pad:write(event(KEY, 0xffff, 1) .. event(ABS, 0x3f, 2147483647) .. event(99, 0, 1) .. report)
  pad:write(event(ABS, 0, 32767) .. report)
  shows(run, "self.inputs.stick_left_x", "1.0\n") -- all written before the run reads it
  says(t, run, "state", "calm")
  pad:close()
  ended(run)
  local function refused(text, piece, ...)
    files.write(folder .. "/map.lua", text)
    local answer = harness.brio("run", run.folder .. "/made.lua", "--store", "none", "--for", "0.1",
      "--gamepad", folder .. "/map.lua", ...)
    t:code(answer, 2)
    t:has(answer.err, piece)
  end
  refused("return 1", "map.lua: a mapping must be a table")
  refused("return { inputs = { a = { axis = 'ABS_Q' } } }",
    "inputs.a.axis must be the name of an axis, such as ABS_X")
  refused("return { inputs = { a = { buton = 1 } } }",
    "inputs.a has no field 'buton' (did you mean 'button'?)")
  refused("return { inputs = { a = {} } }", "must have either an axis or a button")
  refused("return { inputs = { a = { axis = 'ABS_X', dead = 1 } } }", "inputs.a.dead must be from 0 to 0.99")
  refused("return { inputs = { a = { axis = 'ABS_X', lower = 1, upper = 0 } } }", "lower must be below upper")
  refused("return { panic = { 'BTN_MOED' }, inputs = {} }",
    "must be the name of a button, such as BTN_SOUTH (did you mean 'BTN_MODE'?)")
  refused("return { inputs = { a = { button = 'BTN_SOUTH' } } }", "needs the real clock", "--clock", "fast")
  refused("return os.exit()", "map.lua")
  t:code(harness.brio("run", run.folder .. "/made.lua", "--store", "none", "--gamepad-device", "x"), 2)
end)

harness.done()
