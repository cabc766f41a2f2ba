--- `brio scene`: finds objects in a point cloud; prints a table and draws a picture.
local cli = require "brio.terminal.cli"

local command = {
  name = "scene",
  summary = "read a point cloud (PCD, PLY, raw frame): find things, count points in solids, draw it",
  usage = "brio scene FILE [options]     (m, rad)",
  options = {
    { "axes", "AXES", "directions of x, y and z: robot, optical, opengl, unity, or as \"right down \z
      forward\"; default: guessed" },
    { "unit", "METERS", "its unit of length in m; default: 1" },
    { "shape", "SOLID", "count in sphere:R, box:X,Y,Z, capsule:R,L, cylinder:R,L, half_space, each \z
      @X,Y,Z[,R,P,Y]", many = true },
    { "find", "NAMES", "only search these, as planes,clusters; or none, or all (default)" },
    { "voxels", "METERS", "downsample it first: one point for each cube of that side" },
    { "label", "N", "only the points with that label" },
    { "picture", "FILE", "draw it, into a .png or .svg file" },
    { "json", nil, "print as JSON" },
  },
}

--- Print an error in the command line, once; return nil.
local function wrong(...)
  cli.error(...)
  return nil
end

--- Read the options; nil on errors (printed).
local function wishes(args)
  local point_clouds = require "brio.perception.point_clouds"
  local made = { solids = {}, axes = args.axes }
  made.unit = cli.number(args, "unit", 1e-9, 1e6, 1)
  made.voxels = cli.number(args, "voxels", 1e-4, 1e6, 0)
  made.label = cli.number(args, "label", 0, 2 ^ 32 - 1, -1)
  if not (made.unit and made.voxels and made.label) then return nil end
  for _, text in ipairs(args.shape or {}) do
    local solid, why = point_clouds.solid(text)
    if not solid then return wrong("--shape: %s", why) end
    solid.text = text
    made.solids[#made.solids + 1] = solid
  end
  if args.picture and not args.picture:match "%.png$" and not args.picture:match "%.svg$" then
    return wrong("--picture expects a file that ends with .png or .svg, not '%s'", args.picture)
  end
  return made
end

--- The requested rows; nil if one is unknown (printed).
local function chosen_finders(args)
  local suggest = require "brio.lib.suggest"
  local finders = require "brio.perception.finders"
  local rows, names, list = finders.list, {}, {}
  for _, row in ipairs(rows) do names[#names + 1] = row.name end
  if args.find == nil or args.find == "all" then return rows end
  for name in args.find == "none" and function() end or args.find:gmatch "[^,%s]+" do
    if not suggest.contains(names, name) then
      return wrong("--find: nothing looks for '%s'%s: there are %s", name, suggest.hint(name, names),
        table.concat(names, ", "))
    end
    for _, row in ipairs(rows) do
      if row.name == name then list[#list + 1] = row end
    end
  end
  return list
end

--- Read the file; its axes are guessed unless they are given. Return the cloud, the axes and why; nil, a
--- sentence, a code.
local function read(path, wish)
  local clouds = require "brio.cloud"
  local point_clouds = require "brio.perception.point_clouds"
  local good, cloud, why, code = pcall(clouds.read, path, { axes = wish.axes, unit = wish.unit })
  if not good then return nil, (tostring(cloud):gsub("^.-:%d+: ", "")), "misuse" end
  if not cloud then return nil, why, code end
  if wish.axes then return cloud, wish.axes, "as said" end
  local axes, reason = point_clouds.guess_axes(cloud)
  if not axes or axes == "robot" then
    return cloud, "robot", axes and reason or "unknown: give --axes if they differ"
  end
  cloud, why, code = clouds.read(path, { axes = axes, unit = wish.unit })
  if not cloud then return nil, why, code end
  return cloud, axes, "guessed: " .. reason
end

--- The cloud reduced as requested: thinned, or a part of it.
local function prepared(cloud, wish)
  if wish.label >= 0 then cloud = assert(cloud:labelled(math.floor(wish.label))) end
  if wish.voxels > 0 then return cloud:voxels(wish.voxels) end
  return cloud
end

local function triple(v) return v and ("%.3f %.3f %.3f"):format(v[1], v[2], v[3]) or "-" end

--- The objects in the cloud, as rows of texts.
local function facts_rows(facts, axes, reason, cloud)
  local points = facts.count - facts.missing
  local rows = {
    { "points", facts.missing > 0 and ("%d, and %d places without one"):format(points, facts.missing)
      or tostring(points) },
    { "organized", facts.organized and ("%d x %d"):format(facts.width, facts.height) or "no" },
    { "axes", ("%s (%s)"):format(axes, reason) },
  }
  if facts.far > 0 then
    rows[#rows + 1] = { "too far", ("%d points beyond 100 km, taken out"):format(facts.far) }
  end
  if facts.unread > 0 then
    rows[#rows + 1] = { "not read", ("%d bytes behind the points"):format(facts.unread) }
  end
  if facts.lower then
    rows[#rows + 1] = { "from", triple(facts.lower) .. " m" }
    rows[#rows + 1] = { "to", triple(facts.upper) .. " m" }
  end
  local color = facts.mean_color
  rows[#rows + 1] = { "colors", not color and "none" or not facts.colored and "all black"
    or ("red %.2f, green %.2f, blue %.2f on the whole"):format(table.unpack(color)) }
  if facts.labels then
    local list, words, labels = {}, {}, cloud:labels()
    for label in next, labels do list[#list + 1] = label end
    table.sort(list)
    for index = 1, math.min(12, #list) do
      words[index] = ("%d: %d"):format(list[index], labels[list[index]])
    end
    rows[#rows + 1] = { "labels", table.concat(words, ", ") .. (#list > 12 and ", ..." or "") }
  end
  if facts.frame ~= "" then rows[#rows + 1] = { "frame", facts.frame } end
  if facts.time then rows[#rows + 1] = { "time", ("%.3f s"):format(facts.time) } end
  return rows
end

--- Count points in the given solids; each becomes a thing with its lines.
local function count_solids(cloud, wish, things)
  local outline = require("brio.draw.cloud").outline
  for _, solid in ipairs(wish.solids) do
    local good, count, color = pcall(cloud.count, cloud,
      { kind = solid.kind, size = solid.size, pose = solid.pose })
    if not good then return nil, (tostring(count):gsub("^.-:%d+: ", "")) end
    if not count then return nil, color end
    things[#things + 1] = { kind = "shape", label = solid.kind:gsub("_", " "), lines = outline(solid),
      count = count, mean_color = color,
      text = ("%s: %d points%s"):format(solid.text, count,
        color and ("  (red %.2f, green %.2f, blue %.2f)"):format(table.unpack(color)) or "") }
  end
  return true
end

--- Maximum number of points for finders: a larger cloud is reduced to one point for each cube of a grid.
local most_looked_at = 1500000

--- The cloud for finders, and a note if it is reduced.
local function looked_at(cloud, facts)
  if facts.count - facts.missing <= most_looked_at or not facts.lower then return cloud end
  local size = 0
  for k = 1, 3 do size = math.max(size, (facts.upper[k] - facts.lower[k]) / 1000) end
  local thin
  repeat
    thin, size = assert(cloud:voxels(math.max(size, 1e-4))), size * 1.5
  until #thin <= most_looked_at
  return thin, ("looked for in one point for each cube of %.3f m, %d points"):format(size / 1.5, #thin)
end

--- Run the finders; each thing is labeled with its finder.
local function find(whole, rows, things)
  if #rows == 0 then return {} end
  local cloud, note = looked_at(whole, whole:facts())
  local facts, notes = cloud:facts(), { note }
  for _, row in ipairs(rows) do
    local found, why = row.find(cloud, facts)
    if not found then notes[#notes + 1] = ("%s: %s"):format(row.name, why) end
    for _, thing in ipairs(found or {}) do
      thing.kind, thing.label = row.name, thing.label or row.name
      things[#things + 1] = thing
    end
  end
  return notes
end

local function print_text(rows, things, notes)
  for _, row in ipairs(rows) do print(("%-10s %s"):format(row[1], row[2])) end
  for _, thing in ipairs(things) do print(thing.text) end
  for _, note in ipairs(notes) do print(note) end
end

local function print_json(facts, axes, things, notes)
  local cjson = require "cjson"
  local made = { facts = facts, axes = axes, found = {}, notes = #notes > 0 and notes or nil }
  for index, thing in ipairs(things) do
    made.found[index] = { kind = thing.kind, text = thing.text, count = thing.count, color = thing.mean_color,
      values = thing.values }
  end
  print(cjson.encode(made))
end

local function draw(path, file, cloud, facts, things, axes)
  local points = facts.count - facts.missing
  return require("brio.draw.cloud").draw(cloud, things, { path = path, title = file:match "[^/]*$",
    colored = facts.colored,
    subtitle = ("%d points%s%s, axes %s"):format(points,
      facts.organized and (" of %d x %d places"):format(facts.width, facts.height) or "",
      facts.colored and "" or ", colored by height", axes) })
end

function command.run(args)
  if #args ~= 1 then
    cli.error("scene expects one FILE: %s", command.usage)
    return 2
  end
  local wish = wishes(args)
  local rows = wish and chosen_finders(args)
  if not rows then return 2 end
  local cloud, axes, reason = read(args[1], wish)
  if not cloud then
    cli.error("%s", axes)
    return reason == "misuse" and 2 or 1
  end
  local whole, why, code = prepared(cloud, wish)
  if not whole then return cli.finish(nil, why, code) end
  local things, facts = {}, whole:facts()
  facts.unread, facts.far = cloud:facts().unread, cloud:facts().far
  facts.mean_color = select(2, whole:count { kind = "half_space", pose = { position = { 0, 0, 1e8 } } })
  facts.colored = facts.mean_color ~= nil and math.max(table.unpack(facts.mean_color)) > 0.01
  local good
  good, why = count_solids(whole, wish, things)
  if not good then return cli.finish(nil, why, "misuse") end
  local notes = find(whole, rows, things)
  if args.json then print_json(facts, axes, things, notes)
  else print_text(facts_rows(facts, axes, reason, whole), things, notes) end
  if args.picture then return cli.finish(draw(args.picture, args[1], whole, facts, things, axes)) end
  return cli.finish(true)
end

return command
