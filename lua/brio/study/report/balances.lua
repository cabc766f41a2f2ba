--- The balance of a study's orders, as planned and as held.
local design, record = require "brio.study.design", require "brio.study.record"

--- The orders in which sessions were held, as numbers of conditions, by participant.
local function held(study)
  local orders, places = {}, {}
  for _, one in ipairs(study.found.conditions) do places[one.name] = one.place end
  for _, code in ipairs(study.found.codes) do
    local order = {}
    for _, session in ipairs(study.found.sessions) do
      if session.participant == code and record.counts(session) and session.ended then
        order[#order + 1] = places[session.condition] end
    end
    if order[1] then orders[#orders + 1] = order end
  end
  return orders
end

--- The orders of the plan as it is registered, as numbers of conditions.
local function planned_orders(study)
  local orders, places = {}, {}
  for _, one in ipairs(study.found.conditions) do places[one.name] = one.place end
  for index, code in ipairs(study.found.codes) do
    orders[index] = {}
    for place, row in ipairs(study.found.plan[code]) do orders[index][place] = places[row.condition] end
  end
  return orders
end

--- The balance of the plan, that of the completed sessions (see design.balance), and the orders that were
--- held.
return function(study)
  local k, orders = #study.data.conditions, held(study)
  return design.balance(planned_orders(study), k), design.balance(orders, k), orders
end
