--- A person for tests who waves both arms before the chest, as a BVH file: joints of a rig of the usual
--- names, y up, cm. The left arm moves more.
local dancer = {}

local bones = {
  { "Hips", nil, 0, 0, 0 }, { "Chest", "Hips", 0, 30, 0 }, { "Neck", "Chest", 0, 20, 0 },
  { "Head", "Neck", 0, 10, 0 }, { "LeftArm", "Chest", 18, 15, 0 }, { "LeftForeArm", "LeftArm", 28, 0, 0 },
  { "LeftHand", "LeftForeArm", 25, 0, 0 }, { "RightArm", "Chest", -18, 15, 0 },
  { "RightForeArm", "RightArm", -28, 0, 0 }, { "RightHand", "RightForeArm", -25, 0, 0 },
  { "LeftUpLeg", "Hips", 9, -5, 0 }, { "LeftLeg", "LeftUpLeg", 0, -42, 0 },
  { "LeftFoot", "LeftLeg", 0, -42, 0 },
  { "RightUpLeg", "Hips", -9, -5, 0 }, { "RightLeg", "RightUpLeg", 0, -42, 0 },
  { "RightFoot", "RightLeg", 0, -42, 0 },
}

--- Angles of a bone at time t, degrees: about z, x and y. `wide`: how far the arms swing.
local function angles(name, t, wide)
  local a, b = math.sin(2.1 * t), math.sin(3.3 * t + 1)
  if name == "LeftArm" then return 35 * wide * a, 0, -55 + 30 * wide * b end
  if name == "LeftForeArm" then return 0, 0, -35 - 25 * wide * a end
  if name == "RightArm" then return 10 * wide * a, 0, 60 + 10 * wide * b end
  if name == "RightForeArm" then return 0, 0, 30 end
  if name == "Head" then return 0, 10 * a, 20 * b end
  return 0, 0, 0
end

local function children(name)
  local list = {}
  for _, bone in ipairs(bones) do
    if bone[2] == name then list[#list + 1] = bone end
  end
  return list
end

local function hierarchy(lines, order, bone, word, depth)
  local pad = ("  "):rep(depth)
  order[#order + 1] = bone[1]
  lines[#lines + 1] = ("%s%s %s"):format(pad, word, bone[1])
  lines[#lines + 1] = pad .. "{"
  lines[#lines + 1] = ("%s  OFFSET %g %g %g"):format(pad, bone[3], bone[4], bone[5])
  lines[#lines + 1] = pad .. (bone[2] and "  CHANNELS 3 " or "  CHANNELS 6 Xposition Yposition Zposition ")
    .. "Zrotation Xrotation Yrotation"
  local below = children(bone[1])
  for _, child in ipairs(below) do hierarchy(lines, order, child, "JOINT", depth + 1) end
  if #below == 0 then
    local site = { "  End Site", "  {", "    OFFSET 0 5 0", "  }" }
    for _, line in ipairs(site) do lines[#lines + 1] = pad .. line end
  end
  lines[#lines + 1] = pad .. "}"
end

--- The text of a BVH file of `count` frames, 30 a second. `wide` (1): how far the arms swing.
function dancer.bvh(count, wide)
  local lines, order = { "HIERARCHY" }, {}
  hierarchy(lines, order, bones[1], "ROOT", 0)
  lines[#lines + 1] = ("MOTION\nFrames: %d\nFrame Time: %.6f"):format(count, 1 / 30)
  for frame = 0, count - 1 do
    local words = { "0 90 0" }
    for _, name in ipairs(order) do
      words[#words + 1] = ("%.4f %.4f %.4f"):format(angles(name, frame / 30, wide or 1))
    end
    lines[#lines + 1] = table.concat(words, " ")
  end
  return table.concat(lines, "\n") .. "\n"
end

return dancer
