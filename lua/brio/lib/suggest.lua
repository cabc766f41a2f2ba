--- Suggestions for misspelled names.
local suggest = {}

--- Number of letters to insert, delete, replace or swap with the next to turn one word into the other
--- (Damerau-Levenshtein, each letter changed once), as engine/base/name.c counts.
function suggest.distance(a, b)
  local above, row, now = {}, {}, {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    now[0] = i
    for j = 1, #b do
      local n = math.min(row[j - 1] + (a:byte(i) == b:byte(j) and 0 or 1), row[j] + 1, now[j - 1] + 1)
      local swapped = i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j)
      now[j] = swapped and math.min(n, above[j - 2] + 1) or n
    end
    above, row, now = row, now, above
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
