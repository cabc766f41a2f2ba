--- What repairs of a dance keep of it: wrists of people (CMU motion capture) lead a myCobot 280's; a ball in
--- their way makes 15 to 25 % of 200 points collide; the points are repaired, and optimized, and the wrists
--- are compared with the person's: Fréchet distance of features (FID), and dynamic time warping (DTW).
---
---     build/brio lua scripts/bench/behavior/repair_style.lua SHARED [PIECES]
local arm = require "brio.motion.arm"
local joints = require "brio.joints"
local path = require "brio.motion.measures.path"
local readers = require "brio.formats.motion.readers"
local robots = require "brio.robots"
local sets = require "brio.motion.measures.sets"

local shared, most = ..., tonumber((select(2, ...))) or 24
local points, seconds = 200, 3.3

--- The ball: radius, m; the share of points that it may make collide.
local ball, share = 0.045, { 0.15, 0.25 }

local cobot = assert(robots.find "mycobot280")
local wrist_link, map = "joint5", dofile "drivers/robots/mycobot280/retarget.lua"

--- Dances, in the order of the list.
local function dances()
  local list, handle = {}, assert(io.popen(("cd '%s/data/mocap/cmu_dance' && ls */*.bvh.xz"):format(shared)))
  for name in handle:lines() do list[#list + 1] = name end
  handle:close()
  return list
end

--- A clip of a dance.
local function clip_of(name)
  local pipe = assert(io.popen(("xz -dc '%s/data/mocap/cmu_dance/%s'"):format(shared, name)))
  local text = pipe:read "a"
  pipe:close()
  return readers.read(text, { file = name:gsub("%.xz$", "") })
end

--- Where the wrist of the arm is, flat.
local function wrists_of(rows, variables)
  local flat = {}
  for _, row in ipairs(rows) do
    local values = {}
    for k, name in ipairs(variables) do values[name] = row[k] end
    local at = cobot.robot:forward({ joints = values }).links[wrist_link].position
    table.move(at, 1, 3, #flat + 1, flat)
  end
  return flat
end

local function space_of(variables, at)
  return joints.space(cobot.robot, { variables = variables, clearance = 0.003, obstacles = at and {
    { name = "ball", kind = "sphere", size = { ball, 0, 0 }, pose = { position = at } } } or {} })
end

--- The space of a piece with 15 to 25 % of points that collide, and ends that are clear: with the arm itself,
--- or with a ball in the way; nil: none was found.
local function space_for(rows, variables, flat)
  for index = 20, points - 20, 20 do
    local at = index > 20 and { flat[3 * index - 2], flat[3 * index - 1], flat[3 * index] } or nil
    local space, count = space_of(variables, at), 0
    if space:clear(rows[1]) and space:clear(rows[points]) then
      for _, row in ipairs(rows) do
        count = count + (space:clear(row) and 0 or 1)
        if count > share[2] * points then break end
      end
      if count >= share[1] * points and count <= share[2] * points then return space end
    end
  end
end

--- The pieces of a dance: {rows, variables, wrist = flat of the person's, space}.
local function pieces_of(name, list)
  local clip = clip_of(name)
  if not clip then return end
  local rows, variables, reports, one = arm.follow(clip, cobot, map)
  local step = seconds * one.rate / (points - 1)
  for first = 1, math.min(#rows, 2000) - seconds * one.rate - 1, math.ceil(seconds * one.rate) do
    if #list >= most or list.of == 2 then return end -- two of a dance at most
    local piece, person = {}, {}
    for k = 0, points - 1 do
      local frame = math.floor(first + k * step + 0.5)
      piece[k + 1] = { table.unpack(rows[frame]) }
      table.move(reports[1].wrist, 3 * frame - 2, 3 * frame, #person + 1, person)
    end
    local space = space_for(piece, variables, wrists_of(piece, variables))
    if space then
      list.of = list.of + 1
      list[#list + 1] = { name = name .. " " .. first, rows = piece, variables = variables, wrist = person,
        space = space }
    end
  end
end

--- A motion of a set, of a wrist's places.
local function motion_of(piece, flat)
  local times = {}
  for k = 1, points do times[k] = (k - 1) * seconds / (points - 1) end
  return sets.motion(piece.name, path.of(times, flat, 3), 0.1)
end

--- Change the points of all pieces: {motions, clear = of each piece whether it is, times, ms}.
local function changed(list, change)
  local made = { motions = {}, clear = {}, times = {} }
  for k, piece in ipairs(list) do
    local begin = os.clock()
    local rows = change(piece)
    made.times[k] = 1e3 * (os.clock() - begin)
    local good = true
    for i = 2, #rows do good = good and piece.space:motion(rows[i - 1], rows[i]) end
    made.clear[k] = good
    made.motions[k] = motion_of(piece, wrists_of(rows, piece.variables))
  end
  table.sort(made.times)
  return made
end

--- Print a row: what was made beside the person, of the pieces that `only` has, or of all.
local function tell(name, made, person, only)
  local own, theirs, clear = {}, {}, 0
  for k, motion in ipairs(made.motions) do
    if not only or only[k] then
      own[#own + 1], theirs[#theirs + 1] = motion, person[k]
      clear = clear + (made.clear[k] and 1 or 0)
    end
  end
  local form = '{"row":"%s","pieces":%d,"clear":%d,"frechet":%.6g,"warp":%.6g,"ms":%.3f,"ms95":%.3f}'
  print(form:format(name, #own, clear, sets.frechet(own, theirs), sets.warp(own, theirs),
    made.times[#made.times // 2 + 1], made.times[math.max(1, math.floor(0.95 * #made.times))]))
end

local function optimized(options)
  return function(piece)
    local work = assert(piece.space:optimize(piece.rows, options))
    while work:work(10000) == nil do end
    return work:path()
  end
end

local list, person = {}, {}
for _, name in ipairs(dances()) do
  if #list < most then
    list.of = 0
    local good, why = pcall(pieces_of, name, list)
    if not good then io.stderr:write(name, ": ", tostring(why), "\n") end
  end
end
for k, piece in ipairs(list) do person[k] = motion_of(piece, piece.wrist) end

local function by_repair(options)
  return function(piece)
    local rows, _, _, left = piece.space:repair(piece.rows, options)
    return rows or left
  end
end

local repaired = changed(list, by_repair())
local swarms = changed(list, by_repair { method = "swarm", rounds = 3 })
local both = {}
for k = 1, #list do both[k] = repaired.clear[k] and swarms.clear[k] end
tell("as it was", changed(list, function(piece) return piece.rows end), person)
tell("repaired", repaired, person)
tell("by swarms", swarms, person)
tell("repaired, both clear", repaired, person, both)
tell("by swarms, both clear", swarms, person, both)
tell("optimized", changed(list, optimized { rounds = 200 }), person)
tell("optimized, close", changed(list, optimized { closeness = 1e4, rounds = 200 }), person)
