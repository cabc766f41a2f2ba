--- Replaces leaves of a tree in a trial by scripted results, and connects a watcher that records which node
--- ran when.
---
---     rehearsal.new { leaves = { ["turn the knob"] = { fails = { 1, 2, 3 }, seconds = 0.5 } }, watch =
---       watch.new() }
---
--- The script of a leaf, by its name or id:
---
---   fails     the executions in the run that fail: a list of numbers, or true: each one
---   rate      probability of success, 0 to 1
---   does      does(count, self): true, or false and why, at its end
---   seconds   its duration, s (0)
---   why       the reason of its failure
local schema = require "brio.lib.schema"
local suggest = require "brio.lib.suggest"

local rehearsal = {}
local Rehearsal = {}
Rehearsal.__index = Rehearsal

local function fault_of_fails(value)
  return value ~= true and type(value) ~= "table" and "must be true, or a list of numbers" or nil
end

--- The fields of a leaf's script.
rehearsal.fields = {
  fails = { "boolean or table", fault = fault_of_fails,
    doc = "true, or the numbers of the times that it fails" },
  rate = { "number", lower = 0, upper = 1, doc = "how often it succeeds" },
  does = { "function", doc = "what it does instead" },
  seconds = { "number", unit = "s", lower = 0, doc = "how long it takes" }, why = { "string",
    doc = "why it fails" },
}

--- A rehearsal: leaves (scripts by name or id), watch (see watch.lua), stream (for `rate`).  Raises if a
--- script is invalid.
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

--- A sentence on scripts without a leaf in any tree; nil: there are none.  `list`: compiled trees.
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

--- The result of a scripted leaf's execution.
function Rehearsal:result(key, script, count, site)
  if script.does then
    local done, why = site.call(function(face) return script.does(count, face) end)
    return done and true or false, why or script.why
  end
  local fails = script.fails == true or self.failing[key][count]
  if script.rate and not fails then fails = self.stream:uniform(0, 1) >= script.rate end
  if not fails then return true end
  return false, script.why or ("it fails at its execution %d, as scripted"):format(count)
end

--- The record of a leaf that executes the script.
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

--- A counter in Lua, which reports every execution; the core's own reports only changes, and a success
--- after a success is no change.
local function counter(limit)
  local count = 0
  return { work = function()
    count = count + 1
    if count < limit then return true end
    count = 0
    return false, "counted to its limit"
  end }
end

--- What replaces a leaf, if anything.
local function played_for(self, compiled, number)
  local record, inner = compiled.list[number], compiled.list[number + 1]
  if inner and inner.parent == number then return nil end
  local key = record.id and self.scripts[record.id] and record.id or record.name
  local script = self.scripts[key]
  if script then return self:leaf(key, script) end
  return self.watch and record.kind == "counter" and counter(record.limit or 1) or nil
end

--- A tree begins.  Return the list for brio.nodes, in which replaced leaves call functions, and their
--- records by node.
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
