--- What each workload costs, instructions, and why it is that: written by scripts/ledger.lua --set.
return {
  ["start"] = { 8225358,
    "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when \z
    used" },
  ["help"] = { 13523258,
    "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when \z
    used" },
  ["check"] = { 97960425,
    "modules loaded when used, formats and patterns in C, a robot's digest made once; nothing of trees \z
    without a tree" },
  ["run"] = { 237841894,
    "modules loaded when used, formats and patterns in C, a robot's digest made once; and 320 ticks, \z
    mostly of the ways in and out: inputs that changed alone, no tables for nothing, rows gathered by \z
    blocks, a leaner motor side" },
  ["kiosk tick"] = { 697968,
    "inputs that changed alone, no tables for nothing, rows gathered by blocks, a leaner motor side" },
  ["probo tick"] = { 1299865,
    "inputs that changed alone, no tables for nothing, rows gathered by blocks, a leaner motor side" },
  ["keyframes tick"] = { 484173,
    "the scripts' part of a tick is a list of stages" },
  ["recorded tick"] = { 771500,
    "the scripts' part of a tick is a list of stages" },
  ["solve pepper"] = { 399231,
    "rows gathered by blocks, one row's slopes at once" },
  ["solve panda"] = { 161602,
    "rows gathered by blocks, one row's slopes at once" },
  ["solve ur3e"] = { 114179,
    "rows gathered by blocks, one row's slopes at once" },
  ["solve many"] = { 13445184,
    "quadratic forms in place of rows, pairs that rest, sums of ways for the guard, residuals that bend" },
  ["solve far"] = { 5047365,
    "residuals that bend: 4 iterations in place of 30" },
  ["reload"] = { 12057492,
    "states are compiled with fewer tables, and checked while a save settles" },
  ["tree pass"] = { 1187000,
    "the scripts' part of a tick is a list of stages" },
  ["sequence tick"] = { 472400,
    "the scripts' part of a tick is a list of stages" },
  ["replay"] = { 654000,
    "the scripts' part of a tick is a list of stages" },
  ["query"] = { 54782899,
    "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when \z
    used" },
}
