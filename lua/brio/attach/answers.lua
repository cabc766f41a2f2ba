--- What a run answers to a line, as it is shown; questions of SQL are asked of the store's file, here.
local columns = require "brio.columns"
local store = require "brio.store"

local answers = {}

--- Rows of an answer of SQL that are shown.
answers.most_rows = 200

--- Ask the run's own store: the engine has nothing to do with it.
local function ask_store(reply)
  local db, why = store.open(reply.store)
  if not db then return nil, why end
  local next_row, names = db:rows(reply.sql)
  if not next_row then
    db:close()
    return nil, names
  end
  local rows = {}
  local good, fault = pcall(function()
    for row in next_row do
      if #rows == answers.most_rows then break end
      rows[#rows + 1] = row
    end
  end)
  db:close()
  if not good then return nil, (tostring(fault):gsub("^[^:]*%.lua:%d+: ", "")) end
  return columns.text(names, rows) .. (#rows == answers.most_rows and ("\n(the first %d rows)"):format(answers.most_rows) or "")
end

--- What a reply says: its text, or nil and what was wrong.
function answers.text(reply)
  if reply.sql then return ask_store(reply) end
  if reply.error then return nil, reply.error end
  return reply.text or ""
end

--- Whether a line is about leaving the prompt.
function answers.leaves(text) return text:match "^%s*quit%s*$" or text:match "^%s*exit%s*$" end

return answers
