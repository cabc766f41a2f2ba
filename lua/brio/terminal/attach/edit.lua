--- A line editor: text, cursor and history.  It gets keys by name (see keys.lua) and is independent of the
--- terminal.
local widths = require "brio.terminal.attach.widths"

local edit = {}
local Edit = {}
Edit.__index = Edit

--- Longest line, bytes (runtime/front/front.h); number of lines in the history.
edit.longest, edit.remembered = 65536, 1000

--- An editor with an empty line and an empty history.
function edit.new() return setmetatable({ text = "", cursor = 0, history = {}, killed = "" }, Edit) end

--- Add a line to the history.
function Edit:remember(text)
  for place = #self.history, math.max(1, #self.history - 50), -1 do
    if self.history[place] == text then table.remove(self.history, place) end
  end
  self.history[#self.history + 1] = text
  if #self.history > edit.remembered then table.remove(self.history, 1) end
end

--- Set the line, with the cursor at its end.
function Edit:set(text)
  self.text, self.cursor = text, #text
end

--- Clear the line; return its text.
function Edit:take()
  local text = self.text
  self.text, self.cursor, self.at, self.kept, self.search = "", 0, nil, nil, nil
  return text
end

--- Insert a text at the cursor.  Return whether it fits.
function Edit:insert(text)
  if #self.text + #text > edit.longest - 256 then return false end
  self.text = self.text:sub(1, self.cursor) .. text .. self.text:sub(self.cursor + 1)
  self.cursor = self.cursor + #text
  return true
end

--- Delete the bytes from `from` + 1 to `to`; with `keep` they can be yanked.
local function cut(self, from, to, keep)
  if keep and to > from then self.killed = self.text:sub(from + 1, to) end
  self.text = self.text:sub(1, from) .. self.text:sub(to + 1)
  self.cursor = from
end

-- Cursor positions ------------------------------------------------------------------------------------------

--- Beginning of the character before the cursor, and end of the one after it, in bytes.
local function before(self)
  local cells = widths.cells(self.text:sub(1, self.cursor))
  return #cells > 0 and cells[#cells].from - 1 or 0
end

local function behind(self)
  for _, cell in ipairs(widths.cells(self.text)) do
    if cell.to > self.cursor then return cell.to end
  end
  return #self.text
end

local function word_before(self)
  local from = self.text:sub(1, self.cursor):find "[%w_\128-\255]+[^%w_\128-\255]*$"
  return from and from - 1 or 0
end

local function word_behind(self)
  local _, to = self.text:find("^[^%w_\128-\255]*[%w_\128-\255]*", self.cursor + 1)
  return to or #self.text
end

-- History ---------------------------------------------------------------------------------------------------

local function walk(self, by)
  local at = (self.at or #self.history + 1) + by
  if at < 1 or at > #self.history + 1 then return "bell" end
  if not self.at then self.kept = self.text end
  self.at = at <= #self.history and at or nil
  self:set(self.history[at] or self.kept or "")
end

--- Search the newest line before `from` that contains the query.
local function look(self, from)
  local search = self.search
  for place = from, 1, -1 do
    if self.history[place]:find(search.query, 1, true) then
      search.at, search.found = place, self.history[place]
      return
    end
  end
  return "bell"
end

--- Search mode after Ctrl-R: keys are added to the query.  Return whether the key was used, and its action.
local function searching(self, name, text)
  local search = self.search
  if name == "ctrl-r" then return true, look(self, (search.at or #self.history + 1) - 1) end
  if name == "backspace" then
    search.query = search.query:gsub("[%z\1-\127\192-\255][\128-\191]*$", "")
    search.at, search.found = nil, nil
    return true, search.query ~= "" and look(self, #self.history) or nil
  end
  if text ~= "" and name ~= "paste" then
    search.query = search.query .. text
    return true, look(self, search.at or #self.history)
  end
  self.search = nil
  if name == "ctrl-g" or name == "ctrl-c" or name == "escape" then return true end
  self:set(search.found or self.text)
  return false
end

-- Keys ------------------------------------------------------------------------------------------------------

local acts = {
  left = function(self) self.cursor = before(self) end,
  right = function(self) self.cursor = behind(self) end,
  home = function(self) self.cursor = 0 end,
  ["end"] = function(self) self.cursor = #self.text end,
  ["alt-b"] = function(self) self.cursor = word_before(self) end,
  ["alt-f"] = function(self) self.cursor = word_behind(self) end,
  backspace = function(self) cut(self, before(self), self.cursor) end,
  delete = function(self) cut(self, self.cursor, behind(self)) end,
  ["ctrl-k"] = function(self) cut(self, self.cursor, #self.text, true) end,
  ["ctrl-u"] = function(self) cut(self, 0, self.cursor, true) end,
  ["ctrl-w"] = function(self)
    local from = self.text:sub(1, self.cursor):find "%S+%s*$"
    cut(self, from and from - 1 or 0, self.cursor, true)
  end,
  ["alt-d"] = function(self) cut(self, self.cursor, word_behind(self), true) end,
  ["alt-backspace"] = function(self) cut(self, word_before(self), self.cursor, true) end,
  ["ctrl-y"] = function(self) return not self:insert(self.killed) and "bell" or nil end,
  up = function(self) return walk(self, -1) end,
  down = function(self) return walk(self, 1) end,
  ["ctrl-r"] = function(self) self.search = { query = "" } end,
  ["ctrl-d"] = function(self)
    if self.text == "" then return "end" end
    cut(self, self.cursor, behind(self))
  end,
  enter = function() return "line" end,
  tab = function() return "complete" end,
  ["ctrl-c"] = function() return "cancel" end,
  ["ctrl-l"] = function() return "clear" end,
}

for other, name in pairs { ["ctrl-b"] = "left", ["ctrl-f"] = "right", ["ctrl-a"] = "home", ["ctrl-e"] = "end",
    ["ctrl-p"] = "up",
  ["ctrl-n"] = "down", ["alt-left"] = "alt-b", ["alt-right"] = "alt-f", ["ctrl-left"] = "alt-b",
    ["ctrl-right"] = "alt-f" } do
  acts[other] = acts[name]
end

--- Process a key.  Return its action: "line", "complete", "cancel", "end", "clear" or "bell"; nil: it was an
--- edit.
function Edit:key(name, text)
  if self.search then
    local taken, what = searching(self, name, text)
    if taken then return what end
  end
  if acts[name] then return acts[name](self) end
  if text == "" then return nil end
  return not self:insert(text) and "bell" or nil
end

--- The query of a search; "" without a search.
function Edit:query() return self.search and self.search.query or "" end

--- Text before the line during a search; nil: no search.
function Edit:searched()
  local search = self.search
  return search and ("(search '%s') "):format(search.query), search and (search.found or "")
end

-- On a screen -----------------------------------------------------------------------------------------------

--- The prompt and the line in rows of at most `width` columns, and the position of the cursor: rows, row
--- (from 1), column (from 0).
function Edit:layout(prompt, width)
  local text, cursor = self.text, self.cursor
  local before_it, found = self:searched()
  if before_it then prompt, text, cursor = before_it, found, #found end
  local rows, parts, used, at_row, at_column = {}, {}, 0, nil, nil
  local function put(cell)
    if used + cell.width > width and used > 0 then
      rows[#rows + 1] = table.concat(parts)
      parts, used = {}, 0
    end
    parts[#parts + 1], used = cell.text, used + cell.width
  end
  for _, cell in ipairs(widths.cells(prompt)) do put(cell) end
  for _, cell in ipairs(widths.cells(text)) do
    put(cell)
    if not at_row and cell.to > cursor then at_row, at_column = #rows + 1, used - cell.width end
  end
  if not at_row then
    if used >= width then
      rows[#rows + 1] = table.concat(parts)
      parts, used = {}, 0
    end
    at_row, at_column = #rows + 1, used
  end
  rows[#rows + 1] = table.concat(parts)
  return rows, at_row, at_column
end

return edit
