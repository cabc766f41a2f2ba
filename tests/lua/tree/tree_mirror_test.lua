--- Trees mirrored by reflection of frames: twice gives the original, and a mirrored tree moves in mirror
--- image.
local author = require "brio.tree.author"
local data = require "brio.tree.editing.data"
local document = require "brio.tree.document"
local editings = require "brio.tree.editing"
local geometry = require "brio.geometry"
local imports = require "brio.formats.tree.readers"
local mirrors = require "brio.tree.mirror"
local robots = require "brio.robots"

local soak = (tonumber(os.getenv "BRIO_TEST_SCALE") or 1) > 1

--- Whether two values are the same but for rounding.
local function near(a, b)
  if type(a) == "number" and type(b) == "number" then return math.abs(a - b) < 1e-9 end
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for key, value in next, a do
    if not near(value, b[key]) then return false end
  end
  for key in next, b do
    if a[key] == nil then return false end
  end
  return true
end

test("left is right in names, and not in bright", function(t)
  local pairs_of = { ["Left Hand"] = "Right Hand", leftHand = "rightHand", left_hand = "right_hand",
    LEFT_FOOT = "RIGHT_FOOT", ["turn left, not right"] = "turn right, not left",
    bright = "bright", copyright = "copyright", leftover = "leftover", ["Left2"] = "Right2",
      handLeft = "handRight" }
  for one, other in next, pairs_of do
    t:equal(mirrors.word(one), other)
    t:equal(mirrors.word(other), one)
  end
end)

test("a node and all in it is mirrored as one edit, whose references follow", function(t)
  local doc = assert(document.of { "sequence", name = "both",
    { "sequence", name = "left arm", { "foreign", name = "reach left", notes = "with the left hand" },
      { "wait", name = "hold" } },
    { "wait", after = { whole = "left arm" } }, { "goto", to = "reach left" } })
  local editing = editings.new(doc)
  local done = assert(editing:apply(assert(mirrors.operation(doc, doc:find "left arm", mirrors.new())),
    "ann"))
  t:equal(done.says, "'left arm' is mirrored")
  t:equal(doc:plain(), { "sequence", name = "both",
    { "sequence", name = "right arm", { "foreign", name = "reach right", notes = "with the right hand" },
      { "wait", name = "hold" } },
    { "wait", after = { whole = "right arm" } }, { "goto", to = "reach right" } })
  assert(editing:apply(assert(mirrors.copy(doc, doc:find "right arm", author.ids(doc), mirrors.new())),
    "ann"))
  t:equal(doc:plain()[3][2].name, "reach left")
  t:equal(select(2, mirrors.operation(doc, doc:find "hold" or doc.nodes[doc:find "right arm"].children[2],
    mirrors.new())), "nothing would change")
  assert(editing:undo "ann")
  assert(editing:undo "ann")
  t:equal(doc:plain()[2].name, "left arm")
end)

local function mirrored(doc, m)
  local op, why = mirrors.operation(doc, doc.root, m)
  if not op then return why == "nothing would change", why end
  return editings.new(doc):apply(op, "ann")
end

local function check_twice(t, form, m, what)
  local doc = assert(document.of(form))
  local before = data.copy(doc.nodes)
  local good, why = mirrored(doc, m)
  t:ok(good, "%s: %s", what, why)
  good, why = mirrored(doc, m)
  t:ok(good, "%s: %s", what, why)
  t:ok(near(before, doc.nodes), "%s: twice is not the identity", what)
end

test("mirror twice is the identity: random trees with all kinds of fields, on robots and without", function(t)
  local function number() return math.random() * 4 - 2 end
  local function turn() return geometry.from_rpy(number(), number(), number()) end
  local function pose() return { position = { number(), number(), number() }, orientation = turn() } end
  local function pick(list) return list[math.random(#list)] end
  local list = { {} }
  for _, name in ipairs { "pepper", "probo", "ur3e" } do
    list[#list + 1] = { description = assert(robots.find(name)) }
  end
  for index, site in ipairs(list) do
    local frames = { "world", "left door", "Right Knob", "torso" }
    for _, link in ipairs(site.description and site.description.robot:links() or {}) do
      frames[#frames + 1] = link
    end
    for seed = 1, soak and 300 or 12 do
      math.randomseed(seed)
      local joints = {}
      for _, dof in ipairs(site.description and site.description.dofs or {}) do
        if math.random(3) == 1 then joints[dof.name] = number() end
      end
      local form = { "sequence", name = pick { "Left", "middle" },
        { "foreign", name = "reach " .. pick { "left", "right" } },
        { "arm", side = site.description and (site.description.parts or {}).left_arm
          and pick { "left", "right" } or nil, pose = pose(), frame = pick(frames), joints = joints,
          waypoints = { { joints = joints }, { pose = pose(), frame = pick(frames) } } },
        { "subtree", file = "x.lua", with = { side = pick { "left", "right" }, goal = pose(),
          name = "Left one" }, override = { ["left knob"] = { frame = pick(frames), pose = pose() } } },
        { "contains", what = pick(frames), frame = pick(frames),
          shape = { kind = "union", shapes = { { kind = "box", size = { 1, 2, 3 }, pose = pose() },
          { kind = "sphere", size = { 1 }, frame = pick(frames) } } } },
        { "proximity", a = pick(frames), b = pick(frames) } }
      local m = mirrors.new { description = site.description, plane = pick { "y", "y", "x", "z" } }
      check_twice(t, form, m, ("robot %d, seed %d"):format(index, seed))
    end
  end
end)

test("mirror twice is the identity on files of the IHMC behavior system", function(t)
  local pipe = io.popen "ls ../shared/data/ihmc_behaviors/*.json 2>/dev/null"
  local count, m = 0, mirrors.new { description = assert(robots.find "pepper") }
  for path in pipe:lines() do
    local text = assert(io.open(path)):read "a"
    local loaded = imports.load(text, path, function(name)
      local file = io.open(name)
      return file and file:read "a"
    end)
    for _, tree in ipairs(loaded and loaded.trees or {}) do
      count = count + 1
      check_twice(t, tree.form, m, path)
      t:equal(assert(document.of(tree.form)):plain(), tree.form, path .. ": as a document and back")
    end
  end
  pipe:close()
  if count == 0 then t:skip "../shared is not here" end
  t:ok(count >= 10, "%d trees", count)
end)

test("a mirrored arm does the mirror image: joints and poses agree on a robot with two arms", function(t)
  local description = assert(robots.find "pepper")
  local robot, m = description.robot, mirrors.new { description = description }
  local limbs = require "brio.robots.limbs"
  local left, right = assert(limbs.find(description, "arm", { side = "left" })),
    assert(limbs.find(description, "arm", { side = "right" }))
  local root = limbs.root(robot)
  for seed = 1, 20 do
    math.randomseed(seed)
    local joints, values = {}, {}
    for _, dof in ipairs(description.dofs) do
      for _, name in ipairs(left.dofs) do
        if dof.name == name then joints[name] = dof.lower + math.random() * (dof.upper - dof.lower) end
      end
    end
    for name, value in next, m:joints(joints) do values[name] = value end
    local function hand(limb, said)
      local configuration = robot:neutral()
      for name, value in next, said do configuration.joints[name] = value end
      local links = robot:forward(configuration).links
      return links[limb.link], links[root]
    end
    local there = hand(left, joints)
    local image = m:pose({ position = there.position, orientation = there.orientation }, root, left.link,
      right.link)
    local real = hand(right, values)
    for axis = 1, 3 do t:near(image.position[axis], real.position[axis], 2e-3) end
    t:near(geometry.angle(image.orientation, real.orientation), 0, 5e-3)
  end
end)

test("a screw goes the other way about the mirrored axis", function(t)
  local trees = require "brio.tree"
  if not trees.kinds.screw then t:skip "there is no screw" end
  local fields = assert(mirrors.fields(
    { kind = "screw", fields = { frame = "door", rotation = 1, translation = 0.1,
    axis = { position = { 1, 0.2, 0.3 }, orientation = geometry.from_rpy(0, 0, math.pi / 2) } } },
      mirrors.new()))
  t:equal(fields.rotation, -1)
  t:equal(fields.translation, 0.1)
  t:equal(fields.axis.position, { 1, -0.2, 0.3 })
  local along = geometry.turn(fields.axis.orientation, { 1, 0, 0 })
  t:near(along[2], -1, 1e-12)
end)

test("what has no counterpart is said, and what cannot be mirrored is refused", function(t)
  local m = mirrors.new { sequences = { wave_left = {}, nod = {} } }
  t:equal(mirrors.fields({ kind = "play", fields = { sequence = "wave_left" } }, m).sequence, "wave_left")
  t:match(m.said[1], "the sequence 'wave_left' has no counterpart 'wave_right': it stays")
  t:match(select(2, mirrors.fields({ kind = "arm", fields = { joints = { 1, 2 } } }, m)),
    "mirrored on a robot")
  t:raises(function() mirrors.new { plane = "w" } end, "plane must be")
end)
