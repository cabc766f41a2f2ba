--- DeepMimic's JSON: poses of a fixed humanoid as rotations.
---
--- A row has: seconds to the next, the root's position (m, y up), its rotation, then each joint's rotation: w
--- x y z for a ball joint, one angle about z for a knee or an elbow. The skeleton is not in the file:
--- positions of its joints are those of the humanoid of the method (X. B. Peng et al., "DeepMimic", 2018; its
--- humanoid3d character).
local clip = require "brio.formats.clip"
local document = require "brio.formats.json"
local rotation = require "brio.lib.rotation"

local deepmimic = {
  name = "deepmimic", text = true, extensions = { "json", "txt" },
    doc = "DeepMimic: poses of a humanoid with 13 joints",
}

function deepmimic.sniff(text)
  return text:match '^%s*{' ~= nil and text:match '"Frames"%s*:%s*%[' ~= nil
end

--- name, parent, position in the parent (m), number of values in a row
local joints = {
  { "root", nil, { 0, 0, 0 }, 4 },
  { "chest", 1, { 0, 0.236151, 0 }, 4 },
  { "neck", 2, { 0, 0.223894, 0 }, 4 },
  { "right_hip", 1, { 0, 0, 0.084887 }, 4 },
  { "right_knee", 4, { 0, -0.421546, 0 }, 1 },
  { "right_ankle", 5, { 0, -0.409870, 0 }, 4 },
  { "right_shoulder", 2, { -0.024050, 0.243501, 0.183110 }, 4 },
  { "right_elbow", 7, { 0, -0.274788, 0 }, 1 },
  { "left_hip", 1, { 0, 0, -0.084887 }, 4 },
  { "left_knee", 9, { 0, -0.421546, 0 }, 1 },
  { "left_ankle", 10, { 0, -0.409870, 0 }, 4 },
  { "left_shoulder", 2, { -0.024050, 0.243501, -0.183110 }, 4 },
  { "left_elbow", 12, { 0, -0.274788, 0 }, 1 },
}
local ends = {
  { "right_hand", 8, { 0, -0.258947, 0 } }, { "left_hand", 13, { 0, -0.258947, 0 } },
  { "head", 3, { 0, 0.175, 0 } },
}
local width = 44

local function new_nodes()
  local nodes = {}
  for index, joint in ipairs(joints) do
    nodes[index] = { name = joint[1], parent = joint[2], offset = joint[3], rotations = {} }
  end
  for _, tip in ipairs(ends) do nodes[#nodes + 1] = { name = tip[1], parent = tip[2], offset = tip[3] } end
  nodes[1].positions = {}
  return nodes
end

local function add_row(nodes, row, index)
  if type(row) ~= "table" or #row ~= width then
    clip.fail("row " .. index, "%s, expected %d numbers", type(row) == "table" and #row .. " numbers"
      or "no list", width)
  end
  for column = 1, width do
    if type(row[column]) ~= "number" then clip.fail("row " .. index, "item %d is no number", column) end
  end
  local p = nodes[1].positions
  p[#p + 1], p[#p + 2], p[#p + 3] = row[2], row[3], row[4]
  local at = 5
  for number, joint in ipairs(joints) do
    local r = nodes[number].rotations
    local n = #r
    if joint[4] == 4 then
      r[n + 1], r[n + 2], r[n + 3], r[n + 4] =
        rotation.normalized(row[at + 1], row[at + 2], row[at + 3], row[at])
    else
      r[n + 1], r[n + 2], r[n + 3], r[n + 4] = rotation.about("z", row[at])
    end
    at = at + joint[4]
  end
end

function deepmimic.read(text)
  local data = document.json(text)
  local rows = document.list(data, "Frames", "the file")
  local nodes, times, t = new_nodes(), {}, 0
  for index, row in ipairs(rows) do
    add_row(nodes, row, index)
    times[index] = t
    if index < #rows and not (row[1] > 1e-5 and row[1] < 10) then
      clip.fail("row " .. index, "lasts %g s, expected seconds until the next row", row[1])
    end
    t = t + row[1]
  end
  return clip.skeleton { nodes = nodes, times = times, up = "y", scale = 1,
    loop = data.Loop == "wrap" and { times[1], times[#times] } or nil }
end

return deepmimic
