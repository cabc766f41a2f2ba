--- `brio export`: a sequence for other programs.
local cli, motions = require "brio.cli", require "brio.motions"

local command = {
  name = "export",
  summary = "write a sequence, or a motion fitted to a robot, for other programs: CSV, glTF, or brio's own",
  usage = "brio export FILE --out FILE.csv|.glb|.gltf|.lua [options]     (no FILE: list the formats)",
  options = motions.with_options {
    { "out", "FILE", "where to; what its name ends with says what it becomes" },
    { "rate", "HZ", "samples a second; default: 60" },
  },
}

local function list_formats()
  for _, format in ipairs(require("brio.export").list()) do print(("%-6s %s"):format(format.name, format.doc)) end
  print "lua    a sequence of brio's own"
  return 0
end

local function bytes_of(made, description, out, rate)
  if out:match "%.lua$" then return require("brio.sequence").text(made) end
  local export = require "brio.export"
  local format, why = export.format(out)
  if not format then return nil, why end
  local film = export.film(made, description, rate)
  if #film.dofs == 0 then return nil, "it moves no DOF of " .. description.name end
  return format.write(film, description)
end

local function export_file(path, args, options, rate)
  local made, notes, description = motions.sequence(path, args.robot, options)
  if not made then return nil, notes end
  for _, note in ipairs(notes) do io.stderr:write("note: ", note, "\n") end
  local bytes, why = bytes_of(made, description, args.out, rate)
  if not bytes then return nil, why end
  return cli.write(args.out, bytes)
end

function command.run(args)
  if #args == 0 and not args.out then return list_formats() end
  local options, rate = motions.options(args), cli.number(args, "rate", 1, 1000, 60)
  if #args ~= 1 or not args.out then
    cli.error("export expects a file, and --out: %s", command.usage)
    return 2
  end
  if not (options and rate) then return 2 end
  local good, why = export_file(args[1], args, options, rate)
  if not good then
    cli.error("%s", why)
    return 1
  end
  return 0
end

return command
