--- A recorded run for exporters: its rows in order of time, read one after the other, in one transaction,
--- so that all of them are of one moment even if the run goes on.
---
---     local run = assert(recorded.open(db, 3, { from = 10, to = 20 }))
---     for t, tick, goals, commands, measured in run:ticks() do ... end   -- lists by place in run.dofs
---     for row in run:rows("events", { "t", "name" }, "t") do ... end
local recorded = {}

local Recorded = {}
Recorded.__index = Recorded

--- Days from 1970-01-01 to a day of the Gregorian calendar (H. Hinnant, "chrono-compatible low-level date
--- algorithms").
local function days_to(year, month, day)
  year = month <= 2 and year - 1 or year
  local era, of_era = year // 400, year % 400
  local of_year = (153 * (month + (month > 2 and -3 or 9)) + 2) // 5 + day - 1
  return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468
end

--- Nanoseconds since 1970 of a time as the store writes it, 2026-11-22T05:43:22.774Z; nil: invalid.
function recorded.nanoseconds(text)
  local year, month, day, hour, minute, second,
    part = (text or ""):match "^(%d+)-(%d+)-(%d+)[T ](%d+):(%d+):(%d+)%.?(%d*)Z?$"
  if not year then return nil end
  local function whole(digits) return math.tointeger(tonumber(digits)) end
  local seconds = days_to(whole(year), whole(month), whole(day)) * 86400 + whole(hour) * 3600 +
    whole(minute) * 60 + whole(second)
  return seconds * 1000000000 + whole((part .. "000000000"):sub(1, 9))
end

--- A time of the run, s, if it is finite and small enough for file formats; raises otherwise.
function recorded.time(t)
  if t and math.abs(t) < 1e9 then return t end
  error(("the store is damaged: %s s is no time of a run"):format(t), 0)
end

--- Open the run of that number, from options.from to options.to (s of the run; default: all of it). nil,
--- sentence: it cannot be read.
---@param db userdata from brio.store
---@param number integer
---@param options { from: number?, to: number?, dofs: string[]? }? dofs: only these
function recorded.open(db, number, options)
  options = options or {}
  -- The open statement holds a read transaction: the store does not change for this connection.
  local moment, why = db:rows "SELECT id FROM runs UNION ALL SELECT 0"
  if not moment then return nil, why end
  local read, damage = pcall(moment)
  if not read then return nil, damage end
  local rows, fault = db:query("SELECT r.*, s.duration AS lasted, s.outcome AS ended_how FROM runs r JOIN \z
    run_summary s"
    .. " ON s.run = r.id WHERE r.id = ?", number)
  if not rows then return nil, fault end
  if not rows[1] then return nil, ("there is no run %d"):format(number) end
  local self = setmetatable({ db = db, number = number, moment = moment, run = rows[1], known = {} },
    Recorded)
  self.length = rows[1].lasted or 0
  -- Motion of the motors after the end is a part of the run.
  self.from, self.to = options.from or 0, options.to or math.huge
  if self.from > self.length then
    return nil, ("run %d lasted %.2f s: it has nothing from %.2f s on"):format(number, self.length,
      self.from)
  end
  self.begun = recorded.nanoseconds(rows[1].started_at) or 0
  self.dofs, why = db:query("SELECT dof, name, unit FROM dofs WHERE run = ? ORDER BY dof", number)
  if not self.dofs then return nil, why end
  if options.dofs then return self:only(options.dofs) end
  return self
end

--- Keep only the DOFs of these names.
function Recorded:only(names)
  local known, kept = {}, {}
  for _, dof in ipairs(self.dofs) do known[dof.name] = dof end
  for _, name in ipairs(names) do
    if not known[name] then
      local suggest = require "brio.lib.suggest"
      return nil, ("the run has no DOF '%s'%s"):format(name, suggest.hint(name, suggest.keys(known)))
    end
    kept[#kept + 1], known[name] = known[name], known[name]
  end
  self.dofs = kept
  return self
end

--- Seconds of the run as nanoseconds since 1970.
function Recorded:stamp(t) return self.begun + math.floor(recorded.time(t) * 1e9 + 0.5) end

--- The columns of a table or view, {name = true, [1] = name, ...}; nil: this store has none of that name.
function Recorded:columns(name)
  local found = self.known[name]
  if found == nil then
    local list = name:match "^[%a_][%w_]*$" and self.db:columns(("SELECT * FROM %s LIMIT 0"):format(name))
    found = false
    if list then
      found = {}
      for index, column in ipairs(list) do found[index], found[column] = column, true end
    end
    self.known[name] = found
  end
  return found or nil
end

local function nothing() return nil end

--- The rows of a table or view of this run, with those of `columns` that it has.  `time`: the column to
--- order by and to restrict to the span (nil: all rows, in the order of the table). A table that the store
--- does not have is empty.
---@return fun(): table? next
function Recorded:rows(name, columns, time)
  local has, wanted = self:columns(name), {}
  if not has or time and not has[time] then return nothing end
  for _, column in ipairs(columns or has) do
    if has[column] then wanted[#wanted + 1] = '"' .. column .. '"' end
  end
  local sql = ("SELECT %s FROM %s WHERE run = ?1"):format(table.concat(wanted, ", "), name)
  if time then
    return self:select(("%s AND %s >= ?2 AND %s <= ?3 ORDER BY %s"):format(sql, time, time, time))
  end
  return assert(self.db:rows(sql, self.number))
end

--- The rows of a statement with the parameters ?1 (the run), ?2 and ?3 (the beginning and end, s).
function Recorded:select(sql) return assert(self.db:rows(sql, self.number, self.from, self.to)) end

--- Samples of one DOF, in order of time.
local function samples_of(self, dof)
  local next_row = self.db:rows("SELECT tick, t, goal, command, measured FROM samples WHERE run = ?1 AND \z
    name = ?2"
    .. " AND t >= ?3 AND t <= ?4", self.number, dof.name, self.from, self.to)
  return assert(next_row)
end

--- Each tick that has samples: t, tick, and the goals, commands and measured values as lists in the order
--- of `dofs`, nil where there is no value. The lists are reused for the next tick.
function Recorded:ticks()
  local cursors, heads, last = {}, {}, nil
  local goals, commands, measured = {}, {}, {}
  for place, dof in ipairs(self.dofs) do
    cursors[place] = samples_of(self, dof)
    heads[place] = cursors[place]()
  end
  return function()
    local tick, t
    for place = 1, #cursors do
      local head = heads[place]
      if head and (not tick or head.tick < tick) then tick, t = head.tick, head.t end
    end
    if not tick then return nil end
    if last and tick <= last then
      error(("samples of run %d are not in order at tick %d"):format(self.number, tick), 0)
    end
    for place = 1, #cursors do
      local head = heads[place]
      if head and head.tick == tick then
        goals[place], commands[place], measured[place] = head.goal, head.command, head.measured
        heads[place] = cursors[place]()
      else
        goals[place], commands[place], measured[place] = nil, nil, nil
      end
    end
    last = tick
    return t, tick, goals, commands, measured
  end
end

return recorded
