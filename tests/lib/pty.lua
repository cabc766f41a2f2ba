--- A program at a pseudo-terminal of script(1), with a screen made of what it wrote: what a person would see of it.
---
---     local one = pty.start("exec brio attach x.sock", { width = 80, height = 24, folder = folder, env = "TERM=xterm" })
---     one:type "state\r"
---     one:sees "calm, for"           -- waits for a piece of the screen, up to 20 s; "~" begins a pattern
---     one:close()
local files = require "files"
local screen = require "screen"

local pty = {}
local Pty = {}
Pty.__index = Pty

--- How long a piece of the screen is waited for, s: these machines are busy.
pty.patience = 20

function pty.is_here() return files.output "command -v script":find "script" ~= nil end

local count = 0

--- Start a shell command at a terminal of its own.
function pty.start(command, options)
  count = count + 1
  local folder = ("%s/pty%d"):format(options.folder, count)
  files.output(("mkdir -p %s && mkfifo %s/keys"):format(folder, folder))
  local width, height = options.width or 80, options.height or 24
  local inner = ("stty cols %d rows %d; tty >%s/tty; %s"):format(width, height, folder, command)
  local line = "%s HOME=%s timeout -k 5 %d script -qefc %s /dev/null <%s/keys >%s/out 2>&1 & echo $! >%s/pid"
  os.execute(line:format(options.env or "TERM=xterm LC_ALL=C.UTF-8", options.folder, options.timeout or 120,
    files.quote(inner), folder, folder, folder))
  local self = setmetatable({ folder = folder, screen = screen.new(width, height, true), read = 0, log = "" }, Pty)
  self.keys = assert(io.open(folder .. "/keys", "w"))
  self.keys:setvbuf "no"
  return self
end

--- Press keys: bytes as terminals send them.
function Pty:type(bytes) self.keys:write(bytes) end

--- Let the screen show what was written meanwhile.
function Pty:look()
  local file = io.open(self.folder .. "/out", "rb")
  if not file then return end
  file:seek("set", self.read)
  local more = file:read "a"
  file:close()
  self.read, self.log = self.read + #more, self.log .. more
  self.rest = (self.rest or "") .. more
  local whole = self.rest:match "^(.*)\27[%[%]]?[%?%d;]*$" or self.rest -- a control sequence may come in pieces
  local cut = whole:match "^(.*)[\194-\244][\128-\191]*$"
  if cut and not utf8.len(whole:sub(#cut + 1)) then whole = cut end
  self.screen:write(whole)
  self.rest = self.rest:sub(#whole + 1)
end

local function has(text, piece)
  local pattern = piece:match "^~(.*)"
  return text:find(pattern or piece, 1, not pattern) ~= nil
end

--- Wait until holds(screen), at a moment when nothing is being drawn.  Return whether it came to that.
function Pty:waits(holds, seconds)
  local till = os.time() + (seconds or pty.patience)
  repeat
    self:look()
    if self.screen.modes[25] ~= false and holds(self.screen) then return true end
    os.execute "sleep 0.02"
  until os.time() > till
  return false
end

--- Wait until the screen has a piece.
function Pty:sees(piece, seconds) return self:waits(function(made) return has(made:text(), piece) end, seconds) end

--- Wait until the screen has a piece no more.
function Pty:loses(piece, seconds) return self:waits(function(made) return not has(made:text(), piece) end, seconds) end

--- Give the terminal another size.
function Pty:resize(width, height)
  self:look()
  self.screen:resize(width, height)
  local tty = (files.read(self.folder .. "/tty") or ""):match "%S+"
  os.execute(("stty -F %s cols %d rows %d"):format(tty, width, height))
end

--- Whether the program has ended.
function Pty:is_over()
  local pid = (files.read(self.folder .. "/pid") or ""):match "%d+"
  return not pid or os.execute(("kill -0 %s 2>/dev/null"):format(pid)) ~= true
end

--- The keys are over; wait for the program's end.  Return whether it came.
function Pty:close()
  self.keys:close()
  for _ = 1, 500 do
    if self:is_over() then
      self:look()
      return true
    end
    os.execute "sleep 0.02"
  end
  return false
end

return pty
