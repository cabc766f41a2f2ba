--- How many of a hundred animations (list.lua) become motions that a robot can do, whether robots stand with
--- them in physics, and whether they stand with the animations as they are.
---
---     build/brio lua scripts/bench/feasible/feasible.lua [--only WORD] [--from N] [--count N]
---         [--clip-seconds S] [--computing S] [--dry]
---
--- `--only`: rows whose clip or rig is this word; `--from`: the first row of the list; `--count`: the first N
--- of those; `--clip-seconds`: as much of each clip; `--computing`: seconds of computing for a second of
--- motion, at most (60; the source took 720); `--dry`: without physics. A row is good if all constraints hold
--- within 1e-7, it lasts at most four times as long, and the robot stands with it. Exit code 1: one is not.
require "brio.public"
local animations = require "brio.motion.rig.animation"
local feasible = require "brio.motion.feasible"
local motion_files = require "brio.terminal.motion_files"
local replay = require "brio.motion.rig.replay"
local rigs = require "brio.motion.rig"

local here = debug.getinfo(1, "S").source:match "^@(.*)/" or "."
local shared = os.getenv "BRIO_SHARED" or here .. "/../../../../shared"
local robots = shared .. "/data/robots/"

--- The model of each rig.
local models = { cassie = robots .. "cassie_mjcf/cassie_nomesh.xml", h1 = robots .. "h1/h1.urdf",
  nao = robots .. "nao/nao.urdf" }

--- Options of the command line with a value: the field they set, and how the value is read.
local valued = { ["--only"] = { "only", tostring }, ["--from"] = { "from", tonumber },
  ["--count"] = { "count", tonumber }, ["--clip-seconds"] = { "to", tonumber },
  ["--computing"] = { "computing", tonumber } }

local function options_of(words)
  local made, index = { count = math.huge, from = 1, computing = 60 }, 1
  while index <= #words do
    local row, value = valued[words[index]], words[index + 1]
    if words[index] == "--dry" then
      made.dry = true
      index = index + 1
    elseif row and value and row[2](value) then
      made[row[1]] = row[2](value)
      index = index + 2
    else
      io.stderr:write("feasible.lua [--only WORD] [--from N] [--count N] [--clip-seconds S] [--computing S] \z
        [--dry], not ", words[index], "\n")
      os.exit(2)
    end
  end
  return made
end

--- A clip of the reference data, unpacked.
local clips = {}
local function clip_of(name)
  if clips[name] then return clips[name] end
  local path = os.tmpname() .. ".bvh"
  local done = os.execute(("xz -dc '%s/data/mocap/standing/%s.bvh.xz' > '%s'"):format(shared, name, path))
  local clip, why
  if done then clip, why = motion_files.read(path, {}) else why = "xz failed" end
  os.remove(path)
  clips[name] = clip
  return clip, why
end

local loaded = {}
local function rig_of(name)
  loaded[name] = loaded[name] or assert(rigs.load(rigs.folder() .. "/" .. name .. ".lua", models[name]))
  return loaded[name]
end

--- A motion in physics: "stands", "falls at T" and so on; and whether it stands.
local function played(rig, motion)
  local result, why = replay.play(rig, motion)
  if not result then return why, false end
  if result.fell then return ("falls at %.1f s"):format(result.at), false end
  if result.stopped then return ("physics stops at %.1f s"):format(result.at), false end
  return ("stands, %.0f mm off"):format(1000 * result.off), true
end

--- The animation in its own time, as a motion.
local function as_it_is(animation)
  local motion = {}
  for index, q in ipairs(animation.frames) do
    motion[index] = { configuration = q, time = (index - 1) / animation.rate }
  end
  return motion
end

--- One row: what it broke, how it ended, and what physics says of it before and after.
local function try(row, options)
  local rig, clip = rig_of(row[2]), assert(clip_of(row[1]))
  local animation, why = animations.make(rig, clip, { tempo = row.tempo, size = row.size, to = options.to })
  if not animation then return { ended = why } end
  local made = { length = (#animation.frames - 1) / animation.rate, names = {} }
  for index, one in ipairs(assert(feasible.reasons(rig, animation))) do made.names[index] = one.what end
  local before = os.clock()
  local result, fault = feasible.optimize(rig, animation, { seconds = options.computing * made.length })
  if not result then return { ended = fault } end
  made.processor = os.clock() - before
  local off = feasible.difference(rig, animation, result.motion)
  made.result, made.off, made.feasible = result, off, feasible.may_play(result, animation)
  made.ended = result.finish
  if not made.feasible then
    made.ended = ("%s: %s"):format(result.finish, feasible.broken(result, animation)[1] or "not whole")
  end
  if not options.dry then
    made.before, made.stood = played(rig, as_it_is(animation))
    if made.feasible then made.after, made.stands = played(rig, result.motion) end
  end
  return made
end

local function print_row(number, row, one)
  local result = one.result
  print(("%3d %-10s %-6s %4.2f %4.2f %6.2f s %6.2f s %7.1f s %8.1g %5.0f mm %5.3f  %s; \z
    before: %s; after: %s; it broke: %s")
    :format(number, row[1], row[2], row.tempo, row.size, one.length, result.motion[#result.motion].time,
      one.processor, result.violation, 1000 * one.off.base, one.off.mean, one.ended, one.before or "-",
      one.after or "-", table.concat(one.names, " ")))
  io.stdout:flush()
end

--- Greatest memory of this process so far, MB.
local function most_memory()
  for line in io.lines "/proc/self/status" do
    local kilobytes = line:match "^VmHWM:%s*(%d+)"
    if kilobytes then return tonumber(kilobytes) / 1024 end
  end
end

--- What came out of all rows.
local function print_counts(count, failed, dry)
  print(("%d animations: %d feasible within %.0f s of computing for %.0f s of motion, \z
    %.0f MB of memory at most")
    :format(count.all, count.feasible, count.seconds, count.length, most_memory() or 0))
  if not dry then
    print(("in physics: %d stand as they are; %d of the %d feasible ones stand"):format(count.stood,
      count.stands, count.feasible))
  end
  for _, line in ipairs(failed) do print("failed: " .. line) end
end

local function main()
  local options = options_of(arg)
  local count, failed = { all = 0, feasible = 0, stood = 0, stands = 0, seconds = 0, length = 0 }, {}
  print "  # clip       rig   tempo size   animation motion computing violation  base   joints  ended"
  for number, row in ipairs(assert(loadfile(here .. "/list.lua", "t", {}))()) do
    local chosen = not options.only or row[1] == options.only or row[2] == options.only
    if chosen and number >= options.from and count.all < options.count then
      local one = try(row, options)
      count.all = count.all + 1
      if one.result then
        print_row(number, row, one)
        count.seconds, count.length = count.seconds + one.processor, count.length + one.length
      end
      for _, name in ipairs { "feasible", "stood", "stands" } do
        if one[name] then count[name] = count[name] + 1 end
      end
      local good = one.feasible and (options.dry or one.stands)
      if not good then failed[#failed + 1] = ("%d %s %s: %s"):format(number, row[1], row[2],
        one.feasible and one.after or one.ended) end
    end
  end
  print_counts(count, failed, options.dry)
  return #failed == 0 and 0 or 1
end

os.exit(main())
