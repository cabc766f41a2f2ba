--- A run as one page for reading, printing and sending: its description, its end, its events, its motion, its
--- faults, its versions. The file is self-contained.
local chart = require "brio.draw.chart"
local diff = require "brio.lib.diff"
local history = require "brio.record.history"
local page = require "brio.draw.html_page"
local run_motion = require "brio.formats.run.motion"

local html = {
  name = "html", extensions = { "html", "htm" }, takes = { dof = true },
  doc = "a report of one page: how it ended, timeline, plots, faults, versions; no network, printable",
}

--- Maximum numbers of rows of a table, texts on a timeline, drawn DOFs, lines of a diff, ...
local most = { rows = 200, marks = 300, dofs = 8, nodes = 40, lines = 400, letters = 48, of_figure = 3 }

local function all(run, sql, ...)
  local rows, why = run.db:query(sql, run.number, ...)
  if not rows then error(why, 0) end
  return rows
end

local function seconds(value) return value and ("%.2f s"):format(value) end

local function name_of(path) return path and (path:match "([^/]+)%.lua$" or path) or "no behavior" end

-- What it was -----------------------------------------------------------------------------------------

local ends = { finished = "It finished", stopped = "It was stopped", failed = "It failed",
  killed = "It was killed, so it never ended", runs = "It was still running when this was written" }

local function began(made, run, told)
  local row = run.run
  local outcome = told.outcome or "ended"
  local reason = row.reason and row.reason ~= "" and (" (%s)"):format(row.reason) or ""
  made:heading "How it ended"
  made:text(("%s%s after %s."):format(ends[outcome] or outcome, reason, seconds(run.length)),
    (outcome == "failed" or outcome == "killed") and "bad" or "good")
  if (row.lost_rows or 0) > 0 then
    made:text(("%d rows of its record were lost."):format(row.lost_rows), "bad")
  end
  made:facts {
    { "run", run.number }, { "began", row.started_at }, { "behavior", row.behavior }, { "robot", row.robot },
      { "driver", row.driver },
    { "clock", row.clock }, { "seed", row.seed }, { "lasted", seconds(run.length) }, { "ticks", row.ticks },
    { "tick rate", row.tick_rate and ("%.4g Hz"):format(row.tick_rate) }, { "brio", row.engine_version },
    { "shown", (run.from > 0 or run.to < run.length)
      and ("%s to %s"):format(seconds(run.from), seconds(math.min(run.to,
      run.length))) },
    { "states", told.states }, { "events", told.events }, { "operator commands", told.operator_commands },
      { "faults", told.faults },
    { "commands' hash", row.commands_hash },
  }
end

local function studied(made, run)
  if not (run:columns "session_runs" and run:columns "sessions") then return end
  local rows = all(run,
    "SELECT s.id, st.name AS study, s.participant, s.condition, s.ordinal, s.wizard, s.rehearsal, \z
      s.outcome, s.notes"
    .. " FROM session_runs r JOIN sessions s ON s.id = r.session JOIN studies st ON st.id = s.study WHERE \z
      r.run = ?1")
  if #rows == 0 then return end
  local one = rows[1]
  made:heading "Session"
  made:facts { { "study", one.study }, { "session", one.id }, { "participant", one.participant },
    { "condition", one.condition },
    { "place in the order", one.ordinal }, { "wizard", one.wizard },
      { "rehearsal", one.rehearsal == 1 and "yes" or nil },
    { "outcome", one.outcome }, { "notes", one.notes } }
end

-- Events ----------------------------------------------------------------------------------------------------

local function bands_of(run, sql, color)
  local bands = {}
  for _, row in ipairs(all(run, sql, run.from, run.to)) do
    bands[#bands + 1] = { row = row.row, label = row.label or "", from = row.begun,
      to = row.ended or run.length, key = row.key,
      color = color and color(row) }
  end
  return bands
end

--- A text that fits beside its moment: its first line, cut.
local function short(text)
  local line = require("brio.lib.markup").utf8(text):match "^[^\r\n]*"
  local cut = utf8.offset(line, most.letters + 1)
  return cut and cut <= #line and line:sub(1, cut - 1) .. "…" or line
end

--- Moments as events of a chart; several at one time with one name are merged.
local function events_of(run, sql)
  local events = {}
  for _, row in ipairs(all(run, sql .. (" LIMIT %d"):format(most.marks + 1), run.from, run.to)) do
    events[#events + 1] = { row.t, short(row.label or "") }
  end
  local more = #events > most.marks
  events[most.marks + 1] = nil
  return events, more
end

local moments = {
  { "events", "events",
    "SELECT DISTINCT t, name AS label FROM events WHERE run = ?1 AND t >= ?2 AND t <= ?3 AND \z
      coalesce(source, '')"
    .. " NOT IN ('speech', 'gaze') ORDER BY t" },
  { "operator", "operator",
    "SELECT t, coalesce(who || ': ', '') || command AS label FROM operator WHERE run = ?1 AND t >= ?2 AND t \z
      <= ?3"
    .. " ORDER BY t" },
  { "faults", "faults",
    "SELECT t, severity || ': ' || message AS label FROM faults WHERE run = ?1 AND t >= ?2 AND t <= ?3 \z
      ORDER BY t" },
  { "notes", "notes", "SELECT t, text AS label FROM notes WHERE run = ?1 AND t >= ?2 AND t <= ?3 \z
    ORDER BY t" },
}

local within = " AND %s <= ?3 AND coalesce(%s, 1e18) >= ?2 ORDER BY %s LIMIT 2000"

local spans = {
  { "states", "states", "SELECT coalesce(machine, '') AS row, state AS label, entered AS begun, left_at AS \z
    ended FROM states"
    .. " WHERE run = ?1" .. within:format("entered", "left_at", "entered, id") },
  { "actions", "actions", "SELECT name AS row, who AS label, coalesce(t_dispatch, t_accept, t_input) AS \z
    begun, coalesce(t_done,"
    .. " t_dispatch, t_accept, t_input) AS ended FROM actions WHERE run = ?1 AND begun IS NOT NULL"
      .. within:format("begun", "ended", "begun") },
  { "what was said, looked at and played", "speech",
    "SELECT * FROM (SELECT 'speech' AS row, text AS label, started AS begun, ended FROM speech WHERE run = \z
      ?1 UNION ALL"
    .. " SELECT 'gaze', coalesce(target, kind), started, ended FROM gaze WHERE run = ?1 UNION ALL"
    .. " SELECT kind, name, started, ended FROM sources WHERE run = ?1) WHERE 1"
      .. within:format("begun", "ended", "begun") },
}

local function timeline(made, run)
  local panels, cut = {}, false
  for _, one in ipairs(spans) do
    local bands = run:columns(one[2]) and bands_of(run, one[3]) or {}
    if #bands > 0 then panels[#panels + 1] = { title = one[1], bands = bands } end
  end
  for _, one in ipairs(moments) do
    local events, more = {}, false
    if run:columns(one[2]) then events, more = events_of(run, one[3]) end
    if #events > 0 then panels[#panels + 1] = { title = one[1], events = events } end
    cut = cut or more
  end
  if #panels == 0 then return end
  made:heading "What happened when"
  made:chart({ from = run.from, to = math.min(run.to, run.length), panels = panels },
    cut and ("Of what happened most often, the first %d are drawn."):format(most.marks) or nil)
end

local statuses = { success = chart.colors[3], failure = chart.colors[2], stopped = chart.colors[7],
  running = chart.colors[1], again = chart.colors[6] }

--- The trees that ran, by their nodes in the order of their first execution.
local function trees(made, run)
  if not run:columns "tree_nodes" then return end
  local sql = "SELECT coalesce(name, kind) AS row, status, '' AS label, started AS begun, ended,"
    .. " state || '/' || tree || '/' || node AS key FROM tree_nodes WHERE run = ?1"
    .. within:format("started", "ended", "started")
  local bands, seen, count, kept = bands_of(run, sql, function(row) return statuses[row.status] end), {},
    0, {}
  for _, band in ipairs(bands) do
    if not seen[band.key] and count < most.nodes then seen[band.key], count = true, count + 1 end
    if seen[band.key] then kept[#kept + 1] = band end
  end
  if #kept == 0 then return end
  local legend = {}
  for _, name in ipairs { "success", "failure", "stopped", "running" } do
    legend[#legend + 1] = { name, statuses[name] }
  end
  made:heading "Trees"
  made:chart({ from = run.from, to = math.min(run.to, run.length), left = 190,
    panels = { { title = "nodes", bands = kept, legend = legend } } }, #kept < #bands
      and "The first nodes that ran, and how they ended."
    or "Nodes that ran, and how they ended.")
end

local function story(made, run)
  local items, why = history.story(run.db, run.number)
  if not items then error(why, 0) end
  local rows = {}
  for _, item in ipairs(items) do
    if item.t >= run.from and item.t <= run.to then
      local again = item.times > 1 and (" (%d times, until %.2f s)"):format(item.times, item.last) or ""
      rows[#rows + 1] = { ("%.2f"):format(item.t), item.sentence .. again }
    end
  end
  if #rows == 0 then return end
  made:heading "Story"
  made:table({ "s", "" }, rows, { most = most.rows })
end

-- Motion ----------------------------------------------------------------------------------------------------

--- The DOFs that moved most in relation to their unit's range, by the length of their paths.
local function liveliest(list)
  local order = {}
  for place, one in ipairs(list) do
    if one.path > 1e-6 then order[#order + 1] = { one = one, place = place } end
  end
  table.sort(order, function(a, b) return a.one.path > b.one.path or a.one.path == b.one.path
    and a.place < b.place end)
  local shown = {}
  for index = 1, math.min(most.dofs, #order) do shown[index] = order[index].one end
  return shown, #order
end

local function motion(made, run)
  if #run.dofs == 0 then return end
  local list = run_motion.collect(run)
  local shown, moved = liveliest(list)
  local panels, rows = {}, {}
  for index, one in ipairs(shown) do
    panels[index] = { title = one.name, unit = one.unit, height = 84,
      lines = { { label = "command", points = one.command },
      { label = "measured", points = one.measured, faint = true, color = chart.colors[7] } } }
  end
  for _, one in ipairs(list) do
    if one.path > 1e-6 or (one.greatest_error or 0) > 1e-6 then
      rows[#rows + 1] = { one.name, one.unit, one.least, one.greatest, one.path, one.top_speed, one.rms_error,
        one.greatest_error }
    end
  end
  made:heading "Motion"
  if #panels == 0 then
    made:text "Nothing moved."
    return
  end
  for first = 1, #panels, most.of_figure do -- in print, a figure stays on one page
    made:chart { from = run.from, to = math.min(run.to, run.length),
      panels = table.move(panels, first, math.min(first + most.of_figure - 1, #panels), 1, {}) }
  end
  if moved > #panels then
    made:text(("The %d of %d moving DOFs that went farthest."):format(#panels, moved), "small")
  end
  made:table({ "DOF", "unit", "least", "greatest", "way", "top speed", "rms error", "greatest error" },
    rows, {
    caption = "Measured range, way and top speed (a second) of what was commanded, and how far measured \z
      values were from it." })
end

-- What it cost and what failed ------------------------------------------------------------------------------

local function solver(made, run)
  if not run:columns "solves" then return end
  local to = math.min(run.to, run.length)
  local cost, took, statuses_of = run_motion.line(run.from, to, 600), run_motion.line(run.from, to, 600), {}
  local count = 0
  for row in run:rows("solves", { "t", "status", "cost", "solve_us" }, "t") do
    count = count + 1
    if row.cost then cost:add(row.t, row.cost) end
    if row.solve_us then took:add(row.t, row.solve_us / 1000) end
    statuses_of[row.status or "?"] = (statuses_of[row.status or "?"] or 0) + 1
  end
  if count == 0 then return end
  local panels, words = {}, {}
  for _, one in ipairs { { "cost", nil, cost }, { "time of a solve", "ms", took } } do
    local points = one[3]:finish()
    if #points >= 4 then
      panels[#panels + 1] = { title = one[1], unit = one[2], height = 70, lines = { { points = points } } }
    end
  end
  for _, name in ipairs(require("brio.lib.suggest").keys(statuses_of)) do words[#words + 1] =
      ("%s %d"):format(name,
    statuses_of[name]) end
  local row = run.run
  made:heading "Solver"
  if #panels > 0 then made:chart { from = run.from, to = to, panels = panels } end
  made:facts { { "solves", count }, { "came to", table.concat(words, ", ") },
    { "a tick, half of them", row.tick_p50_us and ("%.0f µs"):format(row.tick_p50_us) },
    { "99 of 100", row.tick_p99_us and ("%.0f µs"):format(row.tick_p99_us) },
    { "slowest tick", row.tick_max_us and ("%.0f µs"):format(row.tick_max_us) },
      { "late ticks", row.late_ticks } }
end

local function faults(made, run)
  made:heading "Faults"
  local rows = all(run,
    "SELECT t, severity, source, message, substr(version, 1, 12) AS version FROM faults WHERE run = ?1 AND \z
      t >= ?2"
    .. " AND t <= ?3 ORDER BY id", run.from, run.to)
  if #rows == 0 then
    made:text "None."
    return
  end
  made:table({ "s", "severity", "source", "message", "version" }, rows,
    { keys = { "t", "severity", "source", "message",
    "version" },
    most = most.rows })
end

--- A section with a table of a view or table: heading, the required table, statement, columns { name, key,
--- ... }.
local tables = {
  { "Steps of the session", "session_steps",
    "SELECT step, expected, t_cue, t_begun, t_ended, outcome, branch FROM session_steps"
    .. " WHERE run = ?1 ORDER BY id", { "step", "step", "expected", "expected", "cue (s)", "t_cue", "begun",
      "t_begun", "ended",
    "t_ended", "outcome", "outcome", "went on", "branch" } },
  { "What the operator did", "operator",
    "SELECT t, who, command, arguments, late_ms FROM operator WHERE run = ?1 ORDER BY id",
    { "s", "t", "who", "who", "command", "command", "arguments", "arguments", "late (ms)", "late_ms" } },
  { "Actions", "operator_latency",
    "SELECT a.name, a.who, a.outcome, a.reason, a.error_class, a.t_input, l.accepted_ms, l.applied_ms,"
    .. " l.moved_ms, l.lasted_s FROM actions a JOIN operator_latency l ON l.run = a.run AND l.id = a.id"
    .. " WHERE a.run = ?1 ORDER BY a.id",
    { "key press (s)", "t_input", "who", "who", "action", "name", "outcome", "outcome", "reason", "reason",
      "error", "error_class",
      "accepted (ms)", "accepted_ms", "applied (ms)", "applied_ms", "moved (ms)", "moved_ms", "lasted (s)",
        "lasted_s" } },
  { "Annotations", "annotations", "SELECT t0, t1, tier, label, coder FROM annotations WHERE run = ?1 ORDER \z
    BY t0",
    { "from (s)", "t0", "to (s)", "t1", "tier", "tier", "label", "label", "coder", "coder" } },
  { "Devices", "device_health", "SELECT * FROM device_health WHERE run = ?1",
    { "device", "name", "driver", "driver", "rate (Hz)", "rate",
    "lowest", "lowest_rate", "typical (ms)", "typical_ms", "slowest (ms)", "slowest_ms", "failures",
      "failures", "lost", "losses",
    "last words", "last_error" } },
  { "Questionnaires", "subscale_means",
    "SELECT questionnaire, participant, condition, subscale, answered, mean FROM subscale_means"
    .. " WHERE run = ?1", { "questionnaire", "questionnaire", "participant", "participant", "condition",
      "condition", "items", "subscale",
    "answered", "answered", "mean", "mean" } },
}

local function table_section(made, run, one)
  if not run:columns(one[2]) then return end
  local rows, names, keys = all(run, one[3]), {}, {}
  if #rows == 0 then return end
  for index = 1, #one[4], 2 do names[#names + 1], keys[#keys + 1] = one[4][index], one[4][index + 1] end
  made:heading(one[1])
  made:table(names, rows, { keys = keys, most = most.rows })
end

-- Versions --------------------------------------------------------------------------------------------------

--- The changes of a version that replaced another in this run.
local function show_change(made, run, row)
  local rows = run.db:query("SELECT hash, source FROM versions WHERE substr(hash, 1, 12) IN (?, ?)",
    row.replaces, row.version)
  local by = {}
  for _, one in ipairs(rows or {}) do by[one.hash:sub(1, 12)] = one.source end
  if not (by[row.replaces] and by[row.version]) then return end
  local lines = {}
  for line in diff.unified(by[row.replaces], by[row.version], row.replaces,
    row.version):gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  local more = #lines - most.lines
  for index = #lines, most.lines + 1, -1 do lines[index] = nil end
  made:heading(("%s at %s"):format(row.name, seconds(row.t)), 3)
  if row.what and row.what ~= "" then made:text(row.what) end
  made:diff(lines)
  if more > 0 then made:text(("... and %d more lines."):format(more), "small") end
end

local function versions(made, run)
  local rows = all(run,
    "SELECT t, until, name, version, replaces, bytes, faults, what FROM version_story WHERE run = ?1 ORDER \z
      BY t, place")
  if #rows == 0 then return end
  made:heading "Versions"
  made:table({ "from (s)", "file", "version", "replaces", "bytes", "faults", "" }, rows,
    { keys = { "t", "name", "version", "replaces", "bytes", "faults", "what" }, most = most.rows })
  for _, row in ipairs(rows) do
    if row.replaces and row.version and row.replaces ~= row.version then show_change(made, run, row) end
  end
end

--- The sections in their order: functions of the page and the run.
local sections = { studied, timeline, trees, motion, faults }
for _, one in ipairs(tables) do
  sections[#sections + 1] = function(made, run) return table_section(made, run, one) end
end
table.move({ solver, versions, story }, 1, 3, #sections + 1, sections)

function html.write(run, sink, options)
  local told, why = history.run(run.db, run.number)
  if not told then return nil, why end
  local row = run.run
  local made = page.new { title = ("Run %d: %s on %s"):format(run.number, name_of(row.behavior),
    row.robot or "no robot"),
    about = ("%s, %s, recorded by brio %s"):format(row.started_at or "", seconds(run.length) or "",
      row.engine_version or "") }
  began(made, run, told)
  for _, section in ipairs(sections) do
    local good, fault = pcall(section, made, run)
    if not good then -- the other sections can still be read
      local sentence = tostring(fault):gsub("^[^\n]-%.lua:%d+: ", "")
      made:text("This could not be read: " .. sentence, "bad")
      if options.note then options.note(sentence) end
    end
  end
  sink:write(made:finish())
  return true
end

return html
