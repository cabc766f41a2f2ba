--- What each workload costs, instructions, and why it is that: written by scripts/ledger.lua --set.
return {
  ["start"] = { 8225358, "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when used" },
  ["help"] = { 12485708, "summaries are found by a plain search of the commands' texts" },
  ["check"] = { 160691572, "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when used" },
  ["run"] = { 321658022, "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when used" },
  ["kiosk tick"] = { 871596, "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when used" },
  ["probo tick"] = { 1455888, "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when used" },
  ["keyframes tick"] = { 536849, "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when used" },
  ["recorded tick"] = { 941565, "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when used" },
  ["solve pepper"] = { 417641, "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when used" },
  ["solve panda"] = { 165727, "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when used" },
  ["solve ur3e"] = { 117476, "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when used" },
  ["reload"] = { 15615279, "the checker no longer loads the runner; the heap is laid out otherwise: over twenty reloads each costs 15.1 M, as before" },
  ["tree pass"] = { 1164197, "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when used" },
  ["sequence tick"] = { 565974, "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when used" },
  ["replay"] = { 790847, "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when used" },
  ["query"] = { 54782899, "with tempo, speed of points, shares of objectives, a nearly empty curvature, modules loaded when used" },
}
