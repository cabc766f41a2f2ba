--- `brio monitor`: a live view of a run at the terminal, or one table into a pipe.
local cli = require "brio.cli"
local clients = require "brio.client"
local json = require "cjson"
local monitor = require "brio.monitor"
local uv = require "luv"

local command = {
  name = "monitor",
  summary = "watch a run: positions, targets, load, temperature, devices, rates",
  usage = "brio monitor [RUN] [options]   (RUN: a socket, a process, or a piece of the behavior's or robot's name)",
  options = {
    { "rate", "HZ", "how often to look, 0.2 to 20; default 5" },
    { "once", nil, "print one table and leave; so it is where the output is no terminal" },
    { "color", "WHEN", "auto (default), always or never; NO_COLOR is heeded" },
    { "ascii", nil, "no signs beyond ASCII; so it is where the locale is not UTF-8" },
    { "as", "NAME", "who you are, for those who ask; default: your user's name" },
    { "token", "TEXT", "what a prompt shared by a group asks for; default: read beside the socket" },
  },
}

local keys = "q quits   arrows, Page keys scroll   P panic stop"

--- Seconds after which an answer that stays out is said; lines of the log that are kept.
local patience, kept = 1, 8

local function now() return uv.hrtime() * 1e-9 end

-- Which run -----------------------------------------------------------------------------------------

--- Whether a run is the one that a person means by `name`.
local function is_meant(run, name)
  if not name or run.run == name then return true end
  if name:match "^%d+$" then return run.run:match "([^/]*)%.sock$" == name end
  return (run.behavior or ""):find(name, 1, true) ~= nil or run.robot == name
end

--- The socket of the run that is meant; nil when there is none, with the sentence.
local function find(name)
  if name and (uv.fs_stat(name) or {}).type == "socket" then return name end
  local found = {}
  for _, run in ipairs(clients.runs()) do
    if is_meant(run, name) then found[#found + 1] = run.run end
  end
  if #found == 1 then return found[1] end
  if #found == 0 then
    return nil, name and ("no run is meant by '%s'; `brio attach --list` lists them"):format(name) or "there is no run"
  end
  return nil, ("%d runs can be watched: say which, as in brio monitor %s"):format(#found, found[1]), true
end

-- Watching ------------------------------------------------------------------------------------------

local Watch = {}
Watch.__index = Watch

--- Take a reply with a snapshot.
function Watch:take(reply)
  self.asked = nil
  if reply.error then
    self.status = { text = tostring(reply.error), style = "bad" }
    return
  end
  local good, view = pcall(json.decode, reply.text or "")
  if good and type(view) == "table" and type(view.axes) == "table" then self.view, self.status = view, nil end
end

--- Attach to the run that is meant, if there is one.  Return whether.
function Watch:attach()
  local path, why, unclear = find(self.name)
  local on = {}
  function on.log(text, level)
    self.log[#self.log + 1] = { text = tostring(text), level = level }
    if #self.log > kept then table.remove(self.log, 1) end
  end
  function on.ended() self:lost() end
  local client
  if path then client, why = clients.connect(path, on) end
  local reply = client and client:introduce(path, self.args)
  if reply and not reply.error then
    self.client, self.asked, self.status = client, nil, nil
    return true
  end
  if client then
    why = reply and reply.error or client.refusal or "the run has ended"
    client:close()
  end
  self.status = { style = "warn",
    text = self.view and "ended; waiting for the next run" or why .. (unclear and "" or "; waiting for one") }
  return false, why
end

function Watch:lost()
  self.client, self.asked = nil, nil
  self.status = { text = "ended; waiting for the next run", style = "warn" }
end

--- Ask for a snapshot, unless one is on its way.
function Watch:ask()
  if not self.client then return end
  if not self.asked then
    self.asked = now()
    self.client:ask({ line = "axes json" }, function(reply) self:take(reply) end)
  elseif now() - self.asked > patience then
    self.status = { text = ("no answer for %.0f s: a script may be busy"):format(now() - self.asked), style = "bad" }
  end
end

function Watch:panic()
  if self.client then self.client:ask({ panic = true }, function() end) end
end

-- At a terminal -------------------------------------------------------------------------------------

local Screen = {}
Screen.__index = Screen

function Screen:draw()
  local width, height = self.out:get_winsize()
  if not width or width < 1 then width, height = 80, 24 end
  local lines, shown = monitor.window(self.watch.view, { width = width, height = height, first = self.first, log = self.watch.log,
    status = self.watch.status, ascii = self.ascii, keys = keys })
  self.shown = shown
  local parts = {}
  for index, line in ipairs(lines) do
    parts[#parts + 1] = ("\27[%d;1H\27[K%s"):format(index, monitor.text(line, self.colored))
  end
  io.stdout:write(table.concat(parts))
  io.stdout:flush()
end

--- Scroll so far that something is left to see.
function Screen:scroll(by)
  local count = self.watch.view and #self.watch.view.axes or 0
  self.first = math.max(1, math.min(self.first + by, count - (self.shown or 0) + 1))
end

--- What keys do, by what terminals send.
local acts = {
  ["q"] = function(screen) screen.left = true end,
  ["\3"] = function(screen) screen.left = true end, -- Ctrl-C
  ["\4"] = function(screen) screen.left = true end, -- Ctrl-D
  ["\27[A"] = function(screen) screen:scroll(-1) end,
  ["\27[B"] = function(screen) screen:scroll(1) end,
  ["\27OA"] = function(screen) screen:scroll(-1) end,
  ["\27OB"] = function(screen) screen:scroll(1) end,
  ["k"] = function(screen) screen:scroll(-1) end,
  ["j"] = function(screen) screen:scroll(1) end,
  ["\27[5~"] = function(screen) screen:scroll(-(screen.shown or 1)) end,
  ["\27[6~"] = function(screen) screen:scroll(screen.shown or 1) end,
  ["P"] = function(screen) screen.watch:panic() end,
}

--- Do what the keys in `bytes` ask for; others do nothing.
function Screen:type(bytes)
  while bytes ~= "" do
    local key = bytes:match "^\27[%[O][%d;]*[%a~]" or bytes:sub(1, 1)
    if acts[key] then acts[key](self) end
    bytes = bytes:sub(#key + 1)
  end
  if not self.left then self:draw() end
end

--- Watch until the person leaves.
local function show(watch, options)
  local screen = setmetatable({ watch = watch, first = 1, colored = options.colored, ascii = options.ascii,
    out = uv.new_tty(1, false) }, Screen)
  local input, timer, search = uv.new_tty(0, true), uv.new_timer(), uv.new_timer()
  input:set_mode(1)
  io.stdout:write("\27[?1049h\27[?25l\27[?7l\27[2J")
  local good, why = xpcall(function()
    input:read_start(function(fault, bytes)
      if fault or not bytes then screen.left = true else screen:type(bytes) end
    end)
    for _, name in ipairs { "sigterm", "sighup", "sigint" } do
      uv.new_signal():start(name, function() screen.left = true end)
    end
    uv.new_signal():start("sigwinch", function() screen:draw() end)
    local period = math.floor(1000 / options.rate)
    timer:start(0, period, function()
      watch:ask()
      screen:draw()
    end)
    search:start(500, 500, function() if not watch.client then screen.due = true end end)
    while not screen.left do
      uv.run "once"
      if screen.due then -- not inside a callback: attaching waits for an answer
        screen.due = nil
        watch:attach()
      end
    end
  end, debug.traceback)
  io.stdout:write("\27[?7h\27[?25h\27[?1049l")
  io.stdout:flush()
  uv.tty_reset_mode()
  if good then return 0 end
  cli.error("%s", why)
  return 1
end

-- Into a pipe ---------------------------------------------------------------------------------------

--- Print one table.
local function print_once(watch, options)
  local began = now()
  local timer = uv.new_timer()
  timer:start(100, 100, function() end)
  watch:ask()
  while watch.client and not watch.view and not watch.status and now() - began < 5 do uv.run "once" end
  if not watch.view then
    cli.error("%s", watch.status and watch.status.text or "no answer for 5 s: a script may be busy")
    return 1
  end
  for _, line in ipairs(monitor.page(watch.view, options.ascii)) do print(monitor.text(line, options.colored)) end
  return 0
end

local colorings = {
  always = function() return true end,
  never = function() return false end,
  auto = function(terminal) return terminal and (os.getenv "NO_COLOR" or "") == "" and os.getenv "TERM" ~= "dumb" end,
}

function command.run(args)
  local rate = cli.number(args, "rate", 0.2, 20, 5)
  local coloring = colorings[args.color or "auto"]
  if not coloring then cli.error("--color must be auto, always or never, not '%s'", args.color) end
  if #args > 1 then cli.error("monitor expects one run at most: %s", command.usage) end
  if not rate or not coloring or #args > 1 then return 2 end
  local terminal = uv.guess_handle(0) == "tty" and uv.guess_handle(1) == "tty" and not args.once
  local options = { rate = rate, ascii = args.ascii or not cli.shows_utf8(), colored = coloring(terminal) }
  local watch = setmetatable({ name = args[1], args = args, log = {} }, Watch)
  local attached, why = watch:attach()
  local code
  if terminal then
    code = show(watch, options)
  elseif attached then
    code = print_once(watch, options)
  else
    cli.error("%s", why)
    code = 1
  end
  if watch.client then watch.client:close() end
  cli.close_handles()
  return code
end

return command
