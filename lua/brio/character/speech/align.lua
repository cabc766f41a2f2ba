--- Assigns a program's sounds to words. Programs join words ("of the" is one) and split them ("20" may be
--- two), so if the counts differ, words and groups of sounds are paired in order so that their durations fit
--- best: the cheapest path through the table of both, as in dynamic time warping.
local sounds = require "brio.character.speech.sounds"

local align = {}

--- Maximum number of words and groups in one pair.
local pairs_of = { { 1, 1 }, { 2, 1 }, { 3, 1 }, { 1, 2 }, { 1, 3 }, { 1, 4 } }

--- Width of the band around the diagonal of the table; cost of a pair that is not one to one, s.
local band, uneven = 6, 0.02

local function seconds_of(list)
  local sum = 0
  for _, sound in ipairs(list) do sum = sum + sound[2] end
  return sum
end

--- Sums of lengths up to each item: sums[i] is of the first i.
local function sums_of(lists)
  local sums = { [0] = 0 }
  for index, list in ipairs(lists) do sums[index] = sums[index - 1] + seconds_of(list) end
  return sums
end

--- The cheapest alignment: a list of pairs from the end to the beginning; nil: none within the band.
local function way_of(spelled, heard)
  local n, m, best = #spelled, #heard, { [0] = { [0] = { cost = 0 } } }
  local words, groups = sums_of(spelled), sums_of(heard)
  local scale = groups[m] / math.max(words[n], 1e-9)
  for i = 1, n do
    best[i] = {}
    for j = math.max(1, math.floor(i * m / n) - band), math.min(m, math.ceil(i * m / n) + band) do
      for _, pair in ipairs(pairs_of) do
        local from = best[i - pair[1]] and best[i - pair[1]][j - pair[2]]
        if from then
          local off = scale * (words[i] - words[i - pair[1]]) - (groups[j] - groups[j - pair[2]])
          local cost = from.cost + math.abs(off) + (pair[1] == pair[2] and 0 or uneven)
          if not best[i][j] or cost < best[i][j].cost then best[i][j] = { cost = cost, pair = pair } end
        end
      end
    end
  end
  if not best[n][m] then return nil end
  local way, i, j = {}, n, m
  while i > 0 do
    local pair = best[i][j].pair
    way[#way + 1] = pair
    i, j = i - pair[1], j - pair[2]
  end
  return way
end

--- Distribute the sounds of a group over words, by the durations of their letters. Each gets at least one.
local function share_out(group, spelled, made)
  local total, taken, sum = 0, 0, 0
  for _, list in ipairs(spelled) do total = total + seconds_of(list) end
  for index, list in ipairs(spelled) do
    sum = sum + seconds_of(list)
    local to = math.floor(#group * sum / total + 0.5)
    to = math.max(taken + 1, math.min(to, #group - (#spelled - index)))
    made[#made + 1] = table.move(group, taken + 1, math.min(to, #group), 1, {})
    if #made[#made] == 0 then made[#made] = list end
    taken = math.min(to, #group)
  end
end

--- The sounds of each word: from `heard`, the groups of sounds of a program; from the letters if these do not
--- fit.
function align.words(words, heard)
  local spelled = {}
  for index, word in ipairs(words) do spelled[index] = sounds.of_word(word.text) end
  if not heard or #heard == 0 or #words == 0 then return spelled end
  if #heard == #words then return heard end
  local way, made, i, j = way_of(spelled, heard), {}, 0, 0
  if not way then return spelled end
  for step = #way, 1, -1 do
    local group, pair = {}, way[step]
    for k = j + 1, j + pair[2] do table.move(heard[k], 1, #heard[k], #group + 1, group) end
    share_out(group, table.move(spelled, i + 1, i + pair[1], 1, {}), made)
    i, j = i + pair[1], j + pair[2]
  end
  return made
end

return align
