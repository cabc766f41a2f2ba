--- `brio at`: the state of everything at one moment of a run.
local cli, store = require "brio.terminal.cli", require "brio.store"

local command = {
  name = "at",
  summary = "show the state of everything at one moment of a run: states, tree, owners, inputs, objects, \z
    gaze, speech, DOFs",
  usage = "brio at RUN SECONDS [options]   (RUN: see docs/analysis/runs.md; for example brio at last 12.35)",
  options = {
    { "store", "FILE", "the run store; default: brio.db" },
    { "json", nil, "print JSON" },
  },
}

function command.run(args)
  local t = tonumber(args[2])
  if #args ~= 2 or not t or t ~= t or math.abs(t) == math.huge then
    cli.error("at expects a run and a second of it: %s", command.usage)
    return 2
  end
  return cli.finish(cli.with_run(args, args[1], function(db, run)
    local found, why = require("brio.analysis.moment").of(db, run, t)
    if not found then return nil, why end
    if args.json then print(store.json(found))
    else print(table.concat(require("brio.analysis.moment_text").lines(found), "\n")) end
    return true
  end))
end

return command
