--- The options of repeated runs, which `brio repeat` and `brio batch` share.
local cli = require "brio.terminal.cli"

local options = {}

--- Rows of the options that say what is repeated.
options.rows = {
  { "times", "N", "number of runs; default 100" },
  { "until-failure", nil, "stop at the first run that does not succeed, and print how to repeat it" },
  { "vary", "NAME=VALUES", "draw a value for each run: LO..HI or A,B,C of a parameter to tune, or of \z
    memory.NAME, tree.NODE.FIELD, world.ID.x, set.NAME; can be repeated", many = true },
  { "leaf", "NAME=RATE[,S]", "replace a leaf: it succeeds at random with this rate, as 90%, after this \z
    many seconds; can be repeated", many = true },
  { "tree", "STATE|NODE", "the tree, or a node of it; default: that of the start state" },
  { "seed", "N", "seed of the first run; it increases by 1; default 1" },
  { "for", "SECONDS", "maximum duration of a tree, in robot time; default 600" },
}

--- The rows, and those of one command.
function options.with(more)
  return table.move(more, 1, #more, #options.rows + 1, table.move(options.rows, 1, #options.rows, 1, {}))
end

--- Parse --leaf NAME=RATE[,SECONDS] into a script (see trials/rehearsal.lua).  Return whether it is valid;
--- errors are printed.
local function read_leaf(text, leaves)
  local name, rate, percent, seconds = text:match "^(.-)=([%d%.]+)(%%?),?([%d%.]*)s?$"
  rate, seconds = tonumber(rate), tonumber(seconds)
  if rate and percent == "%" then rate = rate / 100 end
  if not (rate and rate <= 1 and name ~= "") then
    return cli.error("--leaf expects NAME=RATE or NAME=RATE,SECONDS with a rate as 0.9 or 90%%, not '%s'",
      text)
  end
  leaves[name] = { rate = rate, seconds = seconds,
    why = ("it fails by chance, %g %% of the time"):format(100 - 100 * rate) }
  return true
end

--- Read the options of `rows`, --robot and --load.  Return them, or nil on errors (printed).
function options.read(args)
  local times, seed = cli.whole(args, "times", 1, 1e6, 100), cli.whole(args, "seed", 0, 2 ^ 53, 1)
  local seconds = cli.number(args, "for", 0.01, 1e6, 600)
  if not (times and seed and seconds) then return nil end
  local leaves = {}
  for _, text in ipairs(args.leaf or {}) do
    if not read_leaf(text, leaves) then return nil end
  end
  return { named = args[1], file = args[1], times = times, seed = seed, seconds = seconds, leaves = leaves,
    vary = args.vary or {}, tree = args.tree, robot = args.robot, load = args.load,
    until_failure = args["until-failure"] }
end

--- The words of `brio repeat` that do a part of the work, without those that say which part.
function options.words(args, read)
  local words = { "repeat", args[1], "--times", tostring(read.times), "--seed", tostring(read.seed), "--for",
    tostring(read.seconds) }
  for _, name in ipairs { "tree", "robot" } do
    if args[name] then words[#words + 1], words[#words + 2] = "--" .. name, args[name] end
  end
  for _, name in ipairs { "vary", "leaf", "load" } do
    for _, value in ipairs(args[name] or {}) do words[#words + 1], words[#words + 2] = "--" .. name, value end
  end
  if read.until_failure then words[#words + 1] = "--until-failure" end
  return words
end

return options
