--- Makes the runs of docs/analysis/cookbook.md, runs its queries and writes the results below them.
---     lua5.4 scripts/docs_cookbook.lua [--check] [PROGRAM]
--- --check writes nothing and fails if a result differs, or a query fails.  Dates and hashes may differ.
package.path = (arg[0]:match "^(.*)/[^/]*$" or ".") .. "/../tests/lib/?.lua;" .. package.path

local files = require "files"

local check = arg[1] == "--check"
local program = arg[check and 2 or 1] or "build/brio"
local root = files.output("cd " .. files.quote((arg[0]:match "^(.*)/[^/]*$" or ".") .. "/..") .. " && pwd -P")
if not program:match "^/" then program = root .. "/" .. program end

--- A folder with the runs.
local function stage()
  local folder = files.temporary()
  files.output(("mkdir %s/bin && ln -s %s %s/bin/brio && ln -s %s/behaviors %s/drivers %s/ && ln -s \z
    %s/scripts/cookbook %s/")
    :format(folder, files.quote(program), folder, files.quote(root), files.quote(root), folder,
      files.quote(root), folder))
  local said = files.output(("cd %s && PATH=$PWD/bin:$PATH sh cookbook/runs.sh 2>&1 || echo FAILED"):format(
    folder))
  if said:find "FAILED" then
    io.stderr:write("the runs cannot be made:\n", said, "\n")
    os.exit(1)
  end
  return folder
end

--- A text with measured values replaced by placeholders of equal width.
local function settled(text)
  return (text:gsub("%d%d%d%d%-%d%d%-%d%dT[%d:.]+Z", "DATE"):gsub("%f[%w]%x%x%x%x%x%x%x%x%f[%W]",
    "HASH"):gsub("%-%-+", "-")
    :gsub(" +", " "))
end

--- The lines of a text, sorted: if dates and hashes order rows, their order may differ.
local function sorted(text)
  local lines = {}
  for line in settled(text):gmatch "[^\n]+" do lines[#lines + 1] = line end
  table.sort(lines)
  return table.concat(lines, "\n")
end

local folder, faults = stage(), 0
local page = root .. "/docs/analysis/cookbook.md"
local before = files.read(page)

--- The result of a query, in the form in which it is below the query.
local function answer(sql)
  local text = files.output(("cd %s && bin/brio sql %s 2>&1"):format(folder,
    files.quote((sql:gsub(";%s*$", "")))))
  return (text:gsub("\n+$", "")) .. "\n"
end

local bare = before:gsub("(```sql\n.-```\n)\n```text\n.-```\n", "%1")
local after = bare:gsub("(### %d+%. [^\n]+\n\n)```sql\n(.-)```\n", function(title, sql)
  return ("%s```sql\n%s```\n\n```text\n%s```\n"):format(title, sql, answer(sql))
end)
-- these have no results on the page, but must run
for sql in bare:match("\n## More\n.*$"):gmatch "```sql\n(.-)```" do
  local said = answer(sql)
  if said:find "^brio: " then
    faults = faults + 1
    io.stderr:write("docs/analysis/cookbook.md asks\n", sql, said)
  end
end
files.remove(folder)
if not check then
  files.write(page, after)
  os.exit(faults > 0 and 1 or 0)
end
local old, new = before:gmatch "```text\n(.-)```", after:gmatch "```text\n(.-)```"
for now in new do
  local was = old() or ""
  if sorted(was) ~= sorted(now) then
    faults = faults + 1
    io.stderr:write("docs/analysis/cookbook.md says\n", was, "but it is\n", now)
  end
end
os.exit(faults > 0 and 1 or 0)
