--- Emulated devices and recorded traffic, as a person at a terminal meets them.
package.path = arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

local folder = files.temporary()

local function write(name, text)
  files.write(folder .. "/" .. name, text)
  return folder .. "/" .. name
end

test("decode lists the protocols, and tells a misspelt one what was meant", function(t)
  local run = brio "decode"
  t:code(run, 0)
  t:has(run.out, "dynamixel2")
  run = brio("decode", "dynamixl", "x")
  t:code(run, 2)
  t:has(run.err, "did you mean 'dynamixel")
  t:code(brio("decode", "dynamixel", folder .. "/none"), 1)
  t:code(brio("decode", "dynamixel"), 2)
end)

test("decode reads a trace: times, directions, answers told by what was asked", function(t)
  local run = brio("decode", "dynamixel", write("a.trace", [[
# brio trace 1: dynamixel2, /dev/ttyUSB0, 1000000 baud
0.000000 > FF FF FD 00 01 07 00 02 84 00 04 00 1D 15
0.000700 < FF FF FD 00 01 08 00
0.000900 < 55 00 A6 00 00 00 8C C0
]]))
  t:code(run, 0)
  t:has(run.out, "0.000000 > servo 1: read Present Position (132)")
  t:has(run.out, "0.000900 < servo 1 answers: no error; Present Position (132) = 166")
  t:has(run.out, "2 packets; nothing refused")
end)

test("decode reads hex and raw bytes, and counts what is wrong by kind", function(t)
  local hex = "FF FF FD 00 01 03 00 01 2D 01\n00 01\nFF FF FD 00 FE 03 00 01 31 42\n"
  local run = brio("decode", "dynamixel", write("a.hex", hex))
  t:code(run, 0)
  t:has(run.out, "all servos: ping")
  t:has(run.out, "1 packets; 12 bytes refused")
  t:has(run.out, "1 check")
  local raw = hex:gsub("(%x%x)%s", function(pair) return string.char(tonumber(pair, 16)) end)
  local other = brio("decode", "dynamixel", write("a.raw", raw))
  t:equal(other.out, run.out)
end)

test("emulate lists its kinds and refuses what cannot be", function(t)
  local run = brio "emulate"
  t:code(run, 0)
  t:has(run.out, "dynamixel")
  run = brio("emulate", "dynamixl")
  t:code(run, 2)
  t:has(run.err, "did you mean 'dynamixel'")
  t:code(brio("emulate", "dynamixel", "--servos", "1000"), 2)
  t:code(brio("emulate", "dynamixel", "--baud", "12345"), 2)
end)

test("emulate says its port, obeys what is typed and comes back on another port", function(t)
  local run = brio("emulate", "dynamixel", "--servos", "2", { input = "status\nloss 2%\nlos 1\nerror 2 0x20\nquit\n" })
  t:code(run, 0)
  t:has(run.out, "port: /dev/")
  t:has(run.out, "servo 2: at 0.0 degrees, torque off")
  t:has(run.out, "loss is 0.02")
  t:has(run.out, "did you mean 'loss'")
  local plugged = harness.run(("(echo unplug; sleep 0.3; echo plug; sleep 0.3; echo quit) | %s emulate dynamixel")
                              :format(files.quote(harness.program)))
  t:code(plugged, 0)
  local first, second = plugged.out:match "port: (%S+).-unplugged.-port: (%S+)"
  t:check(first and second and first ~= second, "ports " .. tostring(first) .. " and " .. tostring(second))
end)

harness.done()
