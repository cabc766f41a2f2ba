--- Compares two sets of runs: success rates, durations, motion and faults, each with an interval of 95 % of
--- the difference, and an interpretation in words of what the samples show and do not show.
local criterion = require "brio.analysis.criterion"
local intervals = require "brio.lib.intervals"
local repeats = require "brio.analysis.compare_repeats"
local measures, series = require "brio.motion.measures", require "brio.record.series"
local sets = require "brio.analysis.run_sets"
local suggest = require "brio.lib.suggest"

local compare = {}

--- Default number of runs of a set whose motion is measured, spread evenly over the set.
compare.most_motion = 8

--- Default number of DOFs that are measured: those that move most.
local most_dofs = 4

-- Reading ---------------------------------------------------------------------------------------------------

--- The rows of a query over the runs of a set: the statement has %s where the list of numbers goes.
local function over(db, list, sql)
  return db:query((sql:gsub("%%s", "(" .. table.concat(list, ",") .. ")")))
end

--- Counts: each gives rows of {name, hits, count} for a set.
local shares = {}

function shares.success(db, list, options)
  if options.success then
    local hits = 0
    for _, run in ipairs(list) do
      local good, why = options.success:holds(db, run)
      if good == nil then return nil, why end
      if good then hits = hits + 1 end
    end
    return { { name = "runs in which it holds", hits = hits, count = #list } }
  end
  return over(db, list, "SELECT 'runs that finished' AS name, total(outcome = 'finished') AS hits, count(*) \z
    AS count FROM"
    .. " run_summary"
    .. " WHERE run IN %s AND outcome IN ('finished', 'failed', 'killed')")
end

function shares.faultless(db, list)
  return over(db, list, "SELECT 'runs without a fault' AS name, total(NOT EXISTS (SELECT 1 FROM faults f \z
    WHERE f.run = r.id"
    .. " AND f.severity <> 'warning')) AS hits, count(*) AS count FROM runs r WHERE id IN %s")
end

function shares.activations(db, list)
  return over(db, list, "SELECT 'done: ' || name AS name, total(result = 'done') AS hits, count(*) AS count \z
    FROM activations"
    .. " WHERE run IN %s AND result IS NOT NULL AND name IS NOT NULL GROUP BY name ORDER BY name LIMIT 20")
end

function shares.trees(db, list)
  if not sets.has(db, "tree_nodes") then return {} end
  return over(db, list, "SELECT 'tree succeeds: ' || coalesce(state, name) AS name, total(status = \z
    'success') AS hits,"
    .. " count(*) AS count"
    .. " FROM tree_nodes WHERE run IN %s AND node = 1 AND status IN ('success', 'failure') GROUP BY 1 ORDER \z
      BY 1")
end

--- Durations and numbers: each gives rows of {name, unit, value} for a set.
local lengths = {}

function lengths.runs(db, list)
  return over(db, list, "SELECT 'the whole run' AS name, 's' AS unit, duration AS value FROM run_summary \z
    WHERE run IN %s"
    .. " AND outcome IN ('finished', 'failed')")
end

--- One value for each run, its mean stay: the stays in one run are not independent.
function lengths.states(db, list)
  return over(db, list, "SELECT 'stay in ' || state AS name, 's' AS unit, avg(left_at - entered) AS value \z
    FROM states"
    .. " WHERE run IN %s AND left_at IS NOT NULL AND cause <> 'stop' GROUP BY run, state ORDER BY state, run")
end

function lengths.activations(db, list)
  return over(db, list, "SELECT 'activation ' || name AS name, 's' AS unit, avg(ended - started) AS value \z
    FROM activations"
    .. " WHERE run IN %s AND ended IS NOT NULL AND parent IS NOT NULL AND name IS NOT NULL GROUP BY run, \z
      name ORDER BY name, run")
end

function lengths.faults(db, list)
  return over(db, list, "SELECT 'faults' AS name, 'a run' AS unit, (SELECT count(*) FROM faults f WHERE \z
    f.run = r.id"
    .. " AND f.severity <> 'warning') AS value FROM runs r WHERE id IN %s")
end

--- Group a set's rows by name: {names in order, lists by name, units by name}.
local function gathered(db, list, kinds, options)
  local all = { names = {}, rows = {} }
  for _, kind in ipairs(suggest.keys(kinds)) do
    local rows, why = kinds[kind](db, list, options)
    if not rows then return nil, why end
    for _, row in ipairs(rows) do
      local one = all.rows[row.name]
      if not one then
        one = { name = row.name, unit = row.unit, hits = row.hits, count = row.count, values = {} }
        all.rows[row.name], all.names[#all.names + 1] = one, row.name
      end
      if row.value then one.values[#one.values + 1] = row.value end
    end
  end
  return all
end

-- Motion ----------------------------------------------------------------------------------------------------

--- At most `count` items of a list, spread evenly over it.
local function thinned(list, most)
  if #list <= most then return list end
  local out = {}
  for index = 1, most do out[index] = list[1 + (index - 1) * (#list - 1) // (most - 1)] end
  return out
end

--- The DOFs to measure: the named ones, or those that move most in a run.
local function moving_dofs(db, run, options)
  local dofs, why = series.dofs(db, run)
  if not dofs then return nil, why end
  local known, list = {}, {}
  for _, dof in ipairs(dofs) do known[dof.name] = dof end
  for _, name in ipairs(options.dofs or {}) do
    local hint = suggest.hint(name, suggest.keys(known))
    if not known[name] then return nil, ("run %d has no DOF '%s'%s"):format(run, name, hint) end
    list[#list + 1] = known[name]
  end
  if options.dofs then return list end
  local moved
  if sets.has(db, "dof_summary") then
    moved, why = db:query("SELECT d.name AS name, s.path AS path FROM dof_summary s JOIN dofs d ON d.run = \z
      s.run AND"
      .. " d.dof = s.dof"
      .. " WHERE s.run = ? ORDER BY s.path DESC, s.dof LIMIT " .. most_dofs, run)
  else
    moved, why = db:query("SELECT name, max(command) - min(command) AS path FROM samples WHERE run = ? \z
      GROUP BY name"
      .. " ORDER BY path DESC, name LIMIT " .. most_dofs, run)
  end
  if not moved then return nil, why end
  for _, row in ipairs(moved) do
    if (row.path or 0) > 1e-6 then list[#list + 1] = known[row.name] end
  end
  return list
end

--- Tracking error: the root mean square of measured - command.
local function following(command, measured)
  local sum, count = 0, math.min(#command.values, #measured.values)
  for index = 1, count do sum = sum + (measured.values[index] - command.values[index]) ^ 2 end
  return count > 0 and math.sqrt(sum / count) or nil
end

local shown = { { "sparc", "smoothness (SPARC)", "" }, { "ldlj", "smoothness (LDLJ)", "" },
  { "fastest", "top speed", "/s" } }

--- Measure a DOF of a run into `into`.
local function measure_dof(db, run, dof, into)
  for _, of in ipairs { "command", "measured" } do
    local one, why = series.of_run(db, run, dof, of)
    if why then return nil, why end
    local row = one and measures.of(one) or {}
    for _, what in ipairs(shown) do
      if row[what[1]] then
        local unit = what[3] ~= "" and (dof.unit or "") .. what[3] or ""
        into[#into + 1] = { name = ("%s, %s, %s"):format(dof.name, what[2], of), unit = unit,
          value = row[what[1]] }
      end
    end
    into[of] = one
  end
  if into.command and into.measured then
    into[#into + 1] = { name = dof.name .. ", error of following (rms)", unit = dof.unit or "",
      value = following(into.command, into.measured) }
  end
  return true
end

--- Rows of the motion of a set; `dofs` by name.
local function motion_rows(db, list, dofs)
  local rows = {}
  for _, run in ipairs(list) do
    for _, dof in ipairs(dofs) do
      local into = {}
      local good, why = measure_dof(db, run, dof, into)
      if not good then return nil, why end
      table.move(into, 1, #into, #rows + 1, rows)
    end
  end
  return rows
end

--- Start collecting the motion of a side, for the DOFs that move in the first run; or nil and a sentence.
local function motion_of(a, options)
  local dofs, why = moving_dofs(a.db, a.runs[1], options)
  if not dofs then return nil, why end
  local most = options.all_motion and math.huge or compare.most_motion
  return function(side)
    return gathered(side.db, side.runs, {
      motion = function() return motion_rows(side.db, thinned(side.runs, most), dofs) end })
  end
end

-- Comparing -------------------------------------------------------------------------------------------------

--- The names of both in order: those of the first, then those that only the second has.
local function both_names(a, b)
  local names, seen = {}, {}
  for _, list in ipairs { a.names, b.names } do
    for _, name in ipairs(list) do
      if not seen[name] then names[#names + 1] = name end
      seen[name] = true
    end
  end
  return names
end

local nothing = { hits = 0, count = 0, values = {} }

local function share_row(name, a, b)
  local low_a, high_a = intervals.share(a.hits, a.count)
  local low_b, high_b = intervals.share(b.hits, b.count)
  local difference, low, high = intervals.share_difference(a.hits, a.count, b.hits, b.count)
  local function side(one, least, most)
    return { hits = math.tointeger(one.hits), count = one.count,
      rate = one.count > 0 and one.hits / one.count or nil,
      low = least, high = most }
  end
  return { name = name, kind = "share", a = side(a, low_a, high_a), b = side(b, low_b, high_b),
    difference = difference, low = low, high = high }
end

local function length_row(name, a, b)
  local shift, low, high = intervals.shift(a.values, b.values)
  local function side(one)
    local median, least, most = intervals.median(one.values)
    return { count = #one.values, median = median, low = least, high = most }
  end
  return { name = name, kind = "number", unit = a.unit or b.unit, a = side(a), b = side(b),
    difference = shift, low = low, high = high }
end

--- Add a row for each name.
local function add_rows(into, a, b, row_of)
  for _, name in ipairs(both_names(a, b)) do
    into[#into + 1] = row_of(name, a.rows[name] or nothing, b.rows[name] or nothing)
  end
end

--- The number of a set's runs whose motion is bit for bit that of an earlier run in it.
local function copies(db, list)
  local rows, why = over(db, list, "SELECT count(commands_hash) - count(DISTINCT commands_hash) AS n FROM \z
    runs WHERE id IN %s")
  if not rows then return nil, why end
  return rows[1].n
end

--- Describe a set: {word, runs, count, copies, text}; nil and a sentence.
local function side_of(db, word)
  local runs, why = sets.runs(db, word)
  if not runs then return nil, why end
  local same, fault = copies(db, runs)
  if not same then return nil, fault end
  return { db = db, word = word, runs = runs, copies = same, text = sets.text(runs) }
end

--- Remove the common runs from both; return how many.
local function without_shared(a, b)
  local seen, shared = {}, {}
  for _, run in ipairs(a.runs) do seen[run] = true end
  for _, run in ipairs(b.runs) do shared[run] = seen[run] end
  local count = 0
  for _, side in ipairs { a, b } do
    local kept = {}
    for _, run in ipairs(side.runs) do
      if shared[run] then count = count + 1 else kept[#kept + 1] = run end
    end
    side.runs, side.text = kept, sets.text(kept)
  end
  return count // 2
end

--- Compare the sets of runs for two words (see run_sets.lua), or two repeats ("repeat 3").  Options: success
--- (a criterion's text), dofs (names), motion (false: omit it), all_motion.  Return {a, b, shared, rows,
--- most_motion}, or nil and a sentence.
function compare.of(db, word_a, word_b, options)
  local one, other = repeats.number(word_a), repeats.number(word_b)
  if one and other then return repeats.of(db, one, other, { share = share_row, length = length_row }) end
  if one or other then return nil, "a repeat can only be compared with a repeat" end
  local a, why = side_of(db, word_a)
  if not a then return nil, why end
  local b, fault = side_of(db, word_b)
  if not b then return nil, fault end
  local shared = without_shared(a, b)
  if #a.runs == 0 or #b.runs == 0 then
    return nil, ("all runs of '%s' are also in '%s': there is nothing to compare"):format(#a.runs == 0
      and word_a or word_b, #a.runs == 0 and word_b or word_a)
  end
  local rows = {}
  local made, sentence
  if options.success then made, sentence = criterion.read(options.success) end
  if sentence then return nil, sentence end
  local steps = { { shares, share_row }, { lengths, length_row } }
  for _, step in ipairs(steps) do
    local of_a, wrong = gathered(db, a.runs, step[1], { success = made })
    local of_b
    if of_a then of_b, wrong = gathered(db, b.runs, step[1], { success = made }) end
    if not of_b then return nil, wrong end
    add_rows(rows, of_a, of_b, step[2])
  end
  if options.motion ~= false then
    local measure, wrong = motion_of(a, options)
    if not measure then return nil, wrong end
    local of_a, of_b
    of_a, wrong = measure(a)
    if of_a then of_b, wrong = measure(b) end
    if not of_b then return nil, wrong end
    add_rows(rows, of_a, of_b, length_row)
  end
  a.db, b.db = nil, nil
  return { a = a, b = b, shared = shared, rows = rows }
end

return compare
