--- `brio keep`: stores a part of a run as a sequence.
local cli, series = require "brio.terminal.cli", require "brio.record.series"
local sequence, suggest = require "brio.motion.sequence", require "brio.lib.suggest"

local command = {
  name = "keep",
  summary = "save a part of a run, also of a running one, as a sequence: as a person drove it or a hand \z
    guided it",
  usage = "brio keep [RUN] --out FILE.lua [options]     (RUN: see docs/analysis/runs.md; none: the newest)",
  options = {
    { "out", "FILE", "the sequence's file" },
    { "store", "FILE", "the run store; default: brio.db" },
    { "dof", "NAME", "only this DOF; can be repeated; default: all that move", many = true },
    { "of", "WHAT", "command, measured (of a robot that a hand guided) or goal; default: command" },
    { "from", "T", "from this second of the run; default: its beginning" },
    { "to", "T", "until this second; default: its end" },
    { "last", "S", "the last S seconds instead" },
    { "tolerance", "X", "permitted error of the curve, rad or m; default: 0.002" },
    { "lead", "S", "seconds to lead in and out; default: 0.6" },
  },
}

local least_motion = 0.005

--- The interval: the given one, or the last seconds.
local function span(db, run, options)
  if not options.last then return options.from or 0, options.to or 1e9 end
  local rows, why = db:query("SELECT duration AS last FROM run_summary WHERE run = ?", run)
  if not rows then return nil, why end
  if not rows[1].last then return nil, ("run %d has no tick yet"):format(run) end
  return rows[1].last - options.last, rows[1].last
end

--- A clip of the selected DOFs (brio.clip's kind "joints"); nil and a sentence.
local function clip_of(db, run, options)
  local from, to = span(db, run.run, options)
  if not from then return nil, to end
  local dofs, why = series.dofs(db, run.run)
  if not dofs then return nil, why end
  local tracks, known, wanted = {}, {}, {}
  for _, dof in ipairs(dofs) do known[dof.name] = true end
  for _, name in ipairs(options.dofs or {}) do
    if not known[name] then
      return nil, ("the run has no DOF '%s'%s"):format(name, suggest.hint(name, suggest.keys(known)))
    end
    wanted[name] = true
  end
  for _, dof in ipairs(dofs) do
    local one = (not options.dofs or wanted[dof.name])
      and series.of_run(db, run.run, dof, options.of, from, to)
    if one and (options.dofs or series.amplitude(one) > least_motion) then
      local keys = {}
      for index, value in ipairs(one.values) do
        keys[index] = { one.from - math.max(from, 0) + (index - 1) / one.rate, value }
      end
      tracks[#tracks + 1] = { name = dof.name, keys = keys }
    end
  end
  if #tracks == 0 then
    return nil, ("nothing moved in run %d between %.2f s and %.2f s"):format(run.run, from, to)
  end
  return { kind = "joints", name = options.out:match("([^/]*)$"):gsub("%.lua$", ""), tracks = tracks,
    events = {}, notes = {} }
end

local function count_keys(made)
  local count = 0
  for _, track in next, made.tracks do count = count + #track end
  return count
end

local function keep(db, run, options)
  local clip, fault = clip_of(db, run, options)
  if not clip then return nil, fault end
  local dofs = {}
  for _, track in ipairs(clip.tracks) do dofs[#dofs + 1] = { name = track.name } end
  local samples = 0
  for _, track in ipairs(clip.tracks) do samples = samples + #track.keys end
  local made, notes = require("brio.motion.fit").sequence(clip, { name = run.robot, dofs = dofs }, {},
    { tolerance = options.tolerance, lead = options.lead,
      source = ("run %d, kept with %s"):format(run.run, options.of) })
  if not made then return nil, notes end
  local good, sentence = cli.write(options.out, sequence.text(made))
  if not good then return nil, sentence end
  print(("%s: %d DOFs, %.2f s, %d keys of %d samples, nowhere off by more than %g"):format(options.out,
    #clip.tracks, sequence.length(made), count_keys(made), samples, options.tolerance))
  return true
end

local function read_options(args)
  local options = { out = args.out, dofs = args.dof, of = args.of or "command" }
  if not args.out then return cli.error("keep needs to know where to: --out FILE.lua") end
  if not series.is_kind(options.of) then
    return cli.error("--of must be command, measured or goal, not '%s'", options.of)
  end
  if not cli.read_span(args, options) then return nil end
  options.last = cli.number(args, "last", 0.1, 1e6, false)
  if options.last == nil then return nil end
  if options.last and (options.from or options.to) then
    return cli.error("--last goes without --from and --to")
  end
  options.tolerance = cli.number(args, "tolerance", 1e-5, 1, 0.002)
  options.lead = cli.number(args, "lead", 0, 60, 0.6)
  return options.tolerance and options.lead and options
end

function command.run(args)
  local options = #args <= 1 and read_options(args)
  if not options then
    if #args > 1 then cli.error("keep expects a run: %s", command.usage) end
    return 2
  end
  return cli.finish(cli.with_run(args, args[1], function(db, run) return keep(db, run, options) end))
end

return command
