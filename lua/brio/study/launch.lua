--- The run of `brio run --study`: the next session of the study, with the settings of its condition.
local lazy = require "brio.lib.lazy"
local session, study = lazy "brio.study.session", lazy "brio.study.file"

local launch = {}

--- Options of `brio run` that go with --study.
local with_study = { "participant", "condition", "wizard", "training" }

--- The parameters of the condition in the form of --tune; those of the command line come last and have
--- precedence.
local function tune(args, setting)
  local list = {}
  for name, value in next, setting.tune do list[#list + 1] = ("%s=%.17g"):format(name, value) end
  table.sort(list)
  table.move(args.tune or {}, 1, #(args.tune or {}), #list + 1, list)
  return list[1] and list or nil
end

--- Begin or continue the session for the arguments of `brio run`, and fill in the study's settings. Return
--- the session (see session.open), or true without --study; nil, a sentence and an exit code.
function launch.of(args)
  if not args.study then
    for _, name in ipairs(with_study) do
      if args[name] then return nil, ("--%s goes with --study FILE"):format(name), 2 end
    end
    return true
  end
  if args.store == "none" then
    return nil, "a session of a study is recorded: --store none does not go with --study", 2
  end
  local wanted = {}
  for _, name in ipairs(with_study) do wanted[name] = args[name] end
  wanted.rehearsal = args.rehearse
  if args.rehearse and args.training then
    return nil, "a session is a rehearsal or a training, not both", 2
  end
  local made, why = session.open(args.store or "brio.db", args.study, wanted)
  if not made then return nil, why, 1 end
  local setting = made.setting
  args[1] = args[1] or setting.behavior and study.path(made.study, setting.behavior)
  if not args[1] then return nil, ("the condition '%s' names no behavior"):format(made.condition), 2 end
  args.robot = args.robot or setting.robot
  args.world = args.world or setting.world and study.path(made.study, setting.world)
  args.session = args.session or setting.session and study.path(made.study, setting.session)
  args.tune = tune(args, setting)
  return made
end

--- The messages at the beginning of a session.
function launch.words(made)
  local what = made.training and "training" or made.rehearsal and "rehearsal"
    or ("session %d of %s"):format(made.ordinal,
    made.participant)
  local again = made.resumed and made.resumed[1]
  return ("%s: %s, '%s'%s"):format(made.study.name, what, made.condition,
    again and (", goes on after run %d"):format(made.resumed[#made.resumed]) or "")
end

--- End of the run: this also ends rehearsals and trainings; other sessions are ended by a command.
function launch.over(made, path, outcome)
  if not (made.rehearsal or made.training) then return true end
  return session.close(path, made.id, outcome == "failed" and "aborted" or "finished")
end

return launch
