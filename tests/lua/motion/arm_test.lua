--- A person's dance on arms: the closed form against the robot's own kinematics, and dances of which every
--- frame is within limits, clear and without jumps.
package.path = "tests/lib/?.lua;" .. package.path

local arm = require "brio.motion.arm"
local dancer = require "dancer"
local follow = require "brio.motion.arm.follow"
local ik = require "brio.ik"
local joints = require "brio.joints"
local models = require "brio.robot"
local path = require "brio.motion.measures.path"
local random = require "brio.random"
local readers = require "brio.formats.motion.readers"
local robots = require "brio.robots"
local sets = require "brio.motion.measures.sets"

local function map_of(name) return dofile("drivers/robots/" .. name .. "/retarget.lua") end

local function apart(a, b) return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2) end

--- The angle between two quaternions, rad.
local function turn(a, b)
  local dot = math.abs(a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4])
  return 2 * math.acos(math.min(1, dot))
end

--- Random values of an arm's joints, within their limits; by name and in order.
local function random_values(draw, robot, names)
  local ranges, named, list = {}, {}, {}
  for _, variable in ipairs(robot:variables()) do ranges[variable.name] = variable end
  for index, name in ipairs(names) do
    local range = ranges[name]
    list[index] = draw:uniform(math.max(range.lower, -3.1), math.min(range.upper, 3.1))
    named[name] = list[index]
  end
  return named, list
end

--- Links whose origins are the arms' wrists, as the robots' files have them.
local arms = { { "mycobot280", "joint6_flange", wrist = "joint5" },
  { "ur3e", "tool0", wrist = "wrist_1_link" } }

test("the closed form finds the joints from which a wrist was placed, and three other ways", function(t)
  for _, one in ipairs(arms) do
    local robot = assert(robots.find(one[1])).robot
    local own = assert(ik.arm(robot, one[2]))
    local known, draw = own:measures(), random.stream(3, one[1])
    t:equal(known.meets, false)
    local found = 0
    for _ = 1, 100 do
      local named, values = random_values(draw, robot, known.variables)
      local wrist = robot:forward({ joints = named }).links[one.wrist].position
      local _, placed = own:points(values)
      t:ok(apart(wrist, placed) < 1e-9, "%s: the wrist is %g m off", one[1], apart(wrist, placed))
      for _, answer in ipairs(own:place(wrist)) do
        local off = 0
        for k = 1, 3 do off = math.max(off, math.abs(math.sin((answer.values[k] - values[k]) / 2))) end
        if off < 1e-6 then found = found + 1 end
        for k, name in ipairs(known.variables) do named[name] = answer.values[k] or named[name] end
        local there = robot:forward({ joints = named }).links[one.wrist].position
        t:ok(answer.miss < 1e-9 and apart(wrist, there) < 1e-9, "%g m off", apart(wrist, there))
      end
    end
    t:ok(found >= 100, "%s: found %d of 100", one[1], found)
  end
end)

test("what is out of reach is missed by as much as it is too far", function(t)
  local own = assert(ik.arm(assert(robots.find "mycobot280").robot, "joint6_flange"))
  local known = own:measures()
  for _, answer in ipairs(own:place { 0, 0, known.base[3] + known.reach + 0.1 }) do
    t:ok(answer.miss > 0.0999, "%g m", answer.miss)
  end
  t:ok(own:place({ 0.15, 0.1, 0.2 })[1].miss < 1e-9, "in reach")
end)

test("a tool is turned as asked, and the wrist stays, over a clip of random directions", function(t)
  local robot = assert(robots.find "ur3e").robot
  local own = assert(ik.arm(robot, "tool0"))
  local known, draw = own:measures(), random.stream(4, "tools")
  local wrist, orientation, good = {}, {}, 0
  for frame = 1, 60 do
    local named = random_values(draw, robot, known.variables)
    local links = robot:forward({ joints = named }).links
    table.move(links.wrist_1_link.position, 1, 3, 3 * frame - 2, wrist)
    table.move(links.tool0.orientation, 1, 4, 4 * frame - 3, orientation)
  end
  local flat, misses = own:follow { wrist = wrist, orientation = orientation }
  for frame = 1, 60 do
    local named = {}
    for k, name in ipairs(known.variables) do named[name] = flat[6 * (frame - 1) + k] end
    local links = robot:forward({ joints = named }).links
    t:ok(misses[frame] < 1e-9, "frame %d: %g m", frame, misses[frame])
    local asked = table.move(wrist, 3 * frame - 2, 3 * frame, 1, {})
    t:ok(apart(links.wrist_1_link.position, asked) < 1e-9, "wrist")
    if turn(links.tool0.orientation, table.move(orientation, 4 * frame - 3, 4 * frame, 1, {})) < 1e-6 then
      good = good + 1
    end
  end
  t:ok(good >= 59, "%d of 60 turned as asked", good)
end)

test("an arm without a closed form says what it has instead", function(t)
  local panda = assert(robots.find "panda").robot
  local none, why, code = ik.arm(panda, "panda_hand")
  t:equal(none, nil)
  t:equal(code, "unreachable")
  t:match(why, "link 'panda_hand' is carried by 7 joints: 6 have a closed form")
  t:match(select(2, pcall(ik.arm, panda, "hand")), "no link 'hand'")
  local own = assert(ik.arm(assert(robots.find "ur3e").robot, "tool0"))
  t:match(select(2, pcall(own.follow, own, { wrist = { 0, 0, 0 }, elbow = { 0, 0 } })),
    "elbow must be a flat list of 3 numbers, 3 for each frame")
end)

--- Fail unless rows of an arm's joints are within their limits, clear by exact distances of all pairs, and
--- go on without jumps of more than `most` rad.
local function check_rows(t, description, variables, rows, obstacles, most, what)
  local ranges, space = {}, joints.space(description.robot, { variables = variables, obstacles = obstacles })
  for _, variable in ipairs(description.robot:variables()) do ranges[variable.name] = variable end
  for frame, row in ipairs(rows) do
    for k, name in ipairs(variables) do
      local range = ranges[name]
      t:ok(row[k] >= range.lower - 1e-9 and row[k] <= range.upper + 1e-9, "%s, frame %d: %s is %g", what,
        frame, name, row[k])
      local step = frame > 1 and math.abs(row[k] - rows[frame - 1][k]) or 0
      t:ok(step <= most, "%s, frame %d: %s steps by %g rad", what, frame, name, step)
    end
    if frame % 4 == 1 then
      local near = space:nearest(row)
      t:ok(not near or near.distance > 0, "%s, frame %d: %s", what, frame, near and near.link)
    end
  end
end

--- The rows of a clip of joints.
local function rows_of(made, variables)
  local rows = {}
  for k, name in ipairs(variables) do
    for _, track in ipairs(made.tracks) do
      if track.name == name then
        for frame, key in ipairs(track.keys) do
          rows[frame] = rows[frame] or {}
          rows[frame][k] = key[2]
        end
      end
    end
  end
  return rows
end

--- The dance of a clip on the myCobot, checked; returns what was done.
local function check_dance(t, film, what)
  local cobot, map = assert(robots.find "mycobot280"), map_of "mycobot280"
  local rows, variables, reports = arm.follow(film, cobot, map)
  local report, tool = reports[1], map.arms[1]
  -- the wrist is where it is asked to be, by the robot's own kinematics
  for frame = 1, #rows, 7 do
    local named = {}
    for k, name in ipairs(variables) do named[name] = rows[frame][k] end
    local at = cobot.robot:forward({ joints = named }).links.joint5.position
    local off = apart(at, table.move(report.wrist, 3 * frame - 2, 3 * frame, 1, {}))
    t:ok(off <= report.worst + 1e-9, "%s, frame %d: %g m off", what, frame, off)
  end
  t:ok(report.scale * report.farthest <= report.reach + report.ahead, "%s: scale %g", what, report.scale)
  t:ok(report.unreachable <= 0.02 * #rows, "%s: %d of %d frames are out of reach", what, report.unreachable,
    #rows)
  local made, done = assert(arm.clip(film, cobot, map))
  t:equal(done.repair.left, 0)
  t:ok(done.lasts >= done.before - 1e-9, "%s: %g s instead of %g s", what, done.lasts, done.before)
  -- 160 degrees a second, 60 frames a second
  check_rows(t, cobot, variables, rows_of(made, variables), tool.obstacles, 2.792527 / 60, what)
  return done
end

local function film_of(text, name)
  local film = assert(readers.read(text, { file = name .. ".bvh" }))
  film.name = name
  return film
end

test("a dance on the myCobot is within limits, clear, and without jumps", function(t)
  local done = check_dance(t, film_of(dancer.bvh(90), "waves"), "waves")
  t:equal(done.arms[1].side, "left")
  t:equal(done.arms[1].closed, true)
end)

--- How much the wrist's path of rows differs from the person's, by dynamic time warping.
local function warp(own, rows, person_)
  local times, flat = {}, {}
  for frame, row in ipairs(rows) do
    local _, wrist = own:points(row)
    times[frame] = (frame - 1) / path.rate
    table.move(wrist, 1, 3, #flat + 1, flat)
  end
  local one = sets.motion("wrist", path.of(times, flat, 3))
  local other = sets.motion("wrist", { rate = path.rate, dimensions = 3, points = person_ })
  return sets.warp({ one }, { other })
end

test("repaired by pushes, a dance stays at least as near to the person's as by swarms", function(t)
  local cobot, map = assert(robots.find "mycobot280"), map_of "mycobot280"
  local rows, variables, reports = arm.follow(film_of(dancer.bvh(60), "waves"), cobot, map)
  local own, wrist = assert(ik.arm(cobot.robot, "joint6_flange")), reports[1].wrist
  -- a ball that the wrist goes through
  local middle = 3 * (#rows // 3)
  local ball = { name = "ball", kind = "sphere", size = { 0.012, 0, 0 },
    pose = { position = table.move(wrist, middle + 1, middle + 3, 1, {}) } }
  local space = joints.space(cobot.robot, { variables = variables, obstacles = { ball } })
  local found = {}
  for _, method in ipairs { "push", "swarm" } do
    local made, report, _, left = space:repair(rows, { method = method, free_ends = true, rounds = 20,
      particles = 25, iterations = 15 })
    t:ok(made or method == "swarm", "%s: %s", method, report)
    found[method] = warp(own, made or left, reports[1].wrist)
  end
  t:ok(found.push <= found.swarm, "%.4f and %.4f", found.push, found.swarm)
end)

--- The farthest that a joint goes from a frame to the next, rad.
local function largest_step(rows)
  local most = 0
  for frame = 2, #rows do
    for k, value in ipairs(rows[frame]) do most = math.max(most, math.abs(value - rows[frame - 1][k])) end
  end
  return most
end

test("a panda, which has no closed form, follows too, with a tool that faces forward", function(t)
  local panda, map = assert(robots.find "panda"), map_of "panda"
  local rows, variables, reports = arm.follow(film_of(dancer.bvh(30), "waves"), panda, map)
  local report, joints_ = reports[1], {}
  t:equal({ report.closed, #variables, report.unreachable }, { false, 7, 0 })
  t:ok(largest_step(rows) < 0.15, "a joint steps by %g rad", largest_step(rows))
  local face = panda.robot:forward({ joints = panda.poses.present.joints }).links.panda_hand.orientation
  local turned = 0
  for frame = 1, #rows do
    for k, name in ipairs(variables) do joints_[name] = rows[frame][k] end
    local links = panda.robot:forward({ joints = joints_ }).links
    turned = turned + turn(links.panda_hand.orientation, face) / #rows
    local off = apart(links.panda_link5.position, table.move(report.wrist, 3 * frame - 2, 3 * frame, 1, {}))
    t:ok(off <= report.worst + 1e-9, "frame %d: %g m off", frame, off)
  end
  t:ok(turned < 0.5, "the tool is turned by %.2f rad on average", turned)
end)

--- Targets of a tool that faces forward while the wrist goes twice around a base, so far from it, m.
local function rounds(far)
  local wrist, head = {}, {}
  for frame = 0, 299 do
    local angle = 4 * math.pi * frame / 300
    table.move({ far * math.cos(angle), far * math.sin(angle), 0.5 }, 1, 3, 3 * frame + 1, wrist)
    table.move({ 0, 0, 0 }, 1, 3, 3 * frame + 1, head)
  end
  return wrist, head
end

--- The number of frames in which an arm is off its place.
local function count_off(own, misses)
  local off = 0
  for _, miss in ipairs(misses) do if miss > own.off then off = off + 1 end end
  return off
end

test("an arm that cannot go on around its base changes over in the time that its joints need", function(t)
  local panda, ranges, wrist, head = assert(robots.find "panda"), {}, rounds(0.45)
  for _, variable in ipairs(panda.robot:variables()) do ranges[variable.name] = variable end
  local own = follow.new(panda.robot, { tool = "panda_hand" }, panda.poses.present.joints)
  local rows, misses = own:follow(wrist, nil, head)
  t:ok(largest_step(rows) <= 0.5, "a joint steps by %g rad", largest_step(rows))
  for frame, row in ipairs(rows) do
    for k, name in ipairs(own.variables) do
      t:ok(row[k] >= ranges[name].lower and row[k] <= ranges[name].upper, "frame %d: %s", frame, name)
    end
  end
  local off = count_off(own, misses)
  t:ok(off > 0 and off < 100, "off its place in %d of 300 frames", off)
end)

test("an arm whose joints have no ends goes on around, and stays in one piece out of reach", function(t)
  local handle = assert(io.open "drivers/robots/panda/model.urdf")
  local text = handle:read("a"):gsub('type="revolute"', 'type="continuous"')
  handle:close()
  text = text:gsub("<limit [^>]*lower[^>]*>", '<limit velocity="2" effort="80"/>')
  local endless = assert(models.parse(text, "endless.urdf"))
  for _, case in ipairs { { 0.45, 0 }, { 2, 300 } } do
    local wrist, head = rounds(case[1])
    local own = follow.new(endless, { tool = "panda_hand" }, assert(robots.find "panda").poses.present.joints)
    local rows, misses = own:follow(wrist, nil, head)
    t:equal(count_off(own, misses), case[2])
    t:ok(largest_step(rows) <= 0.3, "a joint steps by %g rad", largest_step(rows))
  end
end)

test("a humanoid's two arms follow a person's, with wrist and elbow near theirs", function(t)
  local biped = assert(robots.find "biped")
  local rows, variables, reports = arm.follow(film_of(dancer.bvh(30), "waves"), biped, {})
  t:equal({ #variables, #reports, reports[1].side, reports[2].side }, { 14, 2, "right", "left" })
  local limits, number = {}, {}
  for _, variable in ipairs(biped.robot:variables()) do limits[variable.name] = variable end
  for k, name in ipairs(variables) do
    t:match(name, k <= 7 and "^right_" or "^left_")
    number[name] = k
  end
  for _, report in ipairs(reports) do
    t:ok(report.unreachable <= 0.1 * #rows, "%d of %d frames are out of reach", report.unreachable, #rows)
    for frame = 1, #rows, 5 do
      local values = {}
      for name in pairs(limits) do values[name] = biped.poses.stand.joints[name] end
      for name, k in pairs(number) do values[name] = rows[frame][k] end
      -- the wrist is where the report says that it was to be, by a kinematics that follows nothing
      local at = biped.robot:forward({ joints = values }).links[report.side .. "_wrist_yaw_link"].position
      local off = 0
      for axis = 1, 3 do off = off + (at[axis] - report.wrist[3 * frame - 3 + axis]) ^ 2 end
      t:ok(math.sqrt(off) <= report.worst + 1e-6, "frame %d is %g m off", frame, math.sqrt(off))
    end
  end
  for frame, row in ipairs(rows) do
    for k, name in ipairs(variables) do
      t:ok(row[k] >= limits[name].lower and row[k] <= limits[name].upper, "frame %d: %s is %g", frame,
        name, row[k])
    end
  end
end)

test("what a mapping asks of an arm is checked, and a body without arms is named", function(t)
  local cobot, film = assert(robots.find "mycobot280"), film_of(dancer.bvh(10), "waves")
  local function why(arms_, film_) return (select(2, arm.clip(film_ or film, cobot, { arms = arms_ }))) end
  t:match(why { { tool = "joint6_flang" } }, "which the robot does not have %(did you mean 'joint6_flange'")
  t:match(why { { tool = "joint6_flange", face = "neutrall" } }, "did you mean 'neutral'")
  t:match(why { { tool = "joint6_flange", joints = { "joint" } } }, "an arm's joint 'joint' is \z
    none of mycobot280")
  local plain = film_of(dancer.bvh(10):gsub("LeftHand", "Thing"), "waves")
  t:match(why({ { tool = "joint6_flange" } }, plain), "the skeleton has no left_hand, which a dance")
end)

--- Dances of the shared motion captures, unpacked; a length in seconds each.
local shared = (os.getenv "BRIO_SHARED" or "../shared") .. "/data/mocap/cmu_dance/"
local dances = { "02/02_04", "05/05_03", "131/131_03" }

test("dances of people are within limits, clear, and without jumps on the myCobot", function(t)
  local probe = io.open(shared .. "FILES.tsv")
  if not probe then return t:skip "no shared motion captures" end
  probe:close()
  for index, name in ipairs(dances) do
    local pipe = io.popen("xz -dc '" .. shared .. name .. ".bvh.xz'")
    local text = pipe:read "a"
    pipe:close()
    if #text == 0 then return t:skip "no xz" end
    if index == 1 or (tonumber(os.getenv "BRIO_TEST_SCALE") or 1) > 1 then
      check_dance(t, film_of(text, name), name)
    end
  end
end)
