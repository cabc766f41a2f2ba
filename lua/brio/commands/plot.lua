--- `brio plot`: draws a run: DOFs, speeds, states and events over time.
local chart = require "brio.draw.chart"
local cli = require "brio.terminal.cli"
local series = require "brio.record.series"
local motions = require "brio.terminal.motion_files"
local suggest = require "brio.lib.suggest"

local command = {
  name = "plot",
  summary = "draw a run over time (DOFs, speeds, states, owners, events, operator, faults), or a motion's \z
    tracks",
  usage = "brio plot [RUN|FILE] [--out FILE.svg|FILE.png] [options]     "
    .. "(RUN: see docs/analysis/runs.md; none: the newest)",
  options = motions.with_options {
    { "out", "FILE", "the picture: .svg or .png; default: drawn in the terminal" },
    { "store", "FILE", "the run store; default: brio.db" },
    { "dof", "NAME", "this DOF; can be repeated; default: the six that move most", many = true },
    { "panel", "NAME",
      "draw this panel: states, operator, faults, events, emotion, owners, dofs, speeds; can be repeated; "
      .. "default: all",
      many = true },
    { "of", "WHAT", "command, measured or goal; default: command and, faint, measured" },
    { "from", "T", "from this second on" },
    { "to", "T", "until this second" },
    { "together", nil, "all DOFs in one panel; default: one each" },
  },
}

local most_panels = 6

--- The named DOFs' series, or those that move most: list of {command = series, measured = series or nil}.
local function chosen(db, run, options)
  local dofs, why = series.dofs(db, run)
  if not dofs then return nil, why end
  local wanted, known, found = {}, {}, {}
  for _, name in ipairs(options.dofs or {}) do wanted[name] = true end
  for _, dof in ipairs(dofs) do known[dof.name] = true end
  for _, name in ipairs(options.dofs or {}) do
    if not known[name] then
      return nil, ("the run has no DOF '%s'%s"):format(name, suggest.hint(name, suggest.keys(known)))
    end
  end
  for _, dof in ipairs(dofs) do
    if not options.dofs or wanted[dof.name] then
      local one = series.of_run(db, run, dof, options.of or "command", options.from, options.to)
      if one then
        found[#found + 1] = { main = one, amplitude = series.amplitude(one), dof = dof, place = #found }
      end
    end
  end
  if not options.dofs then
    table.sort(found,
      function(a, b) return a.amplitude > b.amplitude or a.amplitude == b.amplitude and a.place < b.place end)
    for index = #found, most_panels + 1, -1 do found[index] = nil end
  end
  for _, one in ipairs(found) do
    one.faint = not options.of and series.of_run(db, run, one.dof, "measured", options.from, options.to)
      or nil
  end
  return found
end

local function dof_lines(one)
  local lines = { { label = one.main.name, points = one.main.points } }
  if one.faint then
    lines[2] = { label = "measured", points = one.faint.points, faint = true, color = chart.colors[7] }
  end
  return lines
end

local function together(found, title, unit, points_of)
  local lines = {}
  for index, one in ipairs(found) do
    lines[index] = { label = one.main.name, points = points_of(one.main) }
  end
  return { title = title, unit = unit, lines = lines, height = 150 }
end

--- The common unit, if there is one.
local function unit_of(found)
  local unit = found[1] and found[1].main.unit
  for _, one in ipairs(found) do
    if one.main.unit ~= unit then return nil end
  end
  return unit
end

local builders = {}

function builders.dofs(_, _, options, found)
  if #found == 0 then return {} end
  if options.together then
    return { together(found, "DOFs", unit_of(found), function(one) return one.points end) }
  end
  local panels = {}
  for index, one in ipairs(found) do
    panels[index] = { title = one.main.name, unit = one.main.unit, lines = dof_lines(one) }
  end
  return panels
end

function builders.speeds(_, _, _, found)
  if #found == 0 then return {} end
  local unit = unit_of(found)
  return { together(found, "speed", unit and unit .. "/s", series.speed_points) }
end

--- Bands from rows { row, label, from, to }.
local function bands_of(db, sql, run, options, until_)
  local rows, why = db:query(sql, run)
  if not rows then return nil, why end
  local bands = {}
  for _, row in ipairs(rows) do
    local from, to = row.begun, row.ended or until_
    if to > options.from_drawn and from < options.to_drawn then
      bands[#bands + 1] = { row = row.row, label = row.label, from = from, to = to }
    end
  end
  return bands
end

function builders.states(db, run, options)
  local bands, why = bands_of(db,
    "SELECT coalesce(machine, '') AS row, state AS label, entered AS begun, left_at AS ended"
    .. " FROM states WHERE run = ? ORDER BY entered, id", run, options, options.to_drawn)
  if not bands then return nil, why end
  return #bands > 0 and { { title = "states", bands = bands } } or {}
end

--- The owners of the drawn DOFs, if sources owned them.
function builders.owners(db, run, options, found)
  local bands, why = bands_of(db,
    "SELECT dof AS row, owner AS label, started AS begun, ended FROM ownership WHERE run = ?"
    .. " ORDER BY started, dof", run, options, options.to_drawn)
  if not bands then return nil, why end
  local drawn, kept = {}, {}
  for _, one in ipairs(found) do drawn[one.main.name] = true end
  for _, band in ipairs(bands) do
    if drawn[band.row] then kept[#kept + 1] = band end
  end
  return #kept > 0 and { { title = "owners", bands = kept } } or {}
end

--- The robot's emotion, if recorded: each value holds until the next.
function builders.emotion(db, run, options)
  local rows, why = db:query("SELECT t, valence, arousal, mood_valence FROM emotions WHERE run = ? AND \z
    t <= ? ORDER BY t", run,
    options.to_drawn)
  if not rows then return nil, why end
  local lines = { { label = "valence", points = {} }, { label = "arousal", points = {} },
    { label = "mood's valence", points = {}, faint = true, color = chart.colors[1] } }
  for index, row in ipairs(rows) do
    local till = rows[index + 1] and rows[index + 1].t or options.to_drawn
    for number, value in ipairs { row.valence, row.arousal, row.mood_valence } do
      local points = lines[number].points
      if till > options.from_drawn then
        points[#points + 1], points[#points + 2] = math.max(row.t, options.from_drawn), value
      end
      if till - row.t > 0.15 then points[#points + 1], points[#points + 2] = till, value end
    end
  end
  return #lines[1].points > 2 and { { title = "emotion", lines = lines } } or {}
end

--- The panels from top to bottom.
local order = { "states", "operator", "faults", "events", "emotion", "owners", "dofs", "speeds" }

--- A panel of marks from rows {t, name}: `sql` with the run, from and to as parameters.
local function marks(db, run, options, title, sql, color)
  local rows, why = db:query(sql, run, options.from_drawn, options.to_drawn)
  if not rows then return nil, why end
  local events = {}
  for index, row in ipairs(rows) do events[index] = { row.t, row.name, color = color } end
  return #events > 0 and { { title = title, events = events } } or {}
end

--- Events; several of one name at one time are drawn once.
function builders.events(db, run, options)
  return marks(db, run, options, "events",
    "SELECT DISTINCT t, name FROM events WHERE run = ? AND t >= ? AND t <= ?"
    .. " AND NOT (source IS 'speech' AND name = 'word') AND NOT (name = 'sequence_ended' AND source IS \z
      'tracks' AND"
    .. " json_valid(data)"
    .. " AND coalesce(data ->> '$.owner', '') = 'autonomy') ORDER BY t LIMIT 500")
end

--- Lines of people at the prompt.
function builders.operator(db, run, options)
  return marks(db, run, options, "operator",
    "SELECT t, coalesce(who || ': ', '') || command || CASE WHEN arguments IS NULL"
    .. " OR arguments IN ('', '{}', '[]') THEN '' ELSE ' ' || substr(CASE WHEN json_valid(arguments) AND"
    .. " json_type(arguments) = 'text'"
    .. " THEN arguments ->> '$' ELSE arguments END, 1, 24) END AS name FROM operator WHERE run = ? AND \z
      t >= ? AND t <= ?"
    .. " ORDER BY id LIMIT 500", chart.colors[3])
end

--- Errors and warnings.
function builders.faults(db, run, options)
  return marks(db, run, options, "faults", "SELECT t, severity || coalesce(' in ' || source, '') || ': ' ||"
    .. " substr(message, 1, 48) AS name"
    .. " FROM faults WHERE run = ? AND t >= ? AND t <= ? ORDER BY id LIMIT 500", chart.colors[2])
end

--- The time span of the picture: the whole run, or the requested one.
local function set_span(db, run, options)
  local rows, why = db:query("SELECT coalesce(duration, 1) AS last FROM run_summary WHERE run = ?", run)
  if not rows then return nil, why end
  options.from_drawn, options.to_drawn = options.from or 0, options.to or rows[1].last
  return true
end

local function build(db, run, options)
  local good, why = set_span(db, run, options)
  local found
  if good then found, why = chosen(db, run, options) end
  if not found then return nil, why end
  local panels = {}
  for _, name in ipairs(options.panels or order) do
    local more, fault = builders[name](db, run, options, found)
    if not more then return nil, fault end
    table.move(more, 1, #more, #panels + 1, panels)
  end
  if #panels == 0 then return nil, ("run %d kept nothing of that to draw"):format(run) end
  return panels
end

--- Columns of the terminal; 100 without a terminal.
local function terminal_width()
  local uv = require "luv"
  local tty = uv.guess_handle(1) == "tty" and uv.new_tty(1, false)
  local width = tty and tty:get_winsize() or 100
  if tty then
    tty:set_blocking(true) -- in libuv's mode, output to a slow terminal is lost
    tty:close()
  end
  return width
end

--- Draw into the requested file, or in the terminal.
local function show(options, spec)
  if options.out then return chart.draw(options.out, spec) end
  local lines = require("brio.draw.chart_text").lines(spec, terminal_width(), cli.shows_utf8())
  print(table.concat(lines, "\n"))
  return true
end

local function draw(db, run, options)
  local panels, fault = build(db, run.run, options)
  if not panels then return nil, fault end
  local title = ("run %d: %s on %s"):format(run.run, (run.behavior or "no behavior"):match "[^/]*$",
    run.robot or "no robot")
  return show(options, { title = title, from = options.from_drawn, to = options.to_drawn, panels = panels })
end

--- Draw a motion's file: each track with its keys, and speeds.
local function draw_file(path, args, options)
  local all, title, length = motions.series(path, args.robot, options.motion, 100)
  if not all then return nil, title end
  local made = motions.sequence(path, args.robot, options.motion)
  local known, found = {}, {}
  for _, one in ipairs(all) do known[one.name] = one end
  for _, name in ipairs(options.dofs or suggest.keys(known)) do
    local one = known[name]
    if not one then
      return nil, ("it has no track of '%s'%s"):format(name, suggest.hint(name, suggest.keys(known)))
    end
    local dots = {}
    for _, key in ipairs(made.tracks[name].unit == nil and made.unit == nil and made.tracks[name] or {}) do
      if (key.kind or "normal") == "normal" then dots[#dots + 1], dots[#dots + 2] = key[1], key[2] end
    end
    found[#found + 1] = { main = one, dots = dots }
  end
  local panels = {}
  for index, one in ipairs(options.together and {} or found) do
    panels[index] = { title = one.main.name, unit = one.main.unit,
      lines = { { label = one.main.name, points = one.main.points, dots = one.dots } } }
  end
  if options.together then panels[1] = builders.dofs(nil, nil, options, found)[1] end
  panels[#panels + 1] = builders.speeds(nil, nil, options, found)[1]
  return show(options,
    { title = title, from = options.from or 0, to = options.to or length, panels = panels })
end

local function read_options(args)
  local motion = motions.options(args)
  if not motion then return nil end
  local options = { motion = motion, out = args.out, dofs = args.dof, panels = args.panel, of = args.of,
    together = args.together }
  if args.of and not series.is_kind(args.of) then
    return cli.error("--of must be command, measured or goal, not '%s'", args.of)
  end
  for _, name in ipairs(args.panel or {}) do
    if not builders[name] then
      return cli.error("there is no panel '%s'%s: there are %s", name, suggest.hint(name, order),
        table.concat(order, ", "))
    end
  end
  if not cli.read_span(args, options) then return nil end
  return options
end

function command.run(args)
  local options = #args <= 1 and read_options(args)
  if not options then
    if #args > 1 then cli.error("plot expects a run or a file: %s", command.usage) end
    return 2
  end
  if motions.is_file(args[1], args) then return cli.finish(draw_file(args[1], args, options)) end
  return cli.finish(cli.with_run(args, args[1], function(db, run) return draw(db, run, options) end))
end

return command
