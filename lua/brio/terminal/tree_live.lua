--- `brio tree --live`: a running behavior tree at a terminal, with keys; or one picture of it into a pipe.
---
--- It sends `tree view` repeatedly, with one request at a time, so that a slow viewer sends fewer requests.
local cli = require "brio.terminal.cli"
local output = require "brio.terminal.output"
local pieces = require "brio.terminal.styled"
local watch = require "brio.terminal.screen"
local window = require "brio.terminal.tree_window"

local live = {}

local keys = "space step  a auto  h hold  n next  p pause  x stop  b break  e edit  ? keys  q"

local all_keys = {
  "arrows, Page keys, j, k: another node; f: follow what runs; space or s: step; a: automatic on and off",
  "h: take control, or give it back; n: the node is next; p: pause or resume it; x: stop it; r: reset \z
    failures",
  "b: a breakpoint, or none; c: one at a time, or not; e: edit a field; u, U: undo, redo; : say anything; \z
    P: panic stop",
}

local Live = {}
Live.__index = Live

-- Messages of the run ---------------------------------------------------------------------------------------

--- The first visible node without a description, or nil.
function Live:unknown()
  local last = math.min(self.first + self.room - 1, self.watch.view and self.watch.view.nodes or self.room)
  for number = self.first, last do
    if not self.rows[number] then return number end
  end
end

--- The first row of the window, so that the selected node is visible and the space is used.
function Live:begins(shown)
  local first, nodes = self.first, self.watch.view and self.watch.view.nodes or 1
  if self.chosen < first then first = self.chosen
  elseif self.chosen >= first + shown then first = self.chosen - shown + 1 end
  return math.max(1, math.min(first, nodes - shown + 1))
end

--- Count an answer, and check the order of answers.
function Live:count(view)
  local link, now = self.link, watch.now()
  if link.client ~= self.watch.client then
    link.client, link.count, link.last, link.disorder = self.watch.client, 0, 0, 0
  end
  link.count = link.count + 1
  if view.count <= link.last then link.disorder = link.disorder + 1 end
  link.last = view.count
  link.answers = link.answers + 1
  if now - link.since >= 1 then
    link.rate, link.since, link.answers = link.answers / (now - link.since), now, 0
  end
end

--- Process an answer.
function Live:take(reply)
  local view = reply.tree
  if reply.error then self.watch.view = nil end
  if type(view) ~= "table" or type(view.s) ~= "string" then return end
  self:count(view)
  if view.version ~= self.version or view.state ~= self.state then
    self.rows, self.version, self.state = {}, view.version, view.state
  end
  for index, row in ipairs(view.rows or {}) do self.rows[self.asked_rows + index - 1] = row end
  self.behavior, self.robot = view.behavior or self.behavior, view.robot or self.robot -- sent only with rows
  view.behavior, view.robot = self.behavior, self.robot
  self.watch.view, self.watch.status = view, nil
  self.chosen = math.max(1, math.min(self.chosen, view.nodes))
  local at = self.follow and (view.running[1] and view.running[1].n or view.coming[1])
  if at then self.chosen = at end
end

--- Request the state of the tree.
function Live:look()
  local rows = self:unknown()
  local where = self.where and "in " .. self.where .. " " or ""
  if not self.watch.asked then self.asked_rows = rows end
  local from = rows and ("%d"):format(rows) or "" -- a number of JSON is a float
  self.watch:look(("tree %sview %d %d %s"):format(where, self.first, self.room, from),
    function(reply) self:take(reply) end)
end

-- Actions of the person -------------------------------------------------------------------------------------

function Live:say_back(text, level)
  for line in text:gmatch "[^\n]+" do self.watch:show(line, level, true) end
end

--- Send a line to the run, and show its answer.
function Live:tell(line)
  if not self.watch.client then return self:say_back("no run is attached", "error") end
  self.watch.client:ask({ line = line }, function(reply)
    if reply.error then self:say_back(reply.error, "error")
    elseif reply.text then self:say_back(reply.text, "info") end
  end)
end

--- Send a word after `tree`.
function Live:word(...)
  self:tell("tree " .. (self.where and "in " .. self.where .. " " or "") .. string.format(...))
end

function Live:choose(by)
  self.follow = false
  local view = self.watch.view
  self.chosen = math.max(1, math.min(self.chosen + by, view and view.nodes or 1))
end

--- Whether the selected node has that sign in the last answer.
function Live:stands(letter)
  local view = self.watch.view
  local index = view and self.chosen - view.first + 1
  return view ~= nil and index >= 1 and view.s:sub(index, index) == letter
end

function Live:breaks()
  for _, number in ipairs(self.watch.view and self.watch.view.breaks or {}) do
    if number == self.chosen then return true end
  end
  return false
end

local function on_off(on) return on and "on" or "off" end

local function choosing(by) return function(self) self:choose(by) end end

local function paging(by) return function(self) self:choose(by * math.max(1, self.shown - 1)) end end

local function begin_line(text)
  return function(self) self.typed = type(text) == "function" and text(self) or text end
end

local function leave() return false end

local function step(self) self:word "step" end

--- Keys, by the bytes of terminals.
local acts = {
  ["q"] = leave, ["\3"] = leave, ["\4"] = leave,
  ["\27[A"] = choosing(-1), ["\27OA"] = choosing(-1), ["k"] = choosing(-1),
  ["\27[B"] = choosing(1), ["\27OB"] = choosing(1), ["j"] = choosing(1),
  ["\27[5~"] = paging(-1), ["\27[6~"] = paging(1),
  ["f"] = function(self) self.follow = not self.follow end,
  [" "] = step, ["s"] = step,
  ["a"] = function(self) self:word("auto %s",
    on_off(not (self.watch.view and self.watch.view.automatic))) end,
  ["h"] = function(self) self:word("hold %s", on_off(not (self.watch.view and self.watch.view.held))) end,
  ["c"] = function(self) self:word("concurrency %s",
    on_off(self.watch.view and self.watch.view.concurrent == false)) end,
  ["r"] = function(self) self:word "reset" end,
  ["n"] = function(self) self:word("next %d", self.chosen) end,
  ["p"] = function(self) self:word("%s %d", self:stands "p" and "resume" or "pause", self.chosen) end,
  ["x"] = function(self) self:word("stop %d", self.chosen) end,
  ["b"] = function(self) self:word("break %d%s", self.chosen, self:breaks() and " off" or "") end,
  ["e"] = begin_line(function(self) return ("tree set %d "):format(self.chosen) end),
  ["u"] = function(self) self:word "undo" end,
  ["U"] = function(self) self:word "redo" end,
  [":"] = begin_line "",
  ["?"] = function(self) for _, line in ipairs(all_keys) do self:say_back(line, "info") end end,
  ["P"] = function(self) self.watch:panic() end,
}

--- Keys while a line is typed.
local line_acts = {
  ["\27"] = function(self) self.typed = nil end,
  ["\3"] = function(self) self.typed = nil end,
  ["\r"] = function(self)
    local line = self.typed
    self.typed = nil
    if line:match "%S" then self:tell(line) end
  end,
  ["\127"] = function(self) self.typed = self.typed:sub(1, (utf8.offset(self.typed, -1) or 1) - 1) end,
  ["\21"] = function(self) self.typed = "" end,
}
line_acts["\n"], line_acts["\8"] = line_acts["\r"], line_acts["\127"]

--- The common prefix of all candidates, without the typed part.
local function rest_of(list, typed)
  local first = list[1]
  if not first then return "" end
  local length = #first
  for _, name in ipairs(list) do
    while name:sub(1, length) ~= first:sub(1, length) do length = length - 1 end
  end
  return first:sub(typed + 1, length)
end

line_acts["\t"] = function(self)
  local text = self.typed
  if not self.watch.client then return end
  self.watch.client:ask({ complete = text }, function(reply)
    local list = reply.candidates
    if self.typed ~= text or type(list) ~= "table" then return end
    local more = rest_of(list, math.tointeger(reply.length) or 0)
    if more ~= "" then self.typed = text .. more
    elseif #list > 1 then self:say_back(table.concat(list, "   "), "info") end
  end)
end

--- Maximum length of a typed line, bytes.
local longest_line = 1000

function Live:key(key)
  if not self.typed then return acts[key] and acts[key](self) end
  if line_acts[key] then return line_acts[key](self) end
  if key:match "^[^%c\27]" and #self.typed < longest_line then self.typed = self.typed .. key end
end

function Live:draw(width, height)
  return window.draw(self.watch.view, self.rows,
    { width = width, height = height, first = self.first, chosen = self.chosen,
    link = self.link, log = self.watch.log, status = self.watch.status, typed = self.typed, keys = keys,
      ascii = self.ascii })
end

function Live:lines(width, height)
  self.room = height
  local lines, shown = self:draw(width, height)
  local first = self:begins(math.max(1, math.max(shown, self.shown)))
  self.shown = math.max(1, shown)
  if first == self.first then return lines end
  self.first = first
  lines, shown = self:draw(width, height)
  self.shown = math.max(1, shown)
  return lines
end

-- The command -----------------------------------------------------------------------------------------------

--- Maximum number of requests for one picture: a request describes some nodes.
local most_looks = 10

--- Print one picture, with as many nodes as an answer describes.
local function print_once(self, options)
  self.room, self.follow = 300, false
  for _ = 1, most_looks do
    self.watch.view = nil
    local view, why = watch.once(self.watch, function() self:look() end)
    if not view then
      cli.error("%s", why)
      return 1
    end
    if not self:unknown() then break end
  end
  self.chosen = 0
  for _, line in ipairs((self:draw(100, math.min(self.watch.view.nodes, self.room) + 10))) do
    local text = pieces.text(line, options.colored)
    if text ~= "" and text ~= keys then output.draw(text .. "\n") end
  end
  return 0
end

--- Show the tree of the run.  `args`: those of `brio tree`.  Return the exit code.
function live.run(args)
  local rate = cli.number(args, "rate", 0.2, 60, 30)
  local options = watch.terminal(args)
  if not rate or not options then return 2 end
  local self = setmetatable({ watch = watch.new(args[1], args, "brio tree --live"), rows = {}, first = 1,
    chosen = 1, room = 40, shown = 1, follow = true, where = args["in"], ascii = options.ascii,
    link = { rate = 0, count = 0, last = 0, disorder = 0, answers = 0, since = watch.now() } }, Live)
  local attached, why = self.watch:attach()
  local code = 1
  if options.terminal then
    options.rate = rate
    options.look = function() self:look() end
    options.lines = function(width, height) return self:lines(width, height) end
    options.key = function(key) return self:key(key) end
    code = watch.show(self.watch, options)
  elseif attached then
    code = print_once(self, options)
  else
    cli.error("%s", why)
  end
  self.watch:close()
  return code
end

return live
