--- Three-way merge of texts by words: two versions that were made of one, where their changes do not touch.
---
--- The changes of each version are found by Myers' algorithm (lib/diff.lua) over words, blanks and line ends.
--- Two changes touch if they have a word in common or stand side by side: then nothing is merged, and both
--- places are named.
local diff = require "brio.lib.diff"

local merge = {}

--- The words of a text: names and numbers, runs of blanks, single other bytes.
local function words_of(text)
  local list, at = {}, 1
  while at <= #text do
    local _, stop = text:find("^[%w_]+", at)
    if not stop then _, stop = text:find("^[ \t]+", at) end
    stop = stop or at
    list[#list + 1], at = text:sub(at, stop), stop + 1
  end
  return list
end

--- The line in which a word begins.
local function line_of(words, index)
  local line = 1
  for place = 1, math.min(index, #words + 1) - 1 do
    if words[place] == "\n" then line = line + 1 end
  end
  return line
end

--- Whether two changes of one list are the same.
local function same(one, words, other, others)
  if one.first ~= other.first or one.last ~= other.last or one.to - one.from ~= other.to - other.from then
    return false
  end
  for index = 0, one.to - one.from do
    if words[one.from + index] ~= others[other.from + index] then return false end
  end
  return true
end

--- Merge what `mine` and `theirs` changed in `base`: the text; nil, list of {base, mine, theirs}: the lines
--- where they touch.
---@param base string
---@param mine string
---@param theirs string
---@return string? text, { base: integer, mine: integer, theirs: integer }[]? conflicts
function merge.three(base, mine, theirs)
  if mine == theirs or theirs == base then return mine end
  if mine == base then return theirs end
  local words, of_mine, of_theirs = words_of(base), words_of(mine), words_of(theirs)
  local a, b = diff.changes(words, of_mine), diff.changes(words, of_theirs)
  local list, conflicts, taken = {}, {}, {}
  for _, one in ipairs(a) do
    list[#list + 1] = { change = one, words = of_mine }
    for _, other in ipairs(b) do
      if one.first <= other.last + 1 and other.first <= one.last + 1 then
        if same(one, of_mine, other, of_theirs) then taken[other] = true
        else
          conflicts[#conflicts + 1] = { base = line_of(words, one.first), mine = line_of(of_mine, one.from),
            theirs = line_of(of_theirs, other.from) }
        end
      end
    end
  end
  if conflicts[1] then return nil, conflicts end
  for _, other in ipairs(b) do
    if not taken[other] then list[#list + 1] = { change = other, words = of_theirs } end
  end
  table.sort(list, function(x, y) return x.change.first < y.change.first end)
  local parts, at = {}, 1
  for _, one in ipairs(list) do
    local change = one.change
    parts[#parts + 1] = table.concat(words, "", at, change.first - 1)
    parts[#parts + 1] = table.concat(one.words, "", change.from, change.to)
    at = change.last + 1
  end
  parts[#parts + 1] = table.concat(words, "", at)
  return table.concat(parts)
end

return merge
