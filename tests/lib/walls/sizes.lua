--- How large files, functions, folders and lines may be, and how much of C must be comments.
local rooms = require "rooms"
local source = require "source"

local sizes = {}

local readers = { c = source.c_functions, lua = source.lua_functions }
local known = {}

--- The functions of a file, {name, first, last} of each; none where the file is no program.
local function functions_of(project, path)
  local reader = readers[project.kind[path]]
  if not known[path] then known[path] = reader and reader(project.text[path]) or {} end
  return known[path]
end

--- Report files and functions that are too long.  project: {paths, text, kind}; fault(path, line, sentence).
function sizes.check_lengths(project, fault)
  for _, path in ipairs(project.paths) do
    local text = project.text[path]
    local _, count = ((text or ""):gsub("\n$", "") .. "\n"):gsub("\n", "")
    if text and not path:match "%.md$" and not rooms.generated[path] and count > rooms.most_lines then
      fault(path, count, ("is %d lines long; a file has at most %d"):format(count, rooms.most_lines))
    end
    for _, one in ipairs(functions_of(project, path)) do
      local length = one.last - one.first + 1
      if length > rooms.most_function_lines then
        fault(path, one.first, ("%s is %d lines long; a function has at most %d")
              :format(one.name, length, rooms.most_function_lines))
      end
    end
  end
end

--- The lines of a function below its head as one text, without comments and spaces that do not matter.
local function body_of(lines, one)
  local parts = {}
  for number = one.first + 1, one.last do
    local line = lines[number]:gsub("/%*.-%*/", ""):gsub("%-%-.*", ""):gsub("^%s+", ""):gsub("%s+$", "")
    if line ~= "" then parts[#parts + 1] = line end
  end
  return table.concat(parts, " ")
end

--- Report functions of the project itself that are written twice: their bodies are equal, word for word.
function sizes.check_copies(project, fault)
  local first = {}
  for _, path in ipairs(project.paths) do
    local own = path:match "^engine/" or path:match "^drivers/" or path:match "^store/" or path:match "^lua/"
    local list = own and functions_of(project, path) or {}
    local lines = list[1] and source.lines(project.text[path])
    for _, one in ipairs(list) do
      if one.last - one.first + 1 >= rooms.least_copied then
        local body = body_of(lines, one)
        local before = first[body]
        if before then
          fault(path, one.first, ("%s has the body of %s in %s:%d: one of both should do"):format(one.name,
            before.name, before.path, before.line))
        end
        first[body] = before or { name = one.name, path = path, line = one.first }
      end
    end
  end
end

--- The lines inside of long strings of Lua, which hold text as it is: {[line] = true}.
local function data_lines(text)
  local inside, at, line = {}, 1, 1
  for from, level, to in text:gmatch "()%[(=*)%[().-%]%2%]" do
    local _, stop = text:find("]" .. level .. "]", to, true)
    for _ in text:sub(at, from - 1):gmatch "\n" do line = line + 1 end
    for _ in text:sub(from, stop):gmatch "\n" do
      inside[line] = true
      line = line + 1
    end
    inside[line], at = true, stop + 1
  end
  return inside
end

--- Whether lines of a file may be as wide as they are: pages, whose tables and links have no other form;
--- migrations and files of earlier versions, which are never changed; what is generated.
local function may_be_wide(path)
  return path:match "%.md$" or path:match "^store/schema/" or path:match "^tests/ages/"
    or rooms.generated[path] ~= nil
end

--- Report lines that are too wide, but for data in long strings, and types for the language server, which
--- reads them from one line.
function sizes.check_widths(project, fault)
  for _, path in ipairs(project.paths) do
    local text, data = project.text[path], nil
    for number, line in ipairs(text and not may_be_wide(path) and source.lines(text) or {}) do
      local width = #line > rooms.most_columns and (utf8.len(line) or #line) or 0
      if width > rooms.most_columns and not line:match "^%s*%-%-%-@" then
        data = data or (project.kind[path] == "lua" and data_lines(text) or {})
        if not data[number] then
          fault(path, number, ("is %d columns wide; a line has at most %d"):format(width, rooms.most_columns))
        end
      end
    end
  end
end

--- The folders of the project, in order, and how many files and folders lie in each.
local function folder_sizes(paths)
  local names, counts, seen = {}, {}, {}
  for _, path in ipairs(paths) do
    local entry, folder = path, path:match "^(.+)/"
    while folder and not seen[entry] do
      seen[entry] = true
      if not counts[folder] then names[#names + 1] = folder end
      counts[folder] = (counts[folder] or 0) + 1
      entry, folder = folder, folder:match "^(.+)/"
    end
  end
  table.sort(names)
  return names, counts
end

--- Report folders with too many entries that hold no family of files.
function sizes.check_folders(project, fault)
  local names, counts = folder_sizes(project.paths)
  for _, name in ipairs(names) do
    if counts[name] > rooms.most_entries and not rooms.families[name] and not rooms.undivided[name] then
      fault(name, 1, ("has %d entries; a folder has at most %d, unless it holds a family of one file a row")
            :format(counts[name], rooms.most_entries))
    end
  end
end

--- The lines of a C text that are not empty, and those of them with a comment.
function sizes.comment_lines(text)
  local all, commented, inside = 0, 0, false
  for _, line in ipairs(source.lines(text)) do
    if line:find "%S" then
      all = all + 1
      local opens = line:find("/*", 1, true)
      if inside or opens or line:find "^%s*//" then commented = commented + 1 end
      if opens and not inside then inside = not line:find("*/", opens + 2, true)
      elseif inside then inside = not line:find("*/", 1, true) end
    end
  end
  return all, commented
end

--- The folder by which comments are counted: engine/solver, drivers/cameras, store.
function sizes.folder_of(path)
  return path:match "^[^/]+/[^/]+%f[/]" or path:match "^[^/]+"
end

--- Report folders of C with fewer comment lines than a share of all; small ones may have what they have.
function sizes.check_comments(project, fault)
  local all, commented, first = {}, {}, {}
  for _, path in ipairs(project.paths) do
    if path:match "%.c$" and (path:match "^engine/" or path:match "^drivers/" or path:match "^store/") then
      local folder = sizes.folder_of(path)
      local lines, comments = sizes.comment_lines(project.text[path])
      all[folder], commented[folder] = (all[folder] or 0) + lines, (commented[folder] or 0) + comments
      first[folder] = first[folder] or path
    end
  end
  for folder, lines in pairs(all) do
    local share, least = commented[folder] / lines, rooms.few_comments[folder] or rooms.least_comments
    if lines > 400 and share < least then
      fault(first[folder], 1, ("%s: %.1f %% of its lines of C have comments; at least %.0f %% do")
            :format(folder, share * 100, least * 100))
    end
  end
end

return sizes
