--- Ports from scripts: a serial port that cannot be traced, rates that no line has; the links of emulators.
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

test("a rate that no line has is refused, and the port goes on", function(t)
  local out = run(t, t:folder(), [[
    local line = assert(emulator.open("lx16a", { servos = 1 }))
    local port = assert(serial.open(assert(line:serve())))
    for _, rate in ipairs { 0, -115200, 49, 20000001 } do print(select(2, pcall(port.baud, port, rate))) end
    print(port:baud(57600), port:write "x")]])
  for _, rate in ipairs { 0, -115200, 49, 20000001 } do
    t:has(out, "a baud rate of " .. rate .. " cannot be")
  end
  t:has(out, "true\ttrue")
end)

test("a link in a folder that is missing leaves nothing open", function(t)
  local out = run(t, t:folder(), [[
    local line = assert(emulator.open("lx16a", { servos = 1 }))
    local function count()
      local n, list = 0, assert(io.popen "ls /proc/$PPID/fd")
      for _ in list:lines() do n = n + 1 end
      list:close()
      return n
    end
    local before, why = count()
    for _ = 1, 10 do why = select(2, line:serve(folder .. "/none/link")) end
    print(why)
    print(count() <= before)]]) -- fewer: what another thread had open for a moment
  t:has(out, "cannot be made: No such file or directory\ntrue\n")
end)

test("a link takes the place of another link, and of no file", function(t)
  local folder = t:folder()
  files.write(folder .. "/mine", "precious")
  local out = run(t, folder, [[
    for _, kind in ipairs { "lx16a", "epos" } do
      print(select(2, emulator.open(kind, { servos = 1 }):serve(folder .. "/mine")))
      local first, second = emulator.open(kind, { servos = 1 }), emulator.open(kind, { servos = 1 })
      assert(first:serve(folder .. "/" .. kind))
      assert(second:serve(folder .. "/" .. kind))
      first:close()
      print(kind, os.execute(("test -e %s/%s"):format(folder, kind)))
      second:close()
      print(kind, os.execute(("test -e %s/%s"):format(folder, kind)))
    end]])
  local _, refused = out:gsub("something else has that name", "")
  t:equal(refused, 2, "refusals")
  t:equal(files.read(folder .. "/mine"), "precious", "the file")
  for _, kind in ipairs { "lx16a", "epos" } do
    t:has(out, kind .. "\ttrue\texit\t0\n" .. kind .. "\tnil\texit\t1\n")
  end
end)

harness.done()
