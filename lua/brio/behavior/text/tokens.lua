--- The tokens of a Lua text with their positions (Lua 5.4 reference manual, section 3.1).  Tokens and the
--- bytes between them are the whole text, so an edit replaces bytes and keeps all others.
local tokens = {}

--- Signs by length, the longest first.
local signs = { { ["..."] = true },
  { ["=="] = true, ["~="] = true, ["<="] = true, [">="] = true, ["//"] = true, ["::"] = true, ["<<"] = true,
    [">>"] = true, [".."] = true },
  { ["+"] = true, ["-"] = true, ["*"] = true, ["/"] = true, ["%"] = true, ["^"] = true, ["#"] = true,
    ["&"] = true, ["~"] = true, ["|"] = true, ["<"] = true, [">"] = true, ["="] = true, ["("] = true,
    [")"] = true, ["{"] = true, ["}"] = true, ["["] = true, ["]"] = true, [";"] = true, [":"] = true,
    [","] = true, ["."] = true } }

--- Words that are no names.
tokens.keywords = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return then
  true until while]]):gmatch "%a+" do tokens.keywords[word] = true end

--- The last byte of a bracket `[==[ ... ]==]` that begins at `at`; nil: none begins there; false: it does not
--- end.
local function long_end(text, at)
  local level = text:match("^%[(=*)%[", at)
  if not level then return nil end
  local _, stop = text:find("]" .. level .. "]", at + #level + 2, true)
  return stop or false
end

--- The last byte of a short string at `at`; false: it does not end.
local function quoted_end(text, at)
  local quote, place = text:sub(at, at), at + 1
  while place <= #text do
    local byte = text:sub(place, place)
    if byte == quote then return place end
    if byte == "\n" or byte == "\r" then return false end
    if byte == "\\" then
      local _, skipped = text:find("^z%s*", place + 1)
      if not skipped then _, skipped = text:find("^\r\n", place + 1) end
      place = skipped or place + 1
    end
    place = place + 1
  end
  return false
end

--- The last byte of a number at `at`: as Lua reads it, digits, dots, exponents with their sign, letters.
local function number_end(text, at)
  local exponent = text:find("^0[xX]", at) and "[pP]" or "[eE]"
  local place = at
  while true do
    local _, stop = text:find("^" .. exponent .. "[+-]", place)
    if not stop then _, stop = text:find("^[%w_.]", place) end
    if not stop then return place - 1 end
    place = stop + 1
  end
end

--- The sign at `at`: its last byte; nil: none.
local function sign_end(text, at)
  for index, set in ipairs(signs) do
    local length = 4 - index
    if set[text:sub(at, at + length - 1)] then return at + length - 1 end
  end
end

--- The kind and the last byte of the token at `at`; a kind and false: it does not end; nil: there is none.
local function token_at(text, at)
  local first = text:sub(at, at)
  local stop = long_end(text, at)
  if stop ~= nil then return "string", stop end
  if first == '"' or first == "'" then return "string", quoted_end(text, at) end
  local _, last = text:find("^[%a_][%w_]*", at)
  if last then return tokens.keywords[text:sub(at, last)] and "keyword" or "name", last end
  if text:find("^%.?%d", at) then return "number", number_end(text, at) end
  local sign = sign_end(text, at)
  return sign and "sign", sign
end

--- The last byte of a comment at `at`; false: it does not end; nil: none begins there.
local function comment_end(text, at)
  if text:sub(at, at + 1) ~= "--" then return nil end
  local stop = long_end(text, at + 2)
  if stop ~= nil then return stop end
  return (text:find("\n", at, true) or #text + 1) - 1
end

--- The tokens of a text: list of {kind, text, from, to, line}, kinds "name", "keyword", "number", "string"
--- and "sign", and the comments, list of {from, to, line}.  nil, sentence, line: it is no Lua there.
---@param text string
---@return table? list, table|string comments, integer? line
function tokens.of(text)
  local list, comments, at, line = {}, {}, 1, 1
  local function advance(stop)
    local _, count = text:sub(at, stop):gsub("\n", "")
    line, at = line + count, stop + 1
  end
  if text:sub(1, 1) == "#" then advance((text:find("\n", 1, true) or #text + 1) - 1) end
  while true do
    local _, blank = text:find("^%s+", at)
    if blank then advance(blank) end
    if at > #text then return list, comments end
    local stop = comment_end(text, at)
    if stop then
      comments[#comments + 1] = { from = at, to = stop, line = line }
      advance(stop)
    elseif stop == false then
      return nil, "a comment that does not end", line
    else
      local kind, last = token_at(text, at)
      if not kind then return nil, ("%q is no Lua here"):format(text:sub(at, at)), line end
      if not last then return nil, "a text that does not end", line end
      list[#list + 1] = { kind = kind, text = text:sub(at, last), from = at, to = last, line = line }
      advance(last)
    end
  end
end

return tokens
