--- Suggestions for misspelled names.
local suggest = {}

--- Buffers of suggest.distance: three rows of distances, and the letters of the second word.
local rows, letters = { {}, {}, {} }, {}

--- Edit distance of two words: insertions, deletions, replacements and swaps of adjacent letters
--- (Damerau-Levenshtein, each letter edited once), as in engine/base/name.c.
function suggest.distance(a, b)
  local above, row, now, count, before = rows[1], rows[2], rows[3], #b, nil
  row[0] = 0
  for j = 1, count do row[j], letters[j] = j, b:byte(j) end
  for i = 1, #a do
    local letter, left = a:byte(i), i
    now[0] = i
    for j = 1, count do
      local other, n = letters[j], row[j - 1]
      if letter ~= other then n = n + 1 end
      if row[j] + 1 < n then n = row[j] + 1 end
      if left + 1 < n then n = left + 1 end
      -- a swap of two adjacent letters
      local swaps = j > 1 and other == before and letter == letters[j - 1]
      if swaps and above[j - 2] + 1 < n then n = above[j - 2] + 1 end
      now[j], left = n, n
    end
    above, row, now, before = row, now, above, letter
  end
  return row[count]
end

--- Maximum length of a text that may be a misspelled name, bytes.
local longest = 128

--- The name in `names` (a list) nearest to `wrong`, or nil if none is similar: a name without common
--- letters is not.
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

--- " (did you mean 'x'?)", or "" if no name is similar.
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
