--- Checks the names in a study's file before its sessions: behaviors, their numbers, session scripts,
--- questionnaires.
local paths, questionnaire = require "brio.lib.paths", require "brio.study.questionnaires.questionnaire"
local study, tuning = require "brio.study.file", require "brio.behavior.tuning"

local look = {}

--- The error in a behavior in a condition: a sentence, or nil.
local function of_behavior(file, setting)
  local runner = require "brio.run.runner"
  local loaded, faults, unread = runner.load(file, {})
  if not loaded then return faults and runner.sentence(faults) or unread end
  local why = tuning.fault(loaded.definition.fields, setting.tune)
  return why and ("tune: " .. why)
end

local function of_session(file)
  local load = require "brio.operator.session.load"
  local loaded, fault = load.file(file)
  return not loaded and load.sentence(fault) or nil
end

local looks = { behavior = of_behavior, session = of_session, world = function() end }

--- Errors in a condition: sentences.
local function of_condition(data, one, list)
  local setting = study.setting(data, one.name)
  if not setting.behavior then list[#list + 1] = ("condition '%s' has no behavior"):format(one.name) end
  for _, key in ipairs { "behavior", "session", "world" } do
    local file = setting[key] and study.path(data, setting[key])
    local why
    if file and not paths.exists(file) then why = "there is no file " .. file
    elseif file then why = looks[key](file, setting) end
    if why then list[#list + 1] = ("%s of condition '%s': %s"):format(key, one.name, why) end
  end
end

--- Errors that would stop a session of the study: a list of sentences.
function look.faults(data)
  local list = {}
  for _, name in ipairs(data.questionnaires) do
    local known, why = questionnaire.find(name:find "[/.]" and study.path(data, name) or name)
    if not known then list[#list + 1] = why end
  end
  for _, one in ipairs(data.conditions) do of_condition(data, one, list) end
  return list
end

return look
