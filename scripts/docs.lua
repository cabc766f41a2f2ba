--- Writes the Lua reference and the editor annotations from what the code says of itself.
---     lua5.4 scripts/docs.lua [--check]
---
--- Of each file engine/lua/lua_<module>.c: the comment at its top, and every comment of the form
---     /* module.name(arguments) -> results
---     ** what it does */
--- becomes docs/reference/<module>.md, with the example docs/examples/<module>.lua, and
--- docs/annotations/brio.lua for the Lua language server.  --check writes nothing and fails when
--- a page is out of date.
local check = arg[1] == "--check"
local stale = {}

local function read(path)
  local file = io.open(path, "r")
  if not file then return nil end
  local text = file:read("a")
  file:close()
  return text
end

local function write(path, text)
  if read(path) == text then return end
  if check then
    stale[#stale + 1] = path
    return
  end
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

local function modules()
  local names = {}
  for name in read("engine/lua/modules.def"):gmatch("\nX%(([%w_]+)%)") do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- The text of a C comment, without its stars.
local function plain(comment)
  local lines = {}
  for line in (comment .. "\n"):gmatch("(.-)\n") do
    lines[#lines + 1] = line:gsub("^%s*/%*%s?", ""):gsub("^%s*%*%*%s?", ""):gsub("%s*%*/%s*$", "")
  end
  return table.concat(lines, "\n")
end

--- The functions that a binding documents: {signature, name, args, results, text}.
local function functions_of(source)
  local list = {}
  for comment, after in source:gmatch("\n(/%*.-%*/)()") do
    local text = source:find("^\nstatic int ", after) and plain(comment) or ""
    local signature = text:match("^[^\n]+") or ""
    -- a long signature goes on while its parentheses are open
    local rest = text:sub(#signature + 2)
    while select(2, signature:gsub("%(", "")) > select(2, signature:gsub("%)", "")) or signature:match("[,|]$") or signature:match("%->$") do
      local more = rest:match("^[^\n]*")
      if more == "" then break end
      signature, rest = signature .. " " .. more:gsub("^%s+", ""), rest:sub(#more + 2)
    end
    local name, args = signature:match("^([%w_]+[%.:][%w_]+)%s*(%b())")
    if not name then name, args = signature:match("^([%w_]+[%.:][%w_]+)%s*(%b{})") end
    if name then
      list[#list + 1] = { signature = signature, name = name, args = args, results = signature:match("%->%s*(.*)$"),
        text = rest:gsub("^%s+", ""):gsub("%s+$", "") }
    end
  end
  return list
end

local function page(name, source)
  local out = { ("# brio.%s\n"):format(name), plain(source:match("^%s*(/%*.-%*/)") or ""):gsub("^brio%.[%w_]+:%s*", "") .. "\n" }
  for _, fn in ipairs(functions_of(source)) do
    out[#out + 1] = ("## `%s`\n\n%s\n"):format(fn.signature, fn.text)
  end
  local example = read("docs/examples/" .. name .. ".lua")
  if example then
    out[#out + 1] = ("## Example\n\nRun it with `build/brio lua docs/examples/%s.lua`.\n\n```lua\n%s```\n"):format(name, example)
  end
  return table.concat(out, "\n")
end

local types = {
  { "name|key|path|file|text|id|kind|link|why|sql|joint|variable|title", "string" },
  { "dt|time|seconds|tau|weight|lower|upper|n|x|y|size|number|budget|within|seed|count|width|height", "number" },
  { "options|config|list|point|points|pose|goal|detections|row|rows|fields|targets|limits", "table" },
}

local function type_of(word)
  for _, row in ipairs(types) do
    for known in row[1]:gmatch("[^|]+") do
      if known == word then return row[2] end
    end
  end
  return "any"
end

local function annotation(fn)
  local out, names = {}, {}
  for line in (fn.text .. "\n"):gmatch("(.-)\n") do out[#out + 1] = "---" .. line end
  if fn.args:sub(1, 1) == "{" then
    out[#out + 1] = "---@param fields table"
    names[1] = "fields"
  else
    local optional = false
    for piece in fn.args:sub(2, -2):gmatch("[^,]+") do
      optional = optional or piece:find("[", 1, true) ~= nil
      local word = piece:match("[%a_][%w_]*")
      if word then
        names[#names + 1] = word
        out[#out + 1] = ("---@param %s%s %s"):format(word, optional and "?" or "", type_of(word))
      elseif piece:find("...", 1, true) then
        names[#names + 1] = "..."
        out[#out + 1] = "---@param ... any"
      end
    end
  end
  if fn.results then
    out[#out + 1] = "---@return any # " .. fn.results
    if fn.results:find("nil, sentence") then out[#out + 1] = "---@return string? sentence\n---@return string? code" end
  end
  out[#out + 1] = ("function %s(%s) end\n"):format(fn.name, table.concat(names, ", "))
  return table.concat(out, "\n")
end

local function annotations(names)
  local out = { "---@meta\n--- Made from the comments in engine/lua by scripts/docs.lua.\n" }
  for _, name in ipairs(names) do
    local source = read("engine/lua/lua_" .. name .. ".c")
    out[#out + 1] = ("---@class brio.%s\nlocal %s = {}\n"):format(name, name)
    local classes = { [name] = true }
    for _, fn in ipairs(functions_of(source)) do
      local class = fn.name:match("^([%w_]+)")
      if not classes[class] then
        classes[class] = true
        out[#out + 1] = ("---@class brio.%s.%s\nlocal %s = {}\n"):format(name, class, class)
      end
      out[#out + 1] = annotation(fn)
    end
  end
  return table.concat(out, "\n")
end

local names = modules()
local index = { "# The Lua modules\n", "Each is written in C and found by `require \"brio.<name>\"`, in the program and in a stock lua5.4.\n" }
for _, name in ipairs(names) do
  local source = assert(read("engine/lua/lua_" .. name .. ".c"), "no file for module " .. name)
  write("docs/reference/" .. name .. ".md", page(name, source))
  local about = plain(source:match("^%s*(/%*.-%*/)") or ""):gsub("^brio%.[%w_]+:%s*", ""):match("^[^\n]+") or ""
  index[#index + 1] = ("- [brio.%s](%s.md): %s"):format(name, name, about)
end
write("docs/reference/README.md", table.concat(index, "\n") .. "\n")
write("docs/annotations/brio.lua", annotations(names))

for _, path in ipairs(stale) do io.stderr:write(path, " is out of date: run lua5.4 scripts/docs.lua\n") end
os.exit(#stale == 0)
