--- Comparison of a person's action with a session script's expectation, and slots in lines.
local match = {}

--- Split a line into its word and the rest: without surrounding quotes, in lower case, with single spaces.
local function split(line)
  local word, rest = line:match "^%s*(%S+)%s*(.-)%s*$"
  if not word then return "", "" end
  rest = rest:match '^"(.*)"$' or rest:match "^'(.*)'$" or rest
  return word:lower(), (rest:lower():gsub("%s+", " "))
end

--- Whether a text matches the expected one, in which "..." matches anything.  One pass, linear in its length.
local function fits(expected, text)
  local pieces, from = {}, 1
  for piece, stop in expected:gmatch "(.-)%s*%.%.%.()" do pieces[#pieces + 1], from = piece, stop end
  local last = expected:sub(from)
  if #pieces == 0 then return text == last end
  local at = 1
  for index, piece in ipairs(pieces) do
    local first, final = text:find(piece, at, true)
    if not first or index == 1 and first > 1 then return false end
    at = final + 1
  end
  return #text - #last + 1 >= at and (last == "" or text:sub(-#last) == last)
end

--- Whether an entered line is the expected one: "..." matches anything, a word alone matches any arguments.
--- The arguments of words may be longer than expected ("feel happy" matches `feel happy 0.7`); those of `say`
--- may not.
function match.lines(expected, said)
  local word, rest = split(expected)
  local said_word, said_rest = split(said)
  if word ~= said_word then return false end
  if rest == "" then return true end
  local more = said_rest:sub(1, #rest + 1) == rest .. " "
  if more and word ~= "say" and not rest:find("...", 1, true) then return true end
  return fits(rest, said_rest)
end

--- Fill slots into a line: {name} if `slots` declares the name.  Return it, or nil and the first empty slot.
--- Other braces stay as they are: they are marks of speech.
function match.fill(line, slots, values)
  local empty
  local filled = line:gsub("{([%a_][%w_]*)}", function(name)
    if not slots[name] then return nil end
    local value = values[name] or slots[name].default
    if not value then empty = empty or name end
    return value and (line:find("'", 1, true) and value:gsub("'", "\u{2019}") or value)
  end)
  if empty then return nil, empty end
  return filled
end

--- Why a text cannot be a slot's value; nil: it can.  It becomes a part of lines, and must not end a
--- quotation in them.
function match.fault(value)
  if value == "" then return "it is empty" end
  if #value > 200 then return "it is longer than 200 bytes" end
  local sign = value:match "[%c\"\\{}%[%]]"
  return sign and ("it may not have %s in it"):format(sign:find "%c" and "control characters" or sign) or nil
end

return match
