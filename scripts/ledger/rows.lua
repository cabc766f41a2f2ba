--- What each workload costs, instructions, and why it is that: written by scripts/ledger.lua --set.
return {
  ["start"] = { 8225358,
    "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when \z
    used" },
  ["help"] = { 13523258,
    "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when \z
    used" },
  ["check"] = { 93636773,
    "names of a behavior's files found with fewer calls, no tracebacks of goals that are tried" },
  ["run"] = { 210915608,
    "loops of a tick without iterators and tables, the rooms of the tick with -O3, rows of one entry not \z
    searched, a robot's sequences parsed when played" },
  ["kiosk tick"] = { 583697,
    "dispatch and stages as they are now: less" },
  ["probo tick"] = { 1219048,
    "loops of a tick without iterators and tables, the rooms of the tick with -O3, rows of one entry not \z
    searched" },
  ["keyframes tick"] = { 419096,
    "loops of a tick without iterators and tables, the rooms of the tick with -O3, rows of one entry not \z
    searched" },
  ["recorded tick"] = { 648364,
    "loops of a tick without iterators and tables, the rooms of the tick with -O3, quadratic forms in \z
    place of rows" },
  ["solve pepper"] = { 367506,
    "the rooms of the tick with -O3, two numbers compared without a call" },
  ["solve panda"] = { 142316,
    "the rooms of the tick with -O3, two numbers compared without a call" },
  ["solve ur3e"] = { 102992,
    "the rooms of the tick with -O3, two numbers compared without a call" },
  ["solve many"] = { 11663684,
    "quadratic forms in place of rows, pairs that rest, sums of ways for the guard, -O3" },
  ["solve far"] = { 4737644,
    "residuals that bend: 4 iterations in place of 30, -O3" },
  ["reload"] = { 12057492,
    "states are compiled with fewer tables, and checked while a save settles" },
  ["tree pass"] = { 1187000,
    "the scripts' part of a tick is a list of stages" },
  ["sequence tick"] = { 418447,
    "loops of a tick without iterators and tables, the rooms of the tick with -O3, rows of one entry not \z
    searched" },
  ["replay"] = { 553813,
    "loops of a tick without iterators and tables, the rooms of the tick with -O3, rows of one entry not \z
    searched" },
  ["query"] = { 54782899,
    "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when \z
    used" },
}
