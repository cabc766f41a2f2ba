--- A program at a pseudo-terminal of script(1), with a screen made of what it wrote: what a person would see
--- of it. For black-box tests: what is still there when a test ends is ended with it.
---
---     local one = pty.start("exec brio attach x.sock", { width = 80, height = 24, folder = folder, env =
---       "TERM=xterm" })
---     one:type "state\r"
---     one:sees "calm, for"           -- waits for a piece of the screen; "~" begins a pattern
---     one:close()
local harness = require "harness"
local screen = require "screen"
local uv = require "luv"

local files = harness.files

local pty = {}
local Pty = {}
Pty.__index = Pty

function pty.is_here() return files.output "command -v script":find "script" ~= nil end

local count = 0

--- Start a shell command at a terminal of its own.  `options`: folder, width, height, env (words of env(1)),
--- `whole`: the program draws the whole screen, which does not scroll.
function pty.start(command, options)
  count = count + 1
  local folder = ("%s/pty%d"):format(options.folder, count)
  files.output(("mkdir -p %s && mkfifo %s/keys"):format(folder, folder))
  local width, height = options.width or 80, options.height or 24
  local inner = ("cd %s; tty >tty; echo $$ >pid; cd - >/dev/null; stty cols %d rows %d; %s"):format(folder,
    width, height, command)
  local made = screen.new(width, height, not options.whole)
  local self = { folder = folder, screen = made, whole = options.whole, read = 0, log = "" }
  self.keys = assert(uv.fs_open(folder .. "/keys", "r+", 0)) -- for both ways: it need not wait for the reader
  self.process = harness.start(("env %s HOME=%s script -qefc %s /dev/null <%s/keys"):format(
    options.env or "TERM=xterm LC_ALL=C.UTF-8", options.folder, files.quote(inner), folder))
  return setmetatable(self, Pty)
end

--- Press keys: bytes as terminals send them.
function Pty:type(bytes) assert(uv.fs_write(self.keys, bytes, -1)) end

--- How much of some bytes is whole: control sequences and characters may come in pieces.
local function whole_of(bytes)
  local whole = bytes:match "^(.*)\27[%[%]O]?[%?%d;]*$" or bytes
  local cut = whole:match "^(.*)[\194-\244][\128-\191]*$"
  if cut and not utf8.len(whole:sub(#cut + 1)) then return cut end
  return whole
end

--- Let the screen show what was written meanwhile.
function Pty:look()
  local file <close> = io.open(self.process.folder .. "/out", "rb")
  if not file then return end -- it is over
  file:seek("set", self.read)
  local more = file:read "a"
  self.read, self.log = self.read + #more, self.log .. more
  self.rest = (self.rest or "") .. more
  local whole = whole_of(self.rest)
  self.screen:write(whole)
  self.rest = self.rest:sub(#whole + 1)
end

--- Wait until holds(screen), at a moment when nothing is being drawn: the cursor is hidden meanwhile, and
--- always where the whole screen is drawn.  `what`: a sentence about it.  If it does not come to that, the
--- test fails and shows the screen.
function Pty:waits(what, holds)
  harness.await(what, function()
    local ended = harness.has_ended(self.process)
    self:look() -- once more after its end
    self.over = ended
    return (self.whole or self.screen.modes[25] ~= false) and holds(self.screen)
  end, {
    seen = function() return self.screen:text() end,
    stop = function() return self.over and ("it ended with code %d before"):format(self.process.code) end,
  })
  return true
end

--- Whether a screen has a piece, as its rows stand or with the lines whole that take more than one row.
local function shows(made, piece)
  return harness.contains(made:text(), piece) or harness.contains(made:text(true), piece)
end

--- Wait until the screen has a piece.
function Pty:sees(piece)
  return self:waits(("'%s' on the screen"):format(piece), function(made) return shows(made, piece) end)
end

--- Wait until the screen has a piece no more.
function Pty:loses(piece)
  local what = ("'%s' to leave the screen"):format(piece)
  return self:waits(what, function(made) return not shows(made, piece) end)
end

--- Give the terminal another size.
function Pty:resize(width, height)
  self:look()
  self.screen:resize(width, height)
  local tty = harness.await_text(self.folder .. "/tty", "/"):match "%S+"
  files.output(("stty -F %s cols %d rows %d"):format(tty, width, height))
end

--- Send a signal to the program itself, "STOP": it was started by `exec`.
function Pty:signal(name)
  local pid = harness.await_text(self.folder .. "/pid", "\n"):match "%d+"
  uv.kill(math.tointeger(tonumber(pid)), "sig" .. name:lower())
end

--- The keys are over; wait for the program's end.  Return its exit code, and nil when it did not come.
function Pty:close()
  uv.fs_close(self.keys)
  harness.await("the program at the terminal to end", function() return harness.has_ended(self.process) end,
    { seen = function() self:look() return self.screen:text() end })
  self:look()
  return (harness.wait(self.process))
end

return pty
