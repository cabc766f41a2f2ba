--- The size of each room, and the lengths of its functions.
---   lua5.4 scripts/loc.lua
package.path = (arg[0]:match "^(.*)/[^/]*$" or ".") .. "/../tests/lib/?.lua;" .. package.path

local files = require "files"
local source = require "source"

local root = (arg[0]:match "^(.*)/[^/]*$" or ".") .. "/.."
local readers = { c = source.c_functions, h = source.c_functions, lua = source.lua_functions }
local rooms, order = {}, {}

local function room_of(path)
  return path:match "^engine/[^/]+" or path:match "^drivers/robots" or path:match "^[^/]+"
end

local function count(path, kind)
  local name = room_of(path)
  if not rooms[name] then
    rooms[name] = { files = 0, lines = 0, code = 0, lengths = {} }
    order[#order + 1] = name
  end
  local room, text = rooms[name], files.read(root .. "/" .. path)
  room.files = room.files + 1
  room.lines = room.lines + #source.lines(text)
  for _, line in ipairs(source.lines(source.strip(text, kind == "lua" and "lua" or "c"))) do
    if line:find "%S" then room.code = room.code + 1 end
  end
  for _, one in ipairs(readers[kind](text)) do table.insert(room.lengths, one.last - one.first + 1) end
end

local function share(lengths, part)
  return lengths[math.max(1, math.ceil(#lengths * part))] or 0
end

local function show(name, room)
  table.sort(room.lengths)
  print(("%-20s %6d %8d %8d %10d %7d %5d %5d"):format(name, room.files, room.lines, room.code, #room.lengths,
    share(room.lengths, 0.5), share(room.lengths, 0.9), share(room.lengths, 1)))
end

for _, path in ipairs(files.of_project(root)) do
  local kind = path:match "%.(%w+)$"
  if readers[kind] then count(path, kind) end
end

print(("%-20s %6s %8s %8s %10s %7s %5s %5s"):format("room", "files", "lines", "code", "functions", "median",
  "p90", "most"))
local all = { files = 0, lines = 0, code = 0, lengths = {} }
for _, name in ipairs(order) do
  local room = rooms[name]
  show(name, room)
  for _, field in ipairs { "files", "lines", "code" } do all[field] = all[field] + room[field] end
  table.move(room.lengths, 1, #room.lengths, #all.lengths + 1, all.lengths)
end
show("all", all)
