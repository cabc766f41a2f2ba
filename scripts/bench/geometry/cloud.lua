--- Counting points in 50 solids in a cloud of 300,000, compared with testing every point and with a k-d tree.
local cjson = require "cjson"
local files = require "files"
local peers = require "peers.peers"

local cloud = {}

local nanoflann = {
  name = "nanoflann", program = "cloud_nanoflann", modules = "nanoflann", libraries = "",
  headers = { ["nanoflann.hpp"] = "libnanoflann-dev" },
}

--- Maximum time for a frame, including indexing, us of one core.
cloud.limit = 3000

--- Files with additional clouds that are measured if they are available.
local others = { "mOSD_learn35_labelled_tabletop.pcd", "office1_door.pcd",
  "table_scene_mug_stereo_textured.pcd" }

--- Run a program `rounds` times; return its rows, the least disturbed round of each, and the clouds in order.
local function best_of(command, rounds)
  local best, order, seen = {}, {}, {}
  for _ = 1, rounds do
    for _, line in ipairs(files.lines(command)) do
      local row = cjson.decode(line)
      local name = row.row:match "^(.*): "
      if not seen[name] then order[#order + 1], seen[name] = name, true end
      if not best[row.row] or row.p50 < best[row.row].p50 then best[row.row] = row end
    end
  end
  return best, order
end

--- Measure.  Return {rows, notes}: of each cloud p50, p95, p99 of a frame, index and solids (p50), brute
--- force and the k-d tree; us.
function cloud.measure(options, scale)
  local result, command = { rows = {}, notes = {} }, files.quote(options.build .. "/bench/geometry/cloud")
  for _, name in ipairs(others) do
    local path = options.shared .. "/data/clouds/" .. name
    if files.exists(path) then command = command .. " " .. files.quote(path) end
  end
  local own, order = best_of(command, options.rounds)
  local program, why = peers.build(nanoflann, options.root, options.build)
  local tree = program and best_of(files.quote(program), options.rounds) or {}
  if not program then result.notes[1] = nanoflann.name .. ": " .. why end
  for _, name in ipairs(order) do
    local function of(list, what) return list[name .. ": " .. what] or {} end
    local frame, brute, other = of(own, "frame"), of(own, "brute"), of(tree, "frame")
    local function us(row) return row.p50 and row.p50 / 1e3 end
    local limit = cloud.limit * (scale or 1)
    result.rows[#result.rows + 1] = {
      name = name:match "[^/]*$", index = us(of(own, "index")), solids = us(of(own, "solids")),
        p50 = frame.p50 / 1e3,
      p95 = frame.p95 / 1e3, p99 = frame.p99 / 1e3, limit = limit,
        verdict = frame.p50 / 1e3 <= limit and "PASS" or "over",
      brute = us(brute), same_brute = math.abs(frame.check - brute.check) < 1e-6,
      tree_index = us(of(tree, "index")), tree = us(other),
      same_tree = other.check and math.abs(frame.check - other.check) < 1e-6,
    }
  end
  return result
end

return cloud
