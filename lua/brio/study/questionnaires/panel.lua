--- Screen and keys of `brio ask`, independent of the terminal.
local words = require "brio.study.questionnaires.words"

local panel = {}
local Panel = {}
Panel.__index = Panel

--- Show an interview.  Options: language, ascii, colored.
function panel.new(interview, options)
  return setmetatable({ interview = interview, words = words[options.language] or words.en,
    ascii = options.ascii, colored = options.colored, rest = "", shown_at = 0 }, Panel)
end

-- Widths of texts -------------------------------------------------------------------------------------

--- Whether a character takes two cells: those of East Asia (Unicode's East Asian Width W and F, by blocks).
local function is_wide(code)
  return code >= 0x1100 and (code <= 0x115f or code >= 0x2e80 and code <= 0xa4cf
    or code >= 0xac00 and code <= 0xd7a3
    or code >= 0xf900 and code <= 0xfaff or code >= 0xfe30 and code <= 0xfe6f
      or code >= 0xff00 and code <= 0xff60
    or code >= 0xffe0 and code <= 0xffe6 or code >= 0x20000 and code <= 0x3fffd)
end

--- Width of a text in cells.
local function cells(text)
  local count = 0
  for _, code in utf8.codes(text, true) do count = count + (is_wide(code) and 2 or 1) end
  return count
end

--- The beginning of a text that fits into a number of cells.
local function cut(text, room)
  local used = 0
  for at, code in utf8.codes(text, true) do
    used = used + (is_wide(code) and 2 or 1)
    if used > room then return text:sub(1, at - 1) end
  end
  return text
end

--- Wrap a text to a number of cells, at blanks; if there are none (Japanese), anywhere.
local function wrap(text, room)
  local lines, line = {}, ""
  for word in text:gmatch "%S+" do
    local longer = line == "" and word or line .. " " .. word
    if cells(longer) <= room then
      line = longer
    else
      if line ~= "" then lines[#lines + 1] = line end
      while cells(word) > room do
        local part = cut(word, math.max(room, 2))
        lines[#lines + 1], word = part, word:sub(#part + 1)
      end
      line = word
    end
  end
  lines[#lines + 1] = line
  return lines
end

local signs = {
  plain = { empty = "( )", full = "(*)", done = "#", open = "." },
  drawn = { empty = "○", full = "●", done = "█", open = "░" },
}

local function sign(self, name) return signs[self.ascii and "plain" or "drawn"][name] end

local function styled(self, style, text)
  return self.colored and text ~= "" and ("\27[%sm%s\27[0m"):format(style, text) or text
end

--- A line of keys in the terminal's character set.
local function keys_line(self, text)
  return self.ascii and text:gsub("·", "|") or text
end

-- Display ---------------------------------------------------------------------------------------------

local margin = "  "

local function head(self, room)
  local done, all = self.interview:count(), #self.interview.form
  local place = self.words.place:format(math.min(self.interview.at, all), all)
  local heading = cut(self.words.heading, room - cells(place) - 1)
  local gap = room - cells(heading) - cells(place)
  local length = math.min(room, 40)
  local filled = done * length // all
  return { heading .. (" "):rep(gap) .. place,
    styled(self, "2", sign(self, "done"):rep(filled) .. sign(self, "open"):rep(length - filled)), "" }
end

--- The highlighted value: under the cursor, or the answer.
local function marked(self, item)
  return self.cursor or self.interview.answers[item.id] or nil
end

--- A row of points between two ends: the numbers above, the points below.
local function points(self, item, room)
  local low, high = item.low or "", item.high or ""
  local count = item.highest - item.lowest + 1
  local beside = cells(low) + cells(high) + 2 + 3 * count <= room
  local each = math.max(2, math.min(6, (room - (beside and cells(low) + cells(high) + 2 or 0)) // count))
  local numbers, dots = {}, {}
  for value = item.lowest, item.highest do
    local dot = value == marked(self, item) and "full" or "empty"
    local gap = each - #tostring(value)
    numbers[#numbers + 1] = (" "):rep(gap - gap // 2) .. value .. (" "):rep(gap // 2)
    gap = each - cells(sign(self, dot))
    local drawn = dot == "full" and styled(self, "7", sign(self, dot)) or sign(self, dot)
    dots[#dots + 1] = (" "):rep(gap - gap // 2) .. drawn .. (" "):rep(gap // 2)
  end
  local row = table.concat(dots)
  if beside then
    return { (" "):rep(cells(low)) .. table.concat(numbers),
      styled(self, "1", low) .. row .. "  " .. styled(self, "1", high) }
  end
  local lines = {}
  for _, line in ipairs(wrap(item.lowest .. " = " .. low, room)) do
    lines[#lines + 1] = styled(self, "1", line)
  end
  for _, line in ipairs(wrap(item.highest .. " = " .. high, room)) do
    lines[#lines + 1] = styled(self, "1", line)
  end
  table.move({ table.concat(numbers), row }, 1, 2, #lines + 1, lines)
  return lines
end

--- A list of points which all have labels.
local function list(self, item, room)
  local lines = {}
  for index, label in ipairs(item.labels) do
    local value = item.lowest + index - 1
    local here = value == marked(self, item)
    local text = ("%d %s %s"):format(value, sign(self, here and "full" or "empty"), label)
    lines[index] = here and styled(self, "7", cut(text, room)) or cut(text, room)
  end
  return lines
end

--- Whether the number is typed: there are more points than fit on a line of 80 columns, or than single keys.
local function is_typed(item) return item.highest > 9 or item.lowest < 0 end

local function scale(self, item, room)
  if not is_typed(item) then return (item.labels and list or points)(self, item, room) end
  local lines = item.labels and list(self, item, room)
    or wrap(("%d = %s   %d = %s"):format(item.lowest, item.low, item.highest, item.high), room)
  lines[#lines + 1] = ("> %s"):format(self.entry or marked(self, item) or "")
  return lines
end

local function question(self, item, room)
  local lines = {}
  for _, line in ipairs(wrap(item.instruction, room)) do lines[#lines + 1] = styled(self, "2", line) end
  lines[#lines + 1] = ""
  for _, line in ipairs(item.text and wrap(item.text, room) or {}) do
    lines[#lines + 1] = styled(self, "1", line)
  end
  if item.text then lines[#lines + 1] = "" end
  local drawn = scale(self, item, room)
  table.move(drawn, 1, #drawn, #lines + 1, lines)
  if self.interview.answers[item.id] == false then
    table.move({ "", styled(self, "2", self.words.skipped) }, 1, 2, #lines + 1, lines)
  end
  return lines
end

local function ending(self, room)
  local skipped = 0
  for _, value in next, self.interview.answers do
    if value == false then skipped = skipped + 1 end
  end
  local lines = {}
  for _, line in ipairs(wrap(self.words.thanks, room)) do lines[#lines + 1] = styled(self, "1", line) end
  if skipped > 0 then lines[#lines + 1] = self.words.skips:format(skipped) end
  lines[#lines + 1] = ""
  for _, line in ipairs(wrap(keys_line(self, self.words.finish), room)) do lines[#lines + 1] = line end
  return lines
end

local function foot(self, item, room)
  if self.leaving then return wrap(self.words.stop, room) end
  local lines = {}
  if self.message then
    for _, line in ipairs(wrap(self.message, room)) do lines[#lines + 1] = styled(self, "31;1", line) end
  end
  if not item then return lines end
  local keys = is_typed(item) and self.words.typed or ("%d-%d"):format(item.lowest, item.highest)
  local help = self.words.keys:format(keys)
  if self.interview.answers[item.id] ~= nil then help = help .. " · " .. self.words.go_on end
  for _, line in ipairs(wrap(keys_line(self, help), room)) do lines[#lines + 1] = styled(self, "2", line) end
  return lines
end

--- The current screen, as at most `height` lines of at most `width` cells (without styles).
function Panel:lines(width, height)
  local room, lines = math.max(10, math.min(width, 92) - 2 * #margin), {}
  local item = self.interview:item()
  local parts = { head(self, room), item and question(self, item, room) or ending(self, room), { "" },
    foot(self, item, room) }
  for _, part in ipairs(parts) do
    for _, line in ipairs(part) do lines[#lines + 1] = margin .. line end
  end
  while #lines > height do -- drop the heading first: the question and its keys are more important
    table.remove(lines, 1)
  end
  return lines
end

-- Keys ------------------------------------------------------------------------------------------------

local function moved(self)
  self.cursor, self.entry, self.message, self.fresh = nil, nil, nil, true
end

--- Call a function that may fail; a failure is displayed and the item stays.
local function try(self, good, why)
  if good then return moved(self) end
  self.message = why
end

local function answer(self, value, now)
  local item = self.interview:item()
  if value < item.lowest or value > item.highest then
    self.message = self.words.again:format(item.lowest, item.highest)
    return
  end
  try(self, self.interview:answer(value, now - self.shown_at))
end

local function move_cursor(self, by)
  local item = self.interview:item()
  local from = marked(self, item) or (by > 0 and item.lowest - 1 or item.highest + 1)
  self.cursor = math.max(item.lowest, math.min(item.highest, from + by))
end

local function choose(self, now)
  local item = self.interview:item()
  if not item then
    self.finished = true
  elseif self.entry then
    local value = math.tointeger(tonumber(self.entry))
    self.entry = nil
    answer(self, value or item.highest + 1, now)
  elseif self.cursor then
    answer(self, self.cursor, now)
  elseif self.interview:forth() then
    moved(self)
  end
end

local function back(self)
  if self.entry and self.entry ~= "" then
    self.entry = self.entry:sub(1, -2)
  elseif self.interview:back() then
    moved(self)
  end
end

local function leave(self) self.leaving = true end

local function lower(self) if self.interview:item() then move_cursor(self, -1) end end
local function higher(self) if self.interview:item() then move_cursor(self, 1) end end

local function skip(self, now)
  if self.interview:item() then try(self, self.interview:skip(now - self.shown_at)) end
end

--- Keys other than numbers, by the bytes of terminals.
local acts = {
  ["\r"] = choose, ["\n"] = choose, [" "] = choose, ["\127"] = back, ["\b"] = back, b = back, s = skip,
  ["\27[D"] = lower, ["\27[A"] = lower, ["\27[C"] = higher, ["\27[B"] = higher,
  q = leave, ["\3"] = leave, ["\4"] = leave,
}
for _, arrow in ipairs { "A", "B", "C", "D" } do acts["\27O" .. arrow] = acts["\27[" .. arrow] end

local function key(self, pressed, now)
  self.message = nil
  if self.leaving then
    self.left, self.leaving = pressed == "y" or pressed == "Y" or pressed == "\3" or pressed == "\4", nil
    return
  end
  local item = self.interview:item()
  local digit = item and (tonumber(pressed) or pressed == "-" and pressed)
  if digit and is_typed(item) then
    self.entry = ((self.entry or "") .. pressed):sub(1, 6)
  elseif digit and digit ~= "-" then
    answer(self, math.tointeger(digit), now)
  elseif acts[pressed] or acts[pressed:lower()] then
    (acts[pressed] or acts[pressed:lower()])(self, now)
  elseif item and #pressed == 1 and pressed:find "%g" then
    self.message = self.words.again:format(item.lowest, item.highest)
  end
end

--- Process input typed at `now`, s; key sequences may come in pieces.
function Panel:type(bytes, now)
  self.rest = self.rest .. bytes
  while self.rest ~= "" and not (self.left or self.finished) do
    local sequence = self.rest:match "^\27[%[O][%d;]*[%a~]"
    if not sequence and self.rest:find "^\27[%[O]?[%d;]*$" and #self.rest < 8 then return end
    local pressed = sequence or self.rest:match("^" .. utf8.charpattern) or self.rest:sub(1, 1)
    self.rest = self.rest:sub(#pressed + 1)
    key(self, pressed, now)
    if self.fresh then self.shown_at, self.fresh = now, nil end
  end
end

return panel
