--- `brio compare`: two sets of runs side by side, with an interpretation.
local cli, columns, store = require "brio.terminal.cli", require "brio.lib.columns", require "brio.store"

local command = {
  name = "compare",
  summary = "compare two versions, runs or sets of runs: success, durations, motion and faults, with \z
    statistics",
  usage = "brio compare A B [options]     (3 | 1-10,14 | last 5 | kiosk | FILE#3 | HASH | \z
    'repeat 2' | behavior=kiosk,since=2026-11-01)",
  options = {
    { "store", "FILE", "the run store; default: brio.db" },
    { "success", "WHAT", "criterion of success: SQL with :run, or lua: and an expression; default: it \z
      finished" },
    { "dof", "NAME", "measure the motion of this DOF; can be repeated; default: the four that move most",
      many = true },
    { "all-motion", nil, "measure the motion of every run; default: of eight runs of each set" },
    { "no-motion", nil, "leave motion out" },
    { "json", nil, "print JSON" },
  },
}

--- Which runs a side is.
local function side_line(name, side)
  return ("%s: %s, %d run%s (%s)"):format(name, side.word, #side.runs, #side.runs == 1 and "" or "s",
    side.text)
end

local function tell(found, json)
  local verdict = require "brio.analysis.verdict"
  if json then
    found.says = store.array(verdict.lines(found))
    print(store.json(found))
    return
  end
  local rows = {}
  for index, row in ipairs(found.rows) do rows[index] = verdict.row(row) end
  print(side_line("A", found.a))
  print(side_line("B", found.b) .. "\n")
  print(columns.text(verdict.columns, rows) .. "\n")
  for _, line in ipairs(verdict.lines(found)) do print(line) end
end

function command.run(args)
  if #args ~= 2 then
    cli.error("compare expects two sets of runs: %s", command.usage)
    return 2
  end
  local db, path, words = require("brio.runs.stored").open_sets(args, args.store)
  if not db then return cli.finish(nil, path) end
  args.store = path
  local options = { success = args.success, dofs = args.dof, all_motion = args["all-motion"] }
  if args["no-motion"] then options.motion = false end
  local found, sentence = require("brio.analysis.compare").of(db, words[1], words[2], options)
  db:close()
  if not found then
    cli.error("%s", sentence)
    return 1
  end
  tell(found, args.json)
  return 0
end

return command
