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

--- Return the #include lines: { line, name, system }.
function source.includes(text)
  local found = {}
  for number, line in ipairs(source.lines(source.strip(text, "c", true))) do
    local open, name = line:match '^%s*#%s*include%s*([<"])([^>"]+)[>"]'
    if name then found[#found + 1] = { line = number, name = name, system = open == "<" } end
  end
  return found
end

--- Return the modules required, at once or by brio.lib.lazy: { line, name, open }.  `open`: the name is only
--- a prefix, as in `require("brio.tree." .. kind)`; name == nil: it is computed at run time.
function source.requires(text)
  local found = {}
  local names = source.lines(source.strip(text, "lua", true))
  for number, line in ipairs(source.lines(source.strip(text, "lua"))) do
    for word, at in line:gmatch "%f[%w_.:](%l+)%f[^%w_]()" do
      if word ~= "require" and word ~= "lazy" then goto next_word end
      local rest = names[number]:sub(at)
      local name, after = rest:match "^%s*%(?%s*[\"']([^\"']*)[\"']%s*(.?.?)"
      local mentioned = not rest:match "^%s*[%(\"'%a_]"
      if word == "lazy" and not name then mentioned = true end -- the word alone: the module of that name
      if not mentioned then found[#found + 1] = { line = number, name = name, open = after == ".." } end
      ::next_word::
    end
  end
  return found
end

--- Blank preprocessor lines, with their continuation lines.
local function without_preprocessor(text)
  local lines, continues = {}, false
  for i, line in ipairs(source.lines(text)) do
    local directive = continues or line:match "^%s*#"
    continues = directive and line:match "\\$"
    lines[i] = directive and "" or line
  end
  return table.concat(lines, "\n") .. "\n"
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

local function line_counter(text)
  local at, line = 1, 1
  return function(position)
    for _ in text:sub(at, position - 1):gmatch "\n" do line = line + 1 end
    at = position
    return line
  end
end

--- Return what a C file declares or defines outside of functions, in order:
--- { name, kind, static, first, last }; kind: "prototype", "definition", "type", "variable",
--- "constant" (of an enum).
--- A closing brace in column 0 always closes whatever is open.
function source.declarations(text)
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
      local head = text:sub(start or at, at - 1)
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
    for word in line:gmatch "[%a_][%w_]*" do balance = balance + (openers[word] or 0) end
    if balance > 0 and line:match "%f[%w_]function%f[^%w_]" then
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
