--- What each workload costs, instructions, and why it is that: written by scripts/ledger.lua --set.
return {
  ["start"] = { 5413532,
    "Lua's blocks from chunks of the state, no collection at the start, cairo loaded when something is \z
    drawn" },
  ["help"] = { 10111841,
    "Lua's blocks from chunks of the state, no collection at the start, cairo loaded when something is \z
    drawn" },
  ["check"] = { 77045429,
    "Lua's blocks from chunks of the state, no collection at the start, cairo loaded when something is \z
    drawn" },
  ["run"] = { 180578441,
    "Lua's blocks from chunks of the state, no collection at the start, cairo loaded when something is \z
    drawn; a motor period inlined and by state of the tick, servos in registers, pairs that rest, a \z
    dense factor of small matrices" },
  ["kiosk tick"] = { 504465,
    "a motor period inlined and by state of the tick, servos in registers, pairs that rest, a dense \z
    factor of small matrices" },
  ["probo tick"] = { 1219048,
    "loops of a tick without iterators and tables, the rooms of the tick with -O3, rows of one entry not \z
    searched" },
  ["keyframes tick"] = { 366791,
    "a motor period inlined and by state of the tick, servos in registers, pairs that rest, a dense \z
    factor of small matrices" },
  ["recorded tick"] = { 547143,
    "a motor period inlined and by state of the tick, servos in registers, pairs that rest, a dense \z
    factor of small matrices" },
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
