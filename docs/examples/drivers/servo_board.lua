--- A board of hobby servos by lines of text ("$P 0 1500*..": channel 0, a pulse of 1500 us), as the sketch
--- in docs/devices/devices.md speaks: a driver in Lua, to begin one of your own from.
local serial = require "brio.serial"
local clock = require "brio.clock"

local center, shortest, longest = 1500, 500, 2500 -- us

--- Put the check behind a line: the XOR of all that stands between $ and *.
local function line_of(text)
  local sum = 0
  for index = 1, #text do sum = sum ~ text:byte(index) end
  return ("$%s*%02X\n"):format(text, sum)
end

--- Take the next whole line out of what came; nil: there is none yet.  A line with a wrong check is passed
--- over.
local function next_line(board)
  while true do
    local from, to, text, check = board.came:find "%$([^*$]*)%*(%x%x)\n"
    if not from then
      board.came = board.came:sub(-200)
      return nil
    end
    board.came = board.came:sub(to + 1)
    if line_of(text) == ("$%s*%s\n"):format(text, check) then return text end
    board.refused = board.refused + 1
  end
end

--- Ask, and wait for the line that begins with the same letter.
local function ask(board, question)
  local until_then = clock.monotonic() + board.patience
  local good, why, code = board.port:write(line_of(question))
  if not good then return nil, why, code end
  repeat
    local text = next_line(board)
    if text and text:sub(1, 1) == question:sub(1, 1) then return text:sub(2) end
    if not text then
      local bytes, reason, kind = board.port:read(256, 0.005)
      if not bytes then return nil, reason, kind end
      board.came = board.came .. bytes
    end
  until clock.monotonic() > until_then
  return nil, "the board does not answer", "device"
end

local function open(axes, settings)
  local port, why, code = serial.open(settings.port, 115200)
  if not port then return nil, why, code end
  local board = { port = port, came = "", refused = 0, patience = settings.patience,
    us_per_rad = settings.us_per_rad, at = {} }
  board.version, why, code = ask(board, "V")
  if not board.version then
    port:close()
    return nil, why, code
  end
  for index, axis in ipairs(axes) do board.at[index] = axis.start end
  return board
end

local function write(board, targets)
  local words = { "P" }
  for index, target in ipairs(targets) do
    if target then
      local pulse = center + target * board.us_per_rad
      words[#words + 1] = ("%d %.0f"):format(index - 1, math.max(shortest, math.min(longest, pulse)))
    end
  end
  if #words == 1 then return true end
  return board.port:write(line_of(table.concat(words, " ")))
end

local function power(board, on)
  for index, holds in ipairs(on) do
    local good, why, code = board.port:write(line_of(("O %d %d"):format(index - 1, holds and 1 or 0)))
    if not good then return nil, why, code end
  end
  return true
end

--- A channel that sends no pulse stays where it was told to be last.
local function read(board)
  local text, why, code = ask(board, "R")
  if not text then return nil, why, code end
  local index = 0
  for pulse in text:gmatch "%d+" do
    index = index + 1
    if tonumber(pulse) > 0 then board.at[index] = (tonumber(pulse) - center) / board.us_per_rad end
  end
  return board.at
end

return {
  name = "servo_board",
  doc = "Hobby servos on a board that speaks lines of text, in Lua.",
  when_silent = "The servos hold the last pulse.",
  settings = {
    { name = "port", doc = "The serial port.", default = "/dev/ttyUSB0" },
    { name = "us_per_rad", unit = "us", doc = "Microseconds of pulse for each rad.", default = 636.62,
      lower = 1, upper = 1e4 },
    { name = "patience", unit = "s", doc = "How long an answer may take.", default = 0.05,
      lower = 0.001, upper = 0.5 },
  },
  open = open,
  write = write,
  power = power,
  read = read,
  describe = function(board) return "a board that says" .. board.version end,
  close = function(board) board.port:close() end,
}
