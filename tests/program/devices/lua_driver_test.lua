--- Drivers written in Lua: the one of the docs on an emulated board, and ones that loop, wait, allocate
--- without end, fail or are not drivers.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated = require "emulated"
local test, files, brio = harness.test, harness.files, harness.brio

local example = harness.root .. "/docs/examples/drivers/servo_board.lua"

local model = [[
<robot name="two"><link name="a"/><link name="b"/><link name="c"/>
<joint name="pan" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="2" effort="1"/></joint>
<joint name="tilt" type="revolute"><parent link="b"/><child link="c"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="2" effort="1"/></joint>
</robot>]]

local behavior = [[
local want = require("brio").want
local made = require("brio").behavior "made" { robot = "ur3e", start = "sway" }
local function goal(self) return 0.6 * math.sin(3 * self.now) end
made.sway = { wants = { want.joint_match { joint = "pan", goal = goal }, want.joint_match { joint = "tilt", goal = goal } } }
return made
]]

local robot = [[
return { name = "two", model = "model.urdf", on_loss = "go_on",
  devices = { neck = { driver = "%s", dofs = { "pan" }, settings = { %s } }, rest = { driver = "sim", dofs = { "tilt" } } } }
]]

--- A folder with a robot whose pan is driven by `driver`, a file's name, and its text.
local function place(t, driver, source, settings)
  local folder = t:folder()
  files.write(folder .. "/model.urdf", model)
  files.write(folder .. "/made.lua", behavior)
  files.write(folder .. "/robot.lua", robot:format(driver, settings or ""))
  if source then files.write(folder .. "/" .. driver, source) end
  return folder
end

local function run(folder, ...)
  os.remove(folder .. "/x.db")
  return brio("run", folder .. "/made.lua", "--robot", folder, "--store", folder .. "/x.db", "--quiet", ...)
end

--- A driver without a device: the text of a file whose `read` and `write` contain `what`.
local function toy(write, read, more)
  return ([[
local at = {}
return { name = "toy", doc = "A toy.", %s
  open = function(axes) for i, axis in ipairs(axes) do at[i] = axis.start end return { n = #axes } end,
  write = function(self, targets) %s for i, target in ipairs(targets) do at[i] = target or at[i] end end,
  read = function(self) %s return at end }
]]):format(more or "simulated = true,", write or "", read or "")
end

local function spread(folder, name)
  return harness.number(folder .. "/x.db",
    ("select max(measured) - min(measured) from samples where name = '%s'"):format(name)) or 0
end

--- Start a run that is recorded in folder/x.db and goes on until `stop`.
local function start(folder, ...)
  os.remove(folder .. "/x.db")
  local store = folder .. "/x.db"
  return harness.start_brio("run", folder .. "/made.lua", "--robot", folder, "--store", store, "--quiet", ...)
end

--- Wait until a joint has moved by this much since `from` (s of robot time; nil: since the start).
local function moves(folder, name, by, from)
  local query = "select max(measured) - min(measured) > %g from samples where name = '%s' and t > %.6f"
  harness.await_row(folder .. "/x.db", query:format(by, name, from or -1))
end

--- Wait until a joint moves on from now.
local function goes_on(folder, name)
  moves(folder, name, 0.1, harness.number(folder .. "/x.db", "select max(t) from samples"))
end

--- End a run as a person does; return its output.
local function stop(t, process)
  harness.signal(process, "INT")
  local code, text = harness.wait(process)
  t:check(code == 0, "exit code %s: %s", tostring(code), text)
  return text
end

test("the driver of the docs moves a board over a serial line, and reads it", function(t)
  local folder = place(t, "servo_board.lua", files.read(example))
  local bus = emulated.start("line", "--servos", 1, "--link", folder .. "/bus")
  files.write(folder .. "/robot.lua", robot:format("servo_board.lua", ("port = '%s/bus'"):format(folder)))
  local process = start(folder, "--arm")
  moves(folder, "pan", 0.4)
  -- It follows: in some half of a second it moves and lags by less than 0.3.  (A stall may delay it.)
  harness.await_row(folder .. "/x.db", [[select count(*) from (select 1 from samples where name = 'pan'
    group by cast(2 * t as int) having max(abs(command - measured)) < 0.3
    and max(measured) - min(measured) > 0.2 and count(*) > 50)]])
  stop(t, process)
  t:code(run(folder, "--for", 0.5), 0)
  t:check(spread(folder, "pan") < 0.01, "disarmed it stays, but for %g", spread(folder, "pan"))
  bus:stop()
end)

test("its board is unplugged and plugged in on another port, and comes back by itself", function(t)
  local folder = place(t, "servo_board.lua", files.read(example), "")
  files.write(folder .. "/robot.lua", robot:format("servo_board.lua", ("port = '%s/bus'"):format(folder)))
  local bus = emulated.start("line", "--servos", 1, "--link", folder .. "/bus")
  local process = start(folder, "--arm")
  moves(folder, "pan", 0.4)
  bus:unplug()
  emulated.await_lost(process)
  harness.await_output(process, "device 'neck' does not answer: it holds, the others go on (")
  goes_on(folder, "tilt") -- the other device
  bus:plug()
  emulated.await_back(process)
  harness.await_output(process, "device 'neck' answers again")
  goes_on(folder, "pan")
  stop(t, process)
  bus:stop()
end)

test("the page of the docs shows the driver that is tried here", function(t)
  local page = files.read(harness.root .. "/docs/devices/writing-a-driver.md")
  t:check(page:find("```lua\n" .. files.read(example) .. "```", 1, true),
    "docs/devices/writing-a-driver.md is not current")
end)

test("brio drivers explains a driver in a file", function(t)
  local ran = brio("drivers", example)
  t:code(ran, 0)
  t:has(ran.out, "Hobby servos on a board that speaks lines of text, in Lua.")
  t:has(ran.out, 'port               text       default "/dev/ttyUSB0": The serial port.')
  t:has(ran.out, "When it hears nothing: The servos hold the last pulse.")
  t:check(harness.is_json(brio("drivers", example, "--json").out), "JSON")
  t:code(brio("drivers", "/no/such.lua"), 1)
end)

test("a port belongs to one engine, whatever the device on it is called, and another port to \z
  another", function(t)
  local settings = { "port = '/dev/null'", "port = '/dev/zero'" }
  local source = toy(nil, nil, "settings = { { name = 'port', doc = 'The port.', default = '' } },")
  local first = place(t, "toy.lua", source, settings[1])
  local one = harness.start_brio("run", first .. "/made.lua", "--robot", first, "--store", "none", "--quiet",
    "--socket", first .. "/s")
  harness.listening { process = one, socket = first .. "/s" }
  local other, renamed = place(t, "toy.lua", source, settings[2]), place(t, "toy.lua", source, settings[1])
  files.write(renamed .. "/robot.lua", (files.read(renamed .. "/robot.lua"):gsub("neck =", "nape =")))
  t:code(run(other, "--for", 0.2), 0)
  local ran = run(renamed, "--for", 0.2)
  t:check(ran.code ~= 0, "the same port")
  t:has(ran.text, "device 'nape' is driven by another engine")
  harness.signal(one, "INT")
  t:code(select(1, { code = harness.wait(one), text = "", command = "the first" }), 0)
  t:code(run(renamed, "--for", 0.2), 0)
end)

test("a driver in Lua moves an axis on the fast clock, twice the same", function(t)
  local digests = {}
  for round = 1, 2 do
    local folder = place(t, "toy.lua", toy())
    t:code(run(folder, "--clock", "fast", "--for", 2), 0)
    t:check(spread(folder, "pan") > 1, "it moved by %g", spread(folder, "pan"))
    digests[round] = harness.sql(folder .. "/x.db", "select commands_hash from runs")
  end
  t:equal(digests[1], digests[2], "commands")
end)

--- A driver whose motors have an inertia of 0.05 kg m^2 and are pushed by 2 N m: `%s` is its other functions.
local pushed = [[
local at, speed, command = {}, {}, {}
local function torque(c, i)
  local wanted = c.stiffness * (c.target - at[i]) + c.damping * (c.speed - speed[i]) + c.torque
  return math.max(-c.limit, math.min(c.limit, wanted))
end
return { name = "toy", doc = "A toy.", simulated = true,
  open = function(axes) for i, axis in ipairs(axes) do at[i], speed[i] = axis.start, 0 end return {} end,
  write = function() return nil, "it has no positions" end,
  step = function(self, dt)
    for i, c in ipairs(command) do
      for _ = 1, 10 do
        speed[i] = speed[i] + dt / 10 * (torque(c, i) + 2) / 0.05
        at[i] = at[i] + dt / 10 * speed[i]
      end
    end
  end,
  read = function(self)
    local list = {}
    for i, c in ipairs(at) do
      list[i] = { position = c, velocity = speed[i], torque = command[i] and torque(command[i], i) }
    end
    return list
  end, %s }
]]

test("a driver in Lua gets impedances where the robot's file has a control, and is refused \z
  without", function(t)
  local takes = "write_impedances = function(_, list) for i, c in ipairs(list) do command[i] = c or \z
    command[i] end end,"
  local folder = place(t, "toy.lua", pushed:format(takes))
  local file, control = files.read(folder .. "/robot.lua"), "control = { pan = { stiffness = %d, damping = \z
    2, torque = %g, gravity = false } }, devices ="
  files.write(folder .. "/made.lua", (behavior:gsub("0.6 %* math.sin%(3 %* self.now%)", "0.3")))
  --- Where the axis is at the end of 3 s.
  local function ends(stiffness, torque)
    files.write(folder .. "/robot.lua", (file:gsub("devices =", control:format(stiffness, torque), 1)))
    t:code(run(folder, "--clock", "fast", "--for", 3), 0)
    return harness.number(folder .. "/x.db",
      "select measured from samples where name = 'pan' order by t desc limit 1")
  end
  -- It yields by torque / stiffness, and is pushed away by more than its limit.
  for _, stiffness in ipairs { 20, 80 } do
    local at = ends(stiffness, 5)
    t:check(math.abs(at - 0.3 - 2 / stiffness) < 0.005, "%g N m/rad: it is at %g", stiffness, at)
  end
  t:check(ends(80, 1) > 1, "a limit of less than what pushes")
  files.write(folder .. "/toy.lua", (pushed:format ""))
  local ran = run(folder, "--clock", "fast", "--for", 1)
  t:check(ran.code ~= 0, "taken")
  t:has(ran.text, "control of 'pan': the driver 'toy' of device 'neck' takes positions alone")
end)

--- Faults of a driver: each costs the run only that driver's device, with a report; the other device goes on.
local spin = "if self.n == 1 then self.calls = (self.calls or 0) + 1 if self.calls > 100 then %s end end"
--- `make test` tries one of the three that spin, another each day; `make soak` all.
local day = tonumber(os.getenv "BRIO_TEST_SEED" or "") or os.time() // 86400
for number, case in ipairs {
  { "that spins", spin:format "while true do end", nil, "it used up its time budget" },
  { "that spins around pcall", spin:format "while true do pcall(function() while true do end end) end", nil,
    "it used up its time budget" },
  { "that spins in a coroutine", spin:format "coroutine.wrap(function() while true do end end)()", nil,
    "it used up its time budget" },
  { "with a pattern that never ends", spin:format "(('a'):rep(60000)):find(('a?'):rep(40) .. ('a'):rep(40) \z
    .. 'b')", nil, "it used up its time budget" },
  { "that hoards memory", spin:format "local all = {} while true do all[#all + 1] = ('x'):rep(1e6) end", nil,
    nil },
  { "that raises", nil, spin:format "self.none.at = 1", "attempt to index a nil value (field 'none')" },
  { "whose device fails", nil, spin:format "do return nil, 'the wire is cut', 'io' end", "the wire is cut" },
  { "that reports rubbish", nil, spin:format "do return { 'far', {} } end", nil },
  { "that returns no list", nil, spin:format "do return 7 end", "read must return a list" },
} do
  if harness.scale == 1 and number <= 3 and number ~= day % 3 + 1 then goto next_case end
  local what, write, read, sentence = table.unpack(case)
  test("a driver " .. what .. " is that device's fault alone", function(t)
    local folder = place(t, "toy.lua", toy(write, read))
    local process = start(folder)
    harness.await_output(process, "device 'neck' does not answer")
    if sentence then harness.await_output(process, sentence) end
    goes_on(folder, "tilt")
    stop(t, process)
    t:equal(harness.sql(folder .. "/x.db", "pragma integrity_check"), "ok", "the store")
  end)
  ::next_case::
end

test("a driver that waits stalls its own thread alone", function(t)
  local wait = 'if not self.port then self.port = require("brio.serial").open(%q) end \z
    if self.port then self.port:read(1, 60) end'
  local folder = place(t, "toy.lua", "")
  local bus = emulated.start("line", "--servos", 1, "--link", folder .. "/bus")
  files.write(folder .. "/toy.lua", toy(nil, wait:format(folder .. "/bus")))
  local process = start(folder)
  harness.await_output(process, "device 'neck' does not answer")
  goes_on(folder, "tilt")
  stop(t, process) -- and the run ends without waiting for the driver
  bus:stop()
end)

test("files that are no drivers are refused with a sentence, and so are settings they do not \z
  have", function(t)
  for _, case in ipairs {
    { "return 1", "must return a table" }, { "return {", "unexpected symbol|expected" },
    { "return { name = 'x', doc = 'y' }", "a driver needs 'open'" },
    { "return { name = 'x', doc = 'y', opne = 1 }", "a driver has no field 'opne' (did you mean 'open'?)" },
    { toy():gsub("open = function", "open = 1, close = function"), "open must be a function, not a number" },
    { toy(nil, nil, "settings = { { name = 'a', doc = 'b' } },"), "settings[1] needs 'default'" },
    { "while true do end", "it used up its time budget|it waited for too long" },
      { "io.open '/etc/passwd'", "unknown name 'io'" },
    { "error { 1 }", "table" }, { toy():gsub("return { n = #axes }", "return nil, 'nothing is plugged in'"),
      "nothing is plugged in" },
    { toy():gsub("return { n = #axes }", "return"), "open returned no device" },
    { toy(nil, nil, "settings = { { name = 'a', doc = 'b', default = 9, upper = 3 } },"),
      "default must be from lower to upper" },
  } do
    local folder = place(t, "toy.lua", case[1])
    local ran = run(folder, "--clock", "fast", "--for", 0.1)
    t:check(ran.code ~= 0, "%s: refused", case[1])
    local good = false
    for piece in case[2]:gmatch "[^|]+" do good = good or ran.text:find(piece, 1, true) end
    t:check(good, "'%s' in '%s'", case[2], ran.text)
  end
  local folder = place(t, "toy.lua", toy(), "speed = 3")
  t:has(run(folder, "--clock", "fast", "--for", 0.1).text, "driver 'toy' has no setting 'speed'")
end)

test("a driver in Lua has inputs, gains and a watchdog if it says so", function(t)
  local source = toy(nil, nil, [[watchdog = true,
  configure = function(self, config)
    self.config = config
    if math.abs(config.watchdog - 0.25) > 1e-9 then return nil, 'watchdog ' .. tostring(config.watchdog), 'misuse' end
    if config.inputs[1].line ~= 'A0' then return nil, 'line ' .. config.inputs[1].line, 'misuse' end
    return true
  end,
  sense = function(self) self.reads = (self.reads or 0) + 1 return { palm = self.reads > 200, body = { rate = { 1, 2, 3 } } } end,
  simulated = true,]])
  local folder = place(t, "toy.lua", source)
  files.write(folder .. "/robot.lua", [[return { name = "two", model = "model.urdf",
    devices = { neck = { driver = "toy.lua", dofs = { "pan", "tilt" }, watchdog = 0.25 } },
    inputs = { palm = { kind = "touch", device = "neck", line = "A0" }, body = { kind = "imu", device = "neck" } } }]])
  -- inputs come in the order of names
  local swapped = files.read(folder .. "/toy.lua"):gsub("inputs%[1%]", "inputs[2]")
  files.write(folder .. "/toy.lua", swapped)
  t:code(run(folder, "--clock", "fast", "--for", 1), 0)
  t:equal(harness.sql(folder .. "/x.db", "select group_concat(value, ' ') from inputs where name = 'palm'"),
    "false true", "palm")
  t:has(harness.sql(folder .. "/x.db", "select value from inputs where name = 'body' and source = 'device'"),
    '"rate":[1.0,2.0,3.0]')
  t:has(harness.sql(folder .. "/x.db", "select name || ' ' || data from events"), "touched")
end)

harness.done()
