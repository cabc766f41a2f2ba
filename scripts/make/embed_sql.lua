-- Print a C file with the run store's migrations and views, which are compiled into the program: lua5.4
-- scripts/make/embed_sql.lua store/schema store/views > store_sql.c
-- Files are in the order of their names; a migration's name begins with its number, without gaps.

local function fail(...)
  io.stderr:write("embed_sql: ", string.format(...), "\n")
  os.exit(1)
end

--- The folder's .sql files as a sorted list of {name, text}.
local function sql_files(folder)
  local listing = io.popen("ls '" .. folder:gsub("'", "'\\''") .. "'") or fail("cannot list %s", folder)
  local files = {}
  for entry in listing:lines() do
    local name = entry:match("^(.*)%.sql$")
    if name then
      local file = io.open(folder .. "/" .. entry, "rb") or fail("cannot read %s/%s", folder, entry)
      files[#files + 1] = { name = name, text = file:read("a") }
      file:close()
    end
  end
  listing:close()
  table.sort(files, function(a, b) return a.name < b.name end)
  if #files == 0 then fail("%s has no .sql file", folder) end
  return files
end

--- One C string literal for each line of text; bytes outside printable ASCII in octal.
local function literal(text)
  local lines = {}
  for line in text:gmatch("[^\n]*\n?") do
    if line ~= "" then
      local escaped = line:gsub('[\\"]', "\\%0"):gsub("\n", "\\n")
        :gsub("[^\32-\126]", function(c) return string.format("\\%03o", c:byte()) end)
        :gsub("%?%?", "?\\?")
      lines[#lines + 1] = '    "' .. escaped .. '"'
    end
  end
  return table.concat(lines, "\n")
end

local function array(name, files, write)
  print("const char *const " .. name .. "[] = {")
  for _, file in ipairs(files) do print(write(file) .. ",") end
  print("    NULL,\n};\n")
end

local schema, views = sql_files(arg[1] or "store/schema"), sql_files(arg[2] or "store/views")
for i, file in ipairs(schema) do
  local number = tonumber(file.name:match("^%d+"))
  if number ~= i then fail("migration %s should have number %03d", file.name, i) end
end
for _, file in ipairs(views) do
  if not file.text:find("CREATE VIEW " .. file.name .. "%f[%W]") then
    fail("views/%s.sql should say CREATE VIEW %s", file.name, file.name)
  end
end

local function text_of(file) return literal(file.text) end
local function name_of(file) return literal(file.name) end
print("/* Made by scripts/make/embed_sql.lua from store/schema and store/views. */")
print('#include "store/migrate.h"\n\n#include <stddef.h>\n')
array("brio_store_schema", schema, text_of)
array("brio_store_schema_names", schema, name_of)
array("brio_store_views", views, text_of)
array("brio_store_view_names", views, name_of)
