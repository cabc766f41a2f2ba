--- Line-based differences of two texts as a unified diff.
---
--- E. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1986: the shortest script of
--- deletions and insertions, found greedily by the number of edits.  Common lines at both ends are removed
--- first.
local diff = {}

--- Texts with more edits than this count as entirely different.
diff.most_edits = 4000

local context = 3 -- lines shown around a change

local function lines_of(text)
  local lines = {}
  for line in (text:sub(-1) == "\n" and text or text .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = line end
  if text == "" then lines = {} end
  return lines
end

--- Number of equal lines from (x, y), after x lines of a and y of b.
local function slide(a, b, x, y)
  while x < #a and y < #b and a[x + 1] == b[y + 1] do x, y = x + 1, y + 1 end
  return x
end

--- The furthest point on each diagonal for every number of edits, up to the number that reaches the end;
--- nil if that is above the limit.
local function search(a, b)
  local reach, trace = { [1] = 0 }, {}
  for edits = 0, diff.most_edits do
    local kept = {}
    for k = -edits, edits, 2 do
      local down = k == -edits or k ~= edits and reach[k - 1] < reach[k + 1]
      local x = down and reach[k + 1] or reach[k - 1] + 1
      x = slide(a, b, x, x - k)
      reach[k], kept[k] = x, x
      if x >= #a and x - k >= #b then
        trace[edits] = kept
        return trace, edits
      end
    end
    trace[edits] = kept
  end
end

--- The edits from a to b: list of {kind = " ", "-" or "+", text}.
local function script(a, b)
  local trace, edits = search(a, b)
  local list, x, y = {}, #a, #b
  local function add(kind, text) list[#list + 1] = { kind = kind, text = text } end
  if not trace then
    for index = #b, 1, -1 do add("+", b[index]) end
    for index = #a, 1, -1 do add("-", a[index]) end
    edits, x, y = 0, 0, 0
  end
  for d = edits, 1, -1 do
    local k, before = x - y, trace[d - 1]
    local down = k == -d or k ~= d and before[k - 1] < before[k + 1]
    local from_x = before[down and k + 1 or k - 1]
    local from_y = from_x - (down and k + 1 or k - 1)
    while x > (down and from_x or from_x + 1) do
      add(" ", a[x])
      x, y = x - 1, y - 1
    end
    if down then add("+", b[y]) else add("-", a[x]) end
    x, y = from_x, from_y
  end
  while x > 0 do
    add(" ", a[x])
    x = x - 1
  end
  local forward = {}
  for index = #list, 1, -1 do forward[#forward + 1] = list[index] end
  return forward
end

--- What changed from list `a` to list `b`, of lines or other texts: list of {first, last, from, to}: the
--- items first..last of `a` became from..to of `b` (last = first - 1: inserted before `first`; to = from - 1:
--- removed).
---@param a string[]
---@param b string[]
---@return { first: integer, last: integer, from: integer, to: integer }[]
function diff.changes(a, b)
  local changes, at_a, at_b, open = {}, 1, 1, nil
  for _, item in ipairs(script(a, b)) do
    if item.kind == " " then
      open = nil
      at_a, at_b = at_a + 1, at_b + 1
    else
      if not open then
        open = { first = at_a, last = at_a - 1, from = at_b, to = at_b - 1 }
        changes[#changes + 1] = open
      end
      if item.kind == "-" then open.last, at_a = at_a, at_a + 1
      else open.to, at_b = at_b, at_b + 1 end
    end
  end
  return changes
end

--- The parts of a script with changes, with their context: list of {first, last}.
local function hunks_of(list)
  local hunks = {}
  for index, item in ipairs(list) do
    if item.kind ~= " " then
      local hunk = hunks[#hunks]
      if hunk and index - context <= hunk.last + 1 then hunk.last = math.min(index + context, #list)
      else hunks[#hunks + 1] = { first = math.max(index - context, 1),
        last = math.min(index + context, #list) } end
    end
  end
  return hunks
end

local function range(first, count)
  if count == 1 then return tostring(first) end
  return ("%d,%d"):format(count == 0 and first - 1 or first, count)
end

--- The unified diff from text `a` to `b`, under these names; "" if they are equal.
function diff.unified(a, b, name_a, name_b)
  if a == b then return "" end
  local list = script(lines_of(a), lines_of(b))
  local out, at_a, at_b, index = { "--- " .. name_a, "+++ " .. name_b }, 1, 1, 1
  for _, hunk in ipairs(hunks_of(list)) do
    while index < hunk.first do at_a, at_b, index = at_a + 1, at_b + 1, index + 1 end
    local count = { [" "] = 0, ["-"] = 0, ["+"] = 0 }
    local place = #out + 1
    for i = hunk.first, hunk.last do
      count[list[i].kind] = count[list[i].kind] + 1
      out[place + i - hunk.first + 1] = list[i].kind .. list[i].text
    end
    local of_a, of_b = count[" "] + count["-"], count[" "] + count["+"]
    out[place] = ("@@ -%s +%s @@"):format(range(at_a, of_a), range(at_b, of_b))
    at_a, at_b, index = at_a + of_a, at_b + of_b, hunk.last + 1
  end
  return table.concat(out, "\n") .. "\n"
end

return diff
