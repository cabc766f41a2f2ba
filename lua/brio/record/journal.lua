--- Lines of the log and watched variables as rows of the store, at a limited rate, so that the file does
--- not grow without bound.
---
--- A line of the log costs a token; there are at most a hundred, and twenty are added each second of robot
--- time.  Lines without a token are counted, and the next line that gets one reports how many are missing.
--- A watched variable has its own tokens: each value is written while there are tokens; without one, only
--- the newest value waits for the next token.
local script = require "brio.script"

local journal = {}
local Journal = {}
Journal.__index = Journal

--- Token buckets: the capacity, and how many tokens are added each second.
local lines, values = { most = 100, rate = 20 }, { most = 50, rate = 20 }
--- Maximum length of a line and of a watched text, bytes; and the maximum number of watched variables of a
--- run.
local longest_line, longest_text, most_variables = 4000, 400, 256

--- A journal that writes rows with put(table, row).
function journal.new(put)
  return setmetatable({ put = put, tokens = lines.most, since = 0, missing = 0, variables = {}, count = 0,
    waiting = {}, views = { tokens = lines.most, since = 0 } }, Journal)
end

--- Remove one token from `bucket`, refilled for the time since its last use; false if it is empty.
local function take(bucket, now, limits)
  bucket.tokens = math.min(limits.most, bucket.tokens + limits.rate * math.max(0, now - bucket.since))
  bucket.since = now
  if bucket.tokens < 1 then return false end
  bucket.tokens = bucket.tokens - 1
  return true
end

--- Cut a text after a number of bytes, at a character boundary, and mark the cut.
local function cut(text, most)
  if #text <= most then return text end
  local last = most
  while last > 0 and text:byte(last + 1) & 0xC0 == 0x80 do last = last - 1 end
  return text:sub(1, last) .. " ..."
end

--- Write how many lines are missing, if any are.
local function tell_missing(self, t, version)
  if self.missing == 0 then return end
  self.put("logs", { t = t, severity = "warning", source = "log", version = version,
    text = ("%d lines are missing here: they came faster than %d a second"):format(self.missing,
      lines.rate) })
  self.missing = 0
end

--- A line of the log: severity "info", "warning" or "error"; its source; the version that runs.
function Journal:log(t, severity, source, text, version)
  if not take(self, t, lines) then
    self.missing = self.missing + 1
    return
  end
  tell_missing(self, t, version)
  self.put("logs", { t = t, severity = severity, source = source, text = cut(text, longest_line),
    version = version })
end

--- A view that a person saw: who, which view ("what"), and its content as JSON.  Limited like lines of the
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
  if value ~= value then return nil end -- NaN
  if kind == "nil" or kind == "number" then return value end
  error(("self:watch '%s' expects a number, a text, true, false or nil, not a %s"):format(name, kind), 0)
end

--- The variable of that name, created if it is new; nil if there are too many.
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

--- The value of a variable at t.  Its unit is given the first time.  A row is written when the value
--- changes. Return true, or nil and the reason if nothing was stored.  Raises for a value that cannot be
--- stored.
function Journal:watch(t, name, value, unit)
  value = kept(name, value)
  local variable = variable_of(self, name, unit, t)
  if not variable then
    return nil, ("%d variables are watched already: further ones are not stored"):format(most_variables)
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

--- Once a tick: write the waiting values for which there are tokens; with `all`, write every waiting value.
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

--- End of the run: write what is waiting.
function Journal:close(now)
  self:work(now, true)
  tell_missing(self, now)
end

-- As the recorder's functions: a row is written as a whole.
script.apart(Journal)

return journal
