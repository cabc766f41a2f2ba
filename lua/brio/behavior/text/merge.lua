--- Three-way merge of texts: two versions that were made of one, where their changes do not touch.
---
--- The changes of each version are found by Myers' algorithm (lib/diff.lua), first over lines, and within
--- changed lines over words.  Two changes touch if they have a word in common, put something at the same
--- place, or stand side by side in a line: then nothing is merged, and both places are named.
local diff = require "brio.lib.diff"

local merge = {}

--- Add the words of a line: names and numbers, runs of blanks, single other bytes.
local function add_words(list, text)
  local at = 1
  while at <= #text do
    local _, stop = text:find("^[%w_]+", at)
    if not stop then _, stop = text:find("^[ \t]+", at) end
    stop = stop or at
    list[#list + 1], at = text:sub(at, stop), stop + 1
  end
end

--- The lines of a text with their ends, its words, and the first word of each line.
local function split(text)
  local lines, words, starts = {}, {}, {}
  for line in text:gmatch "[^\n]*\n?" do
    if line ~= "" then
      lines[#lines + 1], starts[#starts + 1] = line, #words + 1
      add_words(words, line)
    end
  end
  starts[#starts + 1] = #words + 1
  return { lines = lines, words = words, starts = starts }
end

--- The changes from one text to another, in words.
local function changes_of(a, b)
  local list = {}
  for _, line in ipairs(diff.changes(a.lines, b.lines)) do
    local first, last = a.starts[line.first], a.starts[line.last + 1] - 1
    local from, to = b.starts[line.from], b.starts[line.to + 1] - 1
    if first > last or from > to then
      list[#list + 1] = { first = first, last = last, from = from, to = to }
    else
      local inner = diff.changes(table.move(a.words, first, last, 1, {}),
        table.move(b.words, from, to, 1, {}))
      for _, one in ipairs(inner) do
        list[#list + 1] = { first = first + one.first - 1, last = first + one.last - 1,
          from = from + one.from - 1, to = from + one.to - 1 }
      end
    end
  end
  return list
end

--- Whether two changes of the same words touch.
local function touch(words, one, other)
  if one.first > other.first then one, other = other, one end
  if other.first > one.last + 1 then return false end
  if one.last < one.first and other.last < other.first then return one.first == other.first end
  local meet = other.first == one.last + 1 or other.first == one.first and other.last < other.first
    or other.first == one.first and one.last < one.first
  return not meet or words[other.first - 1] ~= "\n" and other.first > 1
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
  local split_base, split_mine, split_theirs = split(base), split(mine), split(theirs)
  local words, of_mine, of_theirs = split_base.words, split_mine.words, split_theirs.words
  local a, b = changes_of(split_base, split_mine), changes_of(split_base, split_theirs)
  local list, conflicts, taken = {}, {}, {}
  for _, one in ipairs(a) do
    list[#list + 1] = { change = one, words = of_mine }
    for _, other in ipairs(b) do
      if touch(words, one, other) then
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
  table.sort(list, function(x, y)
    if x.change.first ~= y.change.first then return x.change.first < y.change.first end
    return x.change.last < y.change.last
  end)
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
