--- Out of memory, at any allocation: commands do their work nevertheless, or end with an error message.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

local folder = files.temporary()
local library = folder .. "/refuse.so"

--- The number of allocations to refuse in each command: a sample in `make test`.
local samples = harness.scale > 1 and 400 or 3
local seed = tonumber(os.getenv "BRIO_TEST_SEED" or "") or os.time() // 86400
math.randomseed(seed)
print(("# %d allocations of each command, and all from there on (seed %d; make soak: more)"):format(samples,
  seed))

--- Run a command of brio with `count` allocations refused, beginning with number `at`.
local function refused(at, count, words)
  return harness.run { ("env REFUSE_AT=%d REFUSE_COUNT=%d REFUSE_TELL=%s/count LD_PRELOAD=%s %s \z
    %s"):format(at, count,
    folder, library, files.quote(harness.program), words) }
end

--- A store with a run in it.
local store = folder .. "/x.db"

local commands = {
  { "check behaviors/kiosk.lua" },
  { "run behaviors/kiosk.lua --for 0.1 --clock fast --store none" },
  { "run behaviors/door.lua --for 0.1 --clock fast --store " .. folder .. "/new.db", new = folder
    .. "/new.db" },
  { "sql --store " .. store .. " 'SELECT count(*) FROM samples'", same = true },
  { "replay 1 --store " .. store },
  { "export 1 --as csv --store " .. store .. " --out " .. folder .. "/out" },
}

--- Compare the result of a command with {command, code, out}, its result without refusals.
local function judge(t, command, usual, ran, what)
  local clean = ran.code >= 0 and ran.code <= 3
  t:check(clean, "%s: exit code %d: %s", what, ran.code, ran.text)
  t:check(ran.code == 0 or ran.text ~= "", "%s: it ends with %d and says nothing", what, ran.code)
  if ran.code == 0 and command.same then t:equal(ran.out, usual.out, what) end
  if command.new and files.exists(command.new) then
    t:equal(harness.sql(command.new, "pragma integrity_check"), "ok", what)
    for _, tail in ipairs { "", "-wal", "-shm" } do os.remove(command.new .. tail) end
  end
end

local function prepare(t)
  local built = harness.run { ("cc -std=c11 -shared -fPIC -O1 -o %s \z
    %s/tests/program/refuse.c"):format(library,
    files.quote(harness.root)) }
  if built.code == 127 then t:skip "there is no compiler" end
  t:code(built, 0)
  if os.getenv "ASAN_OPTIONS" then t:skip "sanitizers have a malloc of their own" end
  t:code(harness.brio("run", "behaviors/kiosk.lua", "--for", 0.1, "--clock", "fast", "--store", store), 0)
end

test("each command does its work, or says that there is no memory", function(t)
  prepare(t)
  for _, command in ipairs(commands) do
    local usual = refused(0, 1, command[1])
    t:code(usual, 0)
    judge(t, command, usual, usual, command[1])
    local count = tonumber(files.read(folder .. "/count"))
    for _ = 1, samples do
      local at = math.random(count)
      for _, many in ipairs { 1, 1 << 30 } do
        judge(t, command, usual, refused(at, many, command[1]),
          ("%s, %s from allocation %d on"):format(command[1], many == 1 and "one refused" or "all refused",
            at))
      end
    end
  end
end)

harness.done()
