--- Every example in the docs runs and prints what its page shows.
local function lines_of(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read("a")
  return text, pipe:close()
end

local function expected_of(file)
  local list = {}
  for line in io.lines(file) do
    local text = line:match("%-%-> (.*)$")
    if text then list[#list + 1] = text end
  end
  return table.concat(list, "\n") .. "\n"
end

local program = os.getenv "BRIO" or arg and arg[-1] or "build/brio"

for file in io.popen("ls docs/examples/*.lua 2>/dev/null"):lines() do
  test("the example " .. file .. " prints what it says", function(t)
    t:equal(lines_of(program .. " lua " .. file), expected_of(file))
  end)
end

test("the reference pages are up to date with the code", function(t)
  if not io.open("scripts/docs.lua") then t:skip("not in the source tree") end
  local text, good = lines_of("lua5.4 scripts/docs.lua --check")
  t:ok(good, "%s", text)
end)

test("the page and the annotations of tables are up to date with their records", function(t)
  if not io.open("scripts/docs_schema.lua") then t:skip("not in the source tree") end
  local text, good = lines_of(program .. " lua scripts/docs_schema.lua --check")
  t:ok(good, "%s", text)
end)

test("the page of objectives is up to date with the solver", function(t)
  if not io.open("scripts/docs_objectives.lua") then t:skip("not in the source tree") end
  local text, good = lines_of(program .. " lua scripts/docs_objectives.lua --check")
  t:ok(good, "%s", text)
end)
