--- Assignment of conditions: counterbalanced orders and balanced groups, from a seed.
---
--- A Latin square has every condition once in each row and each place.  A Williams design (E. J. Williams,
--- Australian Journal of Scientific Research A 2, 1949, 149-168) also has every condition directly after
--- every other equally often: for an even number of conditions its first row is 1, 2, k, 3, k-1, ... and each
--- next one is one higher; for an odd number the reversed rows are added.  Rows are assigned to participants
--- in blocks, each block a shuffle of all rows, so that order and time of joining are independent; each block
--- has its own random stream, so later participants do not change earlier assignments.
local random = require "brio.random"

local design = {}

local function shuffle(list, stream)
  for last = #list, 2, -1 do
    local other = stream:whole(last)
    list[last], list[other] = list[other], list[last]
  end
  return list
end

local function counting(n)
  local list = {}
  for index = 1, n do list[index] = index end
  return list
end

-- Rows of conditions, 1 to k -------------------------------------------------------------------------

--- Rows that rotate `first` by one each: k rows.
local function turned(first)
  local rows, k = {}, #first
  for add = 0, k - 1 do
    local row = {}
    for place, condition in ipairs(first) do row[place] = (condition - 1 + add) % k + 1 end
    rows[#rows + 1] = row
  end
  return rows
end

local function latin(k) return turned(counting(k)) end

local function williams(k)
  local first, low, high = { 1 }, 2, k
  for place = 2, k do
    if place % 2 == 0 then first[place], low = low, low + 1 else first[place], high = high, high - 1 end
  end
  local rows = turned(first)
  if k % 2 == 1 then
    for index = 1, k do
      local back = {}
      for place = 1, k do back[place] = rows[index][k + 1 - place] end
      rows[#rows + 1] = back
    end
  end
  return rows
end

--- All permutations.
local function all(k)
  local rows, row, used = {}, {}, {}
  local function go(place)
    if place > k then rows[#rows + 1] = table.move(row, 1, k, 1, {}) end
    for condition = 1, place <= k and k or 0 do
      if not used[condition] then
        used[condition], row[place] = true, condition
        go(place + 1)
        used[condition] = nil
      end
    end
  end
  go(1)
  return rows
end

--- The methods: for which designs, maximum number of conditions, a line for people, and rows(k) that are
--- assigned in shuffled blocks, or order(k, stream, participant): one participant's order.
design.ways = {
  williams = { within = true, rows = williams,
    doc = "each condition equally often in each place, and directly after each other one" },
  latin = { within = true, rows = latin, doc = "each condition equally often in each place" },
  all = { within = true, rows = all, most = 6, doc = "every order equally often" },
  random = { within = true, between = true,
    doc = "each participant's order, or group, drawn alone: balanced only by chance",
    order = function(k, stream) return shuffle(counting(k), stream) end },
  fixed = { within = true, between = true, doc = "the order of the file for everybody; groups in turn",
    order = function(k, _, participant, between)
      local list = counting(k)
      return between and { list[(participant - 1) % k + 1] } or list
    end },
  block = { between = true, doc = "groups equally large after every block of participants",
    rows = function(k, size)
      local rows = {}
      for index = 1, size do rows[index] = { (index - 1) % k + 1 } end
      return rows
    end },
}

--- Rows with permuted numbers of conditions, so that the square itself is random, too.
local function renamed(rows, names)
  local list = {}
  for index, row in ipairs(rows) do
    list[index] = {}
    for place, condition in ipairs(row) do list[index][place] = names[condition] end
  end
  return list
end

--- The plan for participants 1 to n: a list of { sequence, block, order (numbers of conditions) }.  `plan`: {
--- name, kind "within" or "between", way, conditions (their number), participants, seed, block (its size, for
--- "block") }.
function design.deal(plan)
  local way, k, list = design.ways[plan.way], plan.conditions, {}
  local function stream(what)
    return random.stream(plan.seed or 0, ("study %s %s"):format(plan.name, what))
  end
  if way.order then
    for participant = 1, plan.participants do
      local order = way.order(k, stream("participant " .. participant), participant, plan.kind == "between")
      list[participant] = { sequence = participant, order = plan.kind == "between" and { order[1] } or order }
    end
    return list
  end
  local rows = way.rows(k, plan.block or k)
  if plan.kind == "within" then rows = renamed(rows, shuffle(counting(k), stream "names")) end
  for participant = 1, plan.participants do
    local block, place = (participant - 1) // #rows + 1, (participant - 1) % #rows + 1
    local dealt = shuffle(counting(#rows), stream("block " .. block))
    list[participant] = { sequence = dealt[place], block = block, order = rows[dealt[place]] }
  end
  return list
end

--- Number of rows of a design before it repeats; nil: unlimited.
function design.rows(plan)
  local way = design.ways[plan.way]
  return way.rows and #way.rows(plan.conditions, plan.block or plan.conditions) or nil
end

local function grid(rows, columns)
  local list = {}
  for row = 1, rows do
    list[row] = {}
    for column = 1, columns do list[row][column] = 0 end
  end
  return list
end

--- The balance of orders: { places[place][condition], after[first][second] (directly one after the other),
--- even_places, even_after }.  `orders`: a list of lists of numbers, 1 to k; unused places are absent.
function design.balance(orders, k)
  local longest = 0
  for _, order in ipairs(orders) do longest = math.max(longest, #order) end
  local found = { places = grid(longest, k), after = grid(k, k), even_places = true, even_after = true }
  for _, order in ipairs(orders) do
    for place, condition in ipairs(order) do
      found.places[place][condition] = found.places[place][condition] + 1
      local before = order[place - 1]
      if before then found.after[before][condition] = found.after[before][condition] + 1 end
    end
  end
  local pairs_of = longest > 1 and found.after[1][2]
  for first = 1, k do
    for place = 1, longest do
      if found.places[place][first] ~= found.places[place][1] then found.even_places = false end
    end
    for second = 1, k do
      if pairs_of and first ~= second and found.after[first][second] ~= pairs_of then
        found.even_after = false
      end
    end
  end
  return found
end

return design
