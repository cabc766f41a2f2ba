--- What stands between a tree and its leaves while it is only tried: leaves whose results are written in a
--- script, and who watches which node ran when.
---
---     rehearsal.new { leaves = { ["turn the knob"] = { fails = { 1, 2, 3 }, seconds = 0.5 } }, watch =
---       watch.new() }
---
--- A script says of a leaf, by its name or id:
---
---   fails     at which of its executions in the run it fails: a list of numbers, or true: each time
---   rate      how often it succeeds, 0 to 1, by chance
---   does      does(count, self): true, or false and why, at its end
---   seconds   how long it takes (0)
---   why       the words of its failure
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local rehearsal = {}
local Rehearsal = {}
Rehearsal.__index = Rehearsal

local function fault_of_fails(value)
  return value ~= true and type(value) ~= "table" and "must be true, or a list of numbers" or nil
end

--- The script of a leaf.
rehearsal.fields = {
  fails = { "boolean or table", fault = fault_of_fails,
    doc = "true, or the numbers of the times that it fails" },
  rate = { "number", lower = 0, upper = 1, doc = "how often it succeeds" },
  does = { "function", doc = "what it does instead" },
  seconds = { "number", unit = "s", lower = 0, doc = "how long it takes" }, why = { "string",
    doc = "why it fails" },
}

--- Make one: leaves (scripts by name or id), watch (see watch.lua), stream (for `rate`).  Raises when a
--- script is wrong.
function rehearsal.new(options)
  local self = setmetatable({ scripts = options.leaves or {}, watch = options.watch, stream = options.stream,
    counts = {}, failing = {} }, Rehearsal)
  for key, script in next, self.scripts do
    local fault = schema.fault(script, rehearsal.fields, ("the script of leaf '%s'"):format(key))
    if fault then error(fault, 0) end
    self.failing[key] = {}
    for _, number in ipairs(type(script.fails) == "table" and script.fails or {}) do
      self.failing[key][number] = true
    end
  end
  return self
end

--- Scripts without a leaf in any tree, in words; nil: none.  `list`: compiled trees.
function Rehearsal:fault(list)
  local there, names = {}, {}
  for _, compiled in ipairs(list) do
    for number, record in ipairs(compiled.list) do
      local leaf = not compiled.list[number + 1] or compiled.list[number + 1].parent ~= number
      if leaf then
        there[record.name], names[#names + 1] = true, record.name
        if record.id then there[record.id] = true end
      end
    end
  end
  for key in next, self.scripts do
    if not there[key] then
      return ("no tree has a leaf '%s'%s"):format(tostring(key), suggest.hint(tostring(key), names))
    end
  end
end

--- Result of a scripted leaf's execution.
function Rehearsal:result(key, script, count, site)
  if script.does then
    local done, why = site.call(function(face) return script.does(count, face) end)
    return done and true or false, why or script.why
  end
  local fails = script.fails == true or self.failing[key][count]
  if script.rate and not fails then fails = self.stream:uniform(0, 1) >= script.rate end
  if not fails then return true end
  return false, script.why or ("it fails at its execution %d, as the script says"):format(count)
end

--- A leaf's record that does what the script says.
function Rehearsal:leaf(key, script)
  return {
    work = function(site, _, memory, fresh, elapsed)
      if fresh then
        self.counts[key] = (self.counts[key] or 0) + 1
        memory.count = self.counts[key]
      end
      if elapsed < (script.seconds or 0) - 1e-9 then return nil end
      return self:result(key, script, memory.count, site)
    end,
  }
end

--- A counter as the core has it, which says each time what it comes to: there, a success after a success
--- changes nothing.
local function counter(limit)
  local count = 0
  return { work = function()
    count = count + 1
    if count < limit then return true end
    count = 0
    return false, "counted to its limit"
  end }
end

--- The motion that is played for a leaf, if any.
local function played_for(self, compiled, number)
  local record, inner = compiled.list[number], compiled.list[number + 1]
  if inner and inner.parent == number then return nil end
  local key = record.id and self.scripts[record.id] and record.id or record.name
  local script = self.scripts[key]
  if script then return self:leaf(key, script) end
  return self.watch and record.kind == "counter" and counter(record.limit or 1) or nil
end

--- A tree begins.  Return the list for brio.nodes, in which leaves that are played call, and their records by
--- node.
function Rehearsal:begin(compiled)
  local list, played = {}, {}
  for number in ipairs(compiled.list) do played[number] = played_for(self, compiled, number) end
  if not next(played) then return compiled.list, played end
  for number, record in ipairs(compiled.list) do
    list[number] = record
    if played[number] then
      local made = {}
      for field, value in next, record do made[field] = value end
      made.kind, made.to = "call", nil
      list[number] = made
    end
  end
  return list, played
end

return rehearsal
