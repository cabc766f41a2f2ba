--- `brio quality --set A --set B`: measures sets of motions, and how alike they are.
local cli, columns = require "brio.terminal.cli", require "brio.lib.columns"
local features = require "brio.motion.measures.features"
local measures = require "brio.motion.measures.sets"
local motion_sets = require "brio.terminal.motion_sets"
local motions = require "brio.terminal.motion_files"
local store = require "brio.store"

local set_command = {}

set_command.options = {
  { "set", "[ROBOT=]PATH", "a set of motions: a folder, or files with commas between them; on this robot; \z
    may be said again: the others are compared with the first", many = true },
  { "point", "NAME", "the point whose path is measured: a part of a person, a link or role of a robot, or \z
    joints; said again: of each set; default: hand, the one that moves more", many = true },
  { "cut", "S", "cut every motion of the sets into pieces of S seconds" },
  { "by-size", nil, "scale every path to the same size: for bodies of different sizes" },
  { "features", nil, "print all 35 features; default: the five that differ most" },
}

--- Options of runs and of single files.
local foreign = { "store", "dof", "of", "lag" }

--- Number of features that are printed without --features.
local few = 5

local function short(value, format) return value and format:format(value) or "-" end

--- The checked options, or nil (printed).
local function read_options(args)
  if #args > 0 then
    return cli.error("quality takes a run, a file or --set, not '%s' and --set", args[1])
  end
  for _, name in ipairs(foreign) do
    if args[name] then return cli.error("--%s is for a run or a file, not for --set", name) end
  end
  local points = args.point or {}
  if #points > 1 and #points ~= #args.set then
    return cli.error("--point is said %d times for %d sets: say it once, or once for each", #points,
      #args.set)
  end
  local motion = motions.options(args)
  local cut = motion and cli.number(args, "cut", features.least_seconds, 3600, false)
  if cut == nil then return nil end
  motion.lead = motion.lead or 0 -- only the motion itself
  local options = { motion = motion, robot = args.robot, cut = cut or nil, by_size = args["by-size"],
    points = points, features = args.features, json = args.json }
  return cli.read_span(args, options) and options or nil
end

--- The letter of a set: A, B, ..., Z, 27, ...
local function letter(index) return index <= 26 and string.char(64 + index) or tostring(index) end

local shown = { "set", "motions", "seconds", "speed m/s", "CCR 1/m", "SPARC", "LDLJ", "diversity", "halves" }

--- The printed row of a set.
local function printed(index, set)
  local means = set.means
  return { set = letter(index), motions = #set.motions,
    seconds = short(means.seconds * #set.motions, "%.1f"),
    ["speed m/s"] = short(means.speed_mean, "%.3f"), ["CCR 1/m"] = short(means.curvature, "%.2f"),
    SPARC = short(means.sparc, "%.2f"), LDLJ = short(means.ldlj, "%.2f"),
    diversity = short(set.diversity, "%.2f"), halves = short(set.halves, "%.2f") }
end

local legend = [[
means over a set: CCR (curvature of the path), SPARC and LDLJ (nearer to 0 is smoother; longer motions are
lower); diversity: mean distance of two motions in 35 features; halves: the Fréchet distance of two halves of
the set.]]

--- The sentences on how a set compares with the first.
local function lines(index, found, sets)
  local name, list = letter(index), {}
  if found.frechet then
    list[1] = ("%s and A: Fréchet distance %.2f"):format(name, found.frechet)
  else
    list[1] = ("%s and A: no Fréchet distance: a set has one motion, expected at least two"):format(name)
  end
  if found.warp then
    list[1] = ("%s; DTW %.3f, of %d %s"):format(list[1], found.warp, found.pairs,
      found.by_name and "pairs with the same name" or "pairs")
  else
    list[1] = list[1] .. "; no DTW: their paths have different numbers of joints"
  end
  for side, shrinkage in ipairs { found.shrinkage_a or 0, found.shrinkage_b or 0 } do
    local place = side == 1 and 1 or index
    if shrinkage > 0 then
      list[#list + 1] = ("note: %s has %d motions, not more than the %d features: its covariance is shrunk \z
        toward its diagonal by %.0f %%"):format(letter(place), #sets[place].motions, #features.list,
        100 * shrinkage)
    end
  end
  return list
end

--- The table of features of two sets: all, or those that differ most.
local function feature_table(index, found, all)
  local rows = table.move(found.features, 1, #found.features, 1, {})
  if not all then
    table.sort(rows, function(a, b)
      local x, y = math.abs(a.difference), math.abs(b.difference)
      return x > y or x == y and a.name < b.name
    end)
    rows = table.move(rows, 1, few, 1, {})
  end
  local name, list = letter(index), {}
  for place, row in ipairs(rows) do
    list[place] = { feature = row.name, unit = row.unit, A = short(row.a, "%.3f"),
      [name] = short(row.b, "%.3f"), difference = short(row.difference, "%+.2f") }
  end
  return columns.text({ "feature", "unit", "A", name, "difference" }, list)
end

--- The table of one set's features.
local function own_features(set)
  local list = {}
  for index, feature in ipairs(features.list) do
    list[index] = { feature = feature.name, unit = feature.unit,
      A = short(set.means[feature.name], "%.3f"), definition = feature.doc }
  end
  return columns.text({ "feature", "unit", "A", "definition" }, list)
end

local function tell(sets, comparisons, options)
  local rows = {}
  for index, set in ipairs(sets) do
    rows[index] = printed(index, set)
    print(("%s: %s"):format(letter(index), set.word))
  end
  print("\n" .. columns.text(shown, rows) .. "\n\n" .. legend)
  for place, found in ipairs(comparisons) do
    print("\n" .. table.concat(lines(place + 1, found, sets), "\n"))
    print("\n" .. feature_table(place + 1, found, options.features))
  end
  if #comparisons == 0 and options.features then print("\n" .. own_features(sets[1])) end
end

--- A set as JSON has it.
local function as_json(set)
  local list = store.array {}
  for index, motion in ipairs(set.motions) do
    list[index] = { name = motion.name, file = motion.file, features = motion.values }
  end
  return { set = set.word, point = set.point, motions = list, means = set.means, diversity = set.diversity,
    halves = set.halves, left_out = store.array(set.left_out) }
end

local function tell_json(sets, comparisons)
  local out = { sets = store.array {}, comparisons = store.array {} }
  for index, set in ipairs(sets) do out.sets[index] = as_json(set) end
  for index, found in ipairs(comparisons) do
    found.features = store.array(found.features)
    out.comparisons[index] = found
  end
  print(store.json(out))
end

--- Read and measure all sets; or nil and a sentence.
local function read_sets(words, options)
  local list = {}
  for index, word in ipairs(words) do
    local own = setmetatable({ point = options.points[index] or options.points[1] }, { __index = options })
    local set, why = motion_sets.read(word, own)
    if not set then return nil, why end
    for _, sentence in ipairs(set.left_out) do cli.error("left out: %s", sentence) end
    set.point, set.means = own.point, measures.means(set.motions)
    set.diversity, set.halves = measures.diversity(set.motions), measures.halves(set.motions)
    list[index] = set
  end
  return list
end

function set_command.run(args)
  local options = read_options(args)
  if not options then return 2 end
  local sets, why = read_sets(args.set, options)
  if not sets then return cli.finish(nil, why) end
  local comparisons = {}
  for index = 2, #sets do
    comparisons[index - 1] = measures.compare(sets[1].motions, sets[index].motions)
  end
  if options.json then tell_json(sets, comparisons) else tell(sets, comparisons, options) end
  return 0
end

return set_command
