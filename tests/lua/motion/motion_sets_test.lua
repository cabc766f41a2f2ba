--- Sets of motions: Fréchet distances, dynamic time warping and diversity, compared with closed forms and
--- with every possible alignment; reading sets from folders.
local features = require "brio.motion.measures.features"
local measures = require "brio.motion.measures.sets"
local motion_sets = require "brio.terminal.motion_sets"
local path = require "brio.motion.measures.path"
local quality = require "brio.quality"
local random = require "brio.random"
local statistics = require "brio.lib.statistics"

test("the Fréchet distance of sets of numbers is that of their means and deviations", function(t)
  local a, b = { 1, 2, 3, 4, 5 }, { 10, 14, 18 } -- deviations 1.5811 and 4
  local found, shrunk_a, shrunk_b = quality.frechet(a, b, 1)
  t:near(found, (14 - 3) ^ 2 + (4 - math.sqrt(2.5)) ^ 2, 1e-9)
  t:equal({ shrunk_a, shrunk_b }, { 0, 0 })
  t:near(quality.frechet(a, a, 1), 0, 1e-12)
  local flat, moved, draw = {}, {}, random.stream(5, "rows")
  for index = 1, 60 * 3 do flat[index] = draw:normal() end
  for index, value in ipairs(flat) do moved[index] = value + ({ 1, -2, 0.5 })[(index - 1) % 3 + 1] end
  t:near(quality.frechet(flat, moved, 3), 1 + 4 + 0.25, 1e-9)
end)

test("few rows are shrunk, and it is said by how much; one is refused", function(t)
  local draw, few = random.stream(6, "few"), {}
  for index = 1, 4 * 6 do few[index] = draw:normal() end
  local found, shrunk = quality.frechet(few, few, 6)
  t:near(found, 0, 1e-9)
  t:ok(shrunk > 0 and shrunk <= 1, "by %g", shrunk)
  for _, case in ipairs { { { 1, 2 }, { 1, 2, 3, 4 }, 2 }, { { 1, 2, 3 }, { 1, 2, 3, 4 }, 2 },
      { { 1, 2 }, { 1, 2 }, 201 } } do
    t:ok(not pcall(quality.frechet, table.unpack(case)), "refused")
  end
  t:match(select(2, pcall(quality.frechet, { 1, 2 }, { 1, 2, 3, 4 }, 2)), "a has 1 row, expected at least 2")
end)

test("principal axes are those of an ellipse that is turned", function(t)
  local points, c, s = {}, math.cos(0.5), math.sin(0.5)
  for index = 0, 99 do
    local x, y = 3 * math.cos(2 * math.pi * index / 100), math.sin(2 * math.pi * index / 100)
    points[#points + 1], points[#points + 2] = c * x - s * y, s * x + c * y
  end
  local variances, axes = quality.axes(points, 2)
  t:near(variances, { 4.5 * 100 / 99, 0.5 * 100 / 99 }, 1e-9)
  t:near(math.abs(axes[1] * c + axes[2] * s), 1, 1e-9)
  t:near(math.abs(axes[3] * s - axes[4] * c), 1, 1e-9)
  t:equal(quality.axes({ 1, 2 }, 2), nil)
end)

--- The least cost of all alignments of two lists, and its number of pairs: every way from the first pair to
--- the last, by recursion.
local function best_alignment(a, b, i, j)
  local here = math.abs(a[i] - b[j])
  if i == #a and j == #b then return here, 1 end
  local least, pairs_ = math.huge, 0
  for _, step in ipairs { { 1, 1 }, { 1, 0 }, { 0, 1 } } do
    if i + step[1] <= #a and j + step[2] <= #b then
      local cost, count = best_alignment(a, b, i + step[1], j + step[2])
      if cost < least then least, pairs_ = cost, count end
    end
  end
  return here + least, pairs_ + 1
end

test("dynamic time warping finds the cheapest of all alignments", function(t)
  local draw = random.stream(7, "warp")
  for round = 1, 30 do
    local a, b = {}, {}
    for index = 1, 2 + round % 5 do a[index] = draw:normal() end
    for index = 1, 2 + round % 4 do b[index] = draw:normal() end
    local cost, count = best_alignment(a, b, 1, 1)
    t:near(quality.warp(a, b), cost / count, 1e-12, "round " .. round)
  end
end)

--- A motion along a wave of this pace, shifted, scaled and turned about z.
local function motion_of(name, pace, change)
  local times, points = {}, {}
  change = change or {}
  for index = 0, 300 do
    local s = index / 60 * pace
    local x, y, z = 0.3 * math.sin(2 * s), 0.2 * math.cos(3 * s), 0.1 * math.sin(5 * s + 1)
    local c, k = math.cos(change.turn or 0), math.sin(change.turn or 0)
    local scale, shift = change.scale or 1, change.shift or 0
    times[index + 1] = index / 60
    table.move({ scale * (c * x - k * y) + shift, scale * (k * x + c * y), scale * z - shift }, 1, 3,
      3 * index + 1, points)
  end
  return assert(measures.motion(name, path.of(times, points, 3)))
end

test("warping does not depend on place, size or a change of pace, but on the form", function(t)
  local one = motion_of("a", 1)
  local function apart(other) return (measures.warp({ one }, { other })) end
  t:near(apart(motion_of("a", 1, { shift = 5, scale = 3 })), 0, 1e-9)
  local slower, turned = apart(motion_of("a", 0.9)), apart(motion_of("a", 1, { turn = 1.5 }))
  t:ok(slower < 0.25 * turned, "slower %.3f, turned %.3f", slower, turned)
end)

test("pairs have equal names, or are all pairs", function(t)
  local a = { motion_of("x", 1), motion_of("y", 1.3) }
  local b = { motion_of("y", 1.3), motion_of("x", 1), motion_of("z", 2) }
  local found, count, named = measures.warp(a, b)
  t:near(found, 0, 1e-12)
  t:equal({ count, named }, { 2, true })
  found, count, named = measures.warp(a, { b[1], b[3] })
  t:ok(found > 0)
  t:equal({ count, named }, { 4, false })
  local flat = assert(measures.motion("x", path.of({ 0, 1, 2 }, { 0, 0, 1, 1, 0, 2 }, 2)))
  t:equal(measures.warp(a, { flat }), nil)
end)

test("diversity is the mean distance of vectors, and equal sets have no Fréchet distance", function(t)
  local function vector_of(first, second)
    local list = {}
    for index = 1, 35 do list[index] = 0 end
    list[1], list[2] = first, second
    return { vector = list }
  end
  t:near(measures.diversity { vector_of(0, 0), vector_of(3, 4), vector_of(0, 4) }, (5 + 4 + 3) / 3, 1e-12)
  t:equal(measures.diversity { vector_of(0, 0) }, nil)
  local many, draw = {}, random.stream(8, "many") -- on a line of length 1: a mean distance of 1/3
  for index = 1, 1000 do many[index] = { vector = { draw:uniform(0, 1) } } end
  t:near(measures.diversity(many), 1 / 3, 0.01)
  local set = {}
  for index = 1, 6 do set[index] = motion_of("m" .. index, 0.8 + 0.1 * index, { scale = 1 + 0.2 * index }) end
  local found = measures.compare(set, set)
  t:near(found.frechet, 0, 1e-6)
  t:near(found.warp, 0, 1e-12)
  t:ok(found.by_name and found.shrinkage_a == found.shrinkage_b and found.shrinkage_a > 0)
  for _, row in ipairs(found.features) do t:near(row.difference, 0, 1e-12) end
  t:equal(measures.frechet({ set[1] }, set), nil)
  t:ok(measures.halves(set) > 0 and not measures.halves { set[1], set[2] })
end)

test("pieces are as long as was said, and what remains is left out", function(t)
  local one = motion_of("a", 1).path -- 5 s
  local pieces = measures.pieces(one, 2)
  t:equal({ #pieces, path.seconds(pieces[1]), path.seconds(pieces[2]) }, { 2, 2.0, 2.0 })
  t:equal(pieces[2].points[1], one.points[3 * 120 + 1])
  t:equal(#measures.pieces(one, 6), 0)
end)

-- Sets on disk -----------------------------------------------------------------------------------------

local options = { motion = { lead = 0 } }

local function with(more) return setmetatable(more, { __index = options }) end

test("a robot's sequences are a set: of hands, of links and of joints", function(t)
  local folder = "drivers/robots/mycobot280/sequences"
  local hand = assert(motion_sets.read(folder .. "/nod.lua," .. folder .. "/greet.lua", options))
  t:equal({ #hand.motions, hand.motions[1].name, hand.motions[2].name }, { 2, "nod", "greet" })
  local joints = assert(motion_sets.read(folder .. "/nod.lua", with { point = "joints" }))
  t:ok(joints.motions[1].path.dimensions >= 1)
  local link = assert(motion_sets.read(folder .. "/greet.lua", with { point = "joint4" }))
  t:ok(link.motions[1].values.radius < hand.motions[2].values.radius, "a link nearer to the base moves less")
  local sized = assert(motion_sets.read(folder .. "/greet.lua", with { by_size = true }))
  t:near(sized.motions[1].values.radius, 0.25, 1e-9)
  local cut = assert(motion_sets.read(folder .. "/greet.lua", with { cut = 1 }))
  t:ok(#cut.motions > 1 and cut.motions[2].name == "greet#2", "%d pieces", #cut.motions)
end)

test("what is wrong with a set is said, with its file", function(t)
  local file = t:temporary ".bvh"
  local handle = assert(io.open(file, "w"))
  handle:write "HIERARCHY\nROOT hips\n{\n OFFSET 0 0 nonsense\n"
  handle:close()
  local function why(word, more)
    local set, sentence = motion_sets.read(word, with(more or {}))
    t:equal(set, nil)
    return sentence
  end
  t:match(why "/no/such", "there is no file or folder /no/such")
  t:match(why(file), "^" .. file:gsub("%p", "%%%0") .. ": line 4")
  local nod = "drivers/robots/mycobot280/sequences/nod.lua"
  t:match(why(nod, { point = "joint9" }), "no link or role 'joint9'.*did you mean 'joint")
  t:match(why(nod, { cut = 100 }), "nod.lua: lasts .* expected at least one piece of 100 s")
  t:match(why(nod, { from = 50 }), "nod.lua: nothing is from 50 s on")
  t:match(why("nobot=" .. nod), "nobot")
  t:match(why "docs/animation", "no motion file is below docs/animation")
end)

local data = (os.getenv "BRIO_SHARED" or "../shared") .. "/data/"
local shared = data .. "mocap/"

test("gestures of another program are a set of a robot's motions", function(t)
  local files = {}
  for index, name in ipairs { "Attract_R01", "Attract_R04", "Hello_02" } do
    files[index] = ("%srobot_motion/pepper_qianim/%s.qianim"):format(data, name)
  end
  local set, why = motion_sets.read("pepper=" .. table.concat(files, ","), options)
  if not set and why:find "no file or folder" then return t:skip "no shared data" end
  t:equal({ #set.motions, set.motions[3].name, set.on }, { 3, "Hello_02", "pepper" })
  local means = measures.means(set.motions)
  t:ok(means.radius > 0.02 and means.radius < 0.5 and means.speed_high < 3, "%g m, %g m/s", means.radius,
    means.speed_high)
end)

test("the features of salsa are nearer to those of other salsa than to those of an Indian dance", function(t)
  local function set_of(name) return motion_sets.read(shared .. "cmu_bvh/" .. name, with { cut = 3 }) end
  local salsa = set_of "salsa_pair01_A_30fps.bvh"
  if not salsa then return t:skip "no shared data" end
  local other, indian = assert(set_of "salsa_pair05_A_30fps.bvh"), assert(set_of "indian_dance_04_30fps.bvh")
  local near, far = measures.compare(salsa.motions, other.motions), measures.compare(salsa.motions,
    indian.motions)
  t:ok(near.frechet < far.frechet, "Fréchet %.2f %.2f", near.frechet, far.frechet)
end)

test("the scales of features are their deviations over the wrists of CMU's dances", function(t)
  local soak = (tonumber(os.getenv "BRIO_TEST_SCALE") or 1) > 1
  if not soak then return t:skip "20 s of processor time: make soak" end
  local folder = t:temporary ""
  os.execute(("mkdir -p '%s' && cd '%s/cmu_dance' 2>/dev/null && for f in */*.xz; do \z
    xz -dc $f > '%s'/$(basename $f .xz); done"):format(folder, shared, folder))
  local set, why = motion_sets.read(folder, with { cut = 5, from = 0.2 })
  os.execute(("rm -r '%s'"):format(folder))
  if not set then return t:skip("no shared data: " .. why) end
  t:equal({ #set.motions, #set.left_out }, { 232, 6 })
  for index, feature in ipairs(features.list) do
    local list = {}
    for n, motion in ipairs(set.motions) do list[n] = motion.vector[index] end
    t:near(statistics.deviation(list), 1, 0.006, feature.name) -- scales have three digits
  end
end)
