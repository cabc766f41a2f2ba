--- Analysis as a user does it: compare, bisect, search, at, plot and history on stores that runs made, intact
--- and damaged.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

local folder = files.temporary()
local store = folder .. "/runs.db"

--- The text of version k: it reports that it has arrived unless something is broken, and only with some seeds
--- where it is flaky.
local function version(k, broken, flaky)
  return ([[
local brio = require "brio"
local b = brio.behavior "planted" { robot = "panda", start = "one" }
-- version %d
b.one = { after = { 0.05, "two" } }
b.two = { enter = function(self)
  if %s then self:emit "arrived" end
end }
return b
]]):format(k, k < broken and "true" or flaky and "math.random() < 0.2" or "false")
end

--- Sixty-four versions as files, and the words that name them.
local function planted(broken)
  local list = { folder .. "/planted.lua" }
  for k = 1, 64 do
    local path = ("%s/v%02d.lua"):format(folder, k)
    files.write(path, version(k, broken))
    list[#list + 1], list[#list + 2] = "--version", path
  end
  files.write(list[1], version(64, broken))
  return list
end

local arrived = "EXISTS(SELECT 1 FROM events WHERE run = :run AND name = 'arrived')"

test("a regression planted among 64 versions is found in eight runs", function(t)
  local words = planted(41)
  for _, word in ipairs { "--for", "0.1", "--criterion", arrived, "--json" } do words[#words + 1] = word end
  local run = brio("bisect", table.unpack(words))
  t:code(run, 0)
  t:has(run.out, '"steps":8')
  t:has(run.out, "+-- version 41")
  t:has(run.out, "--- version 40")
end)

test("versions of the store are searched, in words, by tests, and where they only sometimes fail", function(t)
  local file = folder .. "/p.lua"
  for k = 1, 4 do
    files.write(file, version(k, 3))
    t:code(brio("run", file, "--clock", "fast", "--for", "0.2", "--store", store, "--quiet", "--seed",
      tostring(k)), 0)
  end
  local run = brio("bisect", file, "--store", store, "--for", "0.1", "--criterion",
    "lua: count('events', 'arrived') == 1")
  t:code(run, 0)
  t:has(run.out, "broke it, after 4 of 4 versions were tried (first used by run 3, at 0.00 s)")
  t:has(run.out, "+-- version 3")
  files.write(folder .. "/p_test.lua", [[
test("it arrives", function(t)
  local run = t:run("p.lua", { recorded = true })
  run:advance(0.1)
  run:finish()
  t:equal(run:sql("SELECT count(*) AS n FROM events WHERE name = 'arrived'")[1].n, 1)
end)
]])
  run = brio("bisect", file, "--store", store, "--test", folder .. "/p_test.lua")
  t:code(run, 0)
  t:has(run.out, "+-- version 3")
  t:has(run.out, "not ok it arrives")
  for k = 1, 3 do files.write(("%s/f%d.lua"):format(folder, k), version(k, 2, true)) end
  files.write(folder .. "/f3.lua", "this is no Lua")
  run = brio("bisect", file, "--version", folder .. "/f1.lua", "--version", folder .. "/f2.lua", "--version",
    folder .. "/f3.lua",
    "--for", "0.1", "--times", "6", "--least", "80%", "--criterion", arrived)
  t:code(run, 0)
  t:has(run.out, "it held in")
  t:has(run.out, "+-- version 2")
  run = brio("bisect", file, "--store", store, "--good", "0000", "--criterion", arrived)
  t:code(run, 1)
  t:has(run.err, "no version '0000'")
end)

test("what was run is compared, searched, drawn and looked into", function(t)
  local run = brio("compare", "1,2", "3,4", "--store", store, "--success", arrived)
  t:code(run, 0)
  t:has(run.out, "2/2 = 100 %")
  t:has(run.out, "only randomized runs")
  run = brio("compare", "1", "3", "--store", store, "--json")
  t:check(harness.is_json(run.out), "no JSON: %s", run.out)
  run = brio("search", "arrived", "--store", store, "--kind", "event")
  t:code(run, 0)
  t:has(run.out, "run 2 at 0.05 s, event, p.lua in two")
  run = brio("at", "1", "0.1", "--store", store)
  t:code(run, 0)
  t:has(run.out, "planted: two, since 0.05 s")
  t:has(run.out, "panda_joint7")
  t:check(harness.is_json(brio("at", "last", "0.1", "--json", "--store", store).out), "at --json is no JSON")
  run = brio("plot", "1", "--store", store, "--panel", "states", "--panel", "events")
  t:code(run, 0)
  t:has(run.out, "'arrived")
  run = brio("history", "tree", "p.lua", "--store", store)
  t:code(run, 0)
  t:has(run.out, "run 4")
  run = brio("history", "--of", "2-3", "--store", store)
  t:has(run.out, "run 3: p on panda")
end)

-- Each row: the words, and the message.
local wrong = {
  { { "compare", "1" }, "two sets of runs" },
  { { "compare", "1", "x y" }, "no set of runs" },
  { { "at", "1" }, "a run and a second" },
  { { "at", "1", "nan" }, "a run and a second" },
  { { "at", "1", "99" }, "it lasts from" },
  { { "search", "--kind", "evnt", "x" }, "did you mean 'event'" },
  { { "search" }, "expects words" },
  { { "bisect", "x.lua" }, "either --criterion or --test" },
  { { "bisect", "x.lua", "--criterion", "1" }, "no version of x.lua" },
  { { "bisect", "p.lua", "--criterion", "SELEC", "--for", "0.05" }, "criterion" },
  { { "bisect", folder .. "/planted.lua", "--of", "other.lua", "--version", folder .. "/v01.lua", "--version",
    folder .. "/v02.lua",
    "--criterion", "1", "--for", "0.05" }, "does not load other.lua" },
  { { "history", "trees" }, "did you mean 'tree'" },
  { { "history", "diff", "0000" }, "diff expects" },
}

test("what is wrong is said", function(t)
  for _, case in ipairs(wrong) do
    local words = table.move(case[1], 1, #case[1], 1, {})
    words[#words + 1], words[#words + 2] = "--store", store
    local run = brio(table.unpack(words))
    t:check(run.code == 1 or run.code == 2, "%s ended with %s", table.concat(words, " "), tostring(run.code))
    t:has(run.err, case[2])
    t:check(not run.text:find "traceback", "%s", run.text)
  end
end)

test("a damaged store is told, and nothing crashes", function(t)
  harness.run("sqlite3 " .. store .. " 'PRAGMA wal_checkpoint(TRUNCATE)'")
  local whole, broken = files.read(store), folder .. "/broken.db"
  local questions = { { "history" }, { "history", "tree" }, { "search", "arrived" }, { "at", "1", "0.1" },
    { "compare", "1", "2" }, { "plot", "1" }, { "sql", "SELECT * FROM story" } }
  local damages = { whole:sub(1, #whole // 2), whole:sub(1, 5000), ("x"):rep(9000), "" }
  local seed = 7
  for number = 1, 3 do -- pages overwritten here and there
    local pages = {}
    for at = 1, #whole, 8192 do
      seed = (seed * 1103515245 + 12345) % 2147483648
      local page = whole:sub(at, at + 8191)
      pages[#pages + 1] = at > 8192 and seed % 4 == 0 and ("\255"):rep(#page) or page
    end
    damages[#damages + 1] = table.concat(pages)
    seed = seed + number
  end
  for number, bytes in ipairs(damages) do
    files.write(broken, bytes)
    local question = questions[number]
    local words = table.move(question, 1, #question, 1, {})
    words[#words + 1], words[#words + 2] = "--store", broken
    local run = brio(table.unpack(words))
    t:check(run.code == 0 or run.code == 1, "%s on damage %d ended with %s: %s", question[1], number,
      tostring(run.code), run.text)
    t:check(run.code == 0 or run.err:find "^brio: ", "no sentence: %s", run.text)
    t:check(not run.text:find "traceback", "%s", run.text)
  end
end)

files.remove(folder)
harness.done()
