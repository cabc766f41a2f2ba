--- What each workload costs, instructions, and why it is that: written by scripts/ledger.lua --set.
return {
  ["start"] = { 5413532,
    "Lua's blocks from chunks of the state, no collection at the start, cairo loaded when something is \z
    drawn" },
  ["help"] = { 10111841,
    "Lua's blocks from chunks of the state, no collection at the start, cairo loaded when something is \z
    drawn" },
  ["check"] = { 73282864,
    "tables without a fault checked unsorted, modules of objectives and sessions loaded on first use" },
  ["run"] = { 170207589,
    "modules of objectives, sessions, sequences, feeds and the transfer of states loaded on first use, \z
    tables without a fault checked unsorted, a configuration that stands is not placed again" },
  ["kiosk tick"] = { 504465,
    "a motor period inlined and by state of the tick, servos in registers, pairs that rest, a dense \z
    factor of small matrices" },
  ["probo tick"] = { 1162704,
    "a motor period inlined and by state of the tick, servos in registers, pairs that rest, a dense \z
    factor of small matrices" },
  ["keyframes tick"] = { 366791,
    "a motor period inlined and by state of the tick, servos in registers, pairs that rest, a dense \z
    factor of small matrices" },
  ["recorded tick"] = { 547143,
    "a motor period inlined and by state of the tick, servos in registers, pairs that rest, a dense \z
    factor of small matrices" },
  ["solve pepper"] = { 353707,
    "pairs that rest, a dense factor of small matrices" },
  ["solve panda"] = { 120641,
    "pairs that rest, a dense factor of small matrices" },
  ["solve ur3e"] = { 90725,
    "pairs that rest, a dense factor of small matrices" },
  ["solve many"] = { 11317143,
    "pairs that rest, the diagonal in one pass" },
  ["solve far"] = { 4737644,
    "residuals that bend: 4 iterations in place of 30, -O3" },
  ["reload"] = { 9265142,
    "tables are checked without a list of required fields each, states visited from one list, empty \z
    lists shared" },
  ["reload states"] = { 201302771,
    "new: 281 M before tables were checked without a list of required fields each, states visited from \z
    one list, empty lists shared" },
  ["tree pass"] = { 1187000,
    "the scripts' part of a tick is a list of stages" },
  ["sequence tick"] = { 392072,
    "a motor period inlined and by state of the tick, servos in registers, pairs that rest, a dense \z
    factor of small matrices" },
  ["replay"] = { 469908,
    "a motor period inlined and by state of the tick, servos in registers, pairs that rest, a dense \z
    factor of small matrices" },
  ["query"] = { 53946735,
    "Lua's blocks from chunks of the state, no collection at the start, cairo loaded when something is \z
    drawn" },
}
