--- The tokens of a Lua text, without comments, for a review of names.
local source = {}

--- The opening bracket of a long string or comment.
local long = "^%[(=*)%["

--- The end of a long string or comment that opens at `at`; nil: none opens there.
local function long_end(text, at)
  local _, open, level = text:find(long, at)
  if not open then return nil end
  local _, close = text:find("]" .. level .. "]", open + 1, true)
  return close or #text, open
end

--- The end of a quoted string that begins at `at`.
local function quoted_end(text, at)
  local quote, place = text:sub(at, at), at + 1
  while place <= #text do
    local c = text:sub(place, place)
    if c == quote or c == "\n" then return place end
    place = place + (c == "\\" and 2 or 1)
  end
  return #text
end

--- The token at a position of a text: its kind ("name", "string", "sign"; nil: a comment), its text, and
--- its end.
local function word_at(text, at)
  local _, name = text:find("^[%a_][%w_]*", at)
  if name then return "name", text:sub(at, name), name end
  local c = text:sub(at, at)
  if c == "-" and text:sub(at + 1, at + 1) == "-" then
    return nil, nil, long_end(text, at + 2) or (text:find("\n", at, true) or #text + 1) - 1
  end
  if c == '"' or c == "'" then
    local last = quoted_end(text, at)
    return "string", text:sub(at + 1, last - 1), last
  end
  if c ~= "[" then return "sign", c, at end
  local last, open = long_end(text, at)
  if last then return "string", text:sub(open + 1, last), last end
  return "sign", c, at
end

--- The tokens of a Lua text: a list of {kind, text, line}.
function source.words(text)
  local list, line, at, size = {}, 1, 1, 0
  local function newline(from) return text:find("\n", from, true) or #text + 1 end
  local line_end = newline(1)
  while true do
    local start = text:find("%S", at)
    if not start then return list end
    while line_end < start do line, line_end = line + 1, newline(line_end + 1) end
    local kind, said, last = word_at(text, start)
    if kind then
      size = size + 1
      list[size] = { kind = kind, text = said, line = line }
    end
    at = last + 1
  end
end

--- The tokens of all Lua files of a loaded behavior: a list of {file, words}.
function source.of(loaded)
  local list = {}
  for _, file in ipairs(require("brio.lib.suggest").keys(loaded.sources)) do
    if file:match "%.lua$" then
      list[#list + 1] = { file = file, words = source.words(loaded.sources[file]) }
    end
  end
  return list
end

return source
