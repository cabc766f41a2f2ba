--- Recorded runs for the studio's pages, read from a store: what happened when, frames of poses at any times
--- in the bytes of the live feed, and lines for plots.
local feed = require "brio.studio.feed"
local history = require "brio.record.history"
local message = require "brio.studio.message"
local layers = require "brio.studio.recorded_layers"
local place = require "brio.robots.place"
local robot_model = require "brio.studio.model"
local solver = require "brio.solver"
local store = require "brio.store"
local uv = require "luv"

local recorded = {}
local Recorded = {}
Recorded.__index = Recorded

--- Limits: runs that are listed; rows of each kind of a run; frames and points of an answer.
recorded.most_runs, recorded.most_rows, recorded.most_frames, recorded.most_points = 500, 4000, 2000, 4000

--- Step, s, from which frames are looked up one by one instead of read in order.
local far = 1

--- The number of a source "recorded" in frames.
local source = 3

--- The runs of a store; nil, sentence: it cannot be read.
---@param path string
function recorded.open(path)
  local about = uv.fs_stat(path)
  if not about then return nil, path .. ": there is no store" end
  local db, why = store.open(path)
  if not db then return nil, why end
  return setmetatable({ db = db, path = path, models = {}, solvers = {} }, Recorded)
end

--- The same of a store that is open.
function recorded.of(db) return setmetatable({ db = db, models = {}, solvers = {} }, Recorded) end

function Recorded:close() self.db:close() end

--- The newest runs, the newest first.
function Recorded:runs()
  local rows, why = self.db:query("SELECT id FROM runs ORDER BY id DESC LIMIT " .. recorded.most_runs)
  if not rows then return nil, why end
  local numbers = {}
  for index, row in ipairs(rows) do numbers[index] = row.id end
  if #numbers == 0 then return message.list {} end
  local list, fault = history.runs(self.db, numbers)
  if not list then return nil, fault end
  table.sort(list, function(a, b) return a.run > b.run end)
  return message.list(list)
end

--- Queries about a run, ?1: field = SQL.  A store of an older brio may lack some tables: then the field is
--- absent.
local questions = {
  dofs = "SELECT dof, name, unit FROM dofs WHERE run = ?1 ORDER BY dof",
  states = "SELECT state, cause, detail, entered, left_at, depth FROM states_timeline WHERE run = ?1 \z
    ORDER BY id",
  actions = "SELECT kind, name, whose, who, started, ended, result, reason FROM all_actions WHERE run = ?1 \z
    AND kind <> 'behavior' ORDER BY started",
  events = "SELECT t, name, source FROM events WHERE run = ?1 ORDER BY id",
  operator = "SELECT t, who, command, arguments FROM operator WHERE run = ?1 ORDER BY id",
  faults = "SELECT t, severity, source, message FROM faults WHERE run = ?1 ORDER BY id",
  versions = "SELECT t, name, hash FROM run_versions WHERE run = ?1 ORDER BY id",
  notes = "SELECT id, tier, t0, t1, label, coder, live FROM annotations WHERE run = ?1 ORDER BY t0",
  log = "SELECT t, level, text FROM logs WHERE run = ?1 ORDER BY id",
}

--- Everything about a run that a time bar shows; nil, sentence.
---@param number integer
function Recorded:run(number)
  local row, why = history.run(self.db, number)
  if not row then return nil, why end
  for name, sql in pairs(questions) do
    local rows = self.db:query(sql .. " LIMIT " .. recorded.most_rows, number)
    row[name] = rows and message.list(rows) or nil
  end
  return row
end

--- The description of the robot of a run; nil, sentence.
local function robot_of(self, number)
  local rows, why = self.db:query("SELECT robot, options FROM runs WHERE id = ?1", number)
  if not rows then return nil, why end
  if not rows[1] or not rows[1].robot then return nil, ("run %d has no robot"):format(number) end
  return place.find(rows[1])
end

--- The robot of a run as a text of JSON; nil, sentence.
function Recorded:model(number)
  if self.models[number] then return self.models[number] end
  local description, fault = robot_of(self, number)
  if not description then return nil, fault end
  self.models[number] = message.text(robot_model.of(description))
  return self.models[number]
end

--- The versions of files that ran: rows {t, name, hash}; nil, sentence.
function Recorded:versions(number)
  local rows, why = self.db:query("SELECT t, name, hash FROM run_versions WHERE run = ?1 ORDER BY id", number)
  return rows and message.list(rows), why
end

--- The text of a version, {name, source}; nil, sentence.
function Recorded:source(hash)
  local row, why = history.version(self.db, hash)
  return row and { name = row.name, source = row.source }, why
end

-- Frames -------------------------------------------------------------------------------------------

local value = "coalesce(measured, command)"

--- Values of a DOF at the times of a grid, read in order; the last before each time holds.
local function in_order(db, number, dof, grid, rate)
  local every = math.max(1, math.floor(grid.step * rate / 2))
  local sql = "SELECT t, %s AS v FROM samples(?1, ?2, ?3, ?4) WHERE tick %% ?5 = 0"
  local rows = assert(db:rows(sql:format(value), number, dof.dof, grid.from - 0.5, grid.to, every))
  local column, at, last = {}, 1, nil
  for row in rows do
    while at <= grid.count and grid.from + (at - 1) * grid.step < row.t - 1e-9 do
      column[at], at = last, at + 1
    end
    last = row.v or last
  end
  while at <= grid.count do column[at], at = last, at + 1 end
  return column
end

--- The same, looked up at each time: t of the grid, and the first sample behind it.
local lookup = ("SELECT (SELECT %s FROM samples(?1, ?2, g.value, g.value + 0.2) LIMIT 1) AS v \z
  FROM json_each(?3) g"):format(value)

local function one_by_one(db, number, dof, grid)
  local column, at, last = {}, 0, nil
  for row in assert(db:rows(lookup, number, dof.dof, grid.times)) do
    at, last = at + 1, row.v or last
    column[at] = last
  end
  return column
end

--- The pose between two rows of `bases` at a time; the first alone, if there is no second.
local function base_between(a, b, t)
  local share = b and math.max(0, math.min(1, (t - a.t) / (b.t - a.t))) or 0
  b = b or a
  -- The shorter arc of the two.
  local sign = a.qx * b.qx + a.qy * b.qy + a.qz * b.qz + a.qw * b.qw < 0 and -1 or 1
  local pose, squares = {}, 0
  for index, name in ipairs { "x", "y", "z", "qx", "qy", "qz", "qw" } do
    local to = index > 3 and sign * b[name] or b[name]
    pose[index] = a[name] + share * (to - a[name])
    if index > 3 then squares = squares + pose[index] ^ 2 end
  end
  for index = 4, 7 do pose[index] = pose[index] / math.sqrt(squares) end
  return pose
end

--- Poses of the base at the times of a grid, in proportion between its rows; nil: it stood.  A store of an
--- older brio has none.
local function bases_of(db, number, grid)
  local rows = db:query("SELECT t, x, y, z, qx, qy, qz, qw FROM bases WHERE run = ?1 AND t >= \z
    coalesce((SELECT \z
    max(t) FROM bases WHERE run = ?1 AND t <= ?2), ?2) AND t <= coalesce((SELECT min(t) FROM bases \z
    WHERE run = ?1 AND t >= ?3), ?3) ORDER BY t", number, grid.from, grid.to)
  if not rows or not rows[1] then return nil end
  local poses, at = {}, 1
  for k = 1, grid.count do
    local t = grid.from + (k - 1) * grid.step
    while rows[at + 1] and rows[at + 1].t <= t do at = at + 1 end
    poses[k] = base_between(rows[at], rows[at + 1], t)
  end
  return poses
end

--- Frames of a run at the times from `from` to `to`, s, each `step` s, one behind the other; nil, sentence.
function Recorded:frames(number, from, to, step)
  local dofs, why = self.db:query("SELECT dof, name FROM dofs WHERE run = ?1 ORDER BY dof", number)
  if not dofs then return nil, why end
  local rates = self.db:query("SELECT tick_rate FROM runs WHERE id = ?1", number)
  local grid = { from = from, to = to, step = step, count = math.floor((to - from) / step + 1e-6) + 1 }
  if grid.count > recorded.most_frames then
    return nil, ("%d frames are asked for, at most %d are sent"):format(grid.count, recorded.most_frames)
  end
  if step >= far then
    local times = {}
    for at = 1, grid.count do times[at] = from + (at - 1) * step end
    grid.times = message.text(message.list(times))
  end
  local columns = {}
  for index, dof in ipairs(dofs) do
    columns[index] = step >= far and one_by_one(self.db, number, dof, grid)
      or in_order(self.db, number, dof, grid, rates[1] and rates[1].tick_rate or 200)
  end
  local frames, values, bases = {}, {}, bases_of(self.db, number, grid) or {}
  for at = 1, grid.count do
    for index = 1, #dofs do values[index] = columns[index][at] or 0 / 0 end
    frames[at] = feed.frame(source, at - 1, from + (at - 1) * step, values, bases[at])
  end
  return table.concat(frames)
end

-- Layers -----------------------------------------------------------------------------------------------

--- A solver of a run's robot, and the set of its joints, made once; nil: the robot cannot be read, or has too
--- many joints for one.
local function solver_of(self, number)
  if self.solvers[number] == nil then
    local description, known = robot_of(self, number), {}
    local one = description and solver.new(description.robot)
    for _, variable in ipairs(one and description.robot:variables() or {}) do known[variable.name] = true end
    self.solvers[number] = one and { one = one, known = known } or false
  end
  local made = self.solvers[number]
  if made then return made.one, made.known end
end

--- That solver at the pose of a moment.
local function pose_at(self, number, t)
  local one, known = solver_of(self, number)
  local dofs = one and self.db:query("SELECT dof, name FROM dofs WHERE run = ?1", number)
  if not dofs then return nil end
  local grid = { from = t, to = t, step = far, count = 1, times = message.text(message.list { t }) }
  local joints = {}
  for _, dof in ipairs(dofs) do
    if known[dof.name] then joints[dof.name] = one_by_one(self.db, number, dof, grid)[1] end
  end
  local base = bases_of(self.db, number, grid)
  base = base and base[1]
  one:reset { joints = joints, base = base and { position = { table.unpack(base, 1, 3) },
    orientation = { table.unpack(base, 4, 7) } } }
  return one
end

--- What a view draws beside the robot at `t` s of a run (recorded_layers.lua); nil, sentence.
---@param wanted string names of layers, separated by commas
function Recorded:layers(number, t, wanted)
  local posed
  return layers.of({ db = self.db, run = number, t = t, posed = function()
    posed = posed or pose_at(self, number, t)
    return posed
  end }, wanted)
end

-- Lines for plots ------------------------------------------------------------------------------------

--- Lines of a DOF, goal, command and measurement: {name, unit, from, to, t = list, command = list, measured =
--- list}, at most `points` long, each point the mean of its part; nil, sentence.
function Recorded:series(number, name, from, to, points)
  local dofs, why = self.db:query("SELECT dof, name, unit FROM dofs WHERE run = ?1 AND name = ?2", number,
    name)
  if not dofs then return nil, why end
  if not dofs[1] then return nil, ("the run has no DOF '%s'"):format(name) end
  local width = math.max((to - from) / points, 1e-6)
  local rows, fault = self.db:query("SELECT avg(t) AS t, avg(command) AS command, \z
    avg(measured) AS measured, avg(goal) AS goal FROM samples(?1, ?2, ?3, ?4) \z
    GROUP BY cast((t - ?3) / ?5 AS INTEGER) ORDER BY 1 LIMIT ?6",
    number, dofs[1].dof, from, to, width, recorded.most_points)
  if not rows then return nil, fault end
  local made = { name = name, unit = dofs[1].unit, t = {}, command = {}, measured = {}, goal = {} }
  for index, row in ipairs(rows) do
    made.t[index] = row.t
    for _, field in ipairs { "command", "measured", "goal" } do made[field][index] = row[field]
      or store.null end
  end
  for _, field in ipairs { "t", "command", "measured", "goal" } do made[field] = message.list(made[field]) end
  return made
end

return recorded
