--- A run as CSV tables (RFC 4180, UTF-8): a file for each, or only one of them.
local columns, markup = require "brio.lib.columns", require "brio.lib.markup"
local suggest = require "brio.lib.suggest"

local csv = {
  name = "csv", extensions = { "csv" }, many = true, takes = { table = true, dof = true },
  doc = "comma-separated values (RFC 4180): a folder with a file a table, or one of them with --table",
}

--- Tables with packed data in brio's own formats; samples are written instead of them.
local packed = { sample_chunks = true, sample_values = true, sample_ticks = true, sample_blocks = true,
  sample_tails = true,
  solve_rows = true, solve_blocks = true, tapes = true, snapshots = true, tree_records = true,
    tree_words = true }

--- Views that are written beside the tables.
local views = { "gaze", "solves", "speech", "story", "tree_nodes" }

local line_end = "\r\n"

--- A value as a cell: valid UTF-8 without NUL, at which readers would stop.
local function clean(value)
  if type(value) ~= "string" then return value end
  return (markup.utf8(value):gsub("\0", "\u{FFFD}"))
end

local function write_rows(sink, names, next_row)
  sink:write(columns.csv_line(names, #names) .. line_end)
  local values = {}
  for row in next_row do
    for index, name in ipairs(names) do values[index] = clean(row[name]) end
    sink:write(columns.csv_line(values, #names) .. line_end)
  end
end

--- A number with the fewest digits that read back to it.
local function number_text(value)
  if not value then return "" end
  local text = ("%.15g"):format(value)
  return tonumber(text) == value and text or ("%.17g"):format(value)
end

--- Samples, a line a tick: tick, t, and each DOF's goal, command and measured value.
local function write_samples(run, sink)
  local names, cells, kept = { "tick", "t" }, {}, {}
  for _, dof in ipairs(run.dofs) do
    for _, kind in ipairs { "goal", "command", "measured" } do
      names[#names + 1] = clean(dof.name) .. "." .. kind
    end
  end
  sink:write(columns.csv_line(names, #names) .. line_end)
  local function put(at, value)
    if kept[at] == value and cells[at] then return end -- most DOFs rest most of the time
    cells[at], kept[at] = number_text(value), value
  end
  for t, tick, goals, commands, measured in run:ticks() do
    cells[1], cells[2] = ("%d"):format(tick), number_text(t)
    for place = 1, #run.dofs do
      local at = 3 * place
      put(at, goals[place])
      put(at + 1, commands[place])
      put(at + 2, measured[place])
    end
    sink:write(table.concat(cells, ",") .. line_end)
  end
end

--- The column with the time of a row.
local function time_of(has)
  for _, name in ipairs { "t", "started", "entered", "t0" } do
    if has[name] then return name end
  end
end

--- One table or view. `versions` and `runs` have no column `run`, and are restricted to this run.
local function write_table(run, sink, name)
  if name == "samples" then return write_samples(run, sink) end
  local has = run:columns(name)
  if name == "runs" then
    return write_rows(sink, has, run.db:rows("SELECT * FROM runs WHERE id = ?", run.number))
  elseif name == "versions" then
    return write_rows(sink, has, run.db:rows(
      "SELECT * FROM versions WHERE hash IN (SELECT hash FROM run_versions"
      .. " WHERE run = ?)", run.number))
  end
  return write_rows(sink, has, run:rows(name, nil, time_of(has)))
end

--- The names of the tables and views that can be written, sorted; `all`: in addition to those that are always
--- written.
local function names_of(run, all)
  local found = { samples = true }
  for _, name in ipairs { "runs", "versions" } do found[name] = run:columns(name) and true end
  local kinds = all and "type IN ('table', 'view')" or "type = 'table'"
  for row in run.db:rows("SELECT name FROM sqlite_master WHERE " .. kinds) do
    local has = not packed[row.name] and not row.name:find "^repeat_" and run:columns(row.name)
    if has and has.run then found[row.name] = true end
  end
  for _, name in ipairs(views) do
    if run:columns(name) then found[name] = true end
  end
  return suggest.keys(found)
end

function csv.write(run, sink, options)
  local name = options.table
  if name then
    local known = names_of(run, true)
    for _, one in ipairs(known) do
      if one == name then
        write_table(run, sink, name)
        return true
      end
    end
    return nil, ("a run has no table '%s'%s: it has %s"):format(name, suggest.hint(name, known),
      table.concat(known, ", "))
  end
  for _, one in ipairs(names_of(run)) do
    local file = sink:file(one .. ".csv")
    write_table(run, file, one)
    file:close()
  end
  return true
end

return csv
