--- Values entered by people who may not run Lua: numbers, texts, true, false, nil and tables of those, in Lua
--- syntax, with arithmetic. Calls, methods, functions and comments are refused before compilation, and the
--- environment has no names but the constants.
local values = {}

local constants = { pi = math.pi, huge = math.huge }

--- The end of a quoted string that begins at `at`; nil: it has none.
local function end_of_quoted(text, at)
  local quote, place = text:sub(at, at), at + 1
  while place <= #text do
    local byte = text:sub(place, place)
    if byte == quote then return place end
    place = place + (byte == "\\" and 2 or 1)
  end
end

--- The end of a long string that begins at `at`; nil: none begins there, or it has no end.
local function end_of_long(text, at)
  local level = text:match("^%[(=*)%[", at)
  if not level then return nil, false end
  local _, stop = text:find("]" .. level .. "]", at, true)
  return stop, true
end

--- Placeholder of a string in the text that is checked.
local text_here = "\1"

--- The text with strings replaced; nil: a string does not end, or there is a comment.
local function outside_texts(text)
  local pieces, at = {}, 1
  while true do
    local place = text:find("[\"'%[%-]", at)
    if not place then break end
    local stop, long
    local byte = text:sub(place, place)
    if byte == "-" then
      if text:sub(place, place + 1) == "--" then return nil end
    elseif byte == "[" then
      stop, long = end_of_long(text, place)
      if long and not stop then return nil end
    else
      stop = end_of_quoted(text, place)
      if not stop then return nil end
    end
    pieces[#pieces + 1] = text:sub(at, stop and place - 1 or place) .. (stop and text_here or "")
    at = (stop or place) + 1
  end
  return table.concat(pieces) .. text:sub(at)
end

--- Whether a text is only a value.
function values.are(text)
  local code = outside_texts(text)
  if not code or text:find(text_here, 1, true) or code:find ":" or code:find "%f[%w_]function%f[^%w_]" then
    return false
  end
  -- a name or a value before a bracket, a table or a string: a call
  for at in code:gmatch "()[%({\1]" do
    if code:sub(1, at - 1):match "[%w_%)%]}\1]%s*$" then return false end
  end
  return true
end

--- The names in such expressions with their values.
function values.names() return setmetatable({}, { __index = constants, __metatable = false }) end

return values
