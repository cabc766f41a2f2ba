--- A study in words and tables, for the terminal and for reports.
local columns, design = require "brio.lib.columns", require "brio.study.design"

local words = {}

--- "Does a nod help? (within subjects, williams, 8 participants, 2 conditions)"
function words.study(data)
  return ("%s: %s (%s subjects, %s, %d participants, %d conditions)"):format(data.name, data.title,
    data.design, data.counterbalance,
    data.participants, #data.conditions)
end

--- The plan as a table: a row a participant, a column a place.
function words.plan(plan)
  local names, rows = { "participant", "row" }, {}
  for n, one in ipairs(plan) do
    rows[n] = { participant = one.participant, row = one.sequence }
    for place, condition in ipairs(one.conditions) do
      names[place + 2] = "session " .. place
      rows[n]["session " .. place] = condition
    end
  end
  return columns.text(names, rows)
end

--- The balance of a plan, in a sentence or two.
function words.balance(data, found)
  local way = design.ways[data.counterbalance]
  local list = { ("%s: %s."):format(data.counterbalance, way.doc) }
  if data.design == "between" then
    local groups = {}
    for index, one in ipairs(data.conditions) do
      groups[index] = ("%s %d"):format(one.name, found.places[1][index])
    end
    list[#list + 1] = "Participants in each group: " .. table.concat(groups, ", ") .. "."
  else
    list[#list + 1] = found.even_places
      and ("Each condition comes %d times in each place."):format(found.places[1][1])
      or "Places are not balanced."
    local after = found.after[1][2]
    list[#list + 1] = #data.conditions < 2 and "" or found.even_after
      and ("Each condition comes %d times directly after each other one."):format(after)
      or "What follows what is not balanced."
  end
  return table.concat(list, " ")
end

return words
