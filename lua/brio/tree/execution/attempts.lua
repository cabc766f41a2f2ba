--- Varies the attempts of a retry: item k of the list `vary` gives the fields that change at attempt k, for
--- nodes inside; after the last item, that one stays in force.
---
---     { "retry", times = 3, vary = { {}, { ["turn the knob"] = { force = 8 } }, { ["turn the knob"] = {
---       force = 12 } } }, ... }
local suggest = require "brio.lib.suggest"

local attempts = {}

--- The field of a retry.
attempts.field = { "list", of = "table",
  doc = "changed fields of each attempt: { [node] = { field = value } }, by name or id" }

--- The settings of an attempt for a node, by its id or name; nil: none.
local function said_of(change, record)
  return change[record.id or 0] or change[tostring(record.id)] or change[record.name]
end

--- The fields of a node that change now; nil: none.  turn(node): how often a running retry has failed so
--- far.
function attempts.change(list, number, turn)
  local record, around = list[number], list[number].parent
  while around > 0 do
    local vary = list[around].kind == "retry" and list[around].form.vary
    if vary and #vary > 0 then
      local said = said_of(vary[math.min(turn(around) + 1, #vary)], record)
      if said then return said end
    end
    around = list[around].parent
  end
end

--- A leaf's values with a change applied; returns the same table while both are the same.  `made`: the last
--- result.
function attempts.values(values, change, made)
  if made and made.values == values and made.change == change then return made.merged, made end
  local merged = {}
  for key, value in next, values do merged[key] = value end
  for key, value in next, change do merged[key] = value end
  return merged, { values = values, change = change, merged = merged }
end

local fixed = { name = true, id = true, after = true, kind = true, children = true }

--- The error in one item of a list, for the nodes inside.
local function fault_of_item(inside, names, key, said, field_fault)
  if type(said) ~= "table" then
    return ("'%s' is a table of fields, not a %s"):format(tostring(key), type(said))
  end
  local any = false
  for _, record in ipairs(inside) do
    if said_of({ [key] = said }, record) then
      any = true
      if record.kind ~= "call" then
        return ("'%s' is a %s: fields of leaves that do something can vary"):format(record.name, record.is)
      end
      for _, field in ipairs(suggest.keys(said)) do
        local why = fixed[field] and (" (%s): %s cannot vary"):format(record.is, field)
          or field_fault(record.is, field, said[field])
        if why then return ("'%s'%s"):format(record.name, why) end
      end
    end
  end
  if not any then
    return ("there is no node '%s' inside%s"):format(tostring(key), suggest.hint(tostring(key), names))
  end
end

--- The error in the `vary` of node `number`, in words, or nil.  `list`: of a compiled tree;
--- field_fault(kind, key, value) checks a field.
function attempts.fault(list, number, field_fault)
  local vary, inside, names = list[number].form.vary, {}, {}
  if type(vary) ~= "table" then return nil end
  for index = number + 1, #list do
    local around = list[index].parent
    while around > number do around = list[around].parent end
    if around < number then break end
    inside[#inside + 1], names[#names + 1] = list[index], list[index].name
  end
  for index, item in ipairs(vary) do
    for key, said in next, type(item) == "table" and item or {} do
      local why = fault_of_item(inside, names, key, said, field_fault)
      if why then return ("vary, attempt %d: %s"):format(index, why) end
    end
  end
end

--- The alternative values that a leaf may have in attempts around it: a list.
function attempts.variants(list, number)
  local found, around = {}, list[number].parent
  while around > 0 do
    local vary = list[around].kind == "retry" and list[around].form.vary
    for _, item in ipairs(type(vary) == "table" and vary or {}) do
      local said = type(item) == "table" and said_of(item, list[number])
      if said then found[#found + 1] = attempts.values(list[number].values, said) end
    end
    around = list[around].parent
  end
  return found
end

return attempts
