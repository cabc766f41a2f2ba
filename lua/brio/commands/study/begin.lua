--- `brio study begin`: begins a session without a run, for studies in which the robot comes later.
local session = require "brio.study.session"
local cli = require "brio.terminal.cli"

local verb = { words = "FILE [CODE]", least = 1, most = 2, reads = true,
  summary = "begin a session; `brio run --study` does so by itself" }

function verb.run(args, context)
  local made, why = session.open(context.path, args[1],
    { participant = args[2], condition = args.condition, wizard = args.wizard,
    rehearsal = args.rehearse, training = args.training })
  if not made then
    cli.error("%s", why)
    return 1
  end
  local what = made.training and "training" or made.rehearsal and "rehearsal" or made.participant
  if made.resumed then
    print(("session %d of %s goes on: %s, '%s'"):format(made.ordinal, what, made.resumed[1] and "runs "
      .. table.concat(made.resumed, ", ")
      or "no run yet", made.condition))
  else
    print(("session %d in the store: %s, '%s'"):format(made.id, what, made.condition))
  end
  return 0
end

return verb
