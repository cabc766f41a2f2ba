--- Ports from scripts: a serial port that cannot be traced.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files, brio = harness.test, harness.files, harness.brio

--- Run a script of the two modules in a folder, which is its argument.
local function run(t, folder, text)
  files.write(folder .. "/script.lua",
    "local emulator, serial, folder = require \"brio.emulator\", require \"brio.serial\", arg[1]\n" .. text)
  local result = brio("lua", folder .. "/script.lua", folder)
  t:code(result, 0)
  return result.out
end

test("a port whose trace cannot be written is free again at once", function(t)
  local out = run(t, t:folder(), [[
    local line = assert(emulator.open("lx16a", { servos = 1 }))
    local name = assert(line:serve())
    print(serial.open(name, 115200, folder .. "/none/trace"))
    print(serial.open(name) ~= nil)]])
  t:has(out, "none/trace' cannot be written")
  t:has(out, "\ntrue\n")
end)

harness.done()
