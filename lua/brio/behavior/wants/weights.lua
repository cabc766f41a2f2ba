--- The weights of a state's properties, from their positions in the list.
---
--- Source: LivelyStudio.  Item i of n (from 0) gets 50 / e^(i/n); a property inside a group
--- gets the group's weight times the group's priority.
local weights = {}

weights.highest = 50
weights.priorities = { low = 0.5, standard = 1, high = 5, critical = 50 }

--- The weight of the item at `index` (from 1) of `count`.
function weights.of_rank(index, count)
  return weights.highest / math.exp((index - 1) / count)
end

--- The list of {property, weight} of a ranked list of properties and groups.
function weights.of_list(list)
  local only, more = list[1], list[2]
  if only and not (more or only.group) then -- the case of most states
    return { { only, only.weight or weights.highest } }
  end
  local out = {}
  for index, item in ipairs(list) do
    local weight = weights.of_rank(index, #list)
    if item.group then
      for _, property in ipairs(item.group) do
        out[#out + 1] = { property, property.weight or weight * weights.priorities[item.priority] }
      end
    else
      out[#out + 1] = { item, item.weight or weight }
    end
  end
  return out
end

return weights
