--- Measures brio and prints each figure with that of another library or a limit.
---   lua5.4 scripts/bench/run.lua --build BUILD [--rounds N] [--only PART] [--long]
--- PART: kinematics, dynamics, trajectory, distance, clouds, inverse, program, own, motion, tree, plan,
---       joints, timing, motor, servos, live, saves (a part of live), samples, scene, feed, finding,
---       replay, tape, tracking, growth or promises.
--- --long: the motor side for ten minutes under load, in blocks of 30 s beside an empty loop (20 minutes).
--- Writes BUILD/bench/results.json.  Exits with 0 whatever the figures are (docs/engine/benchmarks.md
--- explains them), except with `--only` promises, growth, saves, samples, tape or trajectory: 1 if a limit
--- was exceeded.
local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/?.lua;" .. here .. "/../../tests/lib/?.lua;" .. package.path

local cjson = require "cjson"
local files = require "files"
local cloud = require "geometry.cloud"
local distance = require "geometry.distance"
local dynamics = require "kinematics.dynamics"
local trajectory = require "kinematics.trajectory"
local feed = require "scene.feed"
local finding = require "store.finding"
local growth = require "solver.growth"
local replay = require "store.replay"
local inverse = require "kinematics.inverse"
local joint_paths = require "behavior.joint_paths"
local kinematics = require "kinematics.kinematics"
local live = require "live.live"
local motion = require "behavior.motion"
local motor = require "motors.motor"
local own_objectives = require "solver.own"
local peers = require "peers.peers"
local plan = require "behavior.plan"
local program = require "program"
local promises = require "promises.promises"
local samples = require "store.samples"
local scene = require "scene.scene"
local servos = require "motors.servos"
local tape = require "store.tape"
local tracking = require "solver.tracking"
local timing = require "behavior.timing"
local tree = require "behavior.tree"

local function wrong_use(sentence)
  io.stderr:write("scripts/bench/run.lua: ", sentence, "\n")
  os.exit(2)
end

local function read_options(words)
  local options = { build = "build", rounds = "3" }
  local i = 1
  while i <= #words do
    local name = words[i]:match "^%-%-(%a+)$"
    if name == "long" then
      options.long = true
    elseif name == "build" or name == "rounds" or name == "only" then
      i = i + 1
      options[name] = words[i] or wrong_use("--" .. name .. " needs a value")
    else
      wrong_use("unknown option " .. words[i])
    end
    i = i + 1
  end
  options.rounds = math.tointeger(tonumber(options.rounds)) or wrong_use "--rounds must be a whole number"
  options.root = files.output("cd " .. files.quote(here .. "/../..") .. " && pwd -P")
  if not options.build:match "^/" then options.build = options.root .. "/" .. options.build end
  options.shared = os.getenv "BRIO_SHARED" or options.root .. "/../shared"
  return options
end

-- ------------------------------------------------------------------ tables

--- Print rows of texts with aligned columns: the first left-aligned, the others right-aligned.
local function print_table(rows)
  local widths = {}
  for _, row in ipairs(rows) do
    for i, cell in ipairs(row) do widths[i] = math.max(widths[i] or 0, utf8.len(cell)) end
  end
  for _, row in ipairs(rows) do
    local cells = {}
    for i, cell in ipairs(row) do
      local space = (" "):rep(widths[i] - utf8.len(cell))
      cells[i] = i == 1 and cell .. space or space .. cell
    end
    print((table.concat(cells, "  "):gsub("%s+$", "")))
  end
end

local function number(value)
  if not value or value ~= value then return "-" end
  if math.type(value) == "integer" then return tostring(value) end
  return (value < 10 and "%.2f" or value < 1000 and "%.1f" or "%.0f"):format(value)
end

local function peer_cells(row, cells)
  for _, peer in ipairs(peers.list) do
    local other = row.peers[peer.name]
    cells[#cells + 1] = other and number(other.p50) or "-"
    cells[#cells + 1] = not other and "-" or other.same_work and ("%.2fx"):format(other.ratio) or "other work"
  end
end

local function print_kinematics(result)
  print "\nKinematics, ns of thread CPU time a call; a peer's median, and how many times brio's it is\n"
  local head = { "robot: work", "brio p50", "p95", "p99" }
  for _, peer in ipairs(peers.list) do table.move({ peer.name, "/brio" }, 1, 2, #head + 1, head) end
  table.move({ "aim", "/brio" }, 1, 2, #head + 1, head)
  local rows = { head }
  for _, row in ipairs(result.rows) do
    local cells = { row.robot .. ": " .. row.work, number(row.p50), number(row.p95), number(row.p99) }
    peer_cells(row, cells)
    cells[#cells + 1] = row.aim and ("%.0f"):format(row.aim) or "-"
    cells[#cells + 1] = row.aim and ("%.2fx"):format(row.aim / row.p50) or "-"
    rows[#rows + 1] = cells
  end
  print_table(rows)
  if result.chain then
    print(("\nKDL's forward kinematics of the Panda chain: %.0f ns.  Limits hold where it takes %d ns: \z
      times %.2f here.")
          :format(result.chain, kinematics.reference, result.scale))
  else
    print "\nKDL is absent: nothing tells how fast this machine is, so there are no aims."
  end
end

local function found(row)
  return row and ("%.1f %%"):format(100 * row.found / row.count) or "-"
end

local function print_inverse(result, scale)
  print(("\nInverse kinematics, us of thread CPU time a goal: 1e-4 m and 1e-3 rad from random starts; limit \z
    of the median %.0f\n")
        :format(inverse.limit * (scale or 1)))
  local rows = { { "robot", "brio found", "p50", "p95", "p99", "most", "first call", "", "KDL found", "p50",
    "p99", "/brio", "NLopt found", "p50", "p99", "/brio", "TRAC-IK, as told" } }
  for _, row in ipairs(result.rows) do
    local own = row.brio
    local cells = { row.robot, found(own), number(own.p50), number(own.p95), number(own.p99),
      number(own.most), number(own.first), row.verdict }
    for _, name in ipairs { "KDL", "NLopt" } do
      local other = row[name]
      table.move({ found(other), number(other and other.p50), number(other and other.p99),
        other and ("%.1fx"):format(other.p50 / own.p50) or "-" }, 1, 4, #cells + 1, cells)
    end
    cells[#cells + 1] = row.aim or "-"
    rows[#rows + 1] = cells
  end
  print_table(rows)
end

local function print_distance(result)
  print("\nDistance of two shapes, ns of thread CPU time; cold: another pair each time, one in seven \z
    touching; "
    .. "warm: small steps\n")
  local rows = { { "shapes", "brio p50", "p95", "p99", "FCL", "/brio", "aim", "/brio" } }
  for _, row in ipairs(result.pairs) do
    local ratio = row.FCL and (row.same and ("%.1fx"):format(row.FCL / row.p50) or "other work")
    rows[#rows + 1] = { row.name, number(row.p50), number(row.p95), number(row.p99), number(row.FCL),
      ratio or "-",
      row.aim and ("%.0f"):format(row.aim) or "-", row.aim and ("%.2fx"):format(row.aim / row.p50) or "-" }
  end
  print_table(rows)
  print "\nAll distances of a robot that may matter, ns a query while it moves among boxes (seed 1)\n"
  rows = { { "robot, boxes", "brio p50", "p95", "p99", "pairs within 0.1 m" } }
  for _, row in ipairs(result.watches) do
    rows[#rows + 1] = { row.name, number(row.p50), number(row.p95), number(row.p99), number(row.near) }
  end
  print_table(rows)
end

local function print_clouds(result, scale)
  print(("\nPoints counted in 50 solids in clouds of 300,000 places, with mean colors, us of thread CPU \z
    time a frame, indexing "
    .. "included; limits of time %s\n"):format(scale and ("times %.2f"):format(scale)
      or "not scaled to this machine"))
  local rows = { { "cloud", "brio p50", "p95", "p99", "limit", "", "index", "solids", "every point", "/brio",
    "k-d tree", "its index", "/brio" } }
  local function beside(other, same, own)
    return other and (same and ("%.1fx"):format(other / own) or "other work") or "-"
  end
  for _, row in ipairs(result.rows) do
    rows[#rows + 1] = { row.name, number(row.p50), number(row.p95), number(row.p99), number(row.limit),
      row.verdict,
      number(row.index), number(row.solids), number(row.brute), beside(row.brute, row.same_brute, row.p50),
        number(row.tree),
      number(row.tree_index), beside(row.tree, row.same_tree, row.p50) }
  end
  print_table(rows)
end

local function print_tracking(result, scale)
  print(("\nTracking moving goals among boxes, us of thread CPU time a solve; limits of time %s; "
    .. "Lively 1.1 as told, measured where KDL took 351 ns\n")
    :format(scale and ("times %.2f"):format(scale) or "not scaled to this machine"))
  local rows = { { "robot, boxes, collision weight", "p50", "p95", "p99", "limit", "mm", "degrees",
    "jerk mean", "most", "nearest mm", "", "Lively us", "mm", "jerk", "RangedIK us" } }
  for _, row in ipairs(result.rows) do
    local peer = row.peer or {}
    rows[#rows + 1] = { row.name, number(row.p50), number(row.p95), number(row.p99), number(row.limit),
      number(row.millimeters), number(row.degrees), number(row.mean_jerk), number(row.jerk),
        number(row.distance * 1e3),
      row.verdict, number(peer[1]), number(peer[2]), number(peer[3]), number(row.ranged) }
  end
  print_table(rows)
end

local function print_rows(title, result)
  print("\n" .. title .. "\n")
  local rows = { { "what", "unit", "value or p50", "p95", "p99", "most", "limit", "of it", "" } }
  for _, row in ipairs(result.rows) do
    rows[#rows + 1] = {
      row.name, row.unit, number(row.value or row.p50), number(row.p95), number(row.p99), number(row.most),
      row.limit_at and ("%s%s"):format(row.held == "value" and "" or row.held .. " ", number(row.limit_at))
        or "-",
      row.share and ("%.2f"):format(row.share) or "-", row.verdict or "",
    }
  end
  print_table(rows)
end

local function print_notes(notes)
  for i, note in ipairs(notes) do print((i == 1 and "\n" or "") .. note) end
end

-- ------------------------------------------------------------------ the run

io.stdout:setvbuf "line"
local options = read_options(arg)
local results = { machine = (files.read "/proc/cpuinfo" or ""):match "model name%s*:%s*([^\n]*)"
  or "unknown" }
print("Machine: " .. results.machine)

--- Measure a part that needs only the options, and print its rows under a title.
local function measured(name, part, title)
  if options.only and options.only ~= name then return end
  local result = part.measure(options)
  results[name] = result
  print_rows(title, result)
  print_notes(result.notes)
end

if not options.only or options.only == "kinematics" then
  results.kinematics = kinematics.measure(options)
  print_kinematics(results.kinematics)
  print_notes(results.kinematics.notes)
end
if not options.only or options.only == "dynamics" then
  local scale = results.kinematics and results.kinematics.scale or kinematics.scale(options)
  results.dynamics = dynamics.measure(options, scale)
  print_rows("Dynamics, ns of thread CPU time a call; limits: the better of Pinocchio and RBDL, "
    .. (scale and ("times %.2f"):format(scale) or "not scaled to this machine"), results.dynamics)
  print_notes(results.dynamics.notes)
end
measured("trajectory", trajectory, "Motions of a biped that stands")
if not options.only or options.only == "distance" then
  results.distance = distance.measure(options, results.kinematics and results.kinematics.scale)
  print_distance(results.distance)
  print_notes(results.distance.notes)
end
if not options.only or options.only == "clouds" then
  local scale = results.kinematics and results.kinematics.scale
  results.clouds = cloud.measure(options, scale)
  print_clouds(results.clouds, scale)
  print_notes(results.clouds.notes)
end
if not options.only or options.only == "inverse" then
  local scale = results.kinematics and results.kinematics.scale
  results.inverse = inverse.measure(options, scale)
  print_inverse(results.inverse, scale)
  print_notes(results.inverse.notes)
end
if not options.only or options.only == "tracking" then
  local scale = results.kinematics and results.kinematics.scale
  results.tracking = tracking.measure(options, scale)
  print_tracking(results.tracking, scale)
  print_notes(results.tracking.notes)
end
if not options.only or options.only == "growth" then
  local scale = results.kinematics and results.kinematics.scale or options.only and kinematics.scale(options)
  results.growth = growth.measure(options, scale)
  print_rows("What a solve costs as joints and things in the way grow in number, CPU time; limits of time "
    .. (scale and ("times %.2f"):format(scale) or "not scaled to this machine"), results.growth)
  print_notes(results.growth.notes)
end
if not options.only or options.only == "program" then
  local scale = results.kinematics and results.kinematics.scale
  results.program = program.measure(options, scale)
  print_rows("The kiosk on the Pepper-class robot, ticks in CPU time; limits of time "
    .. (scale and ("times %.2f"):format(scale) or "not scaled to this machine"), results.program)
  print_notes(results.program.notes)
end
measured("own", own_objectives,
  "A solve with an objective in Lua, CPU time: the Panda's hand follows a goal")
measured("motion", motion,
  "Sources of tracks, CPU time: all tracks active on all DOFs, a fifth of the sources "
  .. "straight to the mixer")
measured("tree", tree,
  "Behavior trees, CPU time")
measured("plan", plan,
  "Footsteps, CPU time")
measured("joints", joint_paths,
  "Joint paths on the problems of MotionBenchMaker, CPU time; limits of lengths: VAMP's medians")
if not options.only or options.only == "timing" then
  local scale = results.kinematics and results.kinematics.scale or options.only and kinematics.scale(options)
  results.timing = timing.measure(options, scale)
  print_rows("Timing of paths of seven joints, us of thread CPU time; limits: toppra's, "
    .. (scale and ("times %.2f"):format(scale) or "not scaled to this machine"), results.timing)
  print_notes(results.timing.notes)
end
if not options.only or options.only == "scene" then
  local scale = results.kinematics and results.kinematics.scale
  results.scene = scene.measure(options, scale)
  print_rows("Keeping track of what is seen, CPU time; limits of time "
    .. (scale and ("times %.2f"):format(scale) or "not scaled to this machine"), results.scene)
  print_notes(results.scene.notes)
  print "\nTrackers on recorded detections; names: how many the tracker gave to so many things\n"
  print_table(scene.table_of(results.scene.tracking))
  print_notes(results.scene.tracking.notes)
end
measured("samples", samples,
  "The run store: size on disk, CPU time")
if not options.only or options.only == "feed" then
  results.feed = feed.measure(options, results.kinematics and results.kinematics.scale)
  print_rows("What other programs send: CPU time of a message; how late ticks of 200 Hz begin, by the clock \z
    on the wall", results.feed)
  print_notes(results.feed.notes)
end
measured("finding", finding,
  "The cookbook's questions in a store of 1,000 runs of ten minutes, CPU time: medians, store opened anew \z
    each time")
measured("replay", replay,
  "Replays of the kiosk, CPU time")
measured("tape", tape,
  "The tape of an hour of the real clock, a simulated robot of 60 joints, 20 of which move")
measured("motor", motor,
  "The motor side, by the clock on the wall: alone with 20 simulated joints, and while the kiosk runs, a \z
    version is "
  .. "saved every second and all is recorded; limits: 1.5 times the empty loop's p99, and its losses \z
    + 0.01 %")
measured("servos", servos,
  "A bus of 20 emulated Dynamixels: a sync write of goals and a fast sync read of places; limits: 90 % of \z
    what "
  .. "the bytes' time allows at the rates people use, a tenth of a core")
measured("live", live,
  "Working on a robot that moves, by the clock on the wall")
if options.only == "saves" then
  measured("saves", { measure = live.measure_saves },
    "From a save to the first tick of the new version, by the clock on the wall")
end
if not options.only or options.only == "promises" then
  results.promises = promises.measure(options)
  print("\nPromises about time, by the clock on the wall; limits hold for a value less how long the machine "
    .. "stood still\n")
  print_table(promises.table_of(results.promises))
  print_notes(results.promises.notes)
end
files.output("mkdir -p " .. files.quote(options.build .. "/bench"))
files.write(options.build .. "/bench/results.json", cjson.encode(results) .. "\n")
local held = { promises = results.promises, growth = results.growth, saves = results.saves,
  samples = results.samples, tape = results.tape, trajectory = results.trajectory }
local missed = held[options.only] and held[options.only].missed > 0
os.exit(missed and 1 or 0, false) -- handles of a failed part do not matter any more
