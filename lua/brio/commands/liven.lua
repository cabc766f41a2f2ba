--- `brio liven`: fits the liveliness of DOFs to a demonstration.
local cli = require "brio.terminal.cli"
local liven = require "brio.motion.liven"
local series = require "brio.record.series"
local suggest = require "brio.lib.suggest"

local command = {
  name = "liven",
  summary = "fit liveliness to a recorded demonstration, and write it into a state",
  usage = "brio liven [RUN] --dof NAME [options]     (RUN: see docs/analysis/runs.md; none: the newest)",
  options = {
    { "dof", "NAME", "this DOF; can be repeated", many = true },
    { "store", "FILE", "the run store; default: brio.db" },
    { "of", "WHAT", "command, measured (of a robot that a hand guided) or goal; default: measured" },
    { "from", "T", "from this second of the run" },
    { "to", "T", "until this second" },
    { "into", "FILE", "write it into this behavior; with --state" },
    { "state", "NAME", "into the wants of this state" },
  },
}

--- Fit every DOF; return lines for a state, and a line for people each.
local function fit_all(db, run, options)
  local dofs, why = series.dofs(db, run)
  if not dofs then return nil, why end
  local known, lines = {}, {}
  for _, dof in ipairs(dofs) do known[dof.name] = dof end
  for _, name in ipairs(options.dofs) do
    if not known[name] then
      return nil, ("the run has no DOF '%s'%s"):format(name, suggest.hint(name, suggest.keys(known)))
    end
    local one, fault = series.of_run(db, run, known[name], options.of, options.from, options.to)
    if not one then return nil, fault or ("run %d kept no %s of %s then"):format(run, options.of, name) end
    local found, sentence = liven.fit(one)
    if not found then return nil, sentence end
    lines[#lines + 1] = liven.text(name, found)
    io.stderr:write(("%s: power off by %.2f octaves on average\n"):format(name, found.misfit))
  end
  return lines
end

local function finish(lines, args)
  if not args.into then
    print(table.concat(lines, "\n"))
    return true
  end
  local disk = require "brio.file"
  local text, why = disk.read(args.into)
  if not text then return nil, why end
  local made, fault = liven.insert(text, args.state, lines)
  if not made then return nil, ("%s: %s"):format(args.into, fault) end
  local good, sentence = load(made, "@" .. args.into, "t")
  if not good then return nil, sentence end
  good, sentence = disk.replace(args.into, made)
  if not good then return nil, sentence end
  print(("%s: state '%s' wants %d more"):format(args.into, args.state, #lines))
  return true
end

local function read_options(args)
  local options = { dofs = args.dof, of = args.of or "measured" }
  if not args.dof then return cli.error("liven needs to know what moves: --dof NAME") end
  if not series.is_kind(options.of) then
    return cli.error("--of must be command, measured or goal, not '%s'", options.of)
  end
  if (args.into == nil) ~= (args.state == nil) then return cli.error("--into and --state go together") end
  if not cli.read_span(args, options) then return nil end
  return options
end

function command.run(args)
  local options = #args <= 1 and read_options(args)
  if not options then
    if #args > 1 then cli.error("liven expects a run: %s", command.usage) end
    return 2
  end
  return cli.finish(cli.with_run(args, args[1], function(db, run)
    local lines, why = fit_all(db, run.run, options)
    if not lines then return nil, why end
    return finish(lines, args)
  end))
end

return command
