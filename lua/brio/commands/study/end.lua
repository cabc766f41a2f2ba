--- `brio study end`: ends a session, or aborts it.
local cli, record = require "brio.terminal.cli", require "brio.study.record"
local unanswered = require "brio.study.unanswered"

local verb = { words = "FILE CODE [--outcome aborted]", least = 2, most = 2, reads = true,
  summary = "end a session; an aborted one is held again" }

function verb.run(args, context)
  local data, code, outcome = context.data, args[2], args.outcome or "finished"
  if outcome ~= "finished" and outcome ~= "aborted" then
    cli.error("--outcome must be finished or aborted, not '%s'", outcome)
    return 2
  end
  local found = context:registered()
  if not found then return 1 end
  local place, session = record.next_place(found, code)
  if not session then
    cli.error("no session of %s is open", code)
    return 1
  end
  local run = context:query(function(db) return record.running(db, session) end)
  if run == nil then return 1 end
  if run then
    cli.error("run %d of this session goes on: stop it first", run)
    return 1
  end
  if not context:write(function(kept) return kept:finish(session.id, outcome, args.note) end) then
    return 1
  end
  print(("session %d of %s, '%s': %s"):format(place, code, session.condition, outcome))
  local runs = context:query(function(db)
    return db:query("SELECT count(*) AS n FROM session_runs WHERE session = ?", session.id)
  end)
  if runs and runs[1].n == 0 then print "  no run was recorded in it" end
  local open = outcome == "finished" and context:query(
    function(db) return unanswered.of(db, data, session) end) or {}
  for _, name in ipairs(open) do
    print(("  %s is not answered: brio study ask %s %s"):format(name, data.file, code))
  end
  return 0
end

return verb
