--- The palette: a fuzzy search, with the best match on top.
local palette = {}
local Palette = {}
Palette.__index = Palette

--- Points for matched characters: consecutive, at the beginning of a word, at the beginning of the text; and
--- the penalty of a gap.
local in_row, at_word, at_start, gap = 8, 10, 6, 1

--- The score of a text for a query, and its matched bytes: all characters of the query must occur in their
--- order, in any case; spaces separate parts that may be apart.  nil: no match.
function palette.score(query, text)
  local wanted, lower = query:lower():gsub("%s+", ""), text:lower()
  if wanted == "" then return 0, {} end
  local best, best_marks
  for start = 1, #lower do
    if lower:byte(start) == wanted:byte(1) then
      local marks, points, at, last = {}, 0, start, nil
      for index = 1, #wanted do
        local found = lower:find(wanted:sub(index, index), at, true)
        if index > 1 and found then -- the beginning of a word is better than the next position
          local word = lower:find("%f[%w]" .. wanted:sub(index, index):gsub("%W", "%%%0"), at)
          if word and found ~= at and wanted:sub(index, index):match "%w" then found = word end
        end
        if not found then marks = nil break end
        if last and found == last + 1 then points = points + in_row end
        if found == 1 or not lower:sub(found - 1, found - 1):match "%w" then points = points + at_word end
        if found == 1 then points = points + at_start end
        if last then points = points - math.min(10, (found - last - 1) * gap) end
        marks[index], last, at = found, found, found + 1
      end
      if marks and (not best or points > best) then best, best_marks = points, marks end
    end
  end
  if not best then return nil end
  return best - #text / 50, best_marks
end

--- `rows`: {kind, line, about, more} each, the most important first (see operator/desk/palette_rows.lua).
function palette.new(rows)
  local self = setmetatable({ rows = rows, query = "", chosen = 1, found = {} }, Palette)
  self:look()
  return self
end

--- Find the rows that match now.
function Palette:look()
  local found = {}
  for index, row in ipairs(self.rows) do
    local points, marks = palette.score(self.query, row[2])
    if not points and self.query ~= "" then
      local about = (row[1] .. " " .. (row[3] or "")):lower()
      points, marks = about:find(self.query:lower(), 1, true) and -100 or nil, {}
    end
    if points then found[#found + 1] = { row = row, points = points, marks = marks, index = index } end
  end
  table.sort(found, function(a, b)
    if a.points ~= b.points then return a.points > b.points end
    return a.index < b.index
  end)
  self.found, self.chosen = found, math.max(1, math.min(self.chosen, #found))
end

--- Process a key.  Return its action: "act" or "insert" with the row, "close"; nil: it was for the palette.
function Palette:key(name, text)
  local item = self.found[self.chosen]
  if name == "escape" or name == "ctrl-c" or name == "ctrl-g" or name == "ctrl-o" then return "close" end
  if name == "enter" then
    return item and (item.row[4] and "insert" or "act") or "close", item and item.row
  end
  if name == "tab" then return item and "insert", item and item.row end
  if name == "up" or name == "ctrl-p" then self.chosen = math.max(1, self.chosen - 1) return nil end
  if name == "down" or name == "ctrl-n" then
    self.chosen = math.min(#self.found, self.chosen + 1) return nil
  end
  if name == "backspace" then
    if self.query == "" then return "close" end
    self.query = self.query:gsub("[%z\1-\127\192-\255][\128-\191]*$", "")
  elseif name == "ctrl-u" then
    self.query = ""
  elseif text ~= "" and name ~= "paste" and #self.query < 80 then
    self.query = self.query .. text
  else
    return nil
  end
  self.chosen = 1
  self:look()
end

--- The visible rows: at most `count` around the selected one: pieces {text, style} each.
function Palette:lines(count)
  local first = math.max(1, math.min(self.chosen - count // 2, #self.found - count + 1))
  local lines = {}
  for index = first, math.min(#self.found, first + count - 1) do
    local item = self.found[index]
    local line, marked = { { index == self.chosen and "> " or "  ", "mark" } }, {}
    for _, at in ipairs(item.marks) do marked[at] = true end
    local text, from = item.row[2], 1
    while from <= #text do -- in runs of matched and other characters
      local is, to = marked[from] == true, from
      while to < #text and ((marked[to + 1] == true) == is or text:byte(to + 1) & 0xC0 == 0x80) do
        to = to + 1
      end
      line[#line + 1] = { text:sub(from, to), is and "match" or index == self.chosen and "head" or nil }
      from = to + 1
    end
    line[#line + 1] = { item.row[4] and " ..." or "", "dim" }
    line[#line + 1] = { ("   %s%s"):format(item.row[1], item.row[3] ~= "" and ": " .. item.row[3] or ""),
      "dim" }
    lines[#lines + 1] = line
  end
  if #lines == 0 then lines[1] = { { "  nothing fits", "dim" } } end
  return lines
end

return palette
