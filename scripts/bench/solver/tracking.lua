--- The pose solver on moving goals among boxes (track.c), compared with measurements of Lively 1.1 and
--- RangedIK.
local cjson = require "cjson"
local files = require "files"

local tracking = {}

--- Lively 1.1.0 (Rust, release) on the same goals and boxes: microseconds a solve (median), millimeters,
--- rad/s^3. Measured once on a machine where KDL's chain of the Panda took 351 ns.
local lively = {
  ur3e = { [0] = { 6350, 7.7, 239 }, [10] = { 14300, 18.8, 1020 }, [50] = { 34300, 480, 1400 } },
  panda = { [0] = { 13000, 5.5, 234 }, [10] = { 24500, 13, 1300 }, [50] = { 39400, 541, 6275 } },
  pepper = { [0] = { 15600, 13.3, 1080 }, [10] = { 19300, 21.7, 4320 }, [50] = { 25900, 113, 8200 } },
}
local ranged = { ur3e = 120, panda = 163 } -- microseconds, without environment and liveliness
local limits = { ur3e = 60, panda = 60, pepper = 150 } -- microseconds, median

--- The settings of the runs: boxes, collision weight, liveliness weight, backend and losses.
local settings = {}
for _, boxes in ipairs { 0, 10, 50, 500 } do
  settings[#settings + 1] = { boxes = boxes, collision = 3, liveliness = 15 }
  settings[#settings + 1] = { boxes = boxes, collision = 3, liveliness = 0 }
  settings[#settings + 1] = { boxes = boxes, collision = 10, liveliness = 0 }
end
settings[#settings + 1] = { boxes = 10, collision = 3, liveliness = 0, backend = "nlopt" }
settings[#settings + 1] = { boxes = 10, collision = 3, liveliness = 0, backend = "gauss_newton",
  losses = "lively" }

local function run(options, robot, s)
  local words = { files.quote(options.build .. "/bench/solver/track"),
    files.quote(options.shared .. "/data/track"),
    files.quote(("%s/data/robots/lively/%s.urdf"):format(options.shared, robot)), robot, s.boxes, s.collision,
      s.liveliness,
    s.backend or "gauss_newton", s.losses }
  return cjson.decode(files.lines(table.concat(words, " "))[1])
end

local function name_of(robot, s)
  local name = ("%s, %d boxes, collision %d"):format(robot, s.boxes, s.collision)
  if s.liveliness > 0 then name = name .. ", lively" end
  if s.backend then name = name .. ", " .. (s.losses and "Lively's losses" or s.backend) end
  return name
end

--- Whether a row meets its target; nil if there is none.
local function verdict(robot, s, row, scale)
  if s.backend then return "" end
  if s.liveliness == 0 then
    return row.millimeters <= 1 and row.degrees <= 0.1 and row.mean_jerk <= 20 and row.distance > 0
      and "PASS" or "FAIL"
  end
  if not scale then return "" end
  return row.p50 <= limits[robot] * scale and row.p99 <= 4 * row.p50 and row.distance > 0 and "PASS" or "FAIL"
end

--- Measure; return {rows, notes}.  The least disturbed round is kept.
function tracking.measure(options, scale)
  if not files.exists(options.shared .. "/data/track/goals_ur3e.csv") then
    return { rows = {}, notes = { "Tracking: the goals (data/track) are not at hand" } }
  end
  local rows = {}
  for _, robot in ipairs { "ur3e", "panda", "pepper" } do
    io.stderr:write("  tracking: ", robot, "\n")
    for _, s in ipairs(settings) do
      local best
      for _ = 1, options.rounds do
        local row = run(options, robot, s)
        if not best or row.p50 < best.p50 then best = row end
      end
      best.name, best.limit = name_of(robot, s), s.liveliness > 0 and scale and limits[robot] * scale or nil
      best.verdict = verdict(robot, s, best, scale)
      best.peer = s.liveliness > 0 and lively[robot][s.boxes] or nil
      best.ranged = s.liveliness > 0 and s.boxes == 0 and ranged[robot] or nil
      rows[#rows + 1] = best
    end
  end
  return { rows = rows, notes = {} }
end

return tracking
