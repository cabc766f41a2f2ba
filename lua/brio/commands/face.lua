--- `brio face`: the expressions of a robot: a picture of its face or posture for each emotion, and the values
--- of its DOFs.
local cli = require "brio.terminal.cli"
local columns = require "brio.lib.columns"

local command = {
  name = "face",
  summary = "a robot's expressions: values by emotion, or a picture of its face or posture",
  usage = "brio face ROBOT [options]",
  options = {
    { "out", "FILE", "the picture: .svg or .png; none: a table of values" },
    { "expressions", "FILE", "this table of expressions; default: the robot's own" },
    { "curve", "KIND", "monotone, catmull_rom or linear; default: that of the table" },
    { "view", "VIEW", "view of a robot without a face: iso (default), front or side" },
    { "packages", "DIR", "where package:// is searched (also: ROS_PACKAGE_PATH)" },
  },
}

--- The compiled expressions of a robot, as selected by options; nil and a sentence.
local function expressions_of(description, args, known)
  local settings = require "brio.character.emotion.settings"
  local spec = { curve = args.curve }
  if args.expressions then
    local data, wrong = require("brio.robots.file").read_plain(args.expressions)
    if not data then return nil, wrong end
    spec.expressions = data
  end
  local made, why = settings.expressions(spec, description, known)
  if not made then return nil, why end
  if #made.rows == 0 then return nil, (
      "robot '%s' has no expressions: no expressions.lua is beside its robot.lua"):format(
    description.name) end
  return made
end

--- The emotions to show, by angle: of those at the same angle, the first with a name of its own.
local function emotions_of(made, known)
  local knots, list, taken = {}, {}, {}
  for _, row in ipairs(made.rows) do
    for _, angle in ipairs(row.angles) do knots[angle] = true end
  end
  for _, name in ipairs(known.order) do
    local angle = known.by[name].angle
    if knots[angle] and not taken[angle] then
      taken[angle], list[#list + 1] = true, { name = name, angle = angle }
    end
  end
  for angle in next, knots do
    if not taken[angle] and #list < 16 then
      list[#list + 1] = { name = ("%g°"):format(angle), angle = angle }
    end
  end
  table.sort(list, function(a, b) return a.angle < b.angle end)
  return list
end

--- Values of DOFs for an emotion; `home`: the values below offsets. nil: neutral.
local function values_at(made, emotion, home)
  local expressions, values = require "brio.character.emotion.expressions", {}
  for name, value in next, home do values[name] = value end
  for _, row in ipairs(made.rows) do
    local value = expressions.value(row, emotion and emotion.angle or 0, emotion and 1 or 0)
    values[row.name] = row.over and (home[row.name] or 0) + value or value
  end
  return values
end

--- Print the value of each DOF for each emotion.
local function print_table(made, emotions)
  local expressions, heads, rows = require "brio.character.emotion.expressions", { "DOF" }, {}
  for _, emotion in ipairs(emotions) do heads[#heads + 1] = emotion.name end
  heads[#heads + 1] = "unit"
  for _, row in ipairs(made.rows) do
    local line = { DOF = row.name, unit = row.unit .. (row.over and ", added" or "") }
    for _, emotion in ipairs(emotions) do
      line[emotion.name] = ("%+.2f"):format(expressions.value(row, emotion.angle, 1))
    end
    rows[#rows + 1] = line
  end
  print(columns.text(heads, rows))
  return true
end

--- The painter of the face, or without a face, of the posture.
local function painter_of(description, args, made, emotions, home)
  local data, why = require("brio.robots.catalog").data(description, "face")
  if why then return nil, why end
  if not data then
    local poses = {}
    for index, emotion in ipairs(emotions) do poses[index] = values_at(made, emotion, home) end
    poses[#poses + 1] = values_at(made, nil, home)
    local figures = require("brio.draw.robot").figures(description, poses, args.view or "iso",
      { width = 132, height = 140 })
    return function(paper, index, x, y) figures.paint(paper, index == 0 and #poses or index, x, y) end,
      "posture"
  end
  local faces = require "brio.draw.face"
  local face
  face, why = faces.compile(data, description)
  if not face then return nil, why end
  local scale = 72 / math.max(face.size[1], face.size[2])
  return function(paper, index, x, y)
    faces.paint(paper, face, values_at(made, emotions[index], home), { x = x, y = y, scale = scale })
  end, "face"
end

local function draw(description, args, made, emotions)
  local home = description.poses[description.home].joints
  local camera, suggest = require "brio.draw.camera", require "brio.lib.suggest"
  if args.view and not camera.views[args.view] then
    local names = suggest.keys(camera.views)
    return nil, ("there is no view '%s'%s: there are %s"):format(args.view, suggest.hint(args.view, names),
      table.concat(names, ", "))
  end
  local paint, what = painter_of(description, args, made, emotions, home)
  if not paint then return nil, what end
  return require("brio.draw.circumplex").draw(args.out, {
    title = description.title .. (": its %s through the emotions"):format(what),
    subtitle = ("%d of its %d DOFs, at full intensity; between the center and the circle they go \z
      straight"):format(#made.rows, #description.dofs),
    rows = made.rows, emotions = emotions, paint = paint,
  })
end

function command.run(args)
  if #args ~= 1 then
    cli.error("face expects one robot: %s", command.usage)
    return 2
  end
  local description, why = require("brio.robots.catalog").find(args[1], { packages = args.packages })
  local known = require("brio.character.emotion.names").with()
  local made
  if description then made, why = expressions_of(description, args, known) end
  if not made then return cli.finish(nil, why) end
  local emotions = emotions_of(made, known)
  if not args.out then return cli.finish(print_table(made, emotions)) end
  return cli.finish(draw(description, args, made, emotions))
end

return command
