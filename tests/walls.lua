--- Checks the project against its architecture: which room may use which, one row for one file,
--- third-party headers included in few places, short files and functions, documented public names.
---   lua5.4 tests/walls.lua [ROOT]
--- Prints "ok walls: ..." or "not ok walls: ..." for each rule, with a line
--- "#   file:line: what is wrong" for each violation, and exits 1 when there is one.
local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/lib/?.lua;" .. package.path

local each_circle = require "walls.circles"
local files = require "files"
local rooms = require "rooms"
local sizes = require "walls.sizes"
local source = require "source"
local questions = require "walls.where"

local root = arg[1] or here .. "/.."

-- ------------------------------------------------------------------ the project, read once

local project = { paths = files.of_project(root), text = {}, kind = {} }

local kinds = { c = "c", h = "c", def = "def", lua = "lua", cc = "c", cpp = "c",
                sql = "text", sh = "text", md = "text", [""] = "text" }

for _, path in ipairs(project.paths) do
  local kind = kinds[path:match "%.(%w+)$" or ""]
  if kind then
    project.kind[path] = kind
    project.text[path] = files.read(root .. "/" .. path)
  end
end

--- Iterate over the files of the kinds given, in order.
local function each(...)
  local wanted, i = {}, 0
  for _, kind in ipairs { ... } do wanted[kind] = true end
  return function()
    repeat i = i + 1 until not project.paths[i] or wanted[project.kind[project.paths[i]]]
    return project.paths[i], project.text[project.paths[i]]
  end
end

--- Whether `text` fits a pattern in which "*" stands for anything.
local function fits(text, pattern)
  return text:match("^" .. pattern:gsub("[%.%-%+]", "%%%0"):gsub("%*", ".*") .. "$") ~= nil
end

local function fits_any(text, patterns)
  for _, pattern in ipairs(patterns) do
    if fits(text, pattern) then return true end
  end
  return false
end

local known_rooms = {}
--- The room that a path belongs to: the one with the longest matching prefix.
local function room_of(path)
  local found, longest = known_rooms[path], -1
  if found ~= nil then return found or nil end
  for _, room in ipairs(rooms.list) do
    for _, beginning in ipairs(room.at) do
      if #beginning > longest and path:sub(1, #beginning) == beginning then
        found, longest = room, #beginning
      end
    end
  end
  known_rooms[path] = found or false
  return found
end

local function room_named(name)
  for _, room in ipairs(rooms.list) do
    if room.name == name then return room end
  end
end

-- ------------------------------------------------------------------ who uses what

--- The project's file that `#include "name"` in `path` means, or nil.
local function included_file(path, name)
  for _, try in ipairs { "engine/" .. name, name, (path:match "^(.*/)" or "") .. name } do
    if project.text[try] then return try end
  end
end

--- The C files of a folder, with `nested` also of its subfolders: paths by file name.
local function c_files(folder, nested)
  local paths = {}
  for path in each "c" do
    local below = path:sub(1, #folder + 1) == folder .. "/" and path:sub(#folder + 2)
    local name = below and below:match(nested and "([^/]+%.c)$" or "^([^/]+%.c)$")
    if name then paths[name] = path end
  end
  return paths
end

--- The Lua modules that are written in C: their files by their names.
local function module_files()
  local paths, names = c_files("engine/lua", true), {}
  for _, row in ipairs(source.rows(project.text["engine/lua/modules.def"] or "")) do
    names[row.name] = paths["lua_" .. row.name .. ".c"]
  end
  return names
end

--- The names of modules' files by their public names (lua/brio/public.lua).
local function public_names()
  local names = {}
  local text = project.text["lua/brio/public.lua"] or ""
  for public, file in text:gmatch '%["(brio[%w_.]+)"%] = "(brio[%w_.]+)"' do
    names[public] = file
  end
  return names
end

local public_name = public_names()

--- The project's file that a Lua module's name stands for, and its room; nil: a module of others.
local function required_file(name, modules)
  if public_name[name] then
    return "lua/brio/public.lua", room_named "lua/brio/public.lua"
  end
  local path = name:gsub("%.", "/")
  for _, try in ipairs { "lua/" .. path .. ".lua", "lua/" .. path .. "/init.lua" } do
    if project.text[try] then return try, room_of(try) end
  end
  if name == "brio.core" then return name, room_named "brio.core" end
  if name:match "^brio%.%w+$" and modules[name:sub(6)] then
    return modules[name:sub(6)], room_named "engine/lua"
  end
end

local function may_use(from, to, file)
  if from == to or from.any or to.name == "engine/base" then return true end
  for _, use in ipairs(from.uses) do
    if use == to.name or use == file then return true end
  end
  return false
end

local edges = {} -- where one room uses another, for the circle check: { from, to, path, line }

local function hold(fault, path, line, from, to, file)
  if from ~= to then edges[#edges + 1] = { from = from.name, to = to.name, path = path, line = line } end
  if not may_use(from, to, file) then
    fault(path, line, ("%s may not enter %s (%s): %s"):format(from.name, to.name, file, from.why))
  end
end

local function check_includes(fault)
  for path, text in each("c", "def") do
    local from = room_of(path)
    for _, include in ipairs(from and not path:match "^drivers/robots/" and source.includes(text) or {}) do
      local file = not include.system and included_file(path, include.name)
      local to = file and room_of(file)
      if to then
        hold(fault, path, include.line, from, to, file)
        if file:match "_internal%.h$" and to ~= from and path:sub(1, 6 + #to.name) ~= "tests/" .. to.name then
          fault(path, include.line, ("%s is private to %s"):format(file, to.name))
        end
      elseif not include.system then
        fault(path, include.line, ('there is no file "%s"; includes are written from engine/ or the top')
              :format(include.name))
      end
    end
  end
end

local function third_party_module(path, name)
  for module, allowed in pairs(rooms.third_party_modules) do
    if fits(name, module) then return fits_any(path, allowed) end
  end
  local own_folder = path:match "^(.*/)" or ""
  for _, folder in ipairs { own_folder, "tests/lib/", "tests/program/", "scripts/", "scripts/bench/",
    "scripts/make/" } do
    local beside = path:match "^behaviors/" and folder == own_folder -- a behavior may be of several files
    if beside or path:match "^tests/" or path:match "^scripts/" then
      if project.text[folder .. name:gsub("%.", "/") .. ".lua"] then return true end
    end
  end
  return false
end

--- The room of the first module whose name has this prefix, or nil.
local function family_room(beginning)
  local path = "lua/" .. beginning:gsub("%.", "/")
  for file in each "lua" do
    if file:sub(1, #path) == path then return room_of(file) end
  end
end

local needs = {} -- which file of the library requires which, for the circle check: { from, to, line }

--- Record that a file requires another; with `open`, all files whose module names have the prefix `file`.
local function note_need(path, line, file, open)
  if not open then return table.insert(needs, { from = path, to = file, line = line }) end
  local beginning = "lua/" .. file:sub(1, -2):gsub("%.", "/")
  for other in each "lua" do
    if other:sub(1, #beginning) == beginning then
      needs[#needs + 1] = { from = path, to = other, line = line }
    end
  end
end

--- The file and room that a require stands for; nil, nil for a module of others or an unknown name.
local function meant_by(required, modules)
  local name = required.name
  if not required.open then return required_file(name, modules) end
  if name ~= "brio." then return name .. "*", family_room(name) end
end

local function check_requires(fault)
  local modules, late = module_files(), {}
  for path, text in each "lua" do
    local from = room_of(path)
    for _, required in ipairs(from and source.requires(text) or {}) do
      local name, line = required.name, required.line
      local file, to
      if name then file, to = meant_by(required, modules) end
      local up = file and path .. " > " .. file
      if up and rooms.late_requires[up] then late[up] = true
      elseif to then
        hold(fault, path, line, from, to, file)
        if path:match "^lua/" then note_need(path, line, file, required.open) end
      elseif not name or required.open then
        if not from.reads_world and not rooms.open_requires[path] then
          fault(path, line, "requires a module whose name is made up at run time")
        end
      elseif not third_party_module(path, name) then
        fault(path, line, ("%s may not enter the module '%s': %s"):format(from.name, name, from.why))
      end
    end
  end
  for up in pairs(rooms.late_requires) do
    if project.text[up:match "^%S+"] and not late[up] then
      fault("tests/lib/rooms.lua", 1, ("late_requires: no file has the require '%s'"):format(up))
    end
  end
end

local raw = { { "io", "files" }, { "os", "the clock and the machine" }, { "math%.random", "random numbers" },
              { "math%.randomseed", "random numbers" }, { "dofile", "files" }, { "loadfile", "files" } }

local function check_raw_lua(fault)
  for path, text in each "lua" do
    local from = room_of(path)
    local free = not from or from.reads_world or rooms.reads_world[path] or path:match "^drivers/robots/"
    for number, line in ipairs(free and {} or source.lines(source.strip(text, "lua"))) do
      for _, rule in ipairs(raw) do
        local after = line:find(rule[1]) and line:match("%f[%w_.:]" .. rule[1] .. "%f[^%w_](.*)")
        if after and after:match "^%s*[.%[(]" or after and rule[1] ~= "io" and rule[1] ~= "os" then
          fault(path, number, ("%s may not use %s: %s come from the engine, or a run would not repeat")
                :format(from.name, rule[1]:gsub("%%", ""), rule[2]))
          break
        end
      end
    end
  end
end

--- Report calls under the script budget outside the dispatcher, by whatever name a file has brio.script.
local function check_dispatch(fault)
  local module = "require%s*%(?%s*[\"']brio%.script[\"']%s*%)?"
  for path, text in each "lua" do
    local free = not path:match "^lua/brio/" or path == rooms.dispatcher
    local code = free and "" or source.strip(text, "lua", true)
    local name = code:match("local%s+([%w_]+)%s*=%s*" .. module)
    for number, line in ipairs(source.lines(code)) do
      if line:match(module .. "%s*%.%s*call%f[^%w_]")
        or name and line:match("%f[%w_.]" .. name .. "%s*%.%s*call%f[^%w_]") then
        fault(path, number, ("calls people's code by script.call: that is for %s alone")
              :format(rooms.dispatcher))
      end
    end
  end
end

--- The uses that the table allows and that the files have: uses[from] is a list of rooms, and
--- where[from .. ">" .. to] the file and line of the use; a use that the table forbids wins.
local function gather_uses()
  local uses, where = {}, {}
  local function join(from, to, path, line, allowed)
    local name = from .. ">" .. to
    if not where[name] then
      uses[from] = uses[from] or {}
      table.insert(uses[from], to)
      where[name] = { path = path, line = line, allowed = allowed }
    end
  end
  for _, room in ipairs(rooms.list) do
    for _, use in ipairs(room.uses or {}) do
      if room_named(use) then join(room.name, use, "tests/lib/rooms.lua", 1, true) end
    end
  end
  for _, edge in ipairs(edges) do join(edge.from, edge.to, edge.path, edge.line, false) end
  return uses, where
end

--- Report every circle of rooms, at the use in it that the table does not allow.
local function check_circles(fault)
  local uses, where = gather_uses()
  local names = {}
  for index, room in ipairs(rooms.list) do names[index] = room.name end
  each_circle(names, uses, function(circle)
    local worst = where[circle[1] .. ">" .. circle[2]]
    for i = 2, #circle - 1 do
      local use = where[circle[i] .. ">" .. circle[i + 1]]
      if worst.allowed and not use.allowed then worst = use end
    end
    fault(worst.path, worst.line, "rooms in a circle: " .. table.concat(circle, " -> "))
  end)
end

--- Report every circle of the library's files.
local function check_file_circles(fault)
  local names, uses, lines = {}, {}, {}
  for _, need in ipairs(needs) do
    if not uses[need.from] then names[#names + 1], uses[need.from] = need.from, {} end
    table.insert(uses[need.from], need.to)
    lines[need.from .. need.to] = need.line
  end
  each_circle(names, uses, function(circle)
    fault(circle[1], lines[circle[1] .. circle[2]], "files in a circle: " .. table.concat(circle, " -> "))
  end)
end

-- ------------------------------------------------------------------ headers of others

local function words_fit(name, words)
  for word in words:gmatch "%S+" do
    if name == word .. ".h" or word:match "%*" and fits(name, word) then return true end
  end
  return false
end

local function check_headers(fault)
  for path, text in each("c", "def") do
    local room = room_of(path)
    for _, include in ipairs(room and source.includes(text) or {}) do
      local name, allowed = include.name, nil
      for header, paths in pairs(rooms.third_party_headers) do
        if fits(name, header) then allowed = paths end
      end
      local cpp = not name:match "[./]" and path:match "%.c[cp]p?$"
      if not include.system or cpp or words_fit(name, rooms.standard_headers) then allowed = { path } end
      if words_fit(name, rooms.system_headers) then
        if not room.system then
          fault(path, include.line, ("%s may not include <%s>, a header of the operating system: %s")
                :format(room.name, name, room.why))
        end
      elseif not allowed then
        fault(path, include.line, ("<%s> is a header that tests/lib/rooms.lua does not list"):format(name))
      elseif not fits_any(path, allowed) then
        fault(path, include.line, ("<%s> may be included only by %s")
              :format(name, table.concat(allowed, ", ")))
      end
    end
  end
end

-- ------------------------------------------------------------------ tables and files

local function check_lists(fault)
  for _, list in ipairs(rooms.lists) do
    local known = {}
    for _, row in ipairs(source.listed_texts(project.text[list.file] or "", list.list)) do
      local file = ("%s/%s.lua"):format(list.folder, row.name)
      if not project.text[file] then
        fault(list.file, row.line, ("%s names no file %s"):format(row.name, file))
      end
      known[file] = true
    end
    for path in each "lua" do
      if path:match("^" .. list.folder:gsub("%p", "%%%0") .. "/[^/]+$") and not known[path] then
        fault(path, 1, ("is not in %s of %s"):format(list.list, list.file))
      end
    end
  end
end

--- Whether a file is a part of one that has a row: lua_scene_frames.c is a part of lua_scene.c.
local function is_part(name, known)
  local whole = name:match "^(.+)_[^_]+$"
  return whole ~= nil and (known[whole .. ".c"] or is_part(whole, known))
end

local function check_table(rows, fault)
  local known, paths = {}, c_files(rows.folder, rows.nested)
  for _, row in ipairs(source.rows(project.text[rows.def] or "")) do
    local name = ("%s%s.c"):format(rows.prefix, row.name)
    if not paths[name] then
      fault(rows.def, row.line, ("row %s has no file %s/%s"):format(row.name, rows.folder, name))
    end
    if known[name] then fault(rows.def, row.line, ("row %s is there twice"):format(row.name)) end
    known[name] = true
  end
  for path in each "c" do
    local name = path:match "[^/]+$"
    local part = rows.nested and is_part(name, known)
    if paths[name] == path and not known[name] and not part and not fits_any(name, rows.besides or {}) then
      fault(path, 1, ("has no row in %s"):format(rows.def))
    end
  end
end

local function check_rows(fault)
  check_lists(fault)
  for _, rows in ipairs(rooms.tables) do check_table(rows, fault) end
end

local function check_top(fault)
  local known, said = {}, {}
  for _, name in ipairs(rooms.top) do known[name] = true end
  for _, path in ipairs(project.paths) do
    local top = path:match "^[^/]+"
    if not known[top] and top:sub(1, 1) ~= "." and not said[top] then
      said[top] = true
      fault(path, 1, ("'%s' does not belong at the top level, which is fixed: %s")
            :format(top, table.concat(rooms.top, " ")))
    end
  end
end

--- Report rooms of the Lua library that docs/engine/architecture.md does not name.
local function check_told(fault)
  local name = "docs/engine/architecture.md"
  local page = project.text[name]
  for _, room in ipairs(page and rooms.list or {}) do
    if room.name:match "^lua/brio/[^.]+$" and not page:find("`" .. room.name .. "`", 1, true) then
      fault(name, 1, ("says nothing of the room %s"):format(room.name))
    end
  end
end

local function is_public(path)
  return path:match "^engine/" or path:match "^drivers/" or path:match "^store/"
end

--- Whether line `number` has a comment above it, or above the group of lines it is in.
local function has_comment(raw_lines, code_lines, number)
  if code_lines[number] ~= raw_lines[number] and raw_lines[number]:match "/[*/]" then return true end
  for above = number - 1, 1, -1 do
    if raw_lines[above]:match "^%s*$" or code_lines[above]:match "^%s*#" then return false end
    if code_lines[above]:match "^%s*$" then return true end
  end
  return false
end

local function check_documented(fault)
  for path, text in each "c" do
    if path:match "%.h$" and is_public(path) then
      local raw_lines = source.lines(text)
      local code_lines = source.lines(source.strip(text, "c"))
      for _, one in ipairs(source.declarations(text)) do
        if (one.kind == "prototype" or one.kind == "definition")
           and not has_comment(raw_lines, code_lines, one.first) then
          fault(path, one.first, one.name .. " has no comment above it")
        end
      end
    end
  end
end

local free_names = { main = true, LLVMFuzzerTestOneInput = true, sqlite3_briosamples_init = true }

local function check_names(fault)
  for path, text in each "c" do
    if is_public(path) then
      local header = path:match "%.h$"
      for _, one in ipairs(source.declarations(text)) do
        local good = one.name:match(one.kind == "constant" and "^BRIO_" or "^brio_")
          or one.name:match "^luaopen_brio_" or free_names[one.name]
        local public = not one.static and (header or one.kind == "definition" or one.kind == "variable")
        if public and not good then
          local beginning = one.kind == "constant" and "BRIO_" or "brio_"
          fault(path, one.first, ("the public name %s does not start with %s"):format(one.name, beginning))
        end
      end
      for number, line in ipairs(header and source.lines(source.strip(text, "c")) or {}) do
        local macro = line:match "^%s*#%s*define%s+([%w_]+)"
        if macro and macro ~= "X" and not macro:match "^BRIO_" and not macro:match "^_" then
          fault(path, number, ("the public macro %s does not start with BRIO_"):format(macro))
        end
      end
    end
  end
end

local function check_types(fault)
  local known, said = {}, {}
  for path, text in each "c" do
    for number, line in ipairs(is_public(path) and source.lines(source.strip(text, "c")) or {}) do
      local name = line:find("brio_", 1, true) and source.type_defined(line)
      local other = name and known[name]
      if other and other.path ~= path and not said[path .. name] then
        said[path .. name] = true
        fault(path, number, ("the type %s is another in %s:%d; a name stands for one thing")
              :format(name, other.path, other.line))
      elseif name and not other then
        known[name] = { path = path, line = number }
      end
    end
  end
end

local function check_loose_ends(fault)
  local marks = { "TO" .. "DO", "FIX" .. "ME", "XX" .. "X" } -- split, since this file is checked too
  for path, text in each("c", "def", "lua", "text") do
    for _, mark in ipairs(marks) do
      for number, line in ipairs(text:find(mark, 1, true) and source.lines(text) or {}) do
        if line:match("%f[%w_]" .. mark .. "%f[^%w_]") then
          fault(path, number, ("%s: finish it or take it out"):format(mark))
        end
      end
    end
  end
end

-- ------------------------------------------------------------------ the rules, one line each

local rules = {
  { "every #include stays within its room's walls", check_includes },
  { "every require stays within its room's walls", check_requires },
  { "Lua that replays uses no clock, file or random source but ours", check_raw_lua },
  { "one function calls into code that people write", check_dispatch },
  { "the rooms form no circle", check_circles },
  { "the files of the Lua library form no circle", check_file_circles },
  { "docs/engine/architecture.md has every room of the Lua library", check_told },
  { "third-party and system headers are included where they are listed", check_headers },
  { "every table row has its file and every file its row", check_rows },
  { "the top level holds what it should", check_top },
  { "no folder is crowded", function(fault) sizes.check_folders(project, fault) end },
  { "files and functions are short", function(fault) sizes.check_lengths(project, fault) end },
  { "no function is written twice", function(fault) sizes.check_copies(project, fault) end },
  { "no line is too wide", function(fault) sizes.check_widths(project, fault) end },
  { "C has comments", function(fault) sizes.check_comments(project, fault) end },
  { "names lead to what people look for", function(fault) questions.check(project.paths, fault) end },
  { "every public function is documented", check_documented },
  { "public names start with brio_", check_names },
  { "a type's name stands for one thing", check_types },
  { "no loose ends", check_loose_ends },
}

local failed = false
for _, rule in ipairs(rules) do
  local faults = {}
  rule[2](function(path, line, sentence)
    faults[#faults + 1] = ("#   %s:%d: %s"):format(path, line, sentence)
  end)
  print((#faults == 0 and "ok" or "not ok") .. " walls: " .. rule[1])
  for _, fault in ipairs(faults) do print(fault) end
  failed = failed or #faults > 0
end
os.exit(failed and 1 or 0)
