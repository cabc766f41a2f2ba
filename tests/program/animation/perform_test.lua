--- `brio perform`: a recording and a stream drive a running robot; a source that falls silent is released.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local uv = require "luv"
local test, brio = harness.test, harness.brio

local folder = harness.files.temporary()
local store, socket = folder .. "/run.db", folder .. "/run.sock"

--- A person who raises the right arm, in BVH: cm, y up, facing z.
local function film()
  local joints = {}
  local function joint(name, x, y, z, inside)
    return ("JOINT %s\n{\nOFFSET %g %g %g\nCHANNELS 3 Zrotation Xrotation Yrotation\n%s}\n"):format(name, x,
      y, z, inside)
  end
  local tip = "End Site\n{\nOFFSET 0 -15 0\n}\n"
  joints[1] = joint("LeftArm", 20, 45, 0, joint("LeftForeArm", 0, -30, 0, joint("LeftHand", 0, -25, 0, tip)))
  joints[2] = joint("RightArm", -20, 45, 0,
    joint("RightForeArm", 0, -30, 0, joint("RightHand", 0, -25, 0, tip)))
  local lines = { "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition \z
    Zrotation Xrotation Yrotation\n"
    .. table.concat(joints) .. joint("Head", 0, 60, 0, tip)
      .. "}\nMOTION\nFrames: 60\nFrame Time: 0.0333333\n" }
  for frame = 1, 60 do
    local numbers = {}
    for index = 1, 6 + 7 * 3 do numbers[index] = "0" end
    numbers[6 + 9 + 2] = ("%g"):format(-90 * math.min(1, frame / 30)) -- RightArm about x: forward and up
    lines[#lines + 1] = table.concat(numbers, " ")
  end
  return table.concat(lines, "\n") .. "\n"
end
harness.files.write(folder .. "/film.bvh", film())

harness.files.write(folder .. "/still.lua", [[
local brio = require "brio"
local still = brio.behavior "still" { robot = "pepper", start = "stand" }
still.stand = { wants = { brio.want.joint_match { joint = "HeadYaw", goal = 0 } } }
return still
]])

local run = harness.start_brio("run", folder .. "/still.lua", "--quiet", "--store", store, "--socket", socket)

test("a run is there to perform on", function(t)
  harness.listening { socket = socket, process = run }
  t:check(not harness.has_ended(run), "the run ended: %s", harness.output_of(run))
end)

test("a film drives the arm, and lets it go at its end", function(t)
  --- Play the film; return how far the arm went, rad.
  local function played()
    local done = brio("perform", folder .. "/film.bvh", "--run", socket, "--as", "ann")
    t:code(done, 0)
    harness.await_row(store, "SELECT ended IS NOT NULL FROM sources WHERE name = 'ann' ORDER BY id DESC \z
      LIMIT 1")
    return harness.number(store, "SELECT min(command) FROM samples WHERE run = 1 AND name = 'RShoulderPitch'")
  end
  local raised
  harness.await("the arm to rise", function() -- on a busy machine the robot waits, and the film goes on
    raised = played() or raised
    return raised and raised < 0.6
  end, { seen = function() return ("it went to %s rad only"):format(tostring(raised)) end })
  t:check(harness.number(store, "SELECT count(*) FROM inputs WHERE name = 'perform ann'") > 5,
    "frames are recorded")
end)

--- A port that nobody uses.
local function free_port()
  local one = uv.new_udp()
  assert(one:bind("127.0.0.1", 0))
  local port = one:getsockname().port
  one:close()
  return port
end

test("datagrams drive the head; wrong ones are named once; who falls silent is let go of", function(t)
  local port = free_port()
  local stream = harness.start_brio("perform", "--udp", port, "--run", socket, "--as", "bob")
  harness.await_output(stream, "listening")
  local sender = uv.new_udp()
  local function send(text) assert(sender:try_send(text, "127.0.0.1", port)) end
  harness.await("the head to turn", function()
    send '{"dofs":{"HeadYaw":0.4}}'
    send "rubbish\n"
    harness.sleep(0.05) -- like a stream, at its frame rate
    return (harness.number(store, "SELECT max(command) FROM samples WHERE run = 1 AND name = 'HeadYaw'")
      or 0) > 0.2
  end, { seen = function() return harness.output_of(stream) end })
  sender:close()
  harness.signal(stream, "KILL")
  harness.await_row(store, "SELECT reason = 'silent' FROM sources WHERE name = 'bob' ORDER BY id DESC \z
    LIMIT 1")
  local turned = harness.number(store, "SELECT max(command) FROM samples WHERE run = 1 AND name = 'HeadYaw'")
  t:check(turned and turned > 0.2, "the head turned to %s rad", tostring(turned))
  local _, said = harness.wait(stream)
  local _, count = said:gsub("no JSON", "")
  t:equal(count, 1, "times that rubbish is named")
end)

test("what is wrong is said", function(t)
  t:code(brio("perform"), 2)
  t:code(brio("perform", folder .. "/none.bvh", "--run", socket), 1)
  t:has(brio("perform", folder .. "/film.bvh", "--run", folder .. "/no.sock").err, "no.sock")
  t:code(brio("perform", "--udp", "70000"), 2)
end)

harness.signal(run, "INT")
harness.wait(run)
harness.files.remove(folder)
harness.done()
