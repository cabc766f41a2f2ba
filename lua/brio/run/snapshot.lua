--- Snapshots of a run, taken periodically so that another run can resume from the last one: after a crash,
--- a power failure, a kill.
---
---     brio run --resume last
---
--- A snapshot is a Lua text (snapshot/text.lua) with a table for each part.  A part is a file in snapshot/
--- and a name in the list below; it is a record of
---
---   name                             the name of its table
---   save(host)                       the plain data to save; nil: nothing
---   restore(host, told, shift, say)  restores from it, after the behavior is made and before its first
---                                    tick. Saved times move by `shift` seconds; say(sentence) reports
---                                    what cannot be restored
---
--- Snapshots are taken in the slack after a tick, each second by default, and are in the store's table
--- `snapshots`. A null there means: no change since the one before.
local lazy = require "brio.lib.lazy"
local document = lazy "brio.formats.json"
local ease = lazy "brio.run.snapshot.ease"
local readers = require "brio.store"
local text = lazy "brio.run.snapshot.text"

local snapshot = {}

--- The parts, in the order in which they are restored.
snapshot.parts = {}
for index, name in ipairs { "memory", "emotion", "map", "objects", "steering", "desk", "machine" } do
  snapshot.parts[index] = lazy("brio.run.snapshot." .. name)
end

--- Default interval between two snapshots, s.
snapshot.every = 1

-- Telling ---------------------------------------------------------------------------------------------------

--- The snapshot of a host: a text, and a list of what cannot be saved; nil and a sentence: it is too large.
function snapshot.of(host)
  local told = {}
  for _, part in ipairs(snapshot.parts) do told[part.name] = part.save(host) end
  return text.of(told, "self")
end

--- The positions of a run's DOFs, as JSON by name; nil if unknown.
local function pose_of(run)
  local pose = {}
  for _, dof in ipairs(run.description.dofs) do
    local state = run.actuator:state(dof.name)
    local value = state.valid and state.position or state.command
    if value and value == value then pose[dof.name] = value end
  end
  return next(pose) and readers.json(pose) or nil
end

local Keeper = {}
Keeper.__index = Keeper

--- The keeper of a run's snapshots: takes one every `seconds` (0: never), and eases in a run that resumes
--- another.
function snapshot.keeper(run, seconds)
  local every = run.recorder.writer and math.floor((seconds or snapshot.every) * run.rate + 0.5) or 0
  local self = setmetatable({ run = run, every = every, told = {}, eases = run.host.saved ~= nil }, Keeper)
  if self.eases then ease.set(run, ease.share) end
  return self
end

--- Report once what cannot be saved, so that a person knows before it matters.
function Keeper:complain(sentence)
  if self.told[sentence] then return end
  self.told[sentence] = true
  local host = self.run.host
  self.run.recorder:fault(host.tick, host.now, "warning", "snapshot", sentence, nil, host.version)
  self.run:tell("warning", sentence)
end

local function take(self, host)
  local good, made, dropped = pcall(snapshot.of, host)
  if not good then made, dropped = nil, tostring(made) end
  if not made then
    return self:complain("no snapshot was made, so the run cannot be resumed after a crash: " .. dropped)
  end
  if dropped[1] then
    local some = table.concat(dropped, ", ", 1, math.min(#dropped, 5))
    self:complain(("snapshots are without %s, which cannot be serialized"):format(some))
  end
  local pose = pose_of(self.run)
  self.run.recorder:snapshot { tick = host.tick, t = host.now, state = made ~= self.last and made or nil,
    pose = pose ~= self.pose and pose or nil }
  self.last, self.pose = made, pose
end

--- End of a tick: take a snapshot if it is due.
function Keeper:slack()
  local host = self.run.host
  if self.eases and host.now >= ease.seconds then
    self.eases = false
    ease.set(self.run, 1)
  end
  if self.every == 0 or host.tick % self.every ~= 0 or host.tick == 0 then return end
  take(self, host)
end

-- Resuming -----------------------------------------------------------------------------------------------

local columns = [[SELECT s.run AS id, s.behavior, s.robot, s.driver, s.seed, s.outcome, r.options, r.process
  FROM run_summary s JOIN runs r ON r.id = s.run]]

--- Rows of a query; nil and a sentence.
local function rows_of(db, ...)
  local rows, why = db:query(...)
  if rows then return rows end
  return nil, why
end

--- Whether a run is still going on in some process.
local function goes_on(row) return row.outcome == "runs" and not readers.ended(row.process) end

--- The newest run without an end.
local function find_last(db)
  local rows, why = rows_of(db, columns .. " WHERE s.outcome <> 'finished' ORDER BY s.run DESC LIMIT 20")
  for _, row in ipairs(rows or {}) do
    if not goes_on(row) then return row end
  end
  return nil, why or "no run there was killed, failed or stopped: name the run to resume"
end

--- The run of that number, or the newest one without an end ("last").
local function find_run(db, said)
  if said == "last" then return find_last(db) end
  local number = math.tointeger(tonumber(said))
  if not number then return nil, ("a run's number or last was expected, not '%s'"):format(said) end
  local rows, why = rows_of(db, columns .. " WHERE s.run = ?", number)
  local row = rows and rows[1]
  if row and goes_on(row) then
    return nil, ("run %d is still running: it cannot be resumed"):format(number)
  end
  return row, why or ("there is no run %d"):format(number)
end

--- The newest value of a column of a run's snapshots.
local function last_of(db, run, column)
  local rows, why = rows_of(db, ("SELECT %s AS value FROM snapshots WHERE run = ? AND %s IS NOT NULL ORDER \z
    BY tick DESC LIMIT 1")
    :format(column, column), run)
  return rows and rows[1] and rows[1].value, why
end

--- The table in a JSON text; empty if it has none.
local function read_json(said)
  local good, value = pcall(document.json, said or "", "the store")
  return good and type(value) == "table" and value or {}
end

--- Read the last snapshot of a run in a store: {run (id), behavior, robot, driver, seed, options, t, state
--- (its parts), pose (by DOF)}; nil and a sentence.
function snapshot.read(file, said)
  local db, why = readers.open(file)
  if not db then return nil, why end
  local row, state, pose, t
  row, why = find_run(db, said)
  if row then
    state, why = last_of(db, row.id, "state")
    pose, t = last_of(db, row.id, "pose"), last_of(db, row.id, "t")
    why = why or ("run %d has no snapshot to resume from"):format(row.id)
  end
  db:close()
  if not state then return nil, ("%s: %s"):format(file, why) end
  local parts, wrong = text.read(state)
  if type(parts) ~= "table" then
    return nil, ("%s: the snapshot of run %d is damaged: %s"):format(file, row.id, wrong or "it is no table")
  end
  return { run = row.id, behavior = row.behavior, robot = row.robot, driver = row.driver, seed = row.seed,
    options = read_json(row.options), t = t, state = parts, pose = read_json(pose) }
end

--- Resume from a snapshot: the host calls it in place of starting its machine.
function snapshot.begin(host, saved)
  local shift = host.now - saved.t
  local function say(sentence) host.say("warning", "resumed: " .. sentence) end
  for _, part in ipairs(snapshot.parts) do
    local told = saved.state[part.name]
    if type(told) == "table" then
      local good, why = pcall(part.restore, host, told, shift, say)
      if not good then
        say(("its %s cannot go on: %s"):format(part.name, tostring(why):match "^[^\n]*"))
        if part.name == "machine" then host.top = nil end
      end
    end
  end
  host:emit("resumed", { run = saved.run, t = saved.t }, "engine",
    ("run %d at %.1f s"):format(saved.run, saved.t))
end

return snapshot
