--- How the project is built, in numbers: each measure beside its limit.
---     lua5.4 scripts/measures.lua [--only PART] [--ledger]
---         prints a row for each measure, and exits with 1 if one misses its limit; --ledger: measures the
---         instructions, too (valgrind, a minute); without it those are the rows of scripts/ledger/rows.lua
---     lua5.4 scripts/measures.lua --sizes
---         prints the size of each room, the lengths of its functions, and the share of comments in its C
local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/../tests/lib/?.lua;" .. package.path

local files = require "files"
local rooms = require "rooms"
local sizes = require "walls.sizes"
local source = require "source"
local where = require "walls.where"

local root = here .. "/.."
local paths = files.of_project(root)

--- The text of a file; "" if it is not there.
local function text_of(path) return files.read(root .. "/" .. path) or "" end

-- The size of each room ------------------------------------------------------------------------------

local readers = { c = source.c_functions, h = source.c_functions, lua = source.lua_functions }
local rooms_of, order = {}, {}

local function room_of(path)
  return path:match "^engine/[^/]+" or path:match "^drivers/robots" or path:match "^[^/]+"
end

local function count(path, kind)
  local name = room_of(path)
  if not rooms_of[name] then
    rooms_of[name] = { files = 0, lines = 0, code = 0, lengths = {}, c = 0, commented = 0 }
    order[#order + 1] = name
  end
  local room, text = rooms_of[name], text_of(path)
  room.files = room.files + 1
  room.lines = room.lines + #source.lines(text)
  for _, line in ipairs(source.lines(source.strip(text, kind == "lua" and "lua" or "c"))) do
    if line:find "%S" then room.code = room.code + 1 end
  end
  for _, one in ipairs(readers[kind](text)) do table.insert(room.lengths, one.last - one.first + 1) end
  if kind == "c" then
    local all, commented = sizes.comment_lines(text)
    room.c, room.commented = room.c + all, room.commented + commented
  end
end

local function share(lengths, part)
  return lengths[math.max(1, math.ceil(#lengths * part))] or 0
end

local function show(name, room)
  table.sort(room.lengths)
  print(("%-20s %6d %8d %8d %10d %7d %5d %5d %9s"):format(name, room.files, room.lines, room.code,
    #room.lengths, share(room.lengths, 0.5), share(room.lengths, 0.9), share(room.lengths, 1),
    room.c > 0 and ("%.1f %%"):format(100 * room.commented / room.c) or ""))
end

local function print_sizes()
  for _, path in ipairs(paths) do
    local kind = path:match "%.(%w+)$"
    if readers[kind] then count(path, kind) end
  end
  print(("%-20s %6s %8s %8s %10s %7s %5s %5s %9s"):format("room", "files", "lines", "code", "functions",
    "median", "p90", "most", "comments"))
  local all = { files = 0, lines = 0, code = 0, lengths = {}, c = 0, commented = 0 }
  for _, name in ipairs(order) do
    local room = rooms_of[name]
    show(name, room)
    for _, field in ipairs { "files", "lines", "code", "c", "commented" } do
      all[field] = all[field] + room[field]
    end
    table.move(room.lengths, 1, #room.lengths, #all.lengths + 1, all.lengths)
  end
  show("all", all)
end

-- The measures ----------------------------------------------------------------------------------------

--- The lengths of the C functions outside tests and benchmarks, sorted.
local function function_lengths()
  local lengths = {}
  for _, path in ipairs(paths) do
    if path:match "%.[ch]$" and (path:match "^engine/" or path:match "^drivers/" or path:match "^store/") then
      for _, one in ipairs(source.c_functions(text_of(path))) do
        lengths[#lengths + 1] = one.last - one.first + 1
      end
    end
  end
  table.sort(lengths)
  return lengths
end

--- Count the places of a pattern in the files that `fits` accepts.
local function places(pattern, fits)
  local total = 0
  for _, path in ipairs(paths) do
    if fits(path) then
      local _, found = text_of(path):gsub(pattern, "")
      total = total + found
    end
  end
  return total
end

local function is_library(path) return path:match "^lua/brio/.*%.lua$" ~= nil end

local function is_core(path)
  return path:match "%.[ch]$" ~= nil
    and (path:match "^engine/" or path:match "^drivers/" or path:match "^store/") ~= nil
end

local walls -- what tests/walls.lua printed, once

--- What tests/walls.lua says of a rule: the number of places that break it.
local function broken(rule)
  walls = walls or files.lines("lua5.4 " .. files.quote(root .. "/tests/walls.lua"))
  local total, inside, known = 0, false, false
  for _, line in ipairs(walls) do
    if not line:match "^#" then
      inside = line:sub(-#rule) == rule
      known = known or inside
    elseif inside then
      total = total + 1
    end
  end
  assert(known, "tests/walls.lua has no rule '" .. rule .. "'")
  return total
end

--- The share of lines of C with comments, outside tests.
local function share_of_comments()
  local all, commented = 0, 0
  for _, path in ipairs(paths) do
    if path:match "%.c$" and is_core(path) then
      local lines, comments = sizes.comment_lines(text_of(path))
      all, commented = all + lines, commented + comments
    end
  end
  return 100 * commented / all
end

--- Rows of store/tables.def whose statement only repeats the columns.
local function repeated_columns()
  local total, text = 0, text_of "store/tables.def":gsub('"%s*\n%s*"', "")
  local row = 'X%([%w_]+,%s*"([^"]*)",%s*%d+,%s*"INSERT INTO [%w_]+%(run, ([^)]*)%) VALUES%([?%d, ]*%)"%)'
  for columns, into in text:gmatch(row) do
    if columns == into then total = total + 1 end
  end
  return total
end

--- Files of the library that lie in no room.
local function outside_of_rooms()
  local total = 0
  for _, path in ipairs(paths) do
    if path:match "^lua/brio/[^/]+%.lua$" then total = total + 1 end
  end
  return total
end

--- Lines over the width outside of pages.
local function wide_lines()
  local total = 0
  local project = { paths = {}, text = {}, kind = {} }
  for _, path in ipairs(paths) do
    local kind = path:match "%.(%w+)$"
    if ({ c = 1, h = 1, def = 1, lua = 1, sql = 1, sh = 1 })[kind] then
      table.insert(project.paths, path)
      project.text[path], project.kind[path] = text_of(path), kind == "h" and "c" or kind
    end
  end
  sizes.check_widths(project, function() total = total + 1 end)
  return total
end

--- The questions of tests/lib/walls/where.lua whose answers are found by name.
local function found_by_name()
  local enough, missed = where.enough, 0
  where.enough = #where.questions
  where.check(paths, function() missed = missed + 1 end)
  where.enough = enough
  return #where.questions - missed
end

--- Millions of instructions of a workload.
local function instructions(name)
  return function(options)
    if options.ledger then
      local text = files.output(("lua5.4 %s --only %s 2>&1"):format(files.quote(here .. "/ledger.lua"),
        files.quote(name)))
      local measured = text:match "([%d,.]+) M" or text:match "%f[%d](%d+)%f[%D]"
      return tonumber((measured:gsub(",", ""))) or error("the ledger prints: " .. text, 0)
    end
    return dofile(here .. "/ledger/rows.lua")[name][1] / 1e6
  end
end

--- Each measure: its name, what is counted, least and most (nil: any), and the function that counts.
local measures = {
  { "root", "files of lua/brio outside of rooms", nil, 2, outside_of_rooms },
  { "circles", "circles of rooms, C and Lua", nil, 0,
    function() return broken "the rooms form no circle" end },
  { "file circles", "circles of Lua files, late requires included", nil, 0,
    function() return broken "the files of the Lua library form no circle" end },
  { "late", "late requires that point up, each with its reason", nil, 1, function()
    local total = 0
    for _ in pairs(rooms.late_requires) do total = total + 1 end
    return total
  end },
  { "folders", "folders over 25 entries that hold no family", nil, 0,
    function() return broken "no folder is crowded" end },
  { "types", "names of C types that stand for two things", nil, 0,
    function() return broken "a type's name stands for one thing" end },
  { "validators", "places that refuse a field without the schema", nil, 1, function()
    return places("%f[%w]has no field '%%s'", function(path)
      return is_library(path) and path ~= "lua/brio/lib/schema.lua"
    end)
  end },
  { "is_number", "functions is_number", nil, 1, function()
    return places("local function is_number%(value%)", is_library)
  end },
  { "columns", "rows of tables.def whose columns are written twice", nil, 0, repeated_columns },
  { "comments", "% of the lines of C with comments", 15, 20, share_of_comments },
  { "asserts", "asserts in C", 300, nil, function() return places("%f[%w_]assert%(", is_core) end },
  { "width", "lines over 110 columns outside of pages", nil, 0, wide_lines },
  { "names", "of thirty questions, answered by names alone", where.enough, nil, found_by_name },
  { "median", "lines of the median C function", nil, 8, function()
    local lengths = function_lengths()
    return lengths[(#lengths + 1) // 2]
  end },
  { "longest", "lines of the longest C function", nil, 60, function()
    local lengths = function_lengths()
    return lengths[#lengths]
  end },
  { "long files", "files over 600 lines and functions over 60", nil, 0,
    function() return broken "files and functions are short" end },
  { "help", "million instructions of brio help", nil, 20, instructions "help" },
  { "run", "million instructions of a run of the kiosk", nil, 120, instructions "run" },
  { "tick", "million instructions of a tick of the kiosk", nil, 0.4, instructions "kiosk tick" },
}

local function limit_text(least, most)
  if least and most then return ("%g..%g"):format(least, most) end
  return least and (">= %g"):format(least) or ("<= %g"):format(most)
end

local function options_of(words)
  local options, at = {}, 1
  while words[at] do
    if words[at] == "--only" and words[at + 1] then options.only, at = words[at + 1], at + 2
    elseif words[at] == "--ledger" or words[at] == "--sizes" then
      options[words[at]:sub(3)], at = true, at + 1
    else
      io.stderr:write("scripts/measures.lua: expected --only PART, --ledger or --sizes, got ", words[at],
        "\n")
      os.exit(2)
    end
  end
  return options
end

local options = options_of(arg)
if options.sizes then return print_sizes() end
local missed, printed = 0, 0
for _, row in ipairs(measures) do
  local name, what, least, most, measure = table.unpack(row, 1, 5)
  if not options.only or name:find(options.only, 1, true) then
    local value = measure(options)
    local good = (not least or value >= least) and (not most or value <= most)
    if not good then missed = missed + 1 end
    printed = printed + 1
    print(("%-12s %-54s %9.4g  %-9s %s"):format(name, what, value, limit_text(least, most),
      good and "" or "MISSED"))
  end
end
if printed == 0 then
  io.stderr:write("scripts/measures.lua: no measure has '", options.only, "' in its name\n")
  os.exit(2)
end
print(("%d measures, %d missed"):format(printed, missed))
os.exit(missed == 0)
