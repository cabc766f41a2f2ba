--- Operator control of the trees of a run, and settings for all of them.
---
--- Without an operator a tree runs by itself, and its end is an event of the behavior.  With an operator it
--- pauses after a failure, at its end and before a breakpoint (automatic is off, the failed node is next),
--- and the behavior gets no event.  Modes and breakpoints persist when a tree ends and begins again.
local lazy = require "brio.lib.lazy"
local find = lazy "brio.tree.execution.find"

local nodes = require "brio.nodes"

local charge = {}
local Charge = {}
Charge.__index = Charge

--- Create the state for one run, without an operator.
function charge.new()
  return setmetatable({ automatic = true, concurrent = true, breaks = {}, last_version = 0,
    viewers = { list = {} }, versions = setmetatable({}, { __mode = "k" }) }, Charge)
end

--- A number of this tree's current version: viewers may cache its nodes' descriptions.
function Charge:version(compiled)
  if not self.versions[compiled] then
    self.last_version = self.last_version + 1
    self.versions[compiled] = self.last_version
  end
  return self.versions[compiled]
end

--- Maximum number of viewers that are remembered.
local most_viewers = 32

--- The number of answers to a viewer, including this one.
function Charge:count(client)
  local viewers = self.viewers
  if not viewers[client] then
    viewers.list[#viewers.list + 1] = client
    if #viewers.list > most_viewers then viewers[table.remove(viewers.list, 1)] = nil end
  end
  viewers[client] = (viewers[client] or 0) + 1
  return viewers[client]
end

--- An operator takes control.
function Charge:take(who) self.held = self.held or who or "a person" end

--- Apply the modes in force to a tree that has just begun.
function Charge:begin(tree)
  if not self.automatic then tree.nodes:automatic(false) end
  if not self.concurrent then tree.nodes:concurrency(false) end
  self:mark(tree)
  tree.was_automatic = self.automatic
end

--- Set a tree's breakpoints in its nodes: also after an edit.
function Charge:mark(tree)
  for id in next, self.breaks[tree.site.name or ""] or {} do
    local number = find.number(tree.compiled, id)
    if number then tree.nodes:breakpoint(number, true) end
  end
end

--- Kinds of nodes that only group others, by name; looked up with the first breakpoint.
local open

local function groups(kind)
  if not open then
    open = {}
    for _, row in ipairs(nodes.kinds()) do open[row.name] = row.open or nil end
  end
  return open[kind]
end

--- Set or remove a breakpoint of a tree; for a node that only groups, before its first leaf.  Return the
--- number of the node before which it is, or nil and the reason.  `tree`: a running one, or { site = { name
--- = its state's }, compiled = it }.
function Charge:set_break(tree, number, on)
  local list = tree.compiled.list
  while groups(list[number].kind) and list[number + 1] do number = number + 1 end
  if tree.nodes then
    local good, why = pcall(tree.nodes.breakpoint, tree.nodes, number, on)
    if not good then return nil, tostring(why) end
  end
  local name = tree.site.name or ""
  self.breaks[name] = self.breaks[name] or {}
  self.breaks[name][tree.compiled.list[number].id] = on or nil
  return number
end

--- Whether a node has a breakpoint.
function Charge:breaks_at(tree, number)
  local breaks = self.breaks[tree.site.name or ""]
  return breaks ~= nil and breaks[tree.compiled.list[number].id] ~= nil
end

--- End operator control: modes get their defaults, and `trees` continue by themselves, or end.
function Charge:give(trees)
  for _, tree in ipairs(trees) do
    for id in next, self.breaks[tree.site.name or ""] or {} do
      local number = find.number(tree.compiled, id)
      if number then tree.nodes:breakpoint(number, false) end
    end
  end
  self.held, self.automatic, self.concurrent, self.breaks = nil, true, true, {}
  for _, tree in ipairs(trees) do
    tree.nodes:concurrency(true)
    tree:go_on()
  end
end

return charge
