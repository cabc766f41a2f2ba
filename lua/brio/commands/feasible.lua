--- `brio feasible`: says why a robot cannot do an animation, standing, and makes it feasible.
local cli = require "brio.terminal.cli"

local command = {
  name = "feasible",
  summary = "say why a biped cannot do an animation, standing, and make a motion of it that it can do",
  usage = "brio feasible FILE --robot ROBOT [--rig RIG] [--out FOLDER] [options]     (ROBOT: its .urdf or \z
    .xml, a folder with a robot.lua, or a name; docs/animation/feasible.md)",
  options = {
    { "robot", "ROBOT", "the robot's .urdf or .xml, a folder with a robot.lua, or a name" },
    { "rig", "RIG", "a rig's file, or the name of one that ships; default: that of the robot's name" },
    { "out", "FOLDER", "where the motion, the report and the film go; default: FILE.feasible" },
    { "clip", "NAME", "which motion of the file" },
    { "format", "NAME", "the format of the file; default: recognized" },
    { "from", "T", "from this second of a person's motion on" },
    { "to", "T", "until this second" },
    { "tempo", "X", "as many times as fast, before it is made feasible; default: 1" },
    { "size", "X", "as many times as large; default: 1" },
    { "stretch", "X", "the motion may take as many times as long, at most; default: the rig's, or 4" },
    { "seconds", "S", "of computing, at most; default: 600" },
    { "window", "N", "keyframes a window spans; 0: all at once; default: the rig's, or 4" },
    { "backend", "NAME", "structured or ipopt; default: structured" },
    { "id", "ID", "of the motion in a library; default: the file's name" },
    { "emotion", "NAME", "tag of the motion in a library" },
    { "dry", nil, "without playing both in physics" },
    { "check", nil, "only say what the animation breaks" },
    { "restart", nil, "start from the first window, not where an earlier one stopped" },
  },
}

--- The rig's file for a word, or for a robot's name; nil and a sentence.
local function rig_file(word, robot)
  local paths, suggest = require "brio.lib.paths", require "brio.lib.suggest"
  local folder = require("brio.motion.rig").folder()
  if word and (word:find "/" or word:find "%.lua$") then return word end
  local name = word or robot:match("([^/]+)/+robot%.lua$") or robot:match("([^/]+)/*$"):gsub("%.%w+$", "")
  local beside = robot:gsub("/+$", "") .. "/rig.lua"
  if not word and paths.exists(beside) then return beside end
  local path = ("%s/%s.lua"):format(folder, name)
  if paths.exists(path) then return path end
  local names, uv = {}, require "luv"
  local scan = uv.fs_scandir(folder)
  local entry = scan and uv.fs_scandir_next(scan)
  while entry do
    names[#names + 1] = entry:match "^(.*)%.lua$"
    entry = uv.fs_scandir_next(scan)
  end
  table.sort(names)
  return nil, ("there is no rig '%s'%s: those that ship are %s; any other is named by its file, --rig FILE")
    :format(
    name, suggest.hint(name, names), table.concat(names, ", "))
end

--- The rig of the command line; nil: printed.
local function read_rig(args)
  local path, why = rig_file(args.rig, args.robot)
  if not path then return cli.error("%s", why) end
  local model = args.robot
  if not model:find "%.urdf$" and not model:find "%.xml$" and not model:find "%.mjcf$" then
    local found, fault = require("brio.robots.catalog").find(model)
    if not found then return cli.error("%s", fault) end
    model = found.robot:file()
  end
  local rig, wrong = require("brio.motion.rig").load(path, model)
  if not rig then return cli.error("%s", wrong) end
  return rig
end

--- The motion of the file: a clip, or a sequence of targets; nil: printed.
local function read_source(args)
  if args[1]:find "%.lua$" then
    local made, why = require("brio.motion.sequence").read(args[1])
    if not made then return cli.error("%s", why) end
    return { kind = "sequence", description = made, notes = {} }
  end
  local clip, why = require("brio.terminal.motion_files").read(args[1], { clip = args.clip,
    format = args.format })
  if not clip then return cli.error("%s", why) end
  return clip
end

--- Checked numbers of the options; nil: printed.
local function read_options(args)
  local made = {}
  if not cli.read_span(args, made) then return nil end
  for name, row in next, { tempo = { 0.05, 20, 1 }, size = { 0, 10, 1 }, seconds = { 0, 1e6, 600 },
      window = { 0, 1000, false }, stretch = { 1, 100, false } } do
    made[name] = cli.number(args, name, row[1], row[2], row[3])
    if made[name] == nil then return nil end
  end
  if args.backend and args.backend ~= "structured" and args.backend ~= "ipopt" then
    return cli.error("--backend must be structured or ipopt, not '%s'", args.backend)
  end
  return made
end

--- Progress on the terminal, and Ctrl-C: `stopped()`.
local function new_watch()
  local uv, interrupted, seen = require "luv", false, 0
  local signal = uv.new_signal()
  signal:start("sigint", function() interrupted = true end)
  local tty = uv.guess_handle(2) == "tty"
  local watch = {}
  function watch.report(window, windows, progress)
    uv.run "nowait"
    local now = uv.now() / 1000
    if now - seen > (tty and 0.1 or 5) or progress.iteration == 0 then
      seen = now
      io.stderr:write(("%swindow %d of %d: iteration %d, cost %.4g, violation %.2g, %.1f s%s"):format(
        tty and "\r\27[K" or "", window, windows, progress.iteration, progress.cost, progress.violation,
        progress.seconds, tty and "" or "\n"))
    end
    return not interrupted
  end
  function watch.frame()
    uv.run "nowait"
    return not interrupted
  end
  function watch.close()
    if tty then io.stderr:write "\r\27[K" end
    signal:stop()
    signal:close()
  end
  return watch
end

--- The options of brio.standing from the command line.
local function standing_options(args, options)
  return { window = options.window or nil, stretch = options.stretch or nil, backend = args.backend,
    seconds = options.seconds }
end

--- What an animation breaks, printed.
local function print_reasons(reasons)
  if #reasons == 0 then return print "the animation breaks nothing as it is" end
  print "the animation cannot be done as it is:"
  for _, one in ipairs(reasons) do
    print(("  %-9s at %.2f s (%d %s): %s"):format(one.what, one.time, one.frames,
      one.frames == 1 and "place" or "places", one.text))
  end
end

--- The takes of report and film.
local function takes_of(animation, original, result)
  local report = require "brio.commands.feasible.report"
  local first = { name = "original", color = report.colors.original, times = {},
    configurations = animation.frames,
    motion = original }
  local second = { name = "feasible", color = report.colors.feasible, times = {}, configurations = {},
    motion = result.motion }
  for index = 1, #animation.frames do first.times[index] = (index - 1) / animation.rate end
  for index, node in ipairs(result.motion) do
    second.times[index], second.configurations[index] = node.time, node.configuration
  end
  return { first, second }
end

--- Play both takes in physics, where it is there: adds what came out to the takes. Return sentences, and
--- whether the feasible one falls.
local function simulate(rig, takes, args, watch)
  local replay, report = require "brio.motion.rig.replay", require "brio.commands.feasible.report"
  local good, why = replay.possible(rig)
  if args.dry or not good then return { "not simulated: " .. (args.dry and "--dry" or why) } end
  local said, falls = {}, false
  for index = 1, 2 do
    local take, motion = takes[index], {}
    for node, q in ipairs(take.configurations) do motion[node] = { configuration = q,
      time = take.times[node] } end
    local result, fault = replay.play(rig, motion, watch.frame)
    if not result then
      said[#said + 1] = ("%s: not simulated: %s"):format(take.name, fault)
    else
      falls = falls or index == 2 and (result.fell or result.stopped) ~= nil
      said[#said + 1] = result.stopped and ("%s: the simulation stops at %.2f s: %s"):format(take.name,
        result.at,
        result.stopped) or result.fell and ("%s: falls at %.2f s in physics: %s"):format(take.name,
          result.at, result.fell)
        or ("%s: stands in physics, its base stays within %.0f mm of the motion"):format(take.name,
          1000 * result.off)
      takes[#takes + 1] = { name = take.name .. ", simulated", color = report.colors[index],
        times = result.times,
        configurations = result.configurations }
    end
  end
  return said, falls
end

--- Whether it is done, in words.
local function verdict_of(result, animation, good)
  local last = result.motion[#result.motion]
  if good then
    return ("feasible: %.2f s instead of %.2f s, constraints hold to %.1g"):format(last.time,
      (#animation.frames - 1) / animation.rate, result.violation)
  end
  return ("not feasible (%s): the best motion found, %d of %d frames, breaks constraints by %.2g; it must \z
    not be played"):format(result.finish, #result.motion, #animation.frames, result.violation)
end

--- Write the results into the folder. Return the paths, or nil and a sentence.
local function write_results(folder, made, args)
  local entry = require "brio.motion.motion_library"
  local film, bytes = require("brio.formats.gltf_takes").document(made.rig.robot, made.takes,
    1.5 * made.rig.pelvis_home.position[3])
  local files = { ["report.html"] = require("brio.commands.feasible.report").html(made),
    ["film.glb"] = film and require("brio.formats.motion.writers.glb").pack(film, bytes) or nil }
  local name = made.good and "motion.lua" or "attempt.lua"
  files[name] = entry.text(entry.of(made, { id = args.id or args[1]:match "([^/]+)$":gsub("%.%w+$", ""),
    emotion = args.emotion, source = args[1],
    version = require "brio.version" }))
  os.remove(folder .. "/" .. (made.good and "attempt.lua" or "motion.lua"))
  for file, text in next, files do
    local good, why = cli.write(folder .. "/" .. file, text)
    if not good then return nil, why end
  end
  return name
end

--- Make it feasible, and write what came out. Return the exit code.
local function make_feasible(args, rig, animation, options, watch)
  local feasible, checkpoint = require "brio.motion.feasible", require "brio.commands.feasible.checkpoint"
  local folder = args.out or args[1] .. ".feasible"
  local good, why = cli.make_folder(folder)
  if not good then cli.error("%s", why) return 1 end
  local more = standing_options(args, options)
  local reasons, original = feasible.reasons(rig, animation, more)
  if not reasons then cli.error("%s: it cannot be judged: %s", args[1], original) return 1 end
  print_reasons(reasons)
  local file, task = folder .. "/progress", checkpoint.task(rig, animation, { window = more.window or -1,
    stretch = more.stretch or -1, backend = args.backend or "structured" })
  if not args.restart then more.resume, why = checkpoint.read(file, task) end
  if why then io.stderr:write("note: ", why, "\n") end
  if more.resume then io.stderr:write(("it goes on after %d windows\n"):format(#more.resume.windows)) end
  more.report = watch.report
  more.finished = function(result)
    local written, fault = checkpoint.write(file, task, result)
    if not written then cli.error("%s", fault) end
  end
  local result, fault = feasible.optimize(rig, animation, more)
  if not result then cli.error("%s", fault) return 1 end
  local done = feasible.may_play(result, animation)
  local made = { rig = rig, animation = animation, reasons = reasons, result = result, good = done,
    notes = animation.notes,
    title = args[1]:match "[^/]+$", verdict = verdict_of(result, animation, done),
    takes = takes_of(animation, original, result) }
  made.simulated, made.falls = simulate(rig, made.takes, args, watch)
  local name, wrong = write_results(folder, made, args)
  if not name then cli.error("%s", wrong) return 1 end
  print(made.verdict)
  for _, sentence in ipairs(made.simulated) do print("  " .. sentence) end
  for _, sentence in ipairs(feasible.broken(result, animation)) do print("  " .. sentence) end
  print(("%s/%s, report.html, film.glb"):format(folder, name))
  return done and not made.falls and 0 or 3
end

function command.run(args)
  if #args ~= 1 or not args.robot then
    cli.error("feasible expects a motion's file and --robot: %s", command.usage)
    return 2
  end
  local options = read_options(args)
  if not options then return 2 end
  local rig = read_rig(args)
  local source = rig and read_source(args)
  if not source then return 1 end
  local watch <close> = setmetatable(new_watch(), { __close = function(self) self.close() end })
  local animation, why = require("brio.motion.rig.animation").make(rig, source, { tempo = options.tempo,
    size = options.size, from = options.from, to = options.to, report = watch.frame })
  if not animation then
    cli.error("%s: %s", args[1], why)
    return 1
  end
  for _, note in ipairs(animation.notes) do io.stderr:write("note: ", note, "\n") end
  if not args.check then return make_feasible(args, rig, animation, options, watch) end
  local reasons, fault = require("brio.motion.feasible").reasons(rig, animation, standing_options(args,
    options))
  if not reasons then
    cli.error("%s: %s", args[1], fault)
    return 1
  end
  print_reasons(reasons)
  return #reasons == 0 and 0 or 3
end

return command
