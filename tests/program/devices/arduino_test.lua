--- The Arduino sketch of the line protocol, run on this machine (tests/arduino/host.cpp stands for the
--- Arduino) against brio's driver; and compiled for an Arduino where its tools are installed.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated = require "emulated"
local test, files = harness.test, harness.files

local folder = files.temporary()
local sketch = harness.root .. "/drivers/arduino/brio_servo/brio_servo.ino"
local shims = harness.root .. "/tests/arduino"

local function build(t)
  if files.read(folder .. "/board") then return end
  local built = harness.run { ("c++ -std=c++11 -Wall -Wextra -Werror -I%s -x c++ %s %s/host.cpp -include \z
    %s/Arduino.h -o %s/board"):format(
    shims, sketch, shims, shims, folder) }
  if built.code == 127 then t:skip "there is no compiler for C++" end
  t:code(built, 0)
end

--- A board that runs; `type` writes to it, `stop` ends it and returns what it said.
local function start(t)
  build(t)
  local place = files.temporary()
  os.execute("mkfifo " .. place .. "/typed")
  os.execute(("BRIO_EEPROM=%s/eeprom %s/board <%s/typed >%s/said 2>&1 &"):format(folder, folder, place,
    place))
  local board = { pipe = io.open(place .. "/typed", "w") }
  function board.type(line)
    board.pipe:write(line, "\n")
    board.pipe:flush()
  end
  function board.said() return files.read(place .. "/said") or "" end
  local function seen() return { seen = board.said } end
  --- The pulses at the pins of channels 0 to 7.
  function board.pins()
    local before, line = #board.said(), nil
    board.type "pins"
    harness.await("the board's pins", function()
      line = board.said():sub(before + 1):match "[^\n]+\n"
      return line
    end, seen())
    local list = {}
    for pulse in line:gmatch "%d+" do list[#list + 1] = tonumber(pulse) end
    return table.move(list, 3, 10, 1, {})
  end
  function board.stop()
    board.type "quit"
    board.pipe:close()
  end
  local function port() return board.said():match "port: (%S+)" end
  board.port = harness.await("the board's port", port, seen())
  return board
end

local function check_code(text)
  local sum = 0
  for i = 1, #text do sum = sum ~ text:byte(i) end
  return ("$%s*%02X\n"):format(text, sum)
end

--- Sends lines to a port and prints the answers, a line each.  A line that begins with "~" is sent without
--- that, and must not be answered within half a second.
local talker = folder .. "/talker.lua"
files.write(talker, ([[
local serial, clock = require "brio.serial", require "brio.clock"
local port = assert(serial.open(arg[1], tonumber(arg[2])))
for i = 3, #arg do
  local mute, line = arg[i]:match "^(~?)(.*)"
  port:write((line:gsub("\\n", "\n")))
  local text, till = "", clock.monotonic() + (mute == "~" and 0.5 or PATIENCE)
  while not text:find "\n" and clock.monotonic() < till do text = text .. assert(port:read(200, 0.05)) end
  io.write(text == "" and "nothing\n" or text)
end
]]):gsub("PATIENCE", harness.patience))

--- A line that must not be answered.
local function mute(line) return "~" .. line end

local function say(board, baud, ...)
  local words = {}
  for i, line in ipairs { ... } do words[i] = files.quote((line:gsub("\n", "\\n"))) end
  return harness.run { ("%s lua %s %s %d %s"):format(files.quote(harness.program), talker, board.port, baud,
    table.concat(words, " ")) }.out
end

local function strip(text) return (text:gsub("%*%x%x", "")) end

test("the sketch answers as the grammar says", function(t)
  local board = start(t)
  local c = check_code
  t:equal(strip(say(board, 115200, c "V", c "R", c "P 0 1500 3 1200", c "R")),
    "$V brio-servo 2 8 4 0\n$R 0 0 0 0 0 0 0 0\n$K\n$R 1500 0 0 1200 0 0 0 0\n")
  t:equal(strip(say(board, 115200, c "L 3 1000 2000", c "P 0 1600 3 2100", c "R", c "O 0 0", c "R", c "0V",
    mute(c "5V"))),
    "$K\n$E 4 beyond its limits\n$R 1500 0 0 1200 0 0 0 0\n$K\n$R 0 0 0 1200 0 0 0 0\n$0V brio-servo 2 8 4 \z
      0\nnothing\n")
  t:equal(strip(say(board, 115200, c "P 9 1500", c "P 1 x", c "X", c "P 0",
    mute "$P 0 1500*00\n", c "S", c "S")),
    "$E 3 no such channel\n$E 2 a number is missing or wrong\n$E 1 no such line\n$E 2 a number is missing \z
      or wrong\nnothing\n" ..
    "$S 1 1 5\n$S 0 0 0\n")
  board.type "analog 15 700"
  t:equal(strip(say(board, 115200, c "I")), "$I 0 700 0 0\n")
  t:equal(strip(say(board, 115200, c "N 7", c "7V", mute(c "0V"), c "B 57600")),
    "$K\n$7V brio-servo 2 8 4 7\nnothing\n$K\n")
  t:equal(strip(say(board, 115200, mute(c "V"))), "nothing\n")
  t:equal(strip(say(board, 57600, c "V")), "$V brio-servo 2 8 4 7\n")
  board.stop()
  board = start(t) -- id, rate and limits are kept
  t:equal(strip(say(board, 57600, c "V", c "L")),
    "$V brio-servo 2 8 4 7\n$L 500 2500 500 2500 500 2500 1000 2000 " ..
    "500 2500 500 2500 500 2500 500 2500\n")
  t:equal(strip(say(board, 57600, c "N 0", c "B 115200")), "$K\n$K\n")
  board.stop()
  os.remove(folder .. "/eeprom")
end)

test("moves take their time, and the watchdog lets go", function(t)
  local board = start(t)
  local c = check_code
  --- Move channel 0 within a second; return whether a pulse between was seen, which a stall may hide.
  local function moves()
    say(board, 115200, c "P 0 1000", c "M 1000 0 2000")
    local between, last = false, 1000
    harness.await("the end of the move", function()
      local pulse = board.pins()[1]
      between = between or (pulse > 1050 and pulse < 1950)
      t:check(pulse >= last and pulse <= 2000, "the pulse is %d after %d", pulse, last)
      last = pulse
      return pulse == 2000
    end, { seen = board.said })
    return between
  end
  harness.await("a move that takes its time", moves)
  say(board, 115200, c "T 300")
  harness.await("the watchdog to let go", function() return board.pins()[1] == 0 end, { seen = board.said })
  t:equal(strip(say(board, 115200, c "S")), "$S 3 0 0\n")
  board.stop()
end)

local mover = emulated.mover(folder, { velocity = 5, acceleration = 100, step = 0.02, leave = true })

test("brio's driver moves what the sketch moves", function(t)
  local board = start(t)
  local run = harness.run { ("%s lua %s line %s"):format(files.quote(harness.program), mover, board.port) }
  t:equal(run.out, "-0.20 -0.10 0.00 0.10 0.20 0.30\n")
  local pins = board.pins()
  t:equal(table.concat(pins, " ", 1, 6), "1373 1436 1500 1564 1627 1691")
  board.stop()
end)

test("the sketch compiles for an Arduino Uno", function(t)
  local core = "/usr/share/arduino/hardware/arduino/avr"
  if not files.read(core .. "/cores/arduino/Arduino.h") then t:skip "there is no Arduino core" end
  if harness.run("avr-g++ --version").code ~= 0 then t:skip "there is no avr-g++" end
  files.write(folder .. "/Servo.h", [[
#include <Arduino.h>
class Servo {
 public:
  uint8_t attach(int, int, int); void detach(); bool attached(); void writeMicroseconds(int);
 private:
  uint8_t index;
};]])
  t:code(harness.run { ("avr-g++ -mmcu=atmega328p -DF_CPU=16000000L -DARDUINO=10819 -DARDUINO_ARCH_AVR -Os \z
    -std=gnu++11 " ..
    "-Wall -Wextra -Werror -fno-exceptions -I%s/cores/arduino -I%s/variants/standard \z
      -I%s/libraries/EEPROM/src -I%s " ..
    "-include Arduino.h -x c++ -c %s -o %s/sketch.o"):format(core, core, core, folder, sketch, folder) }, 0)
end)

harness.done()
