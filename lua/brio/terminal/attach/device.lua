--- The terminal itself: raw input and output, its size and capabilities.
local cli = require "brio.terminal.cli"
local output = require "brio.terminal.output"
local uv = require "luv"

local device = {}
local Device = {}
Device.__index = Device

local function set(name)
  local value = os.getenv(name)
  return value ~= nil and value ~= ""
end

--- Open the terminal of standard input and output; nil if one of them is not a terminal.  The device has
--- colored, dumb, ascii.
function device.open()
  if uv.guess_handle(0) ~= "tty" or uv.guess_handle(1) ~= "tty" then return nil end
  local dumb = not set "TERM" or os.getenv "TERM" == "dumb"
  local self = setmetatable({ dumb = dumb, colored = not dumb and not set "NO_COLOR",
    ascii = not cli.shows_utf8() }, Device)
  self.input, self.output = uv.new_tty(0, true), uv.new_tty(1, false)
  if not self.input or not self.output then return nil end
  self.output:set_blocking(true) -- in libuv's mode, output to a slow terminal is lost
  return self
end

--- Deliver keys as bytes: take(bytes), or take(nil) when the terminal is gone.
function Device:start(take)
  self.input:set_mode(1)
  if not self.dumb then self:write "\27[?2004h" end -- bracketed paste mode
  self.input:read_start(function(fault, bytes) take(not fault and bytes or nil) end)
end

--- Seconds on a clock of this machine.
function Device:seconds() return uv.hrtime() * 1e-9 end

function Device:write(bytes)
  output.draw(bytes)
  io.stdout:flush()
end

--- Columns and rows.
function Device:size()
  local width, height = self.output:get_winsize()
  if not width or width < 1 or height < 1 then return 80, 24 end
  return width, height
end

--- Restore the terminal.
function Device:close()
  if not self.dumb then self:write "\27[?2004l" end
  self.input:read_stop()
  self.input:set_mode(0)
  uv.tty_reset_mode()
  self.input:close()
  self.output:close()
end

return device
