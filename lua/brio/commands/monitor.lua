--- `brio monitor`: a live view of a run at the terminal, or one table into a pipe.
local cli = require "brio.terminal.cli"
local json = require "cjson"
local monitor = require "brio.terminal.monitor"
local output = require "brio.terminal.output"
local pieces = require "brio.terminal.styled"
local watch = require "brio.terminal.screen"

local command = {
  name = "monitor",
  summary = "watch a run: positions, targets, load, temperature, devices, rates",
  usage = "brio monitor [RUN] [options]   (RUN: see docs/analysis/runs.md; none: the only one)",
  options = {
    { "rate", "HZ", "updates per second, 0.2 to 20; default 5" },
    { "once", nil, "print one table and exit; default if the output is no terminal" },
    { "color", "WHEN", "auto (default), always or never; NO_COLOR applies" },
    { "ascii", nil, "only ASCII characters; default if the locale is not UTF-8" },
    { "as", "NAME", "your name, as others see it; default: your user's name" },
    { "token", "TEXT", "the token of a group's prompt; default: read beside the socket" },
  },
}

local keys = "q quits   arrows, Page keys scroll   P panic stop"

--- Process a reply with a snapshot.
local function take(self, reply)
  if reply.error then return end
  local good, view = pcall(json.decode, reply.text or "")
  if good and type(view) == "table" and type(view.axes) == "table" then self.view, self.status = view, nil end
end

--- Watch until the person leaves.
local function show(self, look, options)
  local first, shown = 1, 0
  local function scroll(by)
    local count = self.view and #self.view.axes or 0
    first = math.max(1, math.min(first + by, count - shown + 1)) -- so that some rows stay visible
  end
  local function leave() return false end
  local acts = {
    ["q"] = leave, ["\3"] = leave, ["\4"] = leave, -- Ctrl-C, Ctrl-D
    ["\27[A"] = function() scroll(-1) end, ["\27[B"] = function() scroll(1) end,
    ["\27OA"] = function() scroll(-1) end, ["\27OB"] = function() scroll(1) end,
    ["k"] = function() scroll(-1) end, ["j"] = function() scroll(1) end,
    ["\27[5~"] = function() scroll(-math.max(1, shown)) end,
      ["\27[6~"] = function() scroll(math.max(1, shown)) end,
    ["P"] = function() self:panic() end,
  }
  function options.lines(width, height)
    local lines
    lines, shown = monitor.window(self.view, { width = width, height = height, first = first, log = self.log,
      status = self.status, ascii = options.ascii, keys = keys })
    return lines
  end
  function options.key(key) return acts[key] and acts[key]() end
  options.look = look
  return watch.show(self, options)
end

--- Print one table.
local function print_once(self, look, options)
  local view, why = watch.once(self, look)
  if not view then
    cli.error("%s", why)
    return 1
  end
  for _, line in ipairs(monitor.page(view, options.ascii)) do
    output.draw(pieces.text(line, options.colored) .. "\n")
  end
  return 0
end

function command.run(args)
  local rate = cli.number(args, "rate", 0.2, 20, 5)
  local options = watch.terminal(args)
  if #args > 1 then cli.error("monitor expects one run at most: %s", command.usage) end
  if not rate or not options or #args > 1 then return 2 end
  options.rate = rate
  local self = watch.new(args[1], args, "brio monitor")
  local function look() self:look("axes json", function(reply) take(self, reply) end) end
  local attached, why = self:attach()
  local code = 1
  if options.terminal then
    code = show(self, look, options)
  elseif attached then
    code = print_once(self, look, options)
  else
    cli.error("%s", why)
  end
  self:close()
  return code
end

return command
