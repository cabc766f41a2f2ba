--- Suggestions for misspelled names.
local suggest = {}

--- Number of letters to insert, delete or replace to turn one word into the other (Levenshtein).
function suggest.distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local replace = diagonal + (a:byte(i) == b:byte(j) and 0 or 1)
      diagonal = row[j]
      row[j] = math.min(replace, row[j] + 1, row[j - 1] + 1)
    end
  end
  return row[#b]
end

--- Longer texts are not misspelled names, bytes.
local longest = 128

--- The nearest of `names` (a list) to `wrong`, or nil when none is near: one that shares nothing is not.
function suggest.nearest(wrong, names)
  local best, least = nil, #wrong // 3 + 2
  if #wrong > longest then return nil end
  for _, name in ipairs(names) do
    local n = math.abs(#wrong - #name) < least and suggest.distance(wrong:lower(), name:lower()) or least
    if n < least and n < math.max(#wrong, #name) then best, least = name, n end
  end
  return best
end

--- Whether a list holds a name.
function suggest.contains(names, name)
  for _, known in ipairs(names) do
    if known == name then return true end
  end
  return false
end

--- " (did you mean 'x'?)", or "" when no name is near.
function suggest.hint(wrong, names)
  local name = suggest.nearest(wrong, names)
  return name and (" (did you mean '%s'?)"):format(name) or ""
end

--- The string keys of a table, sorted.
function suggest.keys(map)
  local names = {}
  for key in next, map do
    if type(key) == "string" then names[#names + 1] = key end
  end
  if names[2] then table.sort(names) end
  return names
end

return suggest
