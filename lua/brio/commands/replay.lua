--- `brio replay`: repeats a recorded run, and compares it with the record.
local cli = require "brio.terminal.cli"
local robot_command = require "brio.commands.replay.to_robot"
local store = require "brio.store"

local command = {
  name = "replay",
  summary = "repeat a recorded run from its inputs, and compare it bit for bit",
  usage = "brio replay RUN [options]\n       brio replay RUN --to-robot [options]",
  options = {
    { "store", "FILE", "the store of the run; default brio.db" },
    { "for", "SECONDS", "stop after this time of the run; default: all of it" },
    { "with", "FILE", "run this file with the same inputs, instead of the behavior or of the file with \z
      that name; can be repeated", many = true },
    { "record", "FILE", "record the replay in this store, as a run of its own" },
    { "json", nil, "print the result as JSON" },
    { "log", nil, "show the log of the run" },
  },
}
table.move(robot_command.options, 1, #robot_command.options, #command.options + 1, command.options)

--- Print the result for people.
local function tell(report, name, wall)
  for _, remark in ipairs(report.remarks) do print("note: " .. remark) end
  print(("run %d (%s): %d ticks, %.3f s, replayed in %.2f s: %.0f times real time"):format(report.run, name,
    report.ticks, report.seconds, wall, report.seconds / math.max(wall, 1e-6)))
  if report.with then
    for _, sentence in ipairs(report.others) do print("otherwise: " .. sentence) end
    local until_then = report.events["until"]
    print(("%d events were recorded%s, %d came now%s"):format(report.events.recorded,
      until_then and (" until %.2f s"):format(until_then) or "", report.events.replayed, report.equal
        and ": the same ones" or ""))
    return
  end
  if report.equal then
    print("equal to the bit" .. (report.ended and "" or ", as far as it was replayed"))
    return
  end
  local d = report.difference
  print(("differs first in tick %d, at %.3f s: %s"):format(d.tick, d.t, d.sentence))
  if d.dof then
    print(("  %s in tick %d: %.9g was recorded, %.9g is replayed"):format(d.dof, d.seen_tick, d.recorded,
      d.replayed))
  end
  for _, sentence in ipairs(d.before or {}) do print("  before it: " .. sentence) end
end

function command.run(args)
  if #args > 1 then
    cli.error("replay expects one run: %s", command.usage)
    return 2
  end
  if robot_command.is_misused(args) then return 2 end
  if args["to-robot"] then return robot_command.run(args) end
  local seconds = cli.number(args, "for", 0.001, 1e7, 0)
  if not seconds then return 2 end
  local number, unknown = cli.with_run(args, args[1], function(_, run) return run.run end)
  if not number then return cli.finish(nil, unknown) end
  local clock = require "brio.clock"
  local made, why = require("brio.run.replay").open { store = args.store, run = number, with = args.with,
    record = args.record,
    say = require("brio.terminal.attach.log_line").writer(args.log and "debug" or "silent") }
  if not made then
    cli.error("%s", why)
    return 2
  end
  local began, cpu = clock.monotonic(), clock.cpu()
  local report = made:go(seconds > 0 and seconds or nil)
  local wall = clock.monotonic() - began
  local name = made.row.name or made.row.behavior or "?"
  local recorded = made.run.run_number
  local _, lost = made:close()
  report.wall, report.cpu = wall, clock.cpu() - cpu
  if args.json then print(store.json(report)) else tell(report, name, wall) end
  cli.say_recorded("run", recorded, args.record, lost)
  if lost then cli.error("%s", lost) end
  return report.equal and not lost and 0 or 1
end

return command
