--- What each workload costs, instructions, and why it is that: written by scripts/ledger.lua --set.
return {
  ["start"] = { 5413532,
    "Lua's blocks from chunks of the state, no collection at the start, cairo loaded when something is \z
    drawn" },
  ["help"] = { 10638190,
    "plain data is searched for whole words only where they may be, memory is left to the system at the \z
    end" },
  ["check"] = { 68300000,
    "values of tune that nothing reads are looked for" },
  ["run"] = { 151942819,
    "speech is set up with the first text, mirrored axes and the joints of objectives are found when \z
    they count, memory is left to the system at the end, an axis that reports as before costs less" },
  ["kiosk tick"] = { 384832,
    "an axis that reports as before costs less in a period, approaches that are alike are computed once" },
  ["probo tick"] = { 1123912,
    "an axis that reports as before costs less in a period, approaches that are alike are computed once" },
  ["keyframes tick"] = { 291523,
    "an axis that reports as before costs less in a period, approaches that are alike are computed once" },
  ["recorded tick"] = { 425300,
    "an axis that reports as before costs less in a period, approaches that are alike are computed once" },
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
  ["reload"] = { 8076690,
    "kinds of objectives are looked up once for a check" },
  ["reload states"] = { 138850000,
    "the states of a version are listed once, with the properties of objectives in Lua, and not walked \z
    for each check" },
  ["tree pass"] = { 1187000,
    "the scripts' part of a tick is a list of stages" },
  ["sequence tick"] = { 367908,
    "an axis that reports as before costs less in a period, approaches that are alike are computed once" },
  ["replay"] = { 376601,
    "an axis that reports as before costs less in a period, approaches that are alike are computed once" },
  ["query"] = { 53946735,
    "Lua's blocks from chunks of the state, no collection at the start, cairo loaded when something is \z
    drawn" },
}
