--- A program at a pseudo-terminal of script(1), with the screen that its output makes: what a person would
--- see.  For black-box tests: programs that still run when a test ends are ended with it.
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
  self.keys = assert(uv.fs_open(folder .. "/keys", "r+", 0)) -- "r+": opening it does not wait for the reader
  self.process = harness.start(("env %s HOME=%s script -qefc %s /dev/null <%s/keys"):format(
    options.env or "TERM=xterm LC_ALL=C.UTF-8", options.folder, files.quote(inner), folder))
  return setmetatable(self, Pty)
end

--- Press keys: bytes as terminals send them.
function Pty:type(bytes) assert(uv.fs_write(self.keys, bytes, -1)) end

--- How many of some bytes are complete: control sequences and characters may arrive in pieces.
local function whole_of(bytes)
  local whole = bytes:match "^(.*)\27[%[%]O]?[%?%d;]*$" or bytes
  local cut = whole:match "^(.*)[\194-\244][\128-\191]*$"
  if cut and not utf8.len(whole:sub(#cut + 1)) then return cut end
  return whole
end

--- Write what arrived meanwhile to the screen.
function Pty:look()
  local file <close> = io.open(self.process.folder .. "/out", "rb")
  if not file then return end -- it has ended
  file:seek("set", self.read)
  local more = file:read "a"
  self.read, self.log = self.read + #more, self.log .. more
  self.rest = (self.rest or "") .. more
  local whole = whole_of(self.rest)
  self.screen:write(whole)
  self.rest = self.rest:sub(#whole + 1)
end

--- Wait until holds(screen) at a moment when the program is not drawing: the cursor is hidden while it draws,
--- and always where the whole screen is drawn.  `what`: a sentence about the condition.  On a timeout the
--- test fails and shows the screen.
function Pty:waits(what, holds)
  harness.await(what, function()
    local ended = harness.has_ended(self.process)
    self:look() -- once more after the program's end
    self.over = ended
    return (self.whole or self.screen.modes[25] ~= false) and holds(self.screen)
  end, {
    seen = function() return self.screen:text() end,
    stop = function() return self.over and ("it ended with code %d before"):format(self.process.code) end,
  })
  return true
end

--- Whether a screen has a text, in its rows as they are or in lines joined across rows.
local function shows(made, piece)
  return harness.contains(made:text(), piece) or harness.contains(made:text(true), piece)
end

--- Wait until the screen has a text.
function Pty:sees(piece)
  return self:waits(("'%s' on the screen"):format(piece), function(made) return shows(made, piece) end)
end

--- Wait until the screen does not have a text any more.
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

--- Close the input; wait for the program's end.  Return its exit code, or nil after a time-out.
function Pty:close()
  uv.fs_close(self.keys)
  harness.await("the program at the terminal to end", function() return harness.has_ended(self.process) end,
    { seen = function() self:look() return self.screen:text() end })
  self:look()
  return (harness.wait(self.process))
end

return pty
