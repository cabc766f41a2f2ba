--- Replays: the speed of replaying a run of the kiosk, and the size of its tape in the store, on either
--- clock.
local cjson = require "cjson"
local files = require "files"
local rows = require "rows"

local replay = {}

--- The lengths of the replayed runs, s of robot time: on the fast clock, and on the real one.
local lasts = { fast = 120, real = 20 }

local function again(options, list)
  local folder, brio = files.temporary(), files.quote(options.build .. "/brio")
  for _, clock in ipairs { "fast", "real" } do
    local store = ("%s/%s.db"):format(folder, clock)
    local made = files.output(("cd %s && %s run behaviors/kiosk.lua --clock %s --for %d --store %s --quiet \z
      >/dev/null 2>&1; "
      .. "%s replay --store %s --json"):format(files.quote(options.root), brio, clock, lasts[clock], store,
        brio, store))
    local report = cjson.decode(made)
    if not report.equal then error("the replay differs: " .. made) end
    local bytes = rows.numbers(store, "select sum(length(bytes)) from tapes")[1]
    list[#list + 1] = rows.one(clock .. " clock: time to do a minute again (3 s: 20 times real time)", "s",
      60 * report.cpu / report.seconds, { value = 3, scaled = true })
    list[#list + 1] = rows.one(clock .. " clock: its tape, an hour", "MB",
      bytes / 1e6 * 3600 / report.seconds)
  end
  files.remove(folder)
end

--- Measure; {rows, notes}.
function replay.measure(options) return rows.measure("replay", { { "runs done again", again } }, options) end

return replay
