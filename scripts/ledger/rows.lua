--- What each workload costs, instructions, and why it is that: written by scripts/ledger.lua --set.
return {
  ["start"] = { 8174273, "measured for the first time" },
  ["help"] = { 13567609, "summaries are read from the commands' texts (78.8 M before)" },
  ["check"] = { 126705723, "measured for the first time" },
  ["run"] = { 335001204, "measured for the first time" },
  ["kiosk tick"] = { 793643, "measured for the first time" },
  ["probo tick"] = { 1347337, "measured for the first time" },
  ["keyframes tick"] = { 493416, "measured for the first time" },
  ["recorded tick"] = { 849267, "measured for the first time" },
  ["solve pepper"] = { 476761, "measured for the first time" },
  ["solve panda"] = { 171450, "measured for the first time" },
  ["solve ur3e"] = { 109611, "measured for the first time" },
  ["reload"] = { 14751435, "measured for the first time" },
  ["tree pass"] = { 1155030, "measured for the first time" },
  ["sequence tick"] = { 567393, "measured for the first time" },
  ["replay"] = { 737062, "measured for the first time" },
  ["query"] = { 54813166, "measured for the first time" },
}
