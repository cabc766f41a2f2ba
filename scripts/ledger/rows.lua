--- What each workload costs, instructions, and why it is that: written by scripts/ledger.lua --set.
return {
  ["start"] = { 5413532,
    "Lua's blocks from chunks of the state, no collection at the start, cairo loaded when something is \z
    drawn" },
  ["help"] = { 10925629,
    "four more commands: edit, camera, batch, sync" },
  ["check"] = { 73282864,
    "tables without a fault checked unsorted, modules of objectives and sessions loaded on first use" },
  ["run"] = { 170207589,
    "modules of objectives, sessions, sequences, feeds and the transfer of states loaded on first use, \z
    tables without a fault checked unsorted, a configuration that stands is not placed again" },
  ["kiosk tick"] = { 498900,
    "an axis costs fewer calls in a period, stages are called from their list" },
  ["probo tick"] = { 1162704,
    "a motor period inlined and by state of the tick, servos in registers, pairs that rest, a dense \z
    factor of small matrices" },
  ["keyframes tick"] = { 352800,
    "an axis costs fewer calls in a period, stages are called from their list" },
  ["recorded tick"] = { 547143,
    "a motor period inlined and by state of the tick, servos in registers, pairs that rest, a dense \z
    factor of small matrices" },
  ["solve pepper"] = { 343800,
    "pairs that rest, a dense factor of small matrices, -O3" },
  ["solve panda"] = { 116500,
    "pairs that rest, a dense factor of small matrices, -O3" },
  ["solve ur3e"] = { 87700,
    "pairs that rest, a dense factor of small matrices, -O3" },
  ["solve many"] = { 11317143,
    "pairs that rest, the diagonal in one pass" },
  ["solve far"] = { 4550000,
    "residuals that bend: 4 iterations in place of 30, -O3" },
  ["reload"] = { 8408087,
    "properties share what those of one kind and name have in common, states are compiled with fewer \z
    calls into tables half as large, names are sorted once" },
  ["reload states"] = { 151973780,
    "properties share what those of one kind and name have in common, states are compiled with fewer \z
    calls into tables half as large, names are sorted once" },
  ["tree pass"] = { 1187000,
    "the scripts' part of a tick is a list of stages" },
  ["sequence tick"] = { 378961,
    "an axis costs fewer calls in a period, stages are called from their list" },
  ["replay"] = { 458200,
    "an axis costs fewer calls in a period, stages are called from their list" },
  ["query"] = { 53946735,
    "Lua's blocks from chunks of the state, no collection at the start, cairo loaded when something is \z
    drawn" },
}
