--- The output of `make test` and its end: tests/run.lua on a small project of test programs that pass, fail,
--- skip, crash, hang and leave a process running; and scripts/flaky.lua on one that fails every other time.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

--- A project with these test programs in tests/program; return its folder.
local function project(t, programs, usual)
  local folder = t:folder()
  harness.run { ("mkdir -p %s/tests/program %s/scripts %s/build/units; cp -R tests/run.lua tests/lib \z
    %s/tests; cp scripts/flaky.lua %s/scripts")
    :format(folder, folder, folder, folder, folder) }
  files.write(folder .. "/tests/walls.lua", 'print "ok the walls stand"\n')
  files.write(folder .. "/tests/lib/usual.lua", ("return { others = { %g, 0.1 } }\n"):format(usual or 1))
  for name, text in pairs(programs) do
    files.write(("%s/tests/program/%s_test.lua"):format(folder, name), text)
  end
  return folder
end

local function suite(folder, words)
  return harness.run("lua5.4 " .. folder .. "/tests/run.lua " .. (words or ""))
end

test("it says how many suites there are, and closes with the counts and the slowest", function(t)
  local run = suite(project(t, { good = 'print "ok one" print "ok two"',
    less = 'print "ok three" print "skip four: no camera"' }))
  t:code(run, 0)
  t:has(run.out, "~^3 suites at scale 1")
  t:has(run.out, "skipped: no camera: four")
  t:has(run.out, "~took 0:%d%d; the slowest suites:\n +[%d.]+ s %([%d.]+ s of a core%)  tests/")
  t:has(run.out, "~\n4 passed, 0 failed, 1 skipped\n$")
end)

test("a failure is shown when it comes, with its details, and again at the end", function(t)
  local folder = project(t, { bad = 'print "ok one" print "#   3 is not 4" print "not ok two" \z
    io.stdout:flush() '
    .. 'repeat local seen = io.open "seen" until seen print "ok three" os.exit(1)' })
  local process = harness.start(("lua5.4 %s/tests/run.lua --only bad"):format(folder))
  harness.await_output(process, "FAILED tests/program/bad_test.lua: two\n  #   3 is not 4\n")
  files.write(folder .. "/seen", "")
  local code, text = harness.wait(process)
  t:equal(code, 1, "exit code")
  t:has(text, "FAILED tests/program/bad_test.lua: two\n2 passed, 1 failed\n")
end)

test("what is said behind a failure belongs to it", function(t)
  local run = suite(project(t, { behind = 'print "not ok one" print "#   why one" print "ok two" print "not \z
    ok three"' }))
  t:code(run, 1)
  t:has(run.out, "_test.lua: one\n  #   why one\nFAILED tests/program/behind_test.lua: three\n")
end)

test("a program that crashes, exits badly or prints no test is a failed test", function(t)
  local run = suite(project(t, { crash = 'print "ok one" io.stdout:flush() os.execute "kill -SEGV $PPID"',
    exits = 'print "ok one" os.exit(7)', mute = 'print "hello"' }))
  t:code(run, 1)
  t:has(run.out, "crash_test.lua was ended by signal 11")
  t:has(run.out, "exits_test.lua exited with code 7, and no test failed")
  t:has(run.out, "mute_test.lua printed no test\n  #   its last lines:\n  #   hello")
  t:has(run.out, "~\n3 passed, 3 failed\n$")
end)

test("a program that hangs is ended, and what a program leaves running is, too", function(t)
  local folder = project(t, { hangs = 'print "waits for nothing" io.stdout:flush() while true do end',
    leaves = ('os.execute "sleep 1000 & echo $! >%s" print "ok one"'):format "pid" }, 0.1)
  files.write(folder .. "/tests/lib/suites.lua",
    (files.read(folder .. "/tests/lib/suites.lua"):gsub("suites.patience = %d+", "suites.patience = 1")))
  local run = suite(folder)
  t:code(run, 1)
  t:has(run.out, "hangs_test.lua ran longer than 1 s and was ended")
  t:has(run.out, "waits for nothing")
  t:has(run.out, "~\n2 passed, 1 failed\n$")
  local pid = files.read(folder .. "/pid"):match "%d+"
  harness.await("what was left running to end",
    function() return not files.exists(("/proc/%s/stat"):format(pid)) end)
end)

test("--only runs a part: by a piece of the name or by an area; a wrong one lists the areas", function(t)
  local folder = project(t, { tree = 'print "ok one"', leaves = 'print "ok two"', run = 'print "ok three"' })
  t:has(suite(folder, "--only trees").out, "~\n2 passed, 0 failed\n$")
  t:has(suite(folder, "--only run_").out, "~\n1 passed, 0 failed\n$")
  local run = suite(folder, "--only nowhere")
  t:code(run, 1)
  t:has(run.out, "no suite is named by nowhere; areas: behaviors, ")
end)

test("each program has a folder of its own for what it writes, which is gone afterwards", function(t)
  local folder = project(t, { one = 'print("ok " .. os.getenv "TMPDIR") io.open(os.getenv "TMPDIR" .. "/x", \z
    "w"):close()' })
  local names = folder .. "/names"
  t:code(suite(folder, "--names " .. names), 0)
  local own = files.read(names):match "one_test.lua\tpassed\t(%S+)"
  t:check(own and own ~= os.getenv "TMPDIR", "its folder is %s", own)
  t:check(not files.exists(own), "%s is still there", own)
end)

test("scripts/flaky.lua finds what fails every other time", function(t)
  local folder = project(t, { steady = 'print "ok one"', odd = [[
    local file = io.open "count"
    local count = file and file:read "n" or 0
    if file then file:close() end
    io.open("count", "w"):write(count + 1):close()
    print(count % 2 == 0 and "ok two" or "not ok two")
    os.exit(count % 2)]] })
  local run = harness.run(("lua5.4 %s/scripts/flaky.lua --runs 4 --busy 1 --build %s/build"):format(folder,
    folder))
  t:code(run, 1)
  t:has(run.out, "~run 1 of 4 beside 1 busy loops: 3 passed, 0 failed, %d+ s")
  t:has(run.out, "failed in 2 of 4 runs: tests/program/odd_test.lua: two\n1 tests failed at least once")
end)

harness.done()
