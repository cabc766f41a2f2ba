--- Shared control from outside: a line at the prompt, a gamepad's event and a tracker's datagram each move
--- the robot within two ticks, and nothing else; the store has the owner. One run on the real clock.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local uv = require "luv"
local test, files = harness.test, harness.files

local KEY, ABS, SYN = 1, 3, 0

--- The bytes of struct input_event, as a 64-bit kernel writes them.
local function event(kind, code, value) return string.pack("<i8i8I2I2i4", 0, 0, kind, code, value) end

local report = event(SYN, 0, 0)

local folder = files.temporary()
local store, socket, pad_path = folder .. "/x.db", folder .. "/x.sock", folder .. "/pad"
files.write(folder .. "/made.lua", [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "probo", start = "calm", character = { control = { joystick = true } } }
made.calm = { wants = { brio.want.joint_limits {} } }
return made
]])
os.execute("mkfifo " .. pad_path)

--- A UDP port that is free now.
local function free_port()
  local udp = uv.new_udp()
  assert(udp:bind("127.0.0.1", 0))
  local port = udp:getsockname().port
  udp:close()
  uv.run "nowait"
  return port
end

local port, run
for _ = 1, 20 do -- another program may take the port meanwhile
  port = free_port()
  run = { socket = socket }
  run.process = harness.start_brio("run", folder .. "/made.lua", "--store", store, "--socket", socket,
    "--quiet", "--gamepad", "standard", "--gamepad-device", pad_path, "--tracker", tostring(port))
  harness.listening(run)
  if not harness.has_ended(run.process) then break end
  harness.wait(run.process)
end

local function say(lines) return harness.say(run, lines, "--as", "ann") end

--- Repeat a query until its answer matches.
local function shows(line, piece) return harness.await_answer(run, line, piece, "--as", "ann") end

local function says(t, line, piece)
  local answer = say(line)
  t:code(answer, 0)
  t:has(answer.out, piece)
end

local function refuses(t, line, piece)
  local answer = say(line)
  t:code(answer, 3)
  t:has(answer.err, piece)
end

local write_only = uv.constants.O_WRONLY | uv.constants.O_NONBLOCK
local pad = harness.await("a run that reads the gamepad", function()
  return (uv.fs_open(pad_path, write_only, 0))
end)

local function press(bytes) assert(uv.fs_write(pad, bytes, -1) == #bytes, "a pipe that is full") end

local udp = uv.new_udp()

local function datagram(text) assert(udp:try_send(text, "127.0.0.1", port)) end

test("a person at the prompt takes, shares, moves and gives; what is wrong is said", function(t)
  shows("state", "calm, for")
  says(t, "take", "nothing is taken; parts: brows, ears, eyes, face, head, lids, mouth, trunk")
  says(t, "take head", "head: yours")
  says(t, "joint NeckPan 0.4", "NeckPan: goes to 0.4")
  shows("why NeckPan", "take head owns it (operator)")
  says(t, "take", "~head +1 +ann.-NeckPan NeckTilt NeckSwing")
  says(t, "share head 0.5", "head: 0.5 of it is yours")
  says(t, "level gaze 0.25 0.1", "gaze: goes to level 0.25 in 0.1 s")
  shows("level", "~gaze +0.25 +0.25")
  says(t, "give head 0.3", "head: given back")
  refuses(t, "take haed", "did you mean 'head'")
  refuses(t, "give head", "nobody has taken head")
  refuses(t, "share head 2", "a share is a number from 0 to 1")
  refuses(t, "joint NeckPan 9", "NeckPan goes from -1.05 to 1.05 rad, not to 9")
  refuses(t, "level gaze", "say level VALUE")
  shows("self.control:taken 'head'", "false")
end)

--- To the right, where the head has not been: the lines before may leave it anywhere from 0 to 0.4.
local function turned_head(seq)
  local said = '{"link":"head","orientation":[0,0,%.4f,%.4f],"seq":%d}'
  datagram(said:format(-math.sin(0.1), math.cos(0.1), seq))
end

local taken = "SELECT min(tick) FROM events WHERE name = 'take' AND data LIKE '%head pose%'"

--- The number of ticks after a tick until a column of an axis's samples changes.
local function ticks_until(tick, dof, column)
  return harness.number(store, ([[SELECT min(tick) - TICK FROM samples WHERE run = 1 AND name = 'DOF'
    AND tick >= TICK AND abs(WHAT - (SELECT WHAT FROM samples WHERE run = 1 AND name = 'DOF' AND tick < TICK
      ORDER BY tick DESC LIMIT 1)) > 0]]):gsub("%u+",
    { TICK = ("%d"):format(tick), DOF = dof, WHAT = column }))
end

test("a gamepad and a tracker move what they mean; rubbish is counted", function(t)
  press(event(ABS, 3, 32767) .. report) -- the right stick to the right: the trunk
  shows("why TrunkPan", "(operator)")
  says(t, "joystick", "~stick_right +dead zone 0.265.-stick_right +place TrunkPan TrunkTilt")
  press(event(ABS, 3, 0) .. event(KEY, 0x130, 1) .. event(KEY, 0x130, 0) .. report)
  for seq = 1, 15 do
    turned_head(seq)
    if seq == 5 then datagram '{"link":"head","orient' end
  end
  shows("tracker", "~head: orientation of head, .-cut 1, taken 15")
  says(t, "joystick dead stick_right 0.3", "dead zone 0.3")
  refuses(t, "joystick dead 0.5", "from 0 to 0.3")
  harness.await_row(store, "SELECT count(*) FROM operator WHERE command = 'play'")
  local tick = math.tointeger(tonumber(harness.await_row(store, taken)))
  local seq = 15
  -- The tracker goes on: while it sends nothing for the head, the head is released.
  harness.await("the head to follow the tracker", function()
    for _ = 1, 5 do
      seq = seq + 1
      turned_head(seq)
      harness.sleep(0.02) -- the rate of a tracker
    end
    return ticks_until(tick, "NeckPan", "goal")
  end)
end)

test("each was a command within two ticks, and the store tells whose", function(t)
  uv.fs_close(pad)
  udp:close()
  say "stop\nstop"
  local _, text = harness.wait(run.process)
  t:has(text, "a tracker's datagram is refused: it is no whole JSON")
  --- Whether the machine stalled for over 0.1 s between two ticks.
  local function stalled(from, to)
    local latest = "SELECT max(late_us) FROM solves WHERE run = 1 AND tick BETWEEN %d AND %d"
    return (harness.number(store, latest:format(from, to)) or 0) > 100000
  end
  local rows = {
    prompt = { "SELECT tick FROM operator WHERE command = 'joint'", "NeckPan" },
    gamepad = { "SELECT min(tick) FROM inputs WHERE name = 'stick_right_x' AND value <> '0'", "TrunkPan" },
    tracker = { taken, "NeckPan" },
  }
  for what, row in pairs(rows) do
    local tick = harness.number(store, row[1])
    local late = tick and ticks_until(tick, row[2], "goal")
    local soon = late and late >= 0 and (late <= 2 or stalled(tick, tick + late)) -- the robot held meanwhile
    t:check(soon, "%s: %s ticks", what, tostring(late))
    print(("#   %s: %s ticks to the pose, %s to the command"):format(what, late, tick and
      ticks_until(tick, row[2], "command"))) -- of the motor thread, which a busy machine may delay
  end
  local late = "SELECT min(late_ms) FROM operator WHERE command IN ('take', 'joint', 'play')"
  t:check(harness.number(store, late) >= 0, "late_ms is there")
  t:equal(harness.sql(store, "SELECT group_concat(DISTINCT whose) FROM ownership WHERE dof IN ('NeckPan', \z
    'TrunkPan')"), "operator", "whose")
  t:equal(harness.sql(store, "SELECT group_concat(DISTINCT dof) FROM (SELECT dof FROM ownership WHERE owner \z
    LIKE 'take%' ORDER BY dof)"), "NeckPan,NeckSwing,NeckTilt,TrunkPan,TrunkTilt", "what was taken")
  t:equal(harness.sql(store, "SELECT group_concat(command || ' ' || coalesce(who, '')) FROM operator WHERE \z
    command IN ('take', 'play')"), ("take ann (%s),play gamepad"):format(files.output "id -un"), "who")
end)

test("ports and clocks that cannot be are refused", function(t)
  local function refused(piece, ...)
    local answer = harness.brio("run", folder .. "/made.lua", "--store", "none", "--for", "0.1", ...)
    t:check(answer.code ~= 0, "it ran")
    t:has(answer.err, piece)
  end
  refused("--tracker must be a port", "--tracker", "nose")
  refused("--tracker must be a port", "--tracker", "70000")
  refused("needs the real clock", "--tracker", "9000", "--clock", "fast")
  refused("no IPv4 address", "--tracker", "300.1.1.1:9000")
end)

files.remove(folder)
harness.done()
