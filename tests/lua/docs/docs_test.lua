--- README.md and docs/ are correct: links resolve, commands print what the page shows, behaviors load, SQL
--- runs, and files shown are the files of the project.
local records = require "brio.behavior.records"
local runner = require "brio.runner"
local solver = require "brio.solver"
local want = require "brio.want"

local program = os.getenv "BRIO" or "build/brio"

local function read(path)
  local file = io.open(path, "r")
  local text = file and file:read "a"
  if file then file:close() end
  return text
end

local function pages()
  local list = { "README.md" }
  for path in io.popen("find docs -name '*.md' | sort"):lines() do list[#list + 1] = path end
  return list
end

--- Iterate over the code blocks of a page in one language.
local function blocks(page, language)
  return (read(page) or ""):gmatch("```" .. language .. "\n(.-)```")
end

local function output(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read "a"
  return text, pipe:close()
end

-- Links ---------------------------------------------------------------------------------------------

--- The anchor of a heading in a link, as GitHub makes it.
local function anchors_of(page)
  local known = {}
  for line in (("\n" .. read(page)):gsub("\n```.-\n```", "\n")):gmatch "\n#+ ([^\n]+)" do
    known[line:lower():gsub("[^%w_%- ]", ""):gsub(" ", "-")] = true
  end
  return known
end

local function check_link(t, page, link)
  if link:match "^%a+:" then return end
  local path, anchor = link:match "^([^#]*)#?(.*)$"
  local target = path == "" and page or (page:match "^(.*/)" or "") .. path
  repeat
    local before = target
    target = target:gsub("[^/]+/%.%./", "", 1)
  until target == before
  t:ok(io.open(target, "r"), "%s links to %s, which is not there", page, link)
  if anchor ~= "" and read(target) then
    t:ok(anchors_of(target)[anchor], "%s links to %s, but there is no such heading", page, link)
  end
end

test("every link in the docs leads somewhere", function(t)
  for _, page in ipairs(pages()) do
    local text = read(page):gsub("```.-```", ""):gsub("`[^`\n]*`", "")
    for link in text:gmatch "%]%(([^)%s]+)%)" do check_link(t, page, link) end
    for link in text:gmatch 'src="([^"]+)"' do check_link(t, page, link) end
  end
end)

test("every page of docs is reached from the README", function(t)
  local seen, list = { ["README.md"] = true }, { "README.md" }
  for _, page in ipairs(list) do
    for link in read(page):gmatch "%]%(([^)#%s]+%.md)" do
      local target = (page:match "^(.*/)" or "") .. link
      target = target:gsub("[^/]+/%.%./", "")
      if not seen[target] and read(target) then seen[target], list[#list + 1] = true, target end
    end
  end
  for _, page in ipairs(pages()) do t:ok(seen[page], "nothing leads to %s", page) end
end)

--- The targets of a text's links, from the top of the project; `folder`: where the page is.
local function targets(text, folder)
  local list = {}
  for link in text:gmatch "%]%(([^)#%s]+%.md)" do
    list[#list + 1] = (folder .. link):gsub("[^/]+/%.%./", "")
  end
  return list
end

test("the index of the docs has every page, and at most twelve for each reader", function(t)
  local known, counts, reader = { ["docs/README.md"] = true }, {}, nil
  for line in read("docs/README.md"):gmatch "[^\n]+" do
    reader = line:match "^## (.+)" or reader
    for _, page in ipairs(reader and targets(line, "docs/") or {}) do
      known[page], counts[reader] = true, (counts[reader] or 0) + 1
    end
  end
  for name, count in pairs(counts) do t:ok(count <= 12, "%s: %d pages", name, count) end
  for _, page in ipairs(pages()) do
    local made = page:match "^docs/reference/" or page == "README.md"
    t:ok(made or known[page], "docs/README.md lacks %s", page)
  end
end)

test("every file that the page for contributors names is there", function(t)
  local count = 0
  for path in read("docs/contributing.md"):gmatch "`([%w_%-]+/[%w_%-/]+%.%l+)[`\n ]" do
    t:ok(read(path), "docs/contributing.md names %s, which is not there", path)
    count = count + 1
  end
  t:ok(count > 20, "%d files are named", count)
end)

-- Commands ------------------------------------------------------------------------------------------

test("the tours in the README and docs print what they say", function(t)
  local text, good = output("lua5.4 scripts/docs_tour.lua --check " .. program)
  t:ok(good, "%s", text)
end)

test("the cookbook's questions have the answers that it says", function(t)
  local text, good = output("lua5.4 scripts/docs_cookbook.lua --check " .. program)
  t:ok(good, "%s", text)
end)

test("the pictures of brio monitor show what it draws", function(t)
  local text, good = output(program .. " lua scripts/docs_monitor.lua --check")
  t:ok(good, "%s", text)
end)

test("the pictures of the desk, the manual page and the shells' completion are made of what is \z
  there", function(t)
  for _, script in ipairs { "docs_desk", "docs_man" } do
    local text, good = output(program .. " lua scripts/" .. script .. ".lua --check")
    t:ok(good, "%s", text)
  end
end)

test("the table of faults has those that are tried, and what the robot does", function(t)
  local text, good = output "lua5.4 scripts/docs_faults.lua --check"
  t:ok(good, "%s", text)
end)

--- The tests that a page names: `file` "a piece of a test's name", ...  Return a list of {file, piece}.
local function named_tests(page)
  local list = {}
  for file, rest in read(page):gmatch "`([%w_]*test[%w_]*%.%a+)`([^`|\n]*)" do
    local any = false
    for piece in rest:gmatch '"([^"]+)"' do
      list[#list + 1], any = { file, piece }, true
    end
    if not any then list[#list + 1] = { file, "" } end
  end
  return list
end

test("every test that docs/devices/safety.md names is there", function(t)
  local list = named_tests "docs/devices/safety.md"
  t:ok(#list > 40, "%d tests are named", #list)
  for _, item in ipairs(list) do
    local there = false
    for path in output("find tests behaviors -name " .. item[1]):gmatch "%S+" do
      there = there or read(path):find(item[2], 1, true) ~= nil
    end
    t:ok(there, "there is no %s with \"%s\"", item[1], item[2])
  end
end)

-- Lua -----------------------------------------------------------------------------------------------

test("every Lua block in the docs is Lua", function(t)
  for _, page in ipairs(pages()) do
    for block in blocks(page, "lua") do
      local chunk, why = load(block, "=" .. page)
      t:ok(chunk, "%s", why)
    end
  end
end)

--- The files that a page about behaviors shows: whole behaviors by name, and tests.
local function shown(page)
  local behaviors, tests = {}, {}
  for block in blocks(page, "lua") do
    local name = block:match 'brio%.behavior "([%w_]+)"'
    if name and block:match "\nreturn [%w_]+\n$" then behaviors[name] = block end
    if block:match '^test%("' then tests[#tests + 1] = block end
  end
  return behaviors, tests
end

test("the behaviors in the docs load, and fit their robots", function(t)
  local count = 0
  for name, text in pairs(shown "docs/behaviors/behaviors.md") do
    local file = t:temporary(".lua")
    local handle = assert(io.open(file, "w"))
    handle:write(text)
    handle:close()
    local loaded, faults = runner.load(file, {})
    t:ok(loaded, "%s: %s", name, faults and runner.sentence(faults) or "")
    local said, good = output(program .. " check " .. file)
    t:ok(good, "%s", said)
    count = count + 1
  end
  t:ok(count > 0, "docs/behaviors/behaviors.md shows no whole behavior")
end)

test("the test in docs/behaviors/behaviors.md passes on the behavior in it", function(t)
  local behaviors, tests = shown "docs/behaviors/behaviors.md"
  local folder = t:temporary()
  os.execute("mkdir " .. folder)
  local function put(name, text)
    local handle = assert(io.open(folder .. "/" .. name, "w"))
    handle:write(text)
    handle:close()
  end
  for name, text in pairs(behaviors) do put(name .. ".lua", text) end
  for index, text in ipairs(tests) do put(index .. "_test.lua", text) end
  local said, good = output(program .. " test " .. folder)
  os.execute("rm -r " .. folder)
  t:ok(good, "%s", said)
  t:match(said, "1 passed, 0 failed")
end)

test("every objective in docs/behaviors/objectives.md can be wanted of the Panda", function(t)
  local arm = assert(require("brio.robots").find "panda").robot
  local made, count = solver.new(arm), 0
  for block in blocks("docs/behaviors/objectives.md", "lua") do
    if block:match "^want%." then
      local property = assert(load("return " .. block, "=objectives.md", "t", { want = want }))()
      made:add(property.key, property.kind, property.args)
      if property.goal then made:goal(property.key, property.goal) end
      count = count + 1
    end
  end
  t:equal(count, #solver.kinds())
end)

-- Architecture ------------------------------------------------------------------------------------

test("each step of the five walks names a function that is in its file", function(t)
  local page, walks = read "docs/engine/architecture.md", 0
  for count, steps in page:gmatch "%((%d+) files%):\n\n```walk\n(.-)```" do
    local known, files = {}, 0
    for path, name in steps:gmatch "([^\n%s]+) +(%S+) [^\n]*\n" do
      t:ok(read(path):find(name, 1, true), "%s has no %s", path, name)
      if not known[path] then known[path], files = true, files + 1 end
    end
    t:equal(files, math.tointeger(tonumber(count)), "files of a walk")
    walks = walks + 1
  end
  t:equal(walks, 5)
end)

-- Editors -------------------------------------------------------------------------------------------

test("the annotations know every method of self and every field of a state", function(t)
  local annotated = read "docs/annotations/brio.lua" .. read "docs/annotations/character.lua"
    .. read "docs/annotations/tables/behaviors.lua"
  for name in read("lua/brio/behavior/context.lua"):gmatch "\nfunction Self:([%w_]+)" do
    t:ok(annotated:find("function Self:" .. name .. "(", 1, true), "self:%s is not annotated", name)
  end
  for _, record in ipairs { records.behavior, records.state } do
    for name in pairs(record) do
      t:ok(annotated:find("---@field " .. name .. "?", 1, true), "the field '%s' is not annotated", name)
    end
  end
end)

test("what the docs say of states is what behaviors may say", function(t)
  local page = read "docs/behaviors/behaviors.md"
  for _, record in ipairs { records.behavior, records.state } do
    for name in pairs(record) do
      t:ok(page:find("`" .. name, 1, true), "docs/behaviors/behaviors.md does not tell of '%s'", name)
    end
  end
  for name in read("lua/brio/behavior/context.lua"):gmatch "\nfunction Self:([%w_]+)" do
    t:ok(page:find("self:" .. name, 1, true), "docs/behaviors/behaviors.md does not tell of self:%s", name)
  end
end)

test("the page of the prompt lists its words as help does", function(t)
  local page = read "docs/operators/prompt.md"
  for _, word in ipairs(require("brio.prompt.words").list) do
    local row = ("| `%s` | %s |"):format(word.usage:gsub("|", "\\|"), word.summary)
    t:ok(page:find(row, 1, true), "docs/operators/prompt.md has no row %s", row)
  end
end)

test("the page of safety lists the faults as brio drivers does", function(t)
  local page = read "docs/devices/safety.md"
  for _, fault in ipairs(require("brio.actuator").faults()) do
    local row = ("| `%s` | %s | %s |"):format(fault.example, fault.unit, fault.doc)
    t:ok(page:find(row, 1, true), "docs/devices/safety.md has no row %s", row)
  end
end)

test("the page of safety says of every driver what its device does when the engine is gone", function(t)
  local page = read "docs/devices/safety.md"
  for _, driver in ipairs(require("brio.actuator").drivers()) do
    t:ok(driver.when_silent, "driver %s does not say it", driver.name)
    local armed = driver.simulated and "where asked for" or driver.watchdog and "armed at opening" or "none"
    local row = ("| `%s` | %s | %s |"):format(driver.name, armed, driver.when_silent)
    t:ok(page:find(row, 1, true), "docs/devices/safety.md has no row %s", row)
  end
end)

-- C and SQL -----------------------------------------------------------------------------------------

test("the C files in the docs are the files that are built and tested", function(t)
  for _, page in ipairs { "docs/engine/writing-an-objective.md", "docs/devices/writing-a-driver.md",
                          "docs/engine/c-library.md" } do
    local file = read(page):match "`(docs/examples/c/[%w_]+%.c)`, whole"
    t:equal(blocks(page, "c")(), read(file), page)
  end
end)

test("every query of the store's pages runs on the store of a run", function(t)
  local run = t:run("behaviors/kiosk.lua", { recorded = true })
  run:see { kind = "person", id = "ann", at = { 1.2, 0, 1.6 }, during = 3 }
  run:advance(6)
  run:finish()
  local count = 0
  for _, name in ipairs { "store", "cookbook", "samples" } do
    local page = ("docs/analysis/%s.md"):format(name)
    for query in blocks(page, "sql") do
      local good, rows = pcall(run.sql, run, query)
      t:ok(good, "%s\n%s", rows, query)
      count = count + 1
    end
  end
  t:ok(count >= 30, "there are only %d queries", count)
  t:equal(run:sql("SELECT count(*) AS n FROM samples WHERE name = 'HeadYaw'")[1].n,
    run:sql("SELECT ticks FROM runs")[1].ticks)
end)
