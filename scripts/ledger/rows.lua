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
  ["kiosk tick"] = { 396645,
    "a solve begins where an even motion leads, a last step that is certain is not evaluated, losses of \z
    one row are computed once a pose" },
  ["probo tick"] = { 1115059,
    "a solve begins where an even motion leads, a last step that is certain is not evaluated, losses of \z
    one row are computed once a pose" },
  ["keyframes tick"] = { 297916,
    "a solve begins where an even motion leads, a last step that is certain is not evaluated, losses of \z
    one row are computed once a pose" },
  ["recorded tick"] = { 461244,
    "a solve begins where an even motion leads, a last step that is certain is not evaluated, losses of \z
    one row are computed once a pose; the store's thread adds some percent by the machine's load" },
  ["solve pepper"] = { 241558,
    "a solve begins where an even motion leads, a last step that is certain is not evaluated, losses of \z
    one row are computed once a pose" },
  ["solve panda"] = { 101249,
    "a solve begins where an even motion leads, a last step that is certain is not evaluated, losses of \z
    one row are computed once a pose" },
  ["solve ur3e"] = { 76869,
    "a solve begins where an even motion leads, a last step that is certain is not evaluated, losses of \z
    one row are computed once a pose" },
  ["solve many"] = { 11317143,
    "pairs that rest, the diagonal in one pass" },
  ["solve far"] = { 3810063,
    "a solve begins where an even motion leads, a last step that is certain is not evaluated, losses of \z
    one row are computed once a pose" },
  ["reload"] = { 8408087,
    "properties share what those of one kind and name have in common, states are compiled with fewer \z
    calls into tables half as large, names are sorted once" },
  ["reload states"] = { 147483528,
    "the states of a version are listed once, with the properties of objectives in Lua, and not walked \z
    for each check" },
  ["tree pass"] = { 1187000,
    "the scripts' part of a tick is a list of stages" },
  ["sequence tick"] = { 378961,
    "an axis costs fewer calls in a period, stages are called from their list" },
  ["replay"] = { 388507,
    "a solve begins where an even motion leads, a last step that is certain is not evaluated, losses of \z
    one row are computed once a pose" },
  ["query"] = { 53946735,
    "Lua's blocks from chunks of the state, no collection at the start, cairo loaded when something is \z
    drawn" },
}
