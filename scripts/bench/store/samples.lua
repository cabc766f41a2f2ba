--- The cost of the run store: see samples.c.
local cjson = require "cjson"
local files = require "files"
local rows = require "rows"

local samples = {}

--- The rows of the program: name, description, unit, divisor of its value, limit.
local known = {
  { "size", "an hour of 60 DOFs at 200 Hz, 20 moving: goal, command, measured, solver, events", "MB", 1e6,
    { value = 150 } },
  { "plain size", "the samples alone as rows of a plain table of SQLite", "MB", 1e6 },
  { "share", "recording that: share of a core, both threads, at its own pace", "%", 0.01, { value = 3 } },
  { "lost", "rows lost meanwhile, of which there may be none", "", 1, { value = 0.5 } },
  { "read", "t, goal, command and measured of one DOF of that hour, all 720,000 rows", "ms", 1,
    { value = 60 } },
  { "read plain", "the same rows from a plain table that holds nothing else", "ms", 1 },
  { "extremes", "least, greatest and greatest error of one DOF of that hour, by SQL", "ms", 1 },
  { "extremes plain", "the same from the plain table", "ms", 1 },
  { "at", "all 60 DOFs at one moment of that hour", "ms", 1, { value = 100 } },
  { "summary", "the same extremes of all 60 DOFs from dof_summary", "ms", 1, { value = 1 } },
}

local function measure_store(options, list)
  local folder, best = files.temporary(), {}
  for _ = 1, options.long and options.rounds or 1 do
    for _, line in ipairs(files.lines(("%s %s"):format(files.quote(options.build .. "/bench/store/samples"),
        files.quote(folder)))) do
      local row = cjson.decode(line)
      best[row.row] = math.min(best[row.row] or math.huge, row.value)
    end
  end
  files.remove(folder)
  for _, said in ipairs(known) do
    list[#list + 1] = rows.one(said[2], said[3], assert(best[said[1]], said[1]) / said[4], said[5])
  end
end

--- Measure the store.  Return {rows, notes, missed}.
function samples.measure(options)
  return rows.count_missed(rows.measure("samples", { { "the run store", measure_store } }, options))
end

return samples
