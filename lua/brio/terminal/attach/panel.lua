--- The panel above the input line: the session script's step with its expectation, keys, the queue, and the
--- robot's status, in at most `height` lines of `width` columns.  Drawn from the run's data (see
--- operator/desk.lua), as pieces.
local status = require "brio.operator.desk.status"
local widths = require "brio.terminal.attach.widths"

local panel = {}

panel.glyphs = {
  utf8 = { rule = "\u{2500}", dot = " \u{00B7} ", cut = "\u{2026}", to = "\u{2192}" },
  ascii = { rule = "-", dot = " | ", cut = "...", to = "->" },
}

--- Styles of terminals; without color, only the colorless ones remain.
panel.styles = { head = "1", dim = "2", good = "32", warn = "33", bad = "1;31", rule = "2", mark = "36",
  match = "1;4", now = "1;36" }
panel.plain_styles = { head = "1", match = "4", now = "1", bad = "1" }

--- A line of a number of columns, with styles.
function panel.text(line, width, styles)
  local parts, left = {}, width
  for _, piece in ipairs(line) do
    if left <= 0 then break end
    local text, columns = widths.cut(piece[1], left)
    local style = piece[2] and styles[piece[2]]
    parts[#parts + 1] = style and text ~= "" and ("\27[%sm%s\27[0m"):format(style, text) or text
    left = left - columns
  end
  return table.concat(parts)
end

--- Seconds as people read them.
local function clock(seconds)
  seconds = math.max(0, math.floor(seconds))
  if seconds >= 3600 then
    return ("%d:%02d:%02d"):format(seconds // 3600, seconds // 60 % 60, seconds % 60)
  end
  return ("%d:%02d"):format(seconds // 60, seconds % 60)
end

--- Rows with labels: a column of labels, then the items separated by dots.
local function row(glyphs, label, items, style)
  local line = { { ("%-8s"):format(label), "dim" } }
  for index, item in ipairs(items) do
    if index > 1 then line[#line + 1] = { glyphs.dot, "dim" } end
    if type(item) == "table" then
      table.move(item, 1, #item, #line + 1, line)
    else
      line[#line + 1] = { item, style }
    end
  end
  return line
end

--- A text wrapped at blanks: two lines at most.
local function wrapped(text, width, cut)
  if widths.width(text) <= width then return { text } end
  local first = widths.cut(text, width)
  first = first:match "^(.*)%s%S*$" or first
  local rest = text:sub(#first + 1):match "^%s*(.-)$"
  if widths.width(rest) > width then rest = widths.cut(rest, width - #cut) .. cut end
  return { first, rest }
end

-- The session script ---------------------------------------------------------------------------------------

--- The time in the step, and its warning or timer.
local function step_time(session, now)
  local spent = now - session.begun
  local late = session.warn and spent > session.warn and not session.met
  local text = clock(spent) .. (session.ends and " of " .. clock(session.ends - session.begun) or "")
  return { text, late and "warn" or nil }
end

local function title(view, glyphs, now)
  local session = view.session
  local line = { { session.name, "head" } }
  if session.step then
    line[#line + 1] = { glyphs.dot, "dim" }
    line[#line + 1] = { ("%d/%d "):format(session.index, session.of) }
    line[#line + 1] = { session.step, "now" }
    line[#line + 1] = { glyphs.dot, "dim" }
    line[#line + 1] = step_time(session, now)
    if session.next then
      line[#line + 1] = { ("%s%s %s"):format(glyphs.dot, glyphs.to, session.next), "dim" }
    end
  else
    local said = { before = "checklist before", ready = "ready: step next begins", after = "checklist after",
      over = "over" }
    line[#line + 1] = { glyphs.dot .. (said[session.phase] or session.phase), "now" }
  end
  return line
end

local function key_items(keys, glyphs, to_lead)
  local items = {}
  for _, bound in ipairs(keys) do
    local leads = bound[3] ~= nil
    if leads == to_lead then
      items[#items + 1] = { { bound[1], "mark" },
        { " " .. (leads and bound[3]:gsub("%->", glyphs.to) or bound[2]) } }
    end
  end
  return items
end

--- The lines of the session with their rank: those of the lowest importance are dropped first if there is no
--- room.
local function session_lines(view, glyphs, width, now)
  local session, lines = view.session, {}
  local function add(rank, line) lines[#lines + 1] = { rank = rank, line = line } end
  for index, item in ipairs(session.list or {}) do
    if not item.done or #session.list <= 5 then
      add(3, { { item.done and "  [x] " or "  [ ] ", item.done and "good" or "mark" },
        { ("%d %s"):format(index, item.text) }, { item.wrong and " (" .. item.wrong .. ")" or "", "warn" } })
    end
  end
  for _, text in ipairs(session.text and wrapped(session.text, width, glyphs.cut) or {}) do
    add(2, { { text } })
  end
  if session.expected and #session.expected > 0 then
    local items = {}
    for index, line in ipairs(session.expected) do
      items[index] = { { line, session.met and "good" or "head" } }
    end
    local made = row(glyphs, session.met and "done" or "expects", items)
    if session.who then table.insert(made, 2, { session.who .. ": ", "mark" }) end
    if session.other and not session.met then
      made[#made + 1] = { ("   not: %s"):format(session.other), "warn" }
    end
    add(1, made)
  end
  local leads = key_items(session.keys, glyphs, true)
  if #leads > 0 then add(1, row(glyphs, "answer", leads)) end
  for _, slot in ipairs(session.empty or {}) do
    add(2, row(glyphs, "fill", { { { slot[1], "mark" }, { ": " .. (slot[2] or "...") } } }))
  end
  local keys = key_items(session.keys, glyphs, false)
  if #keys > 0 then add(4, row(glyphs, "keys", keys)) end
  return lines, now
end

-- The robot ------------------------------------------------------------------------------------------------

--- Status of the robot, in one line.
local function robot_line(view, glyphs, now)
  local items = {}
  local function add(text, style) if text then items[#items + 1] = { { text, style } } end end
  if view.halted then add("the behavior failed: " .. view.halted, "bad")
  else add(("%s %s"):format(view.state or "no state", view.since and clock(now - view.since) or ""),
    "head") end
  if view.held then add("on hold " .. clock(now - view.held), "warn") end
  if view.ending then add("the run is ending", "warn") end
  if view.panic then add("panic stop", "bad") end
  if #view.leaves > 0 then add(table.concat(view.leaves, ", ")) end
  if #view.plays > 0 then add("plays " .. table.concat(view.plays, ", ")) end
  local says = view.says and widths.cut(view.says, 40)
  if says then add(('says "%s"%s'):format(says, view.waits > 0 and (" +%d"):format(view.waits) or "")) end
  if view.looks then add("looks at " .. view.looks) end
  for index, one in ipairs(view.nexts) do
    if index <= 2 then add((status.next_text(one, now):gsub("%->", glyphs.to)), "dim") end
  end
  for _, owner in ipairs(view.owners) do add(owner.part .. ": " .. owner.who, "mark") end
  return row(glyphs, "now", items)
end

--- The sentence on a loss in the record, in one line, with files by their names only; nil: there is no loss.
local function loss_line(view, glyphs)
  local record = status.record(view)
  if record == "off" or record == "kept" then return nil end
  local text = status.record_text(view):gsub("%f[^%s:]/[^%s:]*/", "")
  return row(glyphs, "record", { text }, record == "gap" and "warn" or "bad")
end

--- Other errors, in one line; nil: none.
local function trouble_line(view, glyphs)
  local items = {}
  for _, text in ipairs(view.troubles) do items[#items + 1] = { { text, "bad" } } end
  if view.faults > 0 then items[#items + 1] =
      { { ("%d fault%s, last: %s"):format(view.faults, view.faults > 1 and "s" or "",
    view.fault), "bad" } } end
  if view.disk_mb and view.disk_mb < 1024 then
    items[#items + 1] = { { ("%.0f MB left on the disk"):format(view.disk_mb), "warn" } }
  end
  return #items > 0 and row(glyphs, "wrong", items) or nil
end

local function queue_line(view, glyphs, now)
  if view.waiting == 0 then return nil end
  local held = view.panic and "held by the panic stop" or "say queue confirm"
  local items = { view.queue_held and { { held, "bad" } } or nil }
  for _, one in ipairs(view.queue) do
    local when = one[2]:gsub("in ([%d.]+) s", function(left)
      return ("in %.0f s"):format(math.max(0, tonumber(left) - (now - view.t)))
    end)
    items[#items + 1] = { { one[1], "mark" }, { (" %s: %s"):format(when, one[3]) } }
  end
  if view.waiting > #view.queue then
    items[#items + 1] = { { ("%d more"):format(view.waiting - #view.queue) } }
  end
  return row(glyphs, "queue", items)
end

--- Right part of the title: the mode, whether the run is recorded, its latency.
local function right_of(view, options)
  local parts = {}
  if not view.recorded then parts[#parts + 1] = "not recorded" end
  if options.latency then parts[#parts + 1] = ("%.1f ms"):format(options.latency * 1000) end
  return table.concat(parts, "  ")
end

--- Everything in one line, for small windows.
local function one_line(view, glyphs, now)
  local session, line = view.session, {}
  for _, wrong in ipairs { loss_line(view, glyphs) or false, trouble_line(view, glyphs) or false } do
    if wrong then
      line[#line + 1] = { "! ", "bad" }
      table.move(wrong, 2, #wrong, #line + 1, line)
      line[#line + 1] = { glyphs.dot, "dim" }
    end
  end
  if session and session.step then
    line[#line + 1] = { ("%d/%d %s "):format(session.index, session.of, session.step), "now" }
    line[#line + 1] = step_time(session, now)
    line[#line + 1] = { glyphs.dot .. (session.met and "done " or "")
      .. ((session.expected or {})[1] or session.text or "") }
    for _, item in ipairs(key_items(session.keys, glyphs, true)) do
      line[#line + 1] = { " " }
      table.move(item, 1, #item, #line + 1, line)
    end
  else
    local robot = robot_line(view, glyphs, now)
    table.move(robot, 2, #robot, #line + 1, line)
  end
  return line
end

--- The rule with the title in it.
local function ruled(line, right, glyphs, width)
  local made, used = { { glyphs.rule .. glyphs.rule .. " ", "rule" } }, 3
  for _, piece in ipairs(line) do
    made[#made + 1] = piece
    used = used + widths.width(piece[1])
  end
  local rest = width - used - 1 - (right ~= "" and widths.width(right) + 4 or 0)
  made[#made + 1] = { " " .. glyphs.rule:rep(math.max(0, rest)), "rule" }
  if right ~= "" then
    made[#made + 1] = { " " .. right .. " ", "dim" }
    made[#made + 1] = { glyphs.rule .. glyphs.rule, "rule" }
  end
  return made
end

--- Time without a message of the engine, which sends its status at least once a second, after which clocks
--- stop, s.
panel.patience = 3

--- The sentence that the engine is silent, in one line; nil: it is not.
local function silence_line(glyphs, passed)
  if passed <= panel.patience then return nil end
  local text = ("no word from the engine for %s: it is stopped, or very busy"):format(clock(passed))
  return row(glyphs, "silent", { text }, "bad")
end

--- The lines of the panel as pieces.  `options`: width, height (maximum number of lines; 1: one line),
--- glyphs, passed (s since the view was received), latency (s).
function panel.lines(view, options)
  local passed = options.passed or 0
  local glyphs, silence = options.glyphs, silence_line(options.glyphs, passed)
  local now = view.t + (silence and 0 or passed)
  if options.height < 1 then return {} end
  if options.height < 3 or not view.session and options.height < 5 then
    return { silence or one_line(view, glyphs, now) }
  end
  local list = { { rank = 0, line = ruled(view.session and title(view, glyphs, now)
    or { { view.state or "", "head" } }, right_of(view, options), glyphs, options.width) } }
  local loss = loss_line(view, glyphs)
  if silence then list[#list + 1] = { rank = 0, line = silence } end
  if loss then list[#list + 1] = { rank = 0, line = loss } end
  for _, item in ipairs(view.session and session_lines(view, glyphs, options.width, now) or {}) do
    list[#list + 1] = item
  end
  local waiting, trouble = queue_line(view, glyphs, now), trouble_line(view, glyphs)
  if waiting then list[#list + 1] = { rank = 3, line = waiting } end
  list[#list + 1] = { rank = 2, line = robot_line(view, glyphs, now) }
  if trouble then list[#list + 1] = { rank = 0, line = trouble } end
  for rank = 4, 1, -1 do -- the least important first
    for place = #list, 1, -1 do
      if #list > options.height and list[place].rank == rank then table.remove(list, place) end
    end
  end
  local lines = {}
  for index, item in ipairs(list) do lines[index] = item.line end
  return lines
end

return panel
