--- `brio study ask`: the study's questionnaires, for the session that is open, after its last run.
local cli, record, study = require "brio.terminal.cli", require "brio.study.record", require "brio.study.file"

local verb = { words = "FILE CODE", least = 2, most = 2, reads = true,
  summary = "ask the study's questionnaires after a session" }

--- The session of a participant to which questionnaires belong: the open one, else the one that ended last.
local function session_of(found, code)
  local last
  for _, session in ipairs(found.sessions) do
    if session.participant == code and record.counts(session) then
      if not session.ended then return session end
      last = session
    end
  end
  return last
end

function verb.run(args, context)
  local data, code, found = context.data, args[2], context:registered()
  if not found then return 1 end
  if #data.questionnaires == 0 then
    cli.error("%s names no questionnaires", data.file)
    return 1
  end
  local session = session_of(found, code)
  if not session then
    cli.error("%s has had no session yet", code)
    return 1
  end
  local words = { participant = code, condition = session.condition, store = context.path,
    language = args.language, plain = args.plain }
  local run = session.runs[#session.runs]
  words.run = run and tostring(run)
  for index, name in ipairs(data.questionnaires) do
    words[index] = name:find "[/.]" and study.path(data, name) or name
  end
  return require("brio.commands.ask").run(words)
end

verb.session_of = session_of

return verb
