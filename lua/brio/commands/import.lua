--- `brio import`: converts another program's motion into a sequence for a robot.
local cli = require "brio.terminal.cli"
local motions = require "brio.terminal.motion_files"

local command = {
  name = "import",
  summary = "convert another program's motion into a sequence for a robot: qianim, BVH, AMC, glTF, CSV, ...",
  usage = "brio import FILE [--robot ROBOT] [options]     (no FILE: list the formats; no ROBOT: show its \z
    content; a folder: all motions below it, with --robot and a folder for --out)",
  options = motions.with_options {
    motions.part[1], motions.part[2], motions.part[3], motions.part[4],
    { "arm", nil, "a person's dance on the robot's arm, without collisions (docs/animation/arms.md)" },
    { "out", "FILE", "write the sequence to this file, or those of a folder to a folder; default: to the \z
      terminal" },
  },
}

local function list_formats()
  for _, format in ipairs(require("brio.formats.motion.readers").list()) do
    print(("%-10s %-12s %s"):format(format.name, "." .. table.concat(format.extensions, " ."), format.doc))
  end
  return 0
end

--- Description of a clip, in words.
local function tell_clip(clip)
  print(("%s (%s): %.2f s"):format(clip.name, clip.format, clip.duration))
  if clip.kind == "skeleton" then
    local names = {}
    for index, node in ipairs(clip.nodes) do names[index] = node.name end
    print(("a skeleton of %d nodes, %d frames: %s"):format(#names, #clip.times, table.concat(names, " ")))
  else
    for _, track in ipairs(clip.tracks) do
      print(("  %-24s %6d keys  %s"):format(track.name, #track.keys, track.unit or ""))
    end
  end
  if clip.clips and #clip.clips > 1 then print("motions in it: " .. table.concat(clip.clips, ", ")) end
  for _, note in ipairs(clip.notes) do print("note: " .. note) end
end

local function write(path, text)
  if not path then return io.stdout:write(text) ~= nil end
  return cli.write(path, text)
end

local function count_keys(made)
  local keys, tracks = 0, 0
  for _, track in next, made.tracks do keys, tracks = keys + #track, tracks + 1 end
  return keys, tracks
end

--- Import a folder into another one, with a line for each clip, and what was left out at the end.
local function import_folder(args, options)
  local counts, dropped = { made = 0, done = 0 }, {}
  local function tell(number, count, row, done)
    if row.reason then dropped[#dropped + 1] = row.reason
    elseif done then counts.done = counts.done + 1
    else counts.made = counts.made + 1 end
    local what = row.reason and "left out" or ("%.2f s"):format(row.seconds)
    if done then what = what .. ", as before" end
    io.stderr:write(("[%d/%d] %s: %s\n"):format(number, count, row.source, what))
  end
  local rows, why = require("brio.terminal.motion_library").make(args[1], args.robot, args.out, options, tell)
  if not rows then
    cli.error("%s", why)
    return 1
  end
  print(("%d motions: %d imported, %d as before, %d left out"):format(#rows, counts.made, counts.done,
    #dropped))
  for _, reason in ipairs(dropped) do print("left out: " .. reason) end
  return counts.made + counts.done > 0 and 0 or 1
end

local function is_folder(path) return (require("luv").fs_stat(path) or {}).type == "directory" end

function command.run(args)
  if #args == 0 and not args.robot then return list_formats() end
  local options = #args == 1 and motions.part_options(args)
  if not options then
    if #args ~= 1 then cli.error("import expects a file: %s", command.usage) end
    return 2
  end
  if not args.robot and (args.from or args.to or args.dof or args.fit or args.arm) then
    cli.error("--from, --to, --dof, --fit and --arm need --robot: they are about the sequence")
    return 2
  end
  options.arm = args.arm
  if is_folder(args[1]) then
    if args.robot and args.out then return import_folder(args, options) end
    cli.error("%s is a folder: say --robot, and --out with a folder for its motions", args[1])
    return 2
  end
  local clip, why = motions.read(args[1], options)
  if not clip then
    cli.error("%s", why)
    return 1
  end
  if not args.robot then
    tell_clip(clip)
    return 0
  end
  local made, notes = motions.fit(clip, args.robot, options)
  if not made then
    cli.error("%s", notes)
    return 1
  end
  local good, fault = write(args.out, require("brio.motion.sequence").text(made))
  if not good then
    cli.error("%s", fault)
    return 1
  end
  for _, note in ipairs(notes) do io.stderr:write("note: ", note, "\n") end
  local keys, tracks = count_keys(made)
  io.stderr:write(("%s: %d tracks, %d keys, %.2f s\n"):format(made.name, tracks, keys,
    require("brio.motion.sequence").length(made)))
  return 0
end

return command
