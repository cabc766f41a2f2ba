--- How a long animation is divided into windows that overlap: each begins and ends on a keyframe and has
--- about as many keyframes as the others. Source: Algorithm 1 of Li, Cummings, Sreenath, "Animated Cassie",
--- 2020; its loop drops a short rest at the end, which belongs to the last window here.
local windows = {}

--- Frames at which windows may begin and end: the keyframes with the first and the last frame, rising, each
--- once.
---@param count integer frames
---@param keys? integer[] keyframes, from 1; without them, every `every`-th frame
---@param every integer
---@return integer[]
function windows.marks(count, keys, every)
  local seen, list = { [1] = true, [count] = true }, { 1 }
  if count > 1 then list[2] = count end
  local function add(frame)
    if not seen[frame] and frame > 1 and frame < count then seen[frame], list[#list + 1] = true, frame end
  end
  for _, frame in ipairs(keys or {}) do add(frame) end
  for frame = 1 + every, keys and 0 or count, every do add(frame) end
  table.sort(list)
  return list
end

--- The windows of a list of marks: each spans `span` of them, and begins `overlap` before the end of the one
--- before. A rest too short for a window of its own is part of the last one.
---@param marks integer[]
---@param span integer marks from the begin of a window to its end, at least 1
---@param overlap integer marks, less than `span`
---@return table list of { first, last }: frames
function windows.divide(marks, span, overlap)
  local list, from = {}, 1
  while true do
    local to = math.min(from + span, #marks)
    -- what is left would be less than half a window
    if #marks - to < math.max(1, (span - overlap + 1) // 2) then to = #marks end
    list[#list + 1] = { first = marks[from], last = marks[to] }
    if to == #marks then return list end
    from = to - overlap
  end
end

--- Make one of a window and the next.
---@param list table of windows, changed
---@param index integer of the first
function windows.unite(list, index)
  local next_one = table.remove(list, index + 1)
  if next_one then list[index] = { first = list[index].first, last = next_one.last } end
end

return windows
