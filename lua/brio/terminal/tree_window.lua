--- Draws the state of a tree (see tree/model/view.lua) into a window of any size, for `brio tree --live`.
---
--- Above: the run and its operator, the next nodes, the state of the link.  Then a row for each node, as many
--- as fit.  Below: the running leaves with their progress, the newest messages, and the keys or the typed
--- line.
local pieces = require "brio.terminal.styled"
local progress_text = require("brio.tree.model.view").progress_text

local window = {}

--- Characters for terminals with UTF-8, and for others.
local signs = {
  utf8 = { cut = "…", rule = "─", next = "→", r = "●", p = "‖", s = "✓", f = "✗", stop = "■", full = "█",
    part = "░", cursor = "▏" },
  ascii = { cut = "~", rule = "-", next = ">", r = "*", p = "=", s = "+", f = "x", stop = "!", full = "#",
    part = ".", cursor = "_" },
}

local styles = { r = "mark", p = "warn", s = "good", f = "bad" }

-- The top -----------------------------------------------------------------------------------------

local function name_of(path) return path and path:match "[^/]*$" or "a run" end

local function title(view, status)
  if not view then
    return { { "brio tree  ", "title" },
      { status and status.text or "looks at the run", status and status.style } }
  end
  local line = { { name_of(view.behavior), "title" }, { " on ", "dim" }, { view.robot or "?", "title" },
    { status and "   " .. status.text or "", status and status.style }, { "   " },
    { view.state or "?", "head" }, { ("   %.1f s   "):format(view.now or 0) } }
  if view.ended == "failure" then line[#line + 1] = { "failed", "bad" }
  elseif view.ended == "success" then line[#line + 1] = { "at its end", "good" }
  elseif view.automatic then line[#line + 1] = { "automatic", "good" }
  else line[#line + 1] = { "step by step", "warn" } end
  if view.concurrent == false then line[#line + 1] = { "   one at a time", "warn" } end
  if view.held then line[#line + 1] = { "   in charge: " .. view.held, "warn" } end
  if view.hold then line[#line + 1] = { "   the pose is on hold", "warn" } end
  if view.unsaved then line[#line + 1] = { "   * unsaved", "warn" } end
  return line
end

--- The next nodes, and the state of the link: both sides' counts.
local function second(view, link, rows, place, width, glyphs)
  local names = {}
  for index, number in ipairs(view.coming) do
    local row = rows[number]
    names[index] = ("%d%s"):format(number, row and " " .. (row[2]:match "'(.*)'" or row[2]) or "")
  end
  local there = math.tointeger(view.count) or view.count or 0
  local counts = ("   %s of %d   %.0f Hz   updates %d here, %d there, out of order %d"):format(place,
    view.nodes, link.rate, link.count, there, link.disorder)
  local next_one = #names > 0 and table.concat(names, ", ") or "nothing"
  return { { "next ", "dim" },
    { pieces.cut(next_one, math.max(16, width - 5 - #counts), glyphs), #names > 0 and "head" or "dim" },
    { counts, (link.disorder > 0 or there ~= link.count) and "warn" or "dim" } }
end

-- Rows --------------------------------------------------------------------------------------------

local function seconds_text(hundredths, nominal)
  local text = ("%.2f"):format(hundredths / 100)
  return nominal and ("%s of %g s"):format(text, nominal) or text .. " s"
end

--- States of nodes, by number.
local function standing_of(view)
  local by_number = {} -- {letter, e, why, comes, breaks, changed, nominal}
  for index = 1, #view.s do
    by_number[view.first + index - 1] = { letter = view.s:sub(index, index), e = view.e[index] }
  end
  local function add(number, key, value)
    if by_number[number] then by_number[number][key] = value end
  end
  for _, item in ipairs(view.why) do add(item[1], "why", item[2]) end
  for _, number in ipairs(view.coming) do add(number, "comes", true) end
  for _, number in ipairs(view.changed or {}) do add(number, "changed", true) end
  for _, number in ipairs(view.breaks or {}) do add(number, "breaks", true) end
  for _, leaf in ipairs(view.running) do add(leaf.n, "nominal", leaf.nominal) end
  return by_number
end

local deepest = 12

--- The row of a node: number, signs, name; its progress, or why it failed; its time at the right.
local function node_row(number, row, stands, chosen, width, glyphs)
  local letter = stands and stands.letter or "."
  local line = {
    { ("%4d"):format(number), chosen and "chosen" or "dim" },
    { stands and stands.breaks and glyphs.stop or " ", "bad" },
    { stands and stands.comes and glyphs.next or " ", "mark" },
    { (glyphs[letter] or " ") .. " ", styles[letter] },
  }
  if not row then return line end
  local indent = ("  "):rep(math.min(row[1], deepest, math.max(0, (width - 40) // 4)))
  local name = indent .. row[2] .. (stands and stands.changed and " *" or "")
  line[#line + 1] = { name, chosen and "chosen" or stands and stands.comes and "head" or styles[letter] }
  local time = stands and stands.e >= 0 and (row[4] == 1 or stands.e > 0)
    and seconds_text(stands.e, stands.nominal) or ""
  local room = width - pieces.length(line) - (time ~= "" and #time + 1 or 0)
  local more, style = row[3] or "", "dim"
  if stands and stands.why then more, style = stands.why, "bad" end
  if more ~= "" and room >= 6 then line[#line + 1] =
      { pieces.padded("  " .. pieces.cut(more, room - 2, glyphs), room), style }
  elseif time ~= "" and room >= 0 then line[#line + 1] = { (" "):rep(room) } end
  if time ~= "" then line[#line + 1] = { " " .. time, styles[letter] } end
  return line
end

-- Running leaves ----------------------------------------------------------------------------------

local bar_width = 10

--- A running leaf, or a coming condition: its time as a bar, and its progress.
local function leaf_line(leaf, glyphs)
  local line = { { leaf.runs and (leaf.paused and glyphs.p or glyphs.r) or glyphs.next,
    leaf.paused and "warn" or "mark" }, { (" %d %s"):format(leaf.n, leaf.name), "head" } }
  if leaf.e then line[#line + 1] = { "   " .. seconds_text(leaf.e, leaf.nominal) } end
  if leaf.e and leaf.nominal and leaf.nominal > 0 then
    local full = math.floor(math.min(1, leaf.e / 100 / leaf.nominal) * bar_width + 0.5)
    line[#line + 1] = { " " .. glyphs.full:rep(full) .. glyphs.part:rep(bar_width - full),
      leaf.e / 100 > leaf.nominal and "warn" or "mark" }
  end
  if leaf.paused then line[#line + 1] = { "   paused", "warn" } end
  if leaf.stops then line[#line + 1] = { ("   stops in %.1f s"):format(math.max(0, leaf.stops)), "warn" } end
  local said = progress_text(leaf)
  local over = leaf.error and leaf.tolerance and math.abs(leaf.error) > leaf.tolerance
  if said ~= "" then line[#line + 1] = { "   " .. said, over and "warn" or "good" } end
  return line
end

local most_leaves = 4

local function leaf_lines(view, glyphs)
  local lines = {}
  if view.failed then
    lines[1] = { { glyphs.f, "bad" }, { (" %d %s failed"):format(view.failed.n or 0, view.failed.name or "?"),
      "bad" }, { view.failed.why and view.failed.why ~= "" and ": " .. view.failed.why or "", "bad" } }
  end
  for _, list in ipairs { view.running, view.leaves } do
    for _, leaf in ipairs(list) do
      if #lines < most_leaves then lines[#lines + 1] = leaf_line(leaf, glyphs) end
    end
  end
  if #lines == 0 then lines[1] = { { "nothing runs", "dim" } } end
  return lines
end

-- The window --------------------------------------------------------------------------------------

--- Number of rows for nodes in a window: there are two lines above, and below the running nodes, a rule,
--- messages and keys.
local function room_of(height, leaves, said) return math.max(1, height - 2 - leaves - 1 - said - 1) end

--- Draw a window.  `view`: a snapshot, or nil; `rows`: descriptions of nodes, by number; `options`: width,
--- height, first (the first node), chosen (the selected node), link ({rate, count, disorder}), log (a list of
--- {text, level}), status ({text, style}), typed (the line that is being typed), keys, ascii.  Return its
--- lines, none longer than `width`, and the number of nodes shown.
function window.draw(view, rows, options)
  local glyphs = options.ascii and signs.ascii or signs.utf8
  local width, height = math.max(20, options.width), math.max(6, options.height)
  local lines, shown = { title(view, options.status) }, 0
  local said = math.min(height >= 24 and 3 or height >= 16 and 2 or height >= 9 and 1 or 0, #options.log)
  local leaves = view and leaf_lines(view, glyphs) or {}
  if view then
    shown = math.min(room_of(height, #leaves, said), view.nodes - options.first + 1)
    local place = ("%d-%d"):format(options.first, options.first + shown - 1)
    lines[2] = second(view, options.link, rows, place, width, glyphs)
    local stands = standing_of(view)
    for number = options.first, options.first + shown - 1 do
      lines[#lines + 1] = node_row(number, rows[number], stands[number], number == options.chosen, width,
        glyphs)
    end
  end
  while #lines < height - 2 - said - #leaves do lines[#lines + 1] = {} end
  local foot = pieces.foot(options.log, options.keys, said, glyphs, width)
  if options.typed then foot[#foot] = { { options.typed, "head" }, { glyphs.cursor, "mark" } } end
  table.move(leaves, 1, #leaves, #lines + 1, lines)
  table.move(foot, 1, #foot, #lines + 1, lines)
  for index, line in ipairs(lines) do lines[index] = pieces.clipped(line, width, glyphs) end
  return { table.unpack(lines, #lines > height and #lines - height + 1 or 1) }, shown
end

return window
