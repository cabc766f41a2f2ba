--- Reads C and Lua text well enough to check the house rules: it blanks comments and strings, then finds
--- includes, requires, declarations and the length of functions.
--- Line numbers stay true: blanked text keeps its newlines.
local source = {}

local function blank(text) return (text:gsub("[^\n]", " ")) end

-- Each rule: the first characters of a piece, where the piece that starts at `s` ends,
-- and whether it is a comment or a string.
local function to_newline(text, s) return (text:find("\n", s, true) or #text + 1) - 1 end

local function to_quote(text, s)
  local quote, at = text:sub(s, s), s + 1
  while true do
    local e = text:find("[\\\n" .. quote .. "]", at)
    if not e then return #text end
    if text:sub(e, e) ~= "\\" then return e end
    at = e + 2
  end
end

local function to_text(closing)
  return function(text, s)
    local _, e = text:find(closing, s + 2, true)
    return e or #text
  end
end

local function to_long_bracket(text, s)
  local level = text:match("^%-*%[(=*)%[", s)
  local _, e = text:find("]" .. level .. "]", s, true)
  return e or #text
end

local languages = {
  c = {
    start = "[/\"']",
    { "^/%*", "comment", to_text "*/" }, { "^//", "comment", to_newline }, { "^[\"']", "string", to_quote },
  },
  lua = {
    start = "[%-\"'%[]",
    { "^%-%-%[=*%[", "comment", to_long_bracket }, { "^%-%-", "comment", to_newline },
    { "^[\"']", "string", to_quote }, { "^%[=*%[", "string", to_long_bracket },
  },
}

local function strip(text, language, keep_strings)
  local rules, out, at = languages[language], {}, 1
  while true do
    local s = text:find(rules.start, at)
    if not s then break end
    local piece, e = text:sub(s, s), s
    for _, rule in ipairs(rules) do
      if text:find(rule[1], s) then
        e = rule[3](text, s)
        piece = text:sub(s, e)
        if rule[2] == "comment" or not keep_strings then piece = blank(piece) end
        break
      end
    end
    out[#out + 1] = text:sub(at, s - 1)
    out[#out + 1] = piece
    at = e + 1
  end
  out[#out + 1] = text:sub(at)
  return table.concat(out)
end

local stripped = { c = { [true] = {}, [false] = {} }, lua = { [true] = {}, [false] = {} } }

--- Return the text with comments, and strings unless `keep_strings`, made blank; the result is cached.
--- `language`: "c" or "lua".
function source.strip(text, language, keep_strings)
  local known = stripped[language][keep_strings == true]
  known[text] = known[text] or strip(text, language, keep_strings)
  return known[text]
end

local lines_of = {}

--- Return the text's lines, without their newlines: a shared list; do not change it.
function source.lines(text)
  local lines = lines_of[text]
  if lines then return lines end
  lines = {}
  for line in (text:gsub("\n$", "") .. "\n"):gmatch "([^\r\n]*)\r?\n" do lines[#lines + 1] = line end
  lines_of[text] = lines
  return lines
end

--- A function that returns the line of a position in the text, for positions that rise.
local function line_counter(text)
  local at, line = 1, 1
  return function(position)
    local newline = text:find("\n", at, true)
    while newline and newline < position do
      line, at = line + 1, newline + 1
      newline = text:find("\n", at, true)
    end
    return line
  end
end

local included = {}

--- Return the #include lines: { line, name, system }: a shared list; do not change it.
function source.includes(text)
  local found = included[text]
  if found then return found end
  found = {}
  included[text] = found
  local code = "\n" .. source.strip(text, "c", true)
  local line_at = line_counter(code)
  for at, open, name in code:gmatch '()\n[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]' do
    found[#found + 1] = { line = line_at(at), name = name, system = open == "<" }
  end
  return found
end

--- Return the modules required, at once or by brio.lib.lazy: { line, name, open }.  `open`: the name is only
--- a prefix, as in `require("brio.tree." .. kind)`; name == nil: it is computed at run time.
function source.requires(text)
  local found, code, names = {}, source.strip(text, "lua"), source.strip(text, "lua", true)
  for _, word in ipairs { "require", "lazy" } do
    local line_at = line_counter(code)
    for from, at in code:gmatch("()" .. word .. "()") do
      local whole = not (from > 1 and code:find("^[%w_.:]", from - 1)) and not code:find("^[%w_]", at)
      local rest = whole and names:match("^[^\n]*", at)
      local name, after = (rest or ""):match "^%s*%(?%s*[\"']([^\"']*)[\"']%s*(.?.?)"
      local mentioned = not rest or not rest:match "^%s*[%(\"'%a_]"
      if word == "lazy" and not name then mentioned = true end -- the word alone: the module of that name
      if not mentioned then
        found[#found + 1] = { line = line_at(from), name = name, open = after == "..", at = from }
      end
    end
  end
  table.sort(found, function(a, b) return a.at < b.at end)
  return found
end

--- Take preprocessor lines out, with their continuation lines; the newlines stay.
local function without_preprocessor(text)
  text = "\n" .. text
  local out, at = {}, 1
  while true do
    local s = text:find("\n[ \t]*#", at)
    if not s then break end
    out[#out + 1] = text:sub(at, s)
    local e = text:find("\n", s + 1, true)
    while e and text:byte(e - 1) == 92 do -- a backslash: the line goes on
      out[#out + 1], e = "\n", text:find("\n", e + 1, true)
    end
    at = e or #text + 1
  end
  out[#out + 1] = text:sub(at)
  return table.concat(out):sub(2)
end

local function function_name(statement)
  local plain = statement:gsub("__attribute__%s*%b()", ""):gsub("_Alignas%s*%b()", "")
  if plain:match "^%s*typedef%f[%W]" or plain:match "^[^(]*=" then return end
  return plain:match "[%w_*]%s+%**([%a_][%w_]*)%s*%([^*]" or plain:match "%*([%a_][%w_]*)%s*%([^*]"
end

local function variable_name(statement)
  local plain = statement:gsub("__attribute__%s*%b()", ""):gsub("%b{}", " "):gsub("%b[]", "")
  if plain:match "^%s*typedef%f[%W]" then
    return plain:match "%(%s*%*%s*([%a_][%w_]*)%s*%)" or plain:match "([%a_][%w_]*)%s*%("
      or plain:match "([%a_][%w_]*)%s*$"
  end
  plain = plain:gsub("=.*", "")
  if plain:match "^%s*extern%f[%W]" or plain:match "[%w_*]%s+%**[%a_][%w_]*%s*$" and statement:match "=" then
    if not plain:match "^%s*enum%s*$" then return plain:match "([%a_][%w_]*)%s*$" end
  end
end

--- The constants of an enum's statement.
local function constants(statement)
  local names = {}
  local body = statement:match "%f[%w]enum%s*[%w_]*%s*(%b{})"
  for name in (body or ""):gmatch "[{,]%s*([%a_][%w_]*)" do names[#names + 1] = name end
  return names
end

local function declarations(text)
  text = without_preprocessor(source.strip(text, "c"))
  local found, line_at = {}, line_counter(text)
  local depth, start, first, is_function = 0, nil, nil, false
  local function begin(from)
    start = text:find("%S", from)
    first = start and line_at(start)
  end
  local function record(kind, name, statement, stop)
    found[#found + 1] = { name = name, kind = kind, first = first, last = line_at(stop),
                          static = statement:match "^%s*static%f[%W]" ~= nil }
  end
  begin(1)
  for at, mark in text:gmatch "()([{};])" do
    if mark == "{" then
      local head = depth == 0 and text:sub(start or at, at - 1) or ""
      if depth == 0 then is_function = head:match "%)%s*$" ~= nil and function_name(head) ~= nil end
      if depth == 0 and head:match "^extern%s*$" then begin(at + 1) else depth = depth + 1 end
    elseif mark == "}" then
      depth = text:sub(at - 1, at - 1) == "\n" and 0 or math.max(depth - 1, 0)
      if depth == 0 and is_function then
        local statement = text:sub(start, at)
        record("definition", function_name(statement), statement, at)
        is_function = false
        begin(at + 1)
      end
    elseif depth == 0 and start then
      local statement = text:sub(start, at - 1)
      local name = function_name(statement)
      local other = not name and variable_name(statement)
      if name then record("prototype", name, statement, at)
      elseif other then record(statement:match "^typedef" and "type" or "variable", other, statement, at) end
      for _, constant in ipairs(name and {} or constants(statement)) do
        record("constant", constant, statement, at)
      end
      begin(at + 1)
    end
  end
  return found
end

local declared = {}

--- Return what a C file declares or defines outside of functions, in order:
--- { name, kind, static, first, last }; kind: "prototype", "definition", "type", "variable",
--- "constant" (of an enum).  A shared list; do not change it.
--- A closing brace in column 0 always closes whatever is open.
function source.declarations(text)
  declared[text] = declared[text] or declarations(text)
  return declared[text]
end

--- Return the C functions with a body: { name, first, last }.
function source.c_functions(text)
  local found = {}
  for _, declaration in ipairs(source.declarations(text)) do
    if declaration.kind == "definition" then found[#found + 1] = declaration end
  end
  return found
end

local openers = { ["function"] = 1, ["do"] = 1, ["then"] = 1, ["repeat"] = 1,
                  ["end"] = -1, ["until"] = -1, ["elseif"] = -1 }

--- Return the Lua functions that span lines: { name, first, last }.  A function ends at
--- the next line of the same indentation that begins with `end`.
function source.lua_functions(text)
  local found, lines = {}, source.lines(source.strip(text, "lua"))
  for number, line in ipairs(lines) do
    local balance = 0
    local begins = line:find("function", 1, true) and line:find "%f[%w_]function%f[^%w_]"
    for word in (begins and line or ""):gmatch "[%a_][%w_]*" do balance = balance + (openers[word] or 0) end
    if balance > 0 then
      local indentation, last = line:match "^%s*", number
      for below = number + 1, #lines do
        if lines[below]:match("^" .. indentation .. "end%f[^%w_]") then last = below break end
      end
      local name = line:match "function%s+([%w_.:]+)" or line:match "([%w_.]+)%s*=%s*function" or "function"
      found[#found + 1] = { name = name, first = number, last = last }
    end
  end
  return found
end

--- Return the names in the X(name) rows of a .def file: { line, name }.
function source.rows(text)
  local found = {}
  for number, line in ipairs(source.lines(source.strip(text, "c"))) do
    local name = line:match "^%s*X%s*%(%s*([%a_][%w_]*)"
    if name then found[#found + 1] = { line = number, name = name } end
  end
  return found
end

--- Return the texts of the list `name = { "a", "b" }` of a Lua file: { line, name }.
function source.listed_texts(text, name)
  local found, inside = {}, false
  for number, line in ipairs(source.lines(source.strip(text, "lua", true))) do
    inside = inside or line:match("^" .. name:gsub("%p", "%%%0") .. "%s*=%s*{") ~= nil
    for word in (inside and line or ""):gmatch "[\"']([%w_]+)[\"']" do
      found[#found + 1] = { line = number, name = word }
    end
    if inside and line:find "}" then return found end
  end
  return found
end

local tags = { struct = true, union = true, enum = true }

--- The name of the type that a line of C code defines; `typedef struct name name;` defines nothing.
function source.type_defined(line)
  local alias = line:match "^%s*typedef%s[^{]*;%s*$"
  if not alias then
    local kind, tag = line:match "%f[%w_](%l+)%s+(brio_[%w_]+)%s*{"
    return tags[kind] and tag or line:match "^}%s*(brio_[%w_]+)%s*;"
  end
  local tag, name = line:match "^%s*typedef%s+%l+%s+(brio_[%w_]+)%s+(brio_[%w_]+)%s*;"
  return tag == nil and (line:match "(brio_[%w_]+)%s*%)?%s*%(" or line:match "(brio_[%w_]+)%s*[%[;]")
    or tag ~= name and name or nil
end

return source
