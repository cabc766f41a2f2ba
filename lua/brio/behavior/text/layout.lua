--- Where items of a Lua text begin and end as people see them: with the comments that belong to them, on
--- lines of their own or side by side.  Edits are lists of {from, to, text}: bytes from..to are replaced (to
--- = from - 1: inserted before `from`).
local layout = {}

--- Apply edits, which must not overlap.
---@param text string
---@param edits { from: integer, to: integer, text: string }[]
---@return string
function layout.apply(text, edits)
  local ordered = table.move(edits, 1, #edits, 1, {})
  for index, edit in ipairs(ordered) do edit.order = edit.order or index end
  table.sort(ordered, function(a, b)
    if a.from ~= b.from then return a.from < b.from end
    if a.to ~= b.to then return a.to < b.to end
    return a.order < b.order
  end)
  local parts, at = {}, 1
  for _, edit in ipairs(ordered) do
    assert(edit.from >= at, "edits overlap")
    parts[#parts + 1] = text:sub(at, edit.from - 1)
    parts[#parts + 1] = edit.text
    at = edit.to + 1
  end
  parts[#parts + 1] = text:sub(at)
  return table.concat(parts)
end

--- The first byte of the line of a byte.
function layout.line_start(text, at)
  while at > 1 and text:sub(at - 1, at - 1) ~= "\n" do at = at - 1 end
  return at
end

--- The last byte of the line of a byte: its newline, or the end of the text.
function layout.line_end(text, at) return text:find("\n", at, true) or #text end

--- The blanks at the beginning of the line of a byte.
function layout.indent(text, at) return text:match("^[ \t]*", layout.line_start(text, at)) end

--- The comment that ends at a byte or begins there, by `field`.
local function comment_at(comments, field, at)
  for _, comment in ipairs(comments) do
    if comment[field] == at then return comment end
  end
end

--- The first byte of the comment lines directly above a line that begins at `start`; `start`: there are none.
function layout.above(chunk, start)
  local text = chunk.text
  while start > 1 do
    local stop = start - 2 -- the last byte of the line above, before its newline
    while stop > 0 and text:find("^[ \t\r]", stop) do stop = stop - 1 end
    local comment = stop > 0 and comment_at(chunk.comments, "to", stop)
      or comment_at(chunk.comments, "to", start - 2)
    if not comment or text:sub(layout.line_start(text, comment.from), comment.from - 1):find "[^ \t]" then
      return start
    end
    start = layout.line_start(text, comment.from)
  end
  return start
end

--- The last byte of what stands on the line after an item: its separator and a comment.
local function behind(chunk, at)
  local text = chunk.text
  local place = text:find("[^ \t]", at + 1) or #text + 1
  local comment = comment_at(chunk.comments, "from", place)
  if comment and not text:sub(comment.from, comment.to):find "\n" then return comment.to end
  return at
end

--- The extent of an item {from, to, separator}: {from, to, alone}. With lines of its own it has the comments
--- above it and behind it, and its newline; else it is its own bytes.
function layout.extent(chunk, item)
  local text = chunk.text
  local last = behind(chunk, item.separator and item.separator.to or item.to)
  local start = layout.line_start(text, item.from)
  local stop = layout.line_end(text, last)
  local alone = not text:sub(start, item.from - 1):find "[^ \t]" and not text:sub(last + 1, stop):find "%S"
  if not alone then return { from = item.from, to = item.to, alone = false } end
  return { from = layout.above(chunk, start), to = stop, alone = true }
end

--- A text with its further lines indented.
function layout.indented(text, indent) return (text:gsub("\n([^\n])", "\n" .. indent .. "%1")) end

--- Remove item `index` of a table or call.
function layout.remove(chunk, items, index)
  local item, extent = items[index], layout.extent(chunk, items[index])
  if extent.alone then return { { from = extent.from, to = extent.to, text = "" } } end
  local text, after = chunk.text, items[index + 1]
  if item.separator and after then
    local stop, start = item.separator.to, item.from
    local _, blank = text:find("^[ \t]+", stop + 1)
    -- At the end of a line the blanks before the item go, else those behind it.
    if text:find("^[ \t\r]*\n", stop + 1) then
      while start > 1 and text:find("^[ \t]", start - 1) do start = start - 1 end
      blank = nil
    end
    return { { from = start, to = item.to, text = "" },
      { from = item.separator.from, to = blank or stop, text = "" } }
  end
  local edits, before = {}, items[index - 1]
  local separator = before and before.separator
  if separator and not item.separator then
    edits[1] = { from = separator.from, to = separator.to, text = "" }
  end
  local start = item.from
  while start > 1 and text:find("^[ \t]", start - 1) and (not separator or start - 1 > separator.to) do
    start = start - 1
  end
  edits[#edits + 1] = { from = start, to = item.to, text = "" }
  if item.separator then
    edits[#edits + 1] = { from = item.separator.from, to = item.separator.to, text = "" }
  end
  return edits
end

--- Insert into a table without items.
local function insert_first(chunk, expr, made)
  local text, close = chunk.text, expr.close.from
  local start = layout.line_start(text, close)
  if start > expr.open.to and not text:sub(start, close - 1):find "%S" then
    local indent = layout.indent(text, close)
    return { { from = start, to = start - 1, text = indent .. "  " .. layout.indented(made, indent .. "  ")
      .. ",\n" } }
  end
  made = layout.indented(made, layout.indent(text, expr.from))
  local blank = text:sub(expr.open.to + 1, close - 1):find "%S" and " " or ""
  local from, to = close, close - 1
  if blank == "" then from = expr.open.to + 1 end
  return { { from = from, to = to, text = blank .. " " .. made .. " " } }
end

--- Insert a text as item `index` (1 to count + 1) of a table.
function layout.insert(chunk, expr, index, made)
  local items, text = expr.items, chunk.text
  if #items == 0 then return insert_first(chunk, expr, made) end
  local beside = items[index - 1] or items[index]
  local extent, indent = layout.extent(chunk, beside), layout.indent(text, beside.from)
  made = layout.indented(made, indent)
  if index == 1 then
    if not extent.alone then return { { from = beside.from, to = beside.from - 1, text = made .. ", " } } end
    return { { from = extent.from, to = extent.from - 1, text = indent .. made .. ",\n" } }
  end
  if not extent.alone then
    local last = beside.separator and beside.separator.to or beside.to
    local put = (beside.separator and " " or ", ") .. made
    if beside.separator and items[index] then put = put .. "," end
    return { { from = last + 1, to = last, text = put } }
  end
  local edits = {}
  if not beside.separator then edits[1] = { from = beside.to + 1, to = beside.to, text = "," } end
  local newline = text:sub(extent.to, extent.to) == "\n" and "" or "\n"
  edits[#edits + 1] = { from = extent.to + 1, to = extent.to, text = newline .. indent .. made .. ",\n" }
  return edits
end

--- Whether every item has lines of its own.
local function all_alone(chunk, items, first, last)
  for index = first, last do
    if not layout.extent(chunk, items[index]).alone then return false end
  end
  return true
end

--- Move item `index` to place `to` of a list: lines with their comments, else the items' own texts.
function layout.move(chunk, items, index, to)
  local text, edits = chunk.text, {}
  if all_alone(chunk, items, math.min(index, to), math.max(index, to)) then
    local extent, other = layout.extent(chunk, items[index]), layout.extent(chunk, items[to])
    local block = text:sub(extent.from, extent.to)
    if not items[index].separator then
      local at = items[index].to - extent.from + 1
      block = block:sub(1, at) .. "," .. block:sub(at + 1)
    end
    if block:sub(-1) ~= "\n" then block = block .. "\n" end
    edits[1] = { from = extent.from, to = extent.to, text = "" }
    if to > index and not items[to].separator then
      edits[2] = { from = items[to].to + 1, to = items[to].to, text = "," }
    end
    local place = to > index and other.to + 1 or other.from
    edits[#edits + 1] = { from = place, to = place - 1, text = block }
    return edits
  end
  local step = to > index and 1 or -1
  for place = index, to, step do
    local from = place == to and items[index] or items[place + step]
    edits[#edits + 1] = { from = items[place].from, to = items[place].to,
      text = text:sub(from.from, from.to) }
  end
  return edits
end

return layout
