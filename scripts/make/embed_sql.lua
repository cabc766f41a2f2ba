-- Print a C file with the run store's migrations and views, which are compiled into the program: lua5.4
-- scripts/make/embed_sql.lua store/schema store/views > store_sql.c
-- Files are in the order of their names; a migration's name begins with its number, without gaps.
-- A third list makes a new store at once: the declarations that all migrations leave in an empty file, as
-- sqlite3 says them, and the statement that fills a table which then has rows.

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

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

--- The rows that sqlite3 prints, as a list of texts: what follows the migrations on an empty database.
local function ask(migrations, question)
  local script = os.tmpname()
  local file = assert(io.open(script, "wb"))
  for _, migration in ipairs(migrations) do file:write(migration.text, "\n") end
  file:write(".mode list\n.separator | \"\\036\"\n", question, "\n")
  file:close()
  local pipe = assert(io.popen("sqlite3 -batch -bail -init /dev/null :memory: < " .. quoted(script)))
  local text, rows = pipe:read "a", {}
  if not pipe:close() then fail("sqlite3 does not take the migrations") end
  os.remove(script)
  for row in text:gmatch "([^\030]*)\030" do rows[#rows + 1] = row end
  return rows
end

--- The statement of the migrations that puts the rows of an empty store into `name`.
local function seed(migrations, name)
  local found
  for _, migration in ipairs(migrations) do
    for statement in ("\n" .. migration.text):gmatch("\n(INSERT INTO " .. name .. "%f[^%w_][^;]*);") do
      if found then fail("several statements fill %s, which has rows in an empty store", name) end
      found = statement
    end
  end
  return found or fail("no statement fills %s, which has rows in an empty store", name)
end

--- The statements that make a new store: tables before what belongs to them, then their rows.
local function fresh(migrations)
  local list = {}
  local of_store = " FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' "
  for _, sql in ipairs(ask(migrations, "SELECT sql" .. of_store
    .. "ORDER BY type = 'trigger', type = 'index', rowid;")) do
    list[#list + 1] = { text = sql }
  end
  local tables = ask(migrations, "SELECT name" .. of_store .. "AND type = 'table' ORDER BY rowid;")
  local counts = {}
  for _, name in ipairs(tables) do
    counts[#counts + 1] = ("SELECT '%s' WHERE EXISTS (SELECT * FROM \"%s\");"):format(name, name)
  end
  for _, name in ipairs(ask(migrations, table.concat(counts, "\n"))) do
    list[#list + 1] = { text = seed(migrations, name) }
  end
  return list
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
  -- as SQLite keeps it, so that it shows whether a store has it
  file.text = file.text:match "CREATE VIEW .*":gsub("%s*;%s*$", "")
end

local function text_of(file) return literal(file.text) end
local function name_of(file) return literal(file.name) end
print("/* Made by scripts/make/embed_sql.lua from store/schema and store/views. */")
print('#include "store/migrate.h"\n\n#include <stddef.h>\n')
array("brio_store_schema", schema, text_of)
array("brio_store_schema_names", schema, name_of)
array("brio_store_fresh", fresh(schema), text_of)
array("brio_store_views", views, text_of)
array("brio_store_view_names", views, name_of)
