--- The state of a run at one moment, from the store: active states, owners of DOFs, positions.
---
--- Each part is a row of `parts`: a name, the table that it needs (a store of an older brio may lack it) and
--- its SQL with :run and :t.
local sets = require "brio.analysis.run_sets"

local moment = {}

--- The newest row of each `by` up to then.
local function newest(table_name, by, columns, order)
  return ("SELECT %s FROM %s x WHERE run = :run AND t <= :t AND %s = (SELECT max(%s) FROM %s y WHERE y.run \z
    = :run AND y.%s = x.%s"
    .. " AND y.t <= :t) ORDER BY %s"):format(columns, table_name, order, order, table_name, by, by, by)
end

--- Active rows: begun, and not ended.
local function going(table_name, from, to, columns)
  return ("SELECT %s FROM %s WHERE run = :run AND %s <= :t AND (%s IS NULL OR %s > :t)"):format(columns,
    table_name, from, to, to)
end

--- The last few rows up to then, newest first.
local function last(table_name, columns, count, more)
  return ("SELECT %s FROM %s WHERE run = :run AND t <= :t %s ORDER BY id DESC LIMIT"
    .. " %d"):format(columns, table_name, more or "", count)
end

moment.parts = {
  { name = "versions", needs = "run_versions",
    sql = newest("run_versions", "name", "name, substr(hash, 1, 12) AS version, t AS since", "id") },
  { name = "states", needs = "states", sql = going("states", "entered", "left_at",
    "machine, state, entered AS since, left_at AS until, cause, detail, previous, substr(version, 1, 12) AS"
      .. " version") .. " ORDER BY id" },
  { name = "activations", needs = "activations", sql = going("activations", "started", "ended",
    "name, behavior, started AS since, ended AS until, result") .. " ORDER BY id" },
  { name = "tree_nodes", needs = "tree_nodes",
    sql = "SELECT state, node, kind, name, started AS since, ended AS until, status"
    .. " FROM tree_nodes WHERE run = :run AND started <= :t AND (ended IS NULL OR ended > :t) ORDER BY \z
      tree, node" },
  { name = "playing", needs = "sources",
    sql = "SELECT s.name, s.kind, s.stage, s.priority, s.owner AS whose, s.who,"
    .. " s.started AS since,"
    .. " s.ended AS until, (SELECT group_concat(c.dof, ' ') FROM contributions c WHERE c.run = s.run AND \z
      c.source = s.id"
    .. " AND c.started <= :t AND (c.ended IS NULL OR c.ended > :t)) AS dofs FROM sources s WHERE s.run = \z
      :run AND s.started <= :t"
    .. " AND (s.ended IS NULL OR s.ended > :t) ORDER BY s.place, s.priority, s.id" },
  { name = "owners", needs = "contributions",
    sql = "SELECT dof, name AS owner, whose, since FROM (SELECT c.dof, s.name,"
    .. " s.owner AS whose,"
    .. " c.started AS since, row_number() OVER (PARTITION BY c.dof ORDER BY s.place DESC, s.priority DESC, \z
      s.id DESC) AS place"
    .. " FROM contributions c JOIN sources s ON s.run = c.run AND s.id = c.source WHERE c.run = :run AND \z
      c.started <= :t"
    .. " AND (c.ended IS NULL OR c.ended > :t)) WHERE place = 1 ORDER BY dof" },
  { name = "pulls", needs = "pulls", sql = "SELECT d.name AS dof, o.key AS objective, o.kind, j.value AS \z
    share, p.t AS since,"
    .. " (SELECT v.weight FROM objective_values v WHERE v.run = p.run AND v.objective = o.id AND v.t <= :t"
    .. " ORDER BY v.t DESC LIMIT 1) AS weight,"
    .. " (SELECT v.goal FROM objective_values v WHERE v.run = p.run AND v.objective = o.id AND v.t <= :t"
    .. " ORDER BY v.t DESC LIMIT 1) AS goal"
    .. " FROM dofs d JOIN pulls p ON p.run = d.run AND p.dof = d.dof AND p.t = (SELECT max(y.t) FROM pulls y"
    .. " WHERE y.run = d.run AND y.dof = d.dof AND y.t <= :t) JOIN json_each(p.shares) j"
    .. " JOIN objectives o ON o.run = p.run AND o.id = CAST(j.key AS INTEGER)"
    .. " WHERE d.run = :run AND p.moves = 1 ORDER BY d.dof, abs(j.value) DESC" },
  { name = "parameters", needs = "parameters",
    sql = newest("parameters", "name", "name, value, unit, t AS since", "t") },
  { name = "sightings", needs = "sightings", sql = going("sightings", "started", "ended",
    "class, name, x, y, z, started AS since") .. " ORDER BY id" },
  { name = "near", needs = "near_pairs", sql = going("near_pairs", "started", "ended",
    "a, b, started AS since, ended AS until, distance, t AS at") .. " ORDER BY id" },
  { name = "locks", needs = "locks", sql = going("locks", "taken", "given",
    "part, who, taken AS since, given AS"
    .. " until") .. " ORDER BY part" },
  { name = "operators", needs = "operators", sql = going("operators", "attached", "detached",
    "who, role, device, attached AS since") .. " ORDER BY id" },
  { name = "actions", needs = "actions",
    sql = "SELECT who, name, arguments, t_accept AS since, t_done AS until, outcome"
    .. " FROM actions"
    .. " WHERE run = :run AND coalesce(t_accept, t_input) <= :t AND (t_done IS NULL OR t_done > :t) ORDER \z
      BY id" },
  { name = "inputs", needs = "inputs",
    sql = newest("inputs", "name", "name, value, source, t AS since", "id") },
  { name = "watched", needs = "watched",
    sql = "SELECT w.name, w.unit, (SELECT v.value FROM watched_values v WHERE v.run = w.run"
    .. " AND v.variable = w.id AND v.t <= :t ORDER BY v.t DESC LIMIT 1) AS value FROM watched w WHERE w.run \z
      = :run ORDER"
    .. " BY w.id" },
  { name = "objects", needs = "scene_objects",
    sql = "SELECT name, change, kind, origin, source, x, y, z, t AS since, seen FROM ("
    .. newest("scene_objects", "name", "*", "id") .. ") WHERE change <> 'deleted' ORDER BY name" },
  { name = "seen", needs = "detections",
    sql = "SELECT class, name, max(t) AS t, x, y, z FROM detections WHERE run = :run"
    .. " AND t <= :t"
    .. " AND t > :t - 1 GROUP BY class, name ORDER BY class, name" },
  { name = "emotion", needs = "emotions",
    sql = "SELECT name, valence, arousal, intensity, mood_valence, operator, needs,"
    .. " t AS since FROM"
    .. " emotions WHERE run = :run AND t <= :t ORDER BY t DESC LIMIT 1" },
  { name = "gaze", needs = "gaze", sql = "SELECT target, kind, why, away, \"by\", started AS since, ended \z
    AS until FROM"
    .. " gaze WHERE run = :run"
    .. " AND started <= :t AND (ended IS NULL OR ended > :t) ORDER BY started DESC LIMIT 1" },
  { name = "speech", needs = "speech",
    sql = "SELECT text, voice, \"by\", started AS since, ended AS until, why FROM"
    .. " speech WHERE run = :run"
    .. " AND started <= :t AND (ended IS NULL OR ended > :t) ORDER BY started" },
  { name = "devices", needs = "device_samples",
    sql = "SELECT d.name, d.driver, s.t AS since, s.lost, s.rate, s.failures,"
    .. " s.error FROM devices d"
    .. " JOIN device_samples s ON s.run = d.run AND s.device = d.id AND s.t = (SELECT max(t) FROM \z
      device_samples y WHERE"
    .. " y.run = d.run"
    .. " AND y.device = d.id AND y.t <= :t) WHERE d.run = :run ORDER BY d.id" },
  { name = "solver", needs = "solves",
    sql = "SELECT tick, t, status, cost, iterations, active, distance, solve_us, tick_us"
    .. " FROM solver_ticks(:run, :t - 1, :t + 1e-6) ORDER BY tick DESC LIMIT 1" },
  { name = "annotations", needs = "annotations",
    sql = "SELECT tier, label, t0 AS since, t1 AS until, coder FROM annotations"
    .. " WHERE run = :run AND t0 <= :t AND coalesce(t1, t0 + 0.5) > :t ORDER BY t0" },
  { name = "events", needs = "events",
    sql = last("events", "t, name, source, data", 6, "AND NOT (source = 'speech' AND"
    .. " name = 'word')") },
  { name = "operator", needs = "operator", sql = last("operator", "t, who, command, arguments", 4) },
  { name = "logs", needs = "logs", sql = last("logs", "t, severity, source, text", 4) },
  { name = "faults", needs = "faults", sql = last("faults", "t, severity, source, message", 4) },
}

--- Samples of the last half second before: the newest of each DOF counts.
local dofs_sql = "SELECT d.name, d.unit, s.t, s.tick, s.goal, s.command, s.measured FROM dofs d LEFT JOIN"
  .. " samples(:run, d.dof, :from, :t) s WHERE d.run = :run ORDER BY d.dof, s.tick DESC"

--- The last moment of a run for which the store has data.
local function ends_of(db, run)
  local rows, why = db:query("SELECT duration FROM run_summary WHERE run = ?", run)
  if not rows then return nil, why end
  return rows[1]
end

--- Positions of DOFs: rows of the last sample up to the moment.
local function dofs_at(db, run, t)
  local rows, why = db:query(dofs_sql, { run = run, from = t - 0.5, t = t + 1e-6 })
  if not rows then return nil, why end
  local list = {}
  for _, row in ipairs(rows) do
    if not list[#list] or list[#list].name ~= row.name then list[#list + 1] = row end
  end
  return list
end

--- The state of run `run` (a row of run_summary) at t s: a table with a list under the name of each part and
--- under "dofs", and {run, t, behavior, robot, duration, absent = parts that this store lacks, failed = parts
--- that could not be read, with why}.  nil, sentence: there is no data for that time.
function moment.of(db, run, t)
  local ends, why = ends_of(db, run.run)
  if not ends then return nil, why end
  if t < 0 or (ends.duration and t > ends.duration + 1) then
    return nil, ("run %d has no second %g: it lasts from 0 to %.2f s"):format(run.run, t, ends.duration or 0)
  end
  local found = { run = run.run, t = t, behavior = run.behavior, robot = run.robot, duration = ends.duration,
    absent = {}, failed = {} }
  for _, part in ipairs(moment.parts) do
    if sets.has(db, part.needs) then
      local rows, fault = db:query(part.sql, { run = run.run, t = t })
      found[part.name] = rows
      if not rows then found.failed[part.name] = fault end
    else
      found.absent[#found.absent + 1] = part.name
    end
  end
  local rows, fault = dofs_at(db, run.run, t)
  found.dofs = rows
  if not rows then found.failed.dofs = fault end
  return found
end

return moment
