--- `brio test`: runs test files, of behaviors and of other Lua code.
local cli = require "brio.terminal.cli"

local test = {
  name = "test",
  summary = "run the tests of behaviors: every *_test.lua below a folder, on the simulator in fast time",
  usage = "brio test FOLDER|FILE... [options]",
  options = {
    { "only", "TEXT", "only the tests whose name contains this" },
    cli.load,
    { "coverage", nil, "report which nodes of behavior trees ran, succeeded and failed" },
    { "tap", nil, "print one line per test and no summary, for other programs" },
  },
}

--- The test files below a path, sorted.
local function files_below(path, found)
  local uv = require "luv"
  local status = uv.fs_stat(path)
  if not status then return nil, ("%s: there is no such file or folder"):format(path) end
  if status.type ~= "directory" then
    found[#found + 1] = path
    return true
  end
  local names = {}
  local entries, why = uv.fs_scandir(path)
  if not entries then
    return nil, ("%s: the folder cannot be read: %s"):format(path, require "brio.io.reason"(why))
  end
  for name in uv.fs_scandir_next, entries do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local inner = path:gsub("/$", "") .. "/" .. name
    local kind = uv.fs_stat(inner)
    if kind and (kind.type == "directory" and name:sub(1, 1) ~= "." or name:match("_test%.lua$")) then
      local good, fault = files_below(inner, found)
      if not good then return nil, fault end
    end
  end
  return true
end

function test.run(args)
  if #args == 0 then args[1] = "." end
  local files = {}
  for _, path in ipairs(args) do
    local good, why = files_below(path, files)
    if not good then
      cli.error("%s", why)
      return 1
    end
  end
  local testing = require "brio.trials.testing"
  local counts = { passed = 0, failed = 0, skipped = 0 }
  for _, file in ipairs(files) do
    counts.coverage = args.coverage and require("brio.trials.coverage").new()
    testing.run_file(file, args.only, counts)
    for _, line in ipairs(counts.coverage and counts.coverage:lines() or {}) do print(line) end
  end
  if not args.tap then
    print(("%d passed, %d failed%s"):format(counts.passed, counts.failed,
      counts.skipped > 0 and (", %d skipped"):format(counts.skipped) or ""))
  end
  if counts.passed + counts.failed + counts.skipped == 0 then
    local named = args.only and " with '" .. args.only .. "' in its name" or ""
    cli.error("there was no test%s in %s", named, table.concat(args, ", "))
    return 3
  end
  return counts.failed > 0 and 3 or 0
end

return test
