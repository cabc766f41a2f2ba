--- Functions of point clouds for commands: a guess of the axes, solids in words, and samples.
local geometry = require "brio.lib.geometry"

local point_clouds = {}

--- A sample of a cloud, spread over all of it, at most `most` points: a list of {x, y, z} with `place`.
function point_clouds.sample(cloud, most)
  local list, step = {}, math.max(1, #cloud // most)
  for place = 1, #cloud, step do
    local p = cloud:point(place)
    if p then
      p.place = place
      list[#list + 1] = p
    end
  end
  return list
end

local function correlation(list, u, v)
  local n, su, sv, suu, svv, suv = #list, 0, 0, 0, 0, 0
  for _, item in ipairs(list) do
    local a, b = u(item), v(item)
    su, sv, suu, svv, suv = su + a, sv + b, suu + a * a, svv + b * b, suv + a * b
  end
  local spread = math.sqrt(math.max(0, n * suu - su * su) * math.max(0, n * svv - sv * sv))
  return spread > 0 and (n * suv - su * sv) / spread or 0
end

--- Conventions of axes: the forward axis, and the directions of a picture's columns and rows.
local conventions = {
  { name = "optical", ahead = function(p) return p[3] end, column = function(p) return p[1] end,
    row = function(p) return p[2] end },
  { name = "robot", ahead = function(p) return p[1] end, column = function(p) return -p[2] end,
    row = function(p) return -p[3] end },
  { name = "opengl", ahead = function(p) return -p[3] end, column = function(p) return p[1] end,
    row = function(p) return -p[2] end },
}

--- How well an organized cloud, seen from its origin, matches a convention: -2 to 2.
local function fit(list, width, convention)
  local seen = {}
  for _, p in ipairs(list) do
    if convention.ahead(p) > 1e-3 then seen[#seen + 1] = p end
  end
  if #seen < 0.9 * #list or #seen < 10 then return -2 end
  local function column(p) return (p.place - 1) % width end
  local function row(p) return (p.place - 1) // width end
  return correlation(seen, column, function(p) return convention.column(p) / convention.ahead(p) end)
    + correlation(seen, row, function(p) return convention.row(p) / convention.ahead(p) end)
end

--- Guess the axes of a cloud that was read without conversion: "optical", "robot" or "opengl", and why, in
--- words. The picture of an organized cloud shows it; otherwise the direction in which all points lie. nil:
--- undecided.
function point_clouds.guess_axes(cloud)
  local facts, list = cloud:facts(), point_clouds.sample(cloud, 1000)
  if #list < 10 then return nil end
  if facts.organized then
    for _, convention in ipairs(conventions) do
      if fit(list, facts.width, convention) > 1.6 then
        return convention.name, "its rows and columns run so"
      end
    end
    return nil
  end
  for _, convention in ipairs(conventions) do
    local ahead, beside = 0, 0
    for _, p in ipairs(list) do
      local depth = convention.ahead(p)
      if depth > 0.2 then ahead = ahead + 1 end
      if math.abs(convention.column(p)) > 2 * depth or math.abs(convention.row(p)) > 2 * depth then
        beside = beside + 1
      end
    end
    if ahead == #list and beside == 0 then return convention.name, "all points lie ahead of it" end
  end
  return nil
end

local sizes = {
  sphere = { 1, function(s) return { s[1], 0, 0 } end }, box = { 3, function(s) return s end },
  capsule = { 2, function(s) return { s[1], 0, s[2] } end },
    cylinder = { 2, function(s) return { s[1], 0, s[2] } end },
  half_space = { 0, function() return nil end },
}

local function numbers_of(text)
  local list = {}
  for word in text:gmatch "[^,]+" do
    local number = tonumber(word)
    if not number or number ~= number or math.abs(number) == math.huge then return nil end
    list[#list + 1] = number
  end
  return list
end

--- Parse a solid, KIND:SIZE@X,Y,Z[,ROLL,PITCH,YAW], such as sphere:0.1@1,0,0.7, box:X,Y,Z,
--- capsule:RADIUS,LENGTH, cylinder:RADIUS,LENGTH or half_space@... . Return it as a table; nil and a
--- sentence.
function point_clouds.solid(text)
  local kind, size, place = text:match "^([%a_]+):?([^@]*)@?(.*)$"
  local row = sizes[kind]
  local s, at = row and numbers_of(size), row and numbers_of(place)
  if not row or not s or #s ~= row[1] or not at or (#at ~= 0 and #at ~= 3 and #at ~= 6) then
    return nil, ("a solid is sphere:RADIUS, box:X,Y,Z, capsule:RADIUS,LENGTH, cylinder:RADIUS,LENGTH or \z
      half_space, "
      .. "then @X,Y,Z or @X,Y,Z,ROLL,PITCH,YAW (m, rad), not '%s'"):format(text)
  end
  return { kind = kind, size = row[2](s), pose = { position = { at[1] or 0, at[2] or 0, at[3] or 0 },
    orientation = geometry.from_rpy(at[4] or 0, at[5] or 0, at[6] or 0) } }
end

return point_clouds
