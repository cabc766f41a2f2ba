--- How many of a hundred animations (list.lua) become motions that a robot can do, how long that takes, and
--- which
--- do not.
---
---     build/brio lua scripts/bench/feasible/feasible.lua [--only WORD] [--count N] [--clip-seconds S]
---
--- `--only`: rows whose clip or rig contains this word; `--count`: the first N of those; `--clip-seconds`:
--- as much
--- of each clip. Limits: an hour of computing for 5 s of motion and at most four times the time (Li,
--- Cummings,
--- Sreenath, "Animated Cassie", 2020), constraints within 1e-7. Exit code 1: one failed.
require "brio.public"
local animations = require "brio.motion.rig.animation"
local feasible = require "brio.motion.feasible"
local motion_files = require "brio.terminal.motion_files"
local rigs = require "brio.motion.rig"

local here = debug.getinfo(1, "S").source:match "^@(.*)/" or "."
local shared = os.getenv "BRIO_SHARED" or here .. "/../../../../shared"
local robots = shared .. "/data/robots/"

--- The model of each rig.
local models = { cassie = robots .. "cassie_mjcf/cassie_nomesh.xml", h1 = robots .. "h1/h1.urdf",
  nao = robots .. "nao/nao.urdf" }

--- Seconds of computing for a second of motion, at most.
local most_seconds = 3600 / 5

local function options_of(words)
  local made, index = { count = math.huge }, 1
  while index <= #words do
    local value = words[index + 1]
    if words[index] == "--only" and value then made.only = value
    elseif words[index] == "--count" and tonumber(value) then made.count = tonumber(value)
    elseif words[index] == "--clip-seconds" and tonumber(value) then made.to = tonumber(value)
    else
      io.stderr:write("feasible.lua [--only WORD] [--count N] [--clip-seconds S], not ", words[index], "\n")
      os.exit(2)
    end
    index = index + 2
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

--- One row: what it broke, and how it ended.
local function try(row, options)
  local rig, clip = rig_of(row[2]), assert(clip_of(row[1]))
  local animation, why = animations.make(rig, clip, { tempo = row.tempo, size = row.size, to = options.to })
  if not animation then return { ended = why, good = false } end
  local length = (#animation.frames - 1) / animation.rate
  local limit = most_seconds * length
  local reasons, names = assert(feasible.reasons(rig, animation)), {}
  for index, one in ipairs(reasons) do names[index] = one.what end
  local result, fault = feasible.optimize(rig, animation, { seconds = limit })
  if not result then return { ended = fault, good = false } end
  local off = feasible.difference(rig, animation, result.motion)
  return { ended = result.finish, good = feasible.may_play(result, animation), seconds = result.seconds,
    limit = limit,
    length = length, time = result.motion[#result.motion].time, violation = result.violation, base = off.base,
    joint = off.mean, broken = table.concat(names, " ") }
end

local function main()
  local options = options_of(arg)
  local done, failed = 0, {}
  print "clip         rig     tempo size  animation  motion (limit)   computing (limit)   violation  \z
    base    joints  ended"
  for _, row in ipairs(assert(loadfile(here .. "/list.lua", "t", {}))()) do
    local chosen = not options.only or row[1]:find(options.only, 1, true) or row[2]:find(options.only, 1,
      true)
    if chosen and done < options.count then
      done = done + 1
      local one = try(row, options)
      if one.length then
        print(("%-12s %-7s %4.2f %4.2f %7.2f s %7.2f s (%.1f) %8.1f s (%5.0f) %10.1g %5.0f mm %5.3f   %s; \z
          it broke: %s")
          :format(row[1], row[2], row.tempo, row.size, one.length, one.time, 4 * one.length, one.seconds,
            one.limit,
            one.violation, 1000 * one.base, one.joint, one.ended, one.broken))
      end
      if not one.good then failed[#failed + 1] = ("%s %s: %s"):format(row[1], row[2], one.ended) end
    end
  end
  print(("%d of %d feasible"):format(done - #failed, done))
  for _, line in ipairs(failed) do print("failed: " .. line) end
  return #failed == 0 and 0 or 1
end

os.exit(main())
