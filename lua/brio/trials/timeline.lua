--- A tree over time: as planned, from the expected durations of its leaves, and as executed in a run.
---
--- A bar is {node, started, ended, status = "success", "failure", "stopped", "running", unknown = true: the
--- duration is unknown, so it is drawn 1 s long}, in s since the tree began.  A line is {node, kind, name,
--- depth, leaf}.
local nodes = require "brio.nodes"
local trees = require "brio.tree.model.tree"

local timeline = {}

--- Default length of a step, s, as in the IHMC system.
timeline.unknown = 1

--- Maximum duration of a plan, s, and maximum number of bars.
timeline.longest, timeline.most_bars = 600, 1000

local kinds = {}
for _, row in ipairs(nodes.kinds()) do kinds[row.name] = row end

--- Leaves that the core runs itself, because they take no time.
local at_once = { ["goto"] = true, gosub = true, checkpoint = true, counter = true, succeed = true,
  fail = true }

-- Planned ---------------------------------------------------------------------------------------------------

--- Duration of a leaf, if it is known, else 1 s and true.
local function seconds_of(record, site)
  if record.kind == "wait" then
    return record.seconds or kinds.wait.params[1].value
  end
  local leaf = trees.kinds[record.is].record
  local good, seconds = pcall(function() return leaf and leaf.seconds
    and leaf.seconds(record.values, site) end)
  if good and type(seconds) == "number" and seconds >= 0 and seconds < math.huge then
    return seconds, false
  end
  return timeline.unknown, true
end

--- The list that the plan runs: every leaf that takes time is replaced by a call.
local function planned_list(compiled)
  local list = {}
  for number, record in ipairs(compiled.list) do
    list[number] = record
    if kinds[record.kind].leaf and not at_once[record.kind] then
      list[number] = {}
      for key, value in next, record do list[number][key] = value end
      list[number].kind, list[number].to, list[number].to_id = "call", nil, nil
    end
  end
  return list
end

local Plan = {}
Plan.__index = Plan

--- Record the changes of a step.
function Plan:note()
  for _, node in ipairs(self.nodes:changes() or {}) do
    local status = self.nodes:status(node)
    local open = self.open[node]
    if status == "running" then
      self.open[node] = { node = node, started = self.now, unknown = self.unknown[node] }
      self.bars[#self.bars + 1] = self.open[node]
    elseif open then
      open.ended, open.status = self.now, status == "idle" and "stopped" or status
      self.open[node] = nil
    elseif status ~= "idle" then
      self.bars[#self.bars + 1] = { node = node, started = self.now, ended = self.now, status = status }
    end
  end
end

--- The time at which the next leaf ends, s; a step later if no leaf with a duration runs.
function Plan:next()
  local soonest
  for node, bar in next, self.open do
    local ends = self.list[node].kind == "call" and bar.started + self.seconds[node]
    if ends and ends > self.now and ends < (soonest or math.huge) then soonest = ends end
  end
  return math.min(soonest or self.now + 0.005, self.now + 0.05)
end

--- Plan a compiled tree at a site (description, sequences: see tree/leaves.lua): all leaves succeed after
--- their expected durations. Return {bars, seconds, endless = whether it was cut off}.
function timeline.plan(compiled, site, longest)
  local self = setmetatable({ compiled = compiled, list = planned_list(compiled), seconds = {}, unknown = {},
    bars = {}, open = {}, now = 0 }, Plan)
  for number, record in ipairs(self.list) do
    if record.kind == "call" then
      self.seconds[number], self.unknown[number] = seconds_of(compiled.list[number], site or {})
    end
    if self.unknown[number] == false then self.unknown[number] = nil end
  end
  -- run the tree with simulated leaves, from one end of a leaf to the next
  self.nodes = nodes.new(self.list, function(node, _, _, elapsed)
    return elapsed >= self.seconds[node] - 1e-9 or nil
  end)
  self.nodes:begin()
  local status
  longest = longest or timeline.longest
  while true do
    status = self.nodes:work(self.now)
    self:note()
    if status ~= "running" or self.now >= longest or #self.bars > timeline.most_bars then break end
    self.now = self:next()
  end
  -- nodes that are still running at the cut-off
  for _, bar in next, self.open do bar.ended, bar.status = self.now, "running" end
  return { bars = self.bars, seconds = self.now, endless = status == "running" }
end

-- Executed --------------------------------------------------------------------------------------------------

--- The lines of a list of {kind, name, parent}, or of a compiled tree: the nodes that can run, with their
--- depth.
function timeline.lines(list)
  local lines, depth = {}, { [0] = 0 }
  for number, record in ipairs(list) do
    local kind, name, parent = record.is or record[1], record.name or record[2], record.parent or record[3]
    local core = kinds[record.kind or kind] or kinds.call
    depth[number] = depth[parent] + (core.open and 0 or 1)
    if not core.open and kind ~= "goto" and kind ~= "checkpoint" then
      lines[#lines + 1] = { node = number, kind = kind, name = name, depth = depth[parent],
        leaf = core.leaf or false }
    end
  end
  return lines
end

--- The trees that ran in a recorded run: a list of {tree, state, started, nodes = list of {kind, name,
--- parent}, bars, seconds}; or nil and a sentence.  decode(text) reads JSON.
function timeline.of_run(db, run, decode)
  local list, why = db:query([[SELECT t.id AS tree, s.state, t.started, h.nodes FROM trees t
    JOIN tree_shapes h ON h.run = t.run AND h.id = t.shape LEFT JOIN states s ON s.run = t.run
      AND s.id = t.state
    WHERE t.run = ? ORDER BY t.id]], run)
  if not list then return nil, why end
  local last = db:query("SELECT duration FROM run_summary WHERE run = ?", run)
  for _, tree in ipairs(list) do
    tree.nodes, tree.bars, tree.seconds = decode(tree.nodes), {}, 0
    local rows, fault = db:query("SELECT node, status, started, ended, why FROM tree_nodes WHERE run = ? \z
      AND tree = ?"
      .. " ORDER BY started, node", run, tree.tree)
    if not rows then return nil, fault end
    for index, row in ipairs(rows) do
      local ended = (row.ended or last and last[1] and last[1].duration or row.started) - tree.started
      tree.bars[index] = { node = row.node, started = row.started - tree.started, ended = ended,
        why = row.why, status = row.status == "again" and "success" or row.status }
      tree.seconds = math.max(tree.seconds, ended)
    end
  end
  return list
end

-- As text ---------------------------------------------------------------------------------------------------

local width = { name = 27, bars = 34 }

--- A text of a number of columns.
local function fitted(text, columns)
  local length = utf8.len(text) or #text
  if length > columns then return text:sub(1, (utf8.offset(text, columns) or columns) - 1) .. "…" end
  return text .. (" "):rep(columns - length)
end

local ends = { failure = "x", stopped = "|", running = ">" }

--- The bars of one node as a row of characters; `body`: the character of a bar.
local function drawn(bars, seconds, body)
  local cells = {}
  for index = 1, width.bars do cells[index] = " " end
  local function place(t)
    return math.max(1, math.min(width.bars, 1 + math.floor(t / seconds * width.bars + 1e-9)))
  end
  local function last_of(bar)
    return math.max(place(bar.started), math.ceil(math.min(bar.ended, seconds) / seconds * width.bars - 1e-9))
  end
  for _, bar in ipairs(bars) do
    for index = place(bar.started), last_of(bar) do cells[index] = bar.unknown and "?" or body end
    if bar.ended == bar.started then cells[last_of(bar)] = "." end
  end
  -- the end of a bar stays visible if another bar follows
  for _, bar in ipairs(bars) do cells[last_of(bar)] = ends[bar.status] or cells[last_of(bar)] end
  return table.concat(cells)
end

--- Lengths of bars, in words.
local function lengths(bars)
  local sum, unknown = 0, false
  for _, bar in ipairs(bars) do sum, unknown = sum + bar.ended - bar.started, unknown or bar.unknown end
  local each = ("%.2f s"):format(#bars > 0 and sum / #bars or 0)
  return (#bars > 1 and #bars .. " x " or "") .. each .. (unknown and "?" or "")
end

--- The line of numbers over the bars.
local function scale(seconds)
  local cells, step = {}, 1
  for _, size in ipairs { 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600 } do
    step = size
    if seconds / size <= 5 then break end
  end
  for index = 1, width.bars + 8 do cells[index] = " " end
  for mark = 0, math.floor(seconds / step + 1e-9) do
    local at = 1 + math.floor(mark * step / seconds * width.bars)
    local text = ("%g"):format(mark * step)
    for index = 1, at <= width.bars and #text or 0 do cells[at + index - 1] = text:sub(index, index) end
  end
  return (" "):rep(width.name + 5) .. table.concat(cells):gsub("%s+$", "") .. " s"
end

--- Bars by node.
local function by_node(bars)
  local map = {}
  for _, bar in ipairs(bars or {}) do
    map[bar.node] = map[bar.node] or {}
    table.insert(map[bar.node], bar)
  end
  return map
end

--- The timeline as lines of at most 80 columns: `lines` as from timeline.lines; `planned` and `actual` with
--- bars and seconds, both optional.
function timeline.text(lines, planned, actual)
  local plan, went = by_node(planned and planned.bars), by_node(actual and actual.bars)
  local seconds = math.max(planned and planned.seconds or 0, actual and actual.seconds or 0, 1e-3)
  local out, both = { scale(seconds) }, planned and actual
  for _, line in ipairs(lines) do
    local name = ("%3d %s%s"):format(line.node, ("  "):rep(line.depth), line.name)
    local function add(word, bars, body)
      local row = fitted(name, width.name - 1) .. " " .. fitted(word, 5) .. drawn(bars, seconds, body)
        .. "  " .. lengths(bars)
      out[#out + 1] = row:gsub("%s+$", "")
      name = ""
    end
    if plan[line.node] then add(both and "plan" or "", plan[line.node], "-") end
    if went[line.node] then add(both and "went" or "", went[line.node], "=") end
    if name ~= "" and both then out[#out + 1] = (fitted(name, width.name - 1)):gsub("%s+$", "") end
  end
  return out
end

-- As a chart ------------------------------------------------------------------------------------------------

local colors = { success = { 0.00, 0.45, 0.70 }, failure = { 0.84, 0.37, 0.00 },
  stopped = { 0.35, 0.35, 0.35 }, running = { 0.34, 0.71, 0.91 } }
local words = { success = "succeeded", failure = "failed", stopped = "stopped", running = "still runs" }
local pale = { 0.55, 0.55, 0.55 }

--- A panel for brio.draw.chart: planned bars pale and thin, executed ones below them in blue, failed ones
--- in orange, stopped ones in gray.
function timeline.panel(title, lines, planned, actual)
  local bands, plan, went = {}, by_node(planned and planned.bars), by_node(actual and actual.bars)
  local both = planned and actual
  local function add(line, bar, more)
    more.from, more.to, more.row, more.depth, more.key = bar.started, bar.ended, line.name, line.depth,
      line.node
    bands[#bands + 1] = more
  end
  for _, line in ipairs(lines) do
    for _, bar in ipairs(plan[line.node] or {}) do
      add(line, bar, { color = pale, label = not both and bar.unknown and "?" or "",
        part = both and { 0, 0.35 } or nil, faint = bar.unknown })
    end
    for _, bar in ipairs(went[line.node] or {}) do
      add(line, bar, { color = colors[bar.status], label = bar.status == "failure" and line.leaf and bar.why
        or "", part = both and { 0.35, 1 } or nil })
    end
  end
  local legend, seen = {}, {}
  if planned then legend[1] = { "planned", pale } end
  for _, bar in ipairs(planned and planned.bars or {}) do seen.unknown = seen.unknown or bar.unknown end
  if seen.unknown then legend[#legend + 1] = { "nobody says (1 s)", pale, faint = true } end
  for _, bar in ipairs(actual and actual.bars or {}) do seen[bar.status] = true end
  for _, status in ipairs { "success", "failure", "stopped", "running" } do
    if seen[status] then legend[#legend + 1] = { words[status], colors[status] } end
  end
  return { title = title, bands = bands, legend = legend }
end

return timeline
