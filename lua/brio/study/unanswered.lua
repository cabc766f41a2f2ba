--- The questionnaires of a study that were not answered after a session.
local questionnaire, study = require "brio.study.questionnaires.questionnaire", require "brio.study.file"

local unanswered = {}

--- The names of those that the participant has not finished in the session's condition; nil and a sentence.
function unanswered.of(db, data, session)
  local done = {}
  local rows, why = db:query([[SELECT q.name FROM study_sittings t JOIN sittings s ON s.id = t.sitting
    JOIN questionnaires q ON q.hash = s.questionnaire WHERE t.session = ?1 AND s.outcome = 'finished']],
      session.id)
  if not rows then return nil, why end
  for _, row in ipairs(rows) do done[row.name] = true end
  local list = {}
  for _, word in ipairs(data.questionnaires) do
    local known, fault = questionnaire.find(word:find "[/.]" and study.path(data, word) or word)
    if not known then return nil, fault end
    if not done[known.name] then list[#list + 1] = known.name end
  end
  return list
end

return unanswered
