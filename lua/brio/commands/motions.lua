--- `brio motions`: lists a library of motions that `brio feasible` made.
local cli = require "brio.terminal.cli"

local command = {
  name = "motions",
  summary = "list the motions of a library: what robots can do, standing or walking, and what they cannot",
  usage = "brio motions [FOLDER|FILE ...] [options]     (default: the working folder, with those below it)",
  options = {
    { "robot", "NAME", "those of this robot only" },
    { "mode", "NAME", "standing or walking" },
    { "emotion", "NAME", "those with this tag" },
    { "all", nil, "also attempts, which no robot may play" },
    { "json", nil, "print as JSON" },
  },
}

--- Lua files in a folder and below it, sorted; a file itself.
local function files_of(words)
  local uv, list = require "luv", {}
  local function add(path, depth)
    local scan = depth < 8 and uv.fs_scandir(path)
    local name, kind = nil, nil
    if scan then name, kind = uv.fs_scandir_next(scan) end
    while name do
      if kind == "directory" then add(path .. "/" .. name, depth + 1)
      elseif name:find "%.lua$" then list[#list + 1] = path .. "/" .. name end
      name, kind = uv.fs_scandir_next(scan)
    end
  end
  for _, word in ipairs(words) do
    local stat = uv.fs_stat(word)
    if not stat then return cli.error("%s: there is no such file or folder", word) end
    if stat.type == "directory" then add((word:gsub("(.)/+$", "%1")), 0) else list[#list + 1] = word end
  end
  table.sort(list)
  return list
end

--- Whether an entry is asked for.
local function is_wanted(entry, args)
  for _, field in ipairs { "robot", "mode", "emotion" } do
    if args[field] and entry[field] ~= args[field] then return false end
  end
  return args.all or entry.feasible
end

local function row_of(one)
  local entry = one.entry
  local from = entry.provenance or {}
  return { id = entry.id, robot = entry.robot, mode = entry.mode, emotion = entry.emotion,
    seconds = entry.times[#entry.times], nodes = #entry.times, feasible = entry.feasible, file = one.path,
    source = from.source, violation = from.violation }
end

function command.run(args)
  local files = files_of(#args > 0 and args or { "." })
  if not files then return 1 end
  local rows, hidden, bad = {}, 0, 0
  for _, one in ipairs(require("brio.motion.motion_library").list(files)) do
    if one.reason then
      cli.error("%s", one.reason)
      bad = bad + 1
    elseif is_wanted(one.entry, args) then
      rows[#rows + 1] = row_of(one)
    elseif not one.entry.feasible then
      hidden = hidden + 1
    end
  end
  if args.json then
    local store = require "brio.store"
    print(store.json(store.array(rows)))
    return bad > 0 and 1 or 0
  end
  for _, row in ipairs(rows) do
    print(("%-24s %-10s %-9s %-10s %6.2f s  %s%s"):format(row.id, row.robot, row.mode, row.emotion or "",
      row.seconds,
      row.feasible and "" or "ATTEMPT, not feasible: ", row.file))
  end
  print(("%d motions%s"):format(#rows, hidden > 0 and (", and %d attempts (--all)"):format(hidden) or ""))
  return bad > 0 and 1 or 0
end

return command
