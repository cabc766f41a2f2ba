--- Generates the Lua reference and the editor annotations from comments in the C bindings.
---     lua5.4 scripts/docs.lua [--check]
---
--- Of each file engine/lua/<room>/lua_<module>.c and of its parts, lua_<module>_<part>.c: the comment at its
--- top, and every comment of the form
---     /* module.name(arguments) -> results
---     ** what it does */
--- becomes docs/reference/<module>.md, with the example docs/examples/<module>.lua, and
--- docs/annotations/brio/<module>.lua for the Lua language server.  --check writes nothing and fails if a
--- page is out of date.  docs_objectives.lua generates the pages of the solver's tables.
package.path = "scripts/make/?.lua;" .. package.path
local generated = require "generated"

local read = generated.read
local writer = generated.writer("lua5.4 scripts/docs.lua", arg[1] == "--check")

local function modules()
  local names = {}
  for name in read("engine/lua/modules.def"):gmatch("\nX%(([%w_]+)%)") do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- The paths of all bindings, in order.
local function bindings()
  local paths = {}
  local listing = assert(io.popen("find engine/lua -name 'lua_*.c' | LC_ALL=C sort"))
  for path in listing:lines() do paths[#paths + 1] = path end
  listing:close()
  return paths
end

--- The path of a module's file, and the texts of the file and of its parts, in order.
local function source_of(name, paths)
  local main, texts = nil, {}
  for _, path in ipairs(paths) do
    if path:match("/lua_" .. name .. "%.c$") then main = path end
    if path:match("/lua_" .. name .. "_[%w_]+%.c$") then texts[#texts + 1] = read(path) end
  end
  table.insert(texts, 1, read(assert(main, "no file for module " .. name)))
  return main, table.concat(texts, "\n")
end

--- The text of a C comment, without its asterisks.
local function plain(comment)
  local lines = {}
  for line in (comment .. "\n"):gmatch("(.-)\n") do
    lines[#lines + 1] = line:gsub("^%s*/%*%s?", ""):gsub("^%s*%*%*%s?", ""):gsub("%s*%*/%s*$", "")
  end
  return table.concat(lines, "\n")
end

local function balanced(signature)
  local function count(sign) return select(2, signature:gsub(sign, "")) end
  return count "%(" <= count "%)" and count "{" <= count "}"
end

--- The functions documented in a binding: {signature, name, args, results, text}.
local function functions_of(source)
  local list = {}
  for comment, after in source:gmatch("\n(/%*.-%*/)()") do
    local text = (source:find("^\nstatic int ", after) or source:find("^\nint brio_lua_", after))
      and plain(comment) or ""
    local signature = text:match("^[^\n]+") or ""
    -- a long signature continues while its parentheses and braces are open
    local rest = text:sub(#signature + 2)
    while not balanced(signature) or signature:match("[,|]$") or signature:match("%->$") do
      local more = rest:match("^[^\n]*")
      if more == "" then break end
      signature, rest = signature .. " " .. more:gsub("^%s+", ""), rest:sub(#more + 2)
    end
    local name, args = signature:match("^([%w_]+[%.:][%w_]+)%s*(%b())")
    if not name then name, args = signature:match("^([%w_]+[%.:][%w_]+)%s*(%b{})") end
    if name then
      list[#list + 1] = { signature = signature, name = name, args = args,
        results = signature:match("%->%s*(.*)$"),
        text = rest:gsub("^%s+", ""):gsub("%s+$", "") }
    end
  end
  return list
end

--- The module's description in the comment at the top of a binding.
local function about_of(source)
  local text = plain(source:match("^%s*(/%*.-%*/)") or "")
  text = text:gsub("^The Lua module ", ""):gsub("^`?brio%.[%w_]+`?:%s*", "")
  return (text:gsub("^%l", string.upper))
end

local function page(name, source)
  local about = about_of(source)
  local out = { ("# brio.%s\n"):format(name), about .. "\n" }
  for _, fn in ipairs(functions_of(source)) do
    out[#out + 1] = ("## `%s`\n\n%s\n"):format(fn.signature, fn.text)
  end
  local example = read("docs/examples/" .. name .. ".lua")
  if example then
    out[#out + 1] = ("## Example\n\nRun it with `build/brio lua \z
      docs/examples/%s.lua`.\n\n```lua\n%s```\n"):format(name, example)
  end
  return table.concat(out, "\n")
end

local types = {
  { "name|key|path|file|text|id|kind|link|why|sql|joint|variable|title", "string" },
  { "dt|time|seconds|tau|weight|lower|upper|n|x|y|size|number|budget|within|seed|count|width|height",
    "number" },
  { "options|config|list|point|points|pose|goal|detections|row|rows|fields|targets|limits", "table" },
  { "handle", "integer" }, { "robot", "brio.robot" }, { "filled|physical|zero_weights|enabled", "boolean" },
}

local function type_of(word)
  for _, row in ipairs(types) do
    for known in row[1]:gmatch("[^|]+") do
      if known == word then return row[2] end
    end
  end
  return "any"
end

--- The type of a function's result, by the first word of its results.
local result_types = {
  { "list|{", "table" }, { "seconds|number|value|points|count", "number" }, { "handle|whole", "integer" },
  { "true|whether", "boolean" }, { "name|sentence|text", "string" }, { "pose", "brio.Pose" },
    { "object", "brio.Object" },
}

local function result_type(results, classes)
  local word = results:match("^[%a_]+") or results:sub(1, 1)
  if results:match("^{x, y, z") then return "number[]" end
  if classes[word] then return classes[word] end
  for _, row in ipairs(result_types) do
    for known in row[1]:gmatch("[^|]+") do
      if known == word then return row[2] .. (results:find("or nil", 1, true) and "?" or "") end
    end
  end
  return "any"
end

--- The names of a function's arguments: a line for each is added to `out`.
local function parameters(fn, out)
  local names, optional = {}, false
  if fn.args:sub(1, 1) == "{" then
    out[#out + 1] = "---@param fields table"
    return { "fields" }
  end
  local inner = fn.args:sub(2, -2):gsub("%b{}", "fields") -- a table of named fields is one argument
  for piece in inner:gmatch("[^,]+") do
    optional = optional or piece:match("^%s*%[") ~= nil
    local word = not piece:find("...", 1, true) and piece:match("[%a_][%w_]*")
    if word == "function" then word = "fn" end
    if word then
      names[#names + 1] = word
      out[#out + 1] = ("---@param %s%s %s"):format(word, optional and "?" or "", type_of(word))
    else
      names[#names + 1] = "..."
      out[#out + 1] = "---@param ... any"
    end
    optional = optional or piece:match("%[%s*$") ~= nil
  end
  return names
end

local function annotation(fn, classes)
  local out = {}
  for line in (fn.text .. "\n"):gmatch("(.-)\n") do out[#out + 1] = "---" .. line end
  local names = parameters(fn, out)
  if fn.results then
    local fails = fn.results:find("nil, sentence", 1, true)
    out[#out + 1] = ("---@return %s%s # %s"):format(result_type(fn.results, classes), fails and "?" or "",
      fn.results)
    if fails then out[#out + 1] = "---@return string? sentence\n---@return string? code" end
  end
  out[#out + 1] = ("function %s(%s) end\n"):format(fn.name, table.concat(names, ", "))
  return table.concat(out, "\n")
end

--- The file that the language server reads in place of the module.
local function annotations(name, path, source)
  local functions = functions_of(source)
  local classes, order = { [name] = "brio." .. name }, { name }
  for _, fn in ipairs(functions) do
    local class = fn.name:match("^([%w_]+)")
    if not classes[class] then
      classes[class] = ("brio.%s.%s"):format(name, class)
      order[#order + 1] = class
    end
  end
  local out = { "---@meta\n-- luacheck: ignore 212 241 631",
    ("--- Made from %s by scripts/docs.lua.\n"):format(path) }
  for _, class in ipairs(order) do
    out[#out + 1] = ("---@class %s\nlocal %s = {}\n"):format(classes[class], class)
  end
  for _, fn in ipairs(functions) do out[#out + 1] = annotation(fn, classes) end
  out[#out + 1] = ("return %s\n"):format(name)
  return table.concat(out, "\n")
end

local names, paths = modules(), bindings()
local index = { "# The Lua modules\n",
  "Each is written in C and found by `require \"brio.<name>\"`, in the program and in a stock lua5.4.\n" }
for _, name in ipairs(names) do
  local path, source = source_of(name, paths)
  writer:write("docs/reference/" .. name .. ".md", page(name, source))
  writer:write("docs/annotations/brio/" .. name .. ".lua", annotations(name, path, source))
  local about = (about_of(source):gsub("%s+", " ") .. " "):match("^(.-%.) ")
  index[#index + 1] = ("- [brio.%s](%s.md): %s"):format(name, name, about)
end
writer:write("docs/reference/README.md", table.concat(index, "\n") .. "\n")

writer:finish()
