--- The panic stop by an input line: sensed by a device, set by name at the socket, pressed on a gamepad;
--- while a script loops; latched until it is released.  A release is refused while a line still requests the
--- stop.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local stalls = require "stalls"
local test, files, brio, sql = harness.test, harness.files, harness.brio, harness.sql
local say, ended = harness.say, harness.ended

local model = [[
<robot name="one"><link name="a"/><link name="b"/>
<joint name="pan" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="2" effort="1"/></joint>
</robot>]]

local behavior = [[
local want = require("brio").want
local made = require("brio").behavior "made" { robot = "ur3e", start = "sway" }
local sway = { want.joint_match { joint = "pan", goal = function(self) return 0.8 * math.sin(2 * self.now) end } }
made.sway = { wants = sway }
made.waits = { wants = sway, after = { 0.5, "spins" } }
made.spins = { wants = sway, tick = function() while true do end end }
return made
]]

--- A folder with a robot whose input `stop` has this definition.
local function place(t, stop, start)
  local folder = t:folder()
  files.write(folder .. "/model.urdf", model)
  files.write(folder .. "/made.lua", (
    behavior:gsub('start = "sway"', ('start = "%s"'):format(start or "sway"))))
  files.write(folder .. "/robot.lua",
    ([[return { name = "one", model = "model.urdf", on_loss = "go_on", default_acceleration = 20,
    devices = { neck = { driver = "sim", dofs = { "pan" } } }, inputs = { stop = { %s } } }]]):format(stop))
  return folder, folder .. "/x.db"
end

local function run(folder, ...)
  return brio("run", folder .. "/made.lua", "--robot", folder, "--store", folder .. "/x.db", "--quiet", ...)
end

local function started(folder, ...)
  local one = { socket = folder .. "/x.sock", store = folder .. "/x.db" }
  one.process = harness.start_brio("run", folder .. "/made.lua", "--robot", folder, "--store", one.store,
    "--socket", one.socket, "--quiet", ...)
  return harness.listening(one)
end

--- Wait until a panic stop holds the motors of a run, or does not (`held` false): by the query that a person
--- would type.
local function await_motors(one, held)
  local said
  harness.await(held and "motors held by panic" or "motors that go on", function()
    said = say(one, "motors").out
    return said:find "moving on" and not held or said:find "held by panic" and held
  end, { seen = function() return said end })
end

test("a line of a device is the panic stop, on the fast clock to the period", function(t)
  local folder, store = place(t, 'kind = "button", device = "neck", line = "0=0 0.7=1 0.9=0", panic = true')
  t:code(run(folder, "--clock", "fast", "--for", 2), 0)
  local time = harness.number(store, "select json_extract(data, '$.time') from events where name = 'panic'")
  t:check(time and math.abs(time - 0.7) < 0.004, "at %s", time)
  t:equal(sql(store, "select count(*) from events where name = 'panic'"), "1", "once")
  t:has(sql(store, "select message from faults"), "panic stop: input 'stop' asks for it")
  t:check(harness.number(store, "select max(command) - min(command) from samples where name = 'pan' \z
    and t > 1") < 1e-9, "it stays, though the line asks no more")
  t:equal(sql(store, "select group_concat(value, ' ') from inputs where name = 'stop'"), "false true false",
    "behaviors see it, too")
end)

test("a line of a device stops the motors while a script spins", function(t)
  local folder, store = place(t, 'kind = "button", device = "neck", line = "0=0 0.55=1", panic = true',
    "waits")
  t:code(run(folder, "--for", 1.5), 3) -- the behavior was stopped
  local time = harness.number(store, "select json_extract(data, '$.time') from events where name = 'panic'")
  local heard = harness.number(store, "select t from faults where detail = 'panic'")
  -- The device counts its 0.55 s from the start of its thread, the motors from the start of theirs.
  t:check(time and time > 0, "the motors stopped at %s", time)
  t:has(sql(store, "select group_concat(value, ' ') from inputs where name = 'stop'"), "false true")
  -- The scripts looped until their time budget cut them off; the motors did not wait for that, unless the
  -- machine stalled.
  local stalled = harness.number(store, "select count(*) from faults where " .. stalls.sql)
  t:check(heard and (heard > time or stalled > 0), "the scripts, which spun, heard of it at %s", heard)
  t:has(sql(store, "select group_concat(message) from faults"), "time budget")
end)

test("a closed line means it when it opens, and when its device is gone", function(t)
  local stop = 'kind = "button", device = "neck", line = "0=1 0.6=0", panic = "released"'
  local folder, store = place(t, stop)
  t:code(run(folder, "--clock", "fast", "--for", 1.5), 0)
  local time = harness.number(store, "select json_extract(data, '$.time') from events where name = 'panic'")
  t:check(time and math.abs(time - 0.6) < 0.004, "at %s", time)
  folder, store = place(t, 'kind = "button", device = "neck", line = "0=1", panic = "released"')
  t:code(run(folder, "--clock", "fast", "--for", 2, "--fault", "unplug neck at 0.5"), 0)
  time = harness.number(store, "select json_extract(data, '$.time') from events where name = 'panic'")
  t:check(time and time > 0.7 and time < 1.1, "at %s", time)
  t:has(sql(store, "select group_concat(message) from faults"), "input 'stop' is silent")
end)

local asks_no_more = "select count(*) from inputs where name = 'stop' and value = 'false' and t > 1"

--- Release a run whose line requests the panic stop until `last`, s.  Return the run, or nil when a slow
--- machine was later.
local function released_too_early(t, last)
  local folder = place(t, ('kind = "button", device = "neck", line = "0=0 0.4=1 %g=0", panic = true'):format(
    last))
  local one = started(folder)
  await_motors(one, true)
  local said = say(one, "release").out
  harness.await("an answer to the release", function()
    said = harness.output_of(one.process)
    return said:find "an input still requests it"
      or harness.number(one.store, "select count(*) from events where name = 'motors_go_on'") == 1
  end, { seen = function() return said end })
  if said:find("the panic stop stays: an input still requests it", 1, true) then return one end
  t:check(harness.number(one.store, asks_no_more) == 1, "it went on while the line asked")
  ended(one)
end

test("a line that still asks cannot be released, then it can", function(t)
  local one = released_too_early(t, 2.5) or released_too_early(t, 20) or released_too_early(t, 120)
  t:has(say(one, "motors").out, "held by panic")
  harness.await_row(one.store, asks_no_more)
  t:has(say(one, "motors").out, "held by panic")
  say(one, "release")
  await_motors(one, false)
  ended(one)
  t:equal(sql(one.store, "select count(*) from events where name = 'motors_go_on'"), "1", "it went on once")
end)

test("a named input at the socket is the panic stop while a script spins, and is recorded", function(t)
  local folder = place(t, 'kind = "button", panic = true', "waits")
  local one = started(folder)
  t:code(say(one, "input stop true"), 0)
  await_motors(one, true)
  local _, text = ended(one)
  t:has(text, "panic stop")
  t:equal(sql(one.store, "select group_concat(value || ' ' || source, ', ') from inputs where name = 'stop'"),
    "false rest, true operator", "inputs")
  t:has(sql(one.store, "select group_concat(command || ' ' || arguments) from operator"), "input")
  t:equal(sql(one.store, "select count(*) from events where name = 'panic'"), "1", "one event")
end)

local KEY, SYN = 1, 0
local function event(kind, code, value) return string.pack("<i8i8I2I2i4", 0, 0, kind, code, value) end

test("a gamepad's button that is such an input is the panic stop while a script spins", function(t)
  local folder = place(t, 'kind = "button", panic = true', "waits")
  files.write(folder .. "/map.lua", "return { inputs = { stop = { button = 'BTN_EAST' }, other = { button = \z
    'BTN_SOUTH' } } }")
  os.execute("mkfifo " .. folder .. "/pad")
  local one = started(folder, "--gamepad", folder .. "/map.lua", "--gamepad-device", folder .. "/pad")
  local pad = assert(io.open(folder .. "/pad", "wb"))
  pad:setvbuf "no"
  pad:write(event(KEY, 0x130, 1) .. event(KEY, 0x130, 0) .. event(SYN, 0, 0))
  -- The other button of the map: once it was read, nothing is held.
  harness.await_row(one.store,
    "select count(*) from inputs where name = 'other' and value = 'false' and source = 'gamepad'")
  t:check(not say(one, "motors").out:find "held by panic", "another button does nothing")
  pad:write(event(KEY, 0x131, 1) .. event(SYN, 0, 0))
  await_motors(one, true)
  pad:close()
  ended(one)
  t:equal(sql(one.store, "select count(*) from events where name = 'panic'"), "1", "one event")
  t:has(sql(one.store, "select group_concat(value || ' ' || source) from inputs where name = 'stop'"),
    "true gamepad")
end)

test("what means the panic stop must be a button or a touch", function(t)
  for said, piece in pairs {
    ['kind = "range", panic = true'] = "inputs.stop.panic: only a button or a touch can mean the panic stop",
    ['kind = "button", panic = "pressed"'] = "inputs.stop.panic must be true",
    ['kind = "button", panic = "released"'] = "needs a device that senses it",
    ['kind = "button", device = "nek"'] =
      "inputs.stop.device: there is no device 'nek' (did you mean 'neck'?)",
    ['kind = "button", device = "neck", line = {}'] = "inputs.stop.line must be a text or a number",
  } do
    local folder = place(t, said)
    local ran = run(folder, "--clock", "fast", "--for", 0.1)
    t:check(ran.code ~= 0, "%s: refused", said)
    t:has(ran.text, piece)
  end
end)

harness.done()
