--- What was written for an earlier brio still loads and does the same: the folders of tests/ages have
--- behaviors with their worlds, actions and tests, trees, session scripts and studies, as they were when they
--- were written.  Stores of every schema are in tests/store/test_ages.c.
---
---   1  the first behaviors: states, wants, a sequence         4  sessions and studies
---   2  scripts that wait, regions, wizard of Oz               5  version 0.1.0
---   3  a behavior tree, with one in a file
---
--- Whoever changes what files may say adds a folder with files as they are before the change, and changes
--- none of those that are there.  `make test` checks every file; `make soak` also runs the tests of their
--- time.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

local ages = "tests/ages"

--- What is part of another file: worlds, modules, tests.
local parts = { "_world%.lua$", "_actions%.lua$", "_test%.lua$" }

local whole, tests = {}, {}
for _, path in ipairs(files.lines("find " .. ages .. " -type f | sort")) do
  local part = false
  for _, ending in ipairs(parts) do part = part or path:find(ending) ~= nil end
  if path:find "_test%.lua$" then tests[#tests + 1] = path end
  if not part then whole[#whole + 1] = path end
end

test("files of every age are good", function(t)
  t:check(#whole >= 16, "%d files are there", #whole)
  local words = {}
  for index, path in ipairs(whole) do words[index] = files.quote(path) end
  local run = harness.run(harness.program .. " check " .. table.concat(words, " "))
  t:code(run, 0)
  for _, path in ipairs(whole) do t:has(run.out, path .. ": good") end
end)

test("the first kiosk greets and sees off, and the first door opens at the fourth try", function(t)
  if harness.scale == 1 then t:skip "the tests of earlier behaviors run under make soak" end
  t:check(#tests >= 2, "%d tests are there", #tests)
  for _, path in ipairs(tests) do t:code(harness.brio("test", path), 0) end
end)

harness.done()
