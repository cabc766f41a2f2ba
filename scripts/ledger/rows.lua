--- What each workload costs, instructions, and why it is that: written by scripts/ledger.lua --set.
return {
  ["start"] = { 11566549, "measured for the first time" },
  ["help"] = { 287809479, "measured for the first time" },
  ["check"] = { 359674570, "measured for the first time" },
  ["run"] = { 575534489, "measured for the first time" },
  ["kiosk tick"] = { 796181, "measured for the first time" },
  ["probo tick"] = { 1360144, "measured for the first time" },
  ["keyframes tick"] = { 512763, "measured for the first time" },
  ["recorded tick"] = { 851509, "measured for the first time" },
  ["solve pepper"] = { 476629, "measured for the first time" },
  ["solve panda"] = { 171632, "measured for the first time" },
  ["solve ur3e"] = { 109498, "measured for the first time" },
  ["reload"] = { 14590716, "measured for the first time" },
  ["tree pass"] = { 1151254, "measured for the first time" },
  ["sequence tick"] = { 567372, "measured for the first time" },
  ["replay"] = { 733463, "measured for the first time" },
  ["query"] = { 54778624, "measured for the first time" },
}
