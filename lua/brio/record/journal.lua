--- What is said and watched while a run goes on, as rows of the store: as much of it as a disk can take.
---
--- A line of the log costs a token; there are a hundred, and twenty more come each second of robot time.
--- Lines that find none are counted, and the next that finds one says how many are missing.  A watched
--- variable has tokens of its own: each value that it took is kept while there are some, else the newest when
--- the next one comes.
local journal = {}
local Journal = {}
Journal.__index = Journal

--- Tokens: how many there are at most, and how many come in a second.
local lines, values = { most = 100, rate = 20 }, { most = 50, rate = 20 }
--- Bytes of a line and of a watched text that are kept, and variables that a run may watch.
local longest_line, longest_text, most_variables = 4000, 400, 256

--- Write rows with put(table, row).
function journal.new(put)
  return setmetatable({ put = put, tokens = lines.most, since = 0, missing = 0, variables = {}, count = 0,
    waiting = {}, views = { tokens = lines.most, since = 0 } }, Journal)
end

--- Remove one token from `bucket`, filled at `rate` since its last use; false when it is empty.
local function take(bucket, now, limits)
  bucket.tokens = math.min(limits.most, bucket.tokens + limits.rate * math.max(0, now - bucket.since))
  bucket.since = now
  if bucket.tokens < 1 then return false end
  bucket.tokens = bucket.tokens - 1
  return true
end

--- Cut a text after a number of bytes, between two characters, and mark the cut.
local function cut(text, most)
  if #text <= most then return text end
  local last = most
  while last > 0 and text:byte(last + 1) & 0xC0 == 0x80 do last = last - 1 end
  return text:sub(1, last) .. " ..."
end

--- Write that lines are missing, when some are.
local function tell_missing(self, t, version)
  if self.missing == 0 then return end
  self.put("logs", { t = t, severity = "warning", source = "log", version = version,
    text = ("%d lines are missing here: they came faster than %d a second"):format(self.missing,
      lines.rate) })
  self.missing = 0
end

--- A line of the log: severity "info", "warning" or "error"; who says it; the version that runs.
function Journal:log(t, severity, source, text, version)
  if not take(self, t, lines) then
    self.missing = self.missing + 1
    return
  end
  tell_missing(self, t, version)
  self.put("logs", { t = t, severity = severity, source = source, text = cut(text, longest_line),
    version = version })
end

--- A view that a person saw: who, which view ("what"), and JSON of its content.  Limited like lines of the
--- log.
function Journal:seen(t, who, what, shown)
  if take(self.views, t, lines) then
    self.put("view_states", { t = t, who = who, what = what, shown = shown })
  end
end

--- The storable form of a value; raises for other values.
local function kept(name, value)
  local kind = type(value)
  if kind == "boolean" then return value and 1 or 0 end
  if kind == "string" then return cut(value, longest_text) end
  if value ~= value then return nil end -- not a number
  if kind == "nil" or kind == "number" then return value end
  error(("self:watch '%s' expects a number, a text, true, false or nil, not a %s"):format(name, kind), 0)
end

--- The variable of that name, made when it is new; nil when there are too many.
local function variable_of(self, name, unit, t)
  local variable = self.variables[name]
  if variable then return variable end
  if self.count >= most_variables then return nil end
  self.count = self.count + 1
  variable = { id = self.count, tokens = values.most, since = t, fresh = true }
  self.variables[name] = variable
  self.put("watched", { id = variable.id, name = name, unit = unit })
  return variable
end

local function write(self, variable, t)
  variable.written, variable.fresh = variable.value, false
  self.put("watched_values", { variable = variable.id, t = t, value = variable.value })
end

--- A variable's value at t; its unit is given the first time.  A row is written when the value changes.
--- Return true, or nil and the reason when nothing was stored.  Raises for a value that cannot be stored.
function Journal:watch(t, name, value, unit)
  value = kept(name, value)
  local variable = variable_of(self, name, unit, t)
  if not variable then
    return nil, ("%d variables are watched already: others are not stored"):format(most_variables)
  end
  if value ~= variable.value then variable.t = t end
  variable.value = value
  if variable.waits or not variable.fresh and value == variable.written then return true end
  if take(variable, t, values) then
    write(self, variable, t)
  else
    variable.waits = true
    self.waiting[#self.waiting + 1] = variable
  end
  return true
end

--- Once a tick: write the values that waited and may be written now; with `all`, whatever waits.
function Journal:work(now, all)
  if #self.waiting == 0 then return end
  local still = {}
  for _, variable in ipairs(self.waiting) do
    if all or take(variable, now, values) then
      variable.waits = false
      if variable.value ~= variable.written then write(self, variable, variable.t) end
    else
      still[#still + 1] = variable
    end
  end
  self.waiting = still
end

--- The run has ended.
function Journal:close(now)
  self:work(now, true)
  tell_missing(self, now)
end

return journal
