--- `brio play`: plays a motion on a robot: a sequence, or another program's motion fitted to it.
local cli = require "brio.terminal.cli"
local columns = require "brio.lib.columns"
local motions = require "brio.terminal.motion_files"
local sequence, store = require "brio.motion.sequence", require "brio.store"

local command = {
  name = "play",
  summary = "play a motion on a robot or the simulator: a sequence, qianim, BVH, AMC, glTF, CSV, ...",
  usage = "brio play FILE [--robot ROBOT] [options]",
  options = motions.with_options {
    motions.part[1], motions.part[2], motions.part[3], motions.part[4],
    { "times", "N", "number of repetitions; default: 1" },
    { "speed", "X", "factor of speed; default: 1" },
    { "amplitude", "X", "factor of the amplitude; default: 1" },
    { "mirror", nil, "exchange left and right" },
    { "store", "FILE", "record the run in this SQLite file; default brio.db; none: no record and no report" },
    { "clock", "real|fast", "fast: as quickly as the machine allows; default real" },
    { "driver", "D", "the driver: sim (default)" },
    { "set", "NAME=VALUE", "a setting of the driver; can be repeated", many = true },
    cli.drive,
    cli.trace,
    { "arm", nil, "allow commands to real motors" },
    { "json", nil, "print the report as JSON" },
  },
}

--- The behavior that plays it, from home and back to home.
local behavior_text = [[
local brio = require "brio"
local want = brio.want

local play = brio.behavior "play" {
  about = %s,
  robot = %s,
  start = "playing",
  sequences = { [%s] = "motion.lua" },
  memory = { left = %d },
}

local motion, how = %s, { speed = %.9g, amplitude = %.9g, mirror = %s }

-- Where the robot stands while nothing plays: its pose called home.
local home = want.group "low" {
%s}
local wants = { want.collision_avoidance {}, home } -- limits hold in any case

play.playing = {
  wants = wants,
  blend = 0.3,
  enter = function(self) self:play(motion, how) end,
  on = {
    sequence_ended = function(self)
      self.memory.left = self.memory.left - 1
      if self.memory.left <= 0 then return "power_off" end
      self:play(motion, how)
    end,
  },
}

play.power_off = { wants = wants, lasts = 1 }

return play
]]

--- Number of passes through an infinite loop.
local loops = 3

local function home_lines(description)
  local lines, home = {}, description.poses[description.home].joints
  for _, dof in ipairs(description.dofs) do
    if not dof.outside then
      lines[#lines + 1] = ("  want.joint_match { joint = %q, goal = %.9g },\n"):format(dof.joint or dof.name,
        home[dof.name] or 0)
    end
  end
  return table.concat(lines)
end

--- Write the behavior and its sequence into a new folder; return the folder, or nil and a sentence.
local function stage(made, description, args, options, path)
  local folder, why = require("luv").fs_mkdtemp((os.getenv "TMPDIR" or "/tmp") .. "/brio-play-XXXXXX")
  if not folder then return nil, why end
  local robot = args.robot or made.robot
  if robot:find("/", 1, true) or robot:match "%.urdf$" or robot:match "%.xml$" then
    robot = require("luv").fs_realpath(robot) or robot
  end
  local about, name = ("%q"):format("plays " .. path:match "[^/]*$"), ("%q"):format(made.name)
  local text = behavior_text:format(about, ("%q"):format(robot), name, options.times, name, options.speed,
    options.amplitude, tostring(options.mirror), home_lines(description))
  local good, fault = cli.write(folder .. "/play.lua", text)
  if good then good, fault = cli.write(folder .. "/motion.lua", sequence.text(made)) end
  return good and folder, fault
end

local function clear(folder)
  local uv = require "luv"
  for _, name in ipairs { "/play.lua", "/motion.lua" } do uv.fs_unlink(folder .. name) end
  uv.fs_rmdir(folder)
end

-- Comparison --------------------------------------------------------------------------------------------

--- The value and rate of the motion for a DOF at a time, at an amplitude, over the robot's home pose; nil if
--- it depends on values below, or there is no track.
local function asked_at(compiled, index, t, home, amplitude)
  local a, b, va = compiled.motion:sample(index, t)
  if not a or math.abs(b) > 1e-9 then return nil end
  return home + amplitude * (a - home), amplitude * va
end

--- Minimum error that counts, rad or m; time for which the effect of a move that was too fast lasts, s;
--- distance of bodies within which they bend the path, m.
local counted, felt, near = 0.01, 0.4, 0.02

--- The minimum distance in each tick of a run, by its time.
local function distances_of(db, run)
  local rows, why = db:query("SELECT t, distance FROM solves WHERE run = ?", run)
  if not rows then return nil, why end
  local by_time = {}
  for _, row in ipairs(rows) do by_time[row.t] = row.distance end
  return by_time
end

--- Why a DOF deviates now: its end, its speed or acceleration, or bodies in the way. If none of these applies
--- now, it is still catching up and the cause `before` applies; nil: there was none, so other objectives draw
--- it.
local function cause(asked, distance, dof, tight, before)
  if asked > (dof.upper or math.huge) + 1e-6 or asked < (dof.lower or -math.huge) - 1e-6 then
    return "clipped"
  end
  if tight then return "slowed" end
  return distance and distance < near and "bent" or before or "drawn"
end

--- Whether a DOF moved at its limit of speed or acceleration in the last of three samples.
local function at_limit(third, second, first, dof)
  if not (first and second) then return false end
  local rate = (third.command - second.command) / (third.t - second.t)
  local change = rate - (second.command - first.command) / (second.t - first.t)
  return math.abs(rate) > 0.98 * (dof.velocity or math.huge)
    or math.abs(change) > 0.98 * (dof.acceleration or math.huge) * (third.t - second.t)
end

--- Whether the request for a DOF exceeds its limits, by its rate now and a tick ago.
local function too_quick(rate, before, dt, dof)
  if dof.velocity and math.abs(rate) > dof.velocity then return true end
  return before and dof.acceleration and math.abs(rate - before) > dof.acceleration * dt or false
end

--- The filter of a joint in the robot's file: a function of a value and the time since the last, beginning at
--- rest at `value`; and its delay, s.
local function filter_of(description, dof, value)
  local said = not dof.outside and require("brio.motion.tracks").filter_of(description, dof)
  if not said or said.tau == 0 then return function(x) return x end end
  local state, count = {}, said.stages or 2
  for i = 1, count do state[i] = value end
  return function(x, dt)
    for i = 1, count do
      state[i] = state[i] + (1 - math.exp(-dt / said.tau)) * (x - state[i])
      x = state[i]
    end
    return x
  end, count > 0 and count * said.tau or nil
end

--- Count a sample with the error `off` under its cause; `seen` is the state so far.
local function count_cause(row, seen, sample, asked, off, dof, distances)
  seen.cause = off > counted
    and cause(asked, distances[sample.t], dof, sample.t - seen.quick < felt, seen.cause) or nil
  if seen.cause then row[seen.cause] = row[seen.cause] + 1 end
end

--- Compare a track, filtered as in the robot's file, with the commands: the errors, and the shares of time
--- for each cause.
local function compare(db, run, compiled, number, description, dof, begun, options, distances)
  local rows, why = db:query("SELECT t, command FROM samples WHERE run = ? AND name = ? AND t >= ?"
    .. " AND command IS NOT NULL ORDER BY tick", run, dof.name, begun)
  if not rows then return nil, why end
  local row = { dof = dof.name, unit = dof.unit, worst = 0, mean = 0, clipped = 0, slowed = 0, bent = 0,
    drawn = 0, count = 0 }
  local seen, speed, before, filter = { quick = -math.huge }, options.speed, nil, nil
  local home = description.poses[description.home].joints[dof.name] or dof.rest or 0
  for _, sample in ipairs(rows) do
    local t = (sample.t - begun) * speed
    local dt = sample.t - (seen[1] or sample).t
    local asked, rate = asked_at(compiled, number, t, home, options.amplitude)
    if at_limit(sample, seen[1], seen[2], dof) then seen.quick = sample.t end
    if asked and t <= compiled.motion:length() then
      if not filter then filter, row.delay = filter_of(description, dof, sample.command) end
      asked = filter(asked, dt)
      if too_quick(rate * speed, before, dt, dof) then seen.quick = sample.t end
      local off = math.abs(sample.command - asked)
      row.worst, row.mean, row.count = math.max(row.worst, off), row.mean + off, row.count + 1
      count_cause(row, seen, sample, asked, off, dof, distances)
    end
    before, seen[1], seen[2] = rate and rate * speed, sample, seen[1]
  end
  for _, field in ipairs(row.count > 0 and { "mean", "clipped", "slowed", "bent", "drawn" } or {}) do
    row[field] = row[field] / row.count
  end
  return row
end

--- The rows of the report: one for each DOF in the motion.
local function report(db, run, made, description, options)
  local rows, why = db:query("SELECT started FROM sources WHERE run = ? AND name = ? ORDER BY id LIMIT 1",
    run, made.name)
  if not rows then return nil, why end
  if not rows[1] then return {} end
  local distances, fault = distances_of(db, run)
  if not distances then return nil, fault end
  local tracks = require "brio.motion.tracks"
  local compiled = tracks.compile(made, tracks.numbers(description), description.dofs)
  local list, number = {}, 0
  for _, name in ipairs(require("brio.lib.suggest").keys(made.tracks)) do
    local index = tracks.numbers(description)[name]
    if index and made.tracks[name].active ~= false then
      number = number + 1
      local row, sentence = compare(db, run, compiled, number, description, description.dofs[index],
        rows[1].started, options, distances)
      if not row then return nil, sentence end
      if row.count > 0 then list[#list + 1] = row end
    end
  end
  return list
end

local function percent(share) return share > 0 and ("%.0f%%"):format(math.max(1, 100 * share)) or "" end

local function print_rows(list, mirrored)
  if mirrored then return print "mirrored: no comparison with the sequence" end
  if #list == 0 then return print "it is added to other sources: no comparison is possible" end
  local shown = {}
  for index, row in ipairs(list) do
    shown[index] = { dof = row.dof, unit = row.unit, worst = ("%.3f"):format(row.worst),
      mean = ("%.3f"):format(row.mean),
      clipped = percent(row.clipped), slowed = percent(row.slowed), bent = percent(row.bent),
        drawn = percent(row.drawn) }
  end
  print(columns.text({ "dof", "unit", "worst", "mean", "clipped", "slowed", "bent", "drawn" }, shown))
  for _, row in ipairs(list) do
    if row.delay then
      print(("%s is %g s later, because of the filter in the robot's file"):format(row.dof, row.delay))
    end
  end
  print "worst, mean: difference of the command from the sequence; other columns: shares of the time with \z
    more than 0.01:\n\z
    clipped at the DOF's end, slowed by its speed or acceleration, bent by bodies in the way, drawn by \z
    other objectives"
end

-- The command --------------------------------------------------------------------------------------------

local function read_options(args)
  local options = motions.part_options(args)
  if not options or not cli.clock_is_known(args) then return nil end
  options.times = cli.whole(args, "times", 1, 1e6, 1)
  options.speed = cli.number(args, "speed", 0.05, 20, 1)
  options.amplitude = cli.number(args, "amplitude", 0, 2, 1)
  options.mirror = args.mirror == true
  options.settings = cli.settings(args, {})
  if not (options.times and options.speed and options.amplitude and options.settings) then return nil end
  return options
end

local function run_options(folder, args, options)
  local kept = args.store ~= "none" and (args.store or "brio.db") or nil
  return { file = folder .. "/play.lua", store = kept, store_file = kept and cli.absolute(kept),
    clock = args.clock or "real", rate = 200, seed = 0, driver = args.driver,
    settings = next(options.settings) and options.settings or nil, arm = args.arm, drives = args.drive,
      trace = args.trace,
    front = args.clock ~= "fast" and {} or nil, robot = args.robot, seconds = 0,
    say = require("brio.terminal.attach.log_line").writer "warning" }, kept
end

--- Run it; return whether it succeeded, its store, and the run's number there.
local function play(folder, args, options)
  local wanted, kept = run_options(folder, args, options)
  local current, code = cli.open_run(wanted)
  if not current then return nil, code end
  local went, fault = current:go(0)
  local number = current.run_number
  local outcome, lost = current:close()
  if not went or lost then cli.error("%s", fault or lost) end
  cli.say_recorded("run", number, kept, lost)
  return went and not lost and (outcome == "finished" or outcome == "stopped"), kept, number
end

--- Report how a recorded run (its store and number) followed the motion.
local function tell(kept, number, made, description, options, args)
  local db, why = store.open(kept)
  if not db then return nil, why end
  local run = require("brio.record.history").run(db, number)
  local list, fault = report(db, run.run, made, description, options)
  db:close()
  if not list then return nil, fault end
  if args.json then
    print(store.json { run = run.run, dofs = store.array(list), notes = store.array(options.notes) })
  else
    print(("run %d: %s on %s, %.2f s"):format(run.run, made.name or "a motion", description.name,
      run.duration or 0))
    print_rows(list, options.mirror)
  end
  return true
end

function command.run(args)
  local options = #args == 1 and read_options(args)
  if not options then
    if #args ~= 1 then cli.error("play expects a file: %s", command.usage) end
    return 2
  end
  local made, notes, description = motions.sequence(args[1], args.robot, options)
  if not made then
    cli.error("%s", notes)
    return 1
  end
  if made.loop and not made.loop.times then made.loop.times = loops end
  options.notes, made.name = notes, made.name or args[1]:match("([^/]*)$"):gsub("%.lua$", "")
  for _, note in ipairs(notes) do io.stderr:write("note: ", note, "\n") end
  local folder, why = stage(made, description, args, options, args[1])
  if not folder then
    cli.error("%s", why)
    return 1
  end
  local good, kept, number = play(folder, args, options)
  clear(folder)
  if good and kept then
    local told, fault = tell(kept, number, made, description, options, args)
    if not told then cli.error("%s", fault) end
    return told and 0 or 1
  end
  return good and 0 or 1
end

return command
