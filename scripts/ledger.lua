--- The ledger: the cost of fixed workloads in instructions, which does not depend on the load of the machine.
---
---     lua5.4 scripts/ledger.lua [--only NAME] [--build build]
---         measures each workload, prints it with its row, and exits with 1 if one costs over 3 % more
---     lua5.4 scripts/ledger.lua --set NAME --because "REASON"
---         measures one, and writes it to its row with the reason; --set all: every one
---     lua5.4 scripts/ledger.lua --check
---         only reports whether the rows apply here: exits with 0 if they do, else prints why not
---
--- The rows are in scripts/ledger/rows.lua, the workloads in scripts/ledger/workloads.lua.  They apply to the
--- release build by Debian 12's gcc, with its libc and Lua: elsewhere nothing is measured, which is reported.
local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/../tests/lib/?.lua;" .. package.path
local files = require "files"
local workloads = dofile(here .. "/ledger/workloads.lua")

--- A row may increase by this share before it counts as a miss.
local tolerance = 0.03

--- The conditions for the rows: the output of a command, and its expected value.
local premises = {
  { "gcc -dumpfullversion", "12.2.0", "gcc" },
  { "getconf GNU_LIBC_VERSION", "glibc 2.36", "libc" },
  { "uname -m", "x86_64", "processor" },
}

local function wrong(...)
  io.stderr:write("scripts/ledger.lua: ", string.format(...), "\n")
  os.exit(2)
end

local function options_of(words)
  local options, takes = { build = "build" }, { only = true, build = true, set = true, because = true }
  local at = 1
  while words[at] do
    local name = words[at]:match "^%-%-(%a+)$"
    if name == "check" then options.check, at = true, at + 1
    elseif takes[name] and words[at + 1] then options[name], at = words[at + 1], at + 2
    else wrong("expected --only NAME, --set NAME --because REASON, --check or --build FOLDER, got %s",
      words[at]) end
  end
  if options.set and (options.because or "") == "" then
    wrong "--set expects --because REASON: a row changes for one"
  end
  return options
end

local options = options_of(arg)
local root = files.output("cd " .. files.quote(here .. "/..") .. " && pwd")
local program = options.build:match "^/" and options.build or root .. "/" .. options.build
program = program .. "/brio"

--- Why the rows do not apply here; nil: they do.
local function not_here()
  if files.output "command -v valgrind" == "" then
    return "valgrind is not installed (scripts/packages-lint.txt)"
  end
  for _, one in ipairs(premises) do
    local found = files.output(one[1] .. " 2>/dev/null")
    if found ~= one[2] then
      return ("its rows hold for %s %s, here it is %s"):format(one[3], one[2], found)
    end
  end
  if not files.exists(program) then return program .. " is not built: make program" end
end

--- Instructions of a run of the program.  A libc selects functions by the processor, so features of only some
--- processors are disabled.
local function instructions(words, folder)
  local line = {}
  for index, word in ipairs(words) do
    line[index] = files.quote((word:gsub("{store}", folder .. "/x.db"):gsub("{fresh}", os.tmpname)))
  end
  local command = ("cd %s && GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-ERMS,-FSRM \z
    LC_ALL=C.UTF-8 "
    .. "valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null %s %s 2>&1 \z
      >/dev/null"):format(
    files.quote(root), files.quote(program), table.concat(line, " "))
  local said, code = files.output(command)
  local count = said:match "I%s+refs:%s+([%d,]+)"
  if code ~= 0 or not count then
    error(("%s: exit code %s: %s"):format(table.concat(words, " "), code, said), 0)
  end
  return tonumber((count:gsub(",", "")))
end

--- The cost of a unit of a workload, instructions.
local function measure(workload)
  local folder = files.temporary()
  if workload.before then
    local words = {}
    for index, word in ipairs(workload.before) do
      words[index] = files.quote((word:gsub("{store}", folder .. "/x.db")))
    end
    local said, code = files.output(("cd %s && %s %s 2>&1"):format(files.quote(root), files.quote(program),
      table.concat(words, " ")))
    if code ~= 0 then error(("%s: exit code %d: %s"):format(workload.name, code, said), 0) end
  end
  local cost = instructions(workload.run, folder)
  if workload.less then cost = cost - instructions(workload.less, folder) end
  files.remove(folder)
  return math.floor(cost / (workload.units or 1) + 0.5)
end

local rows_file = here .. "/ledger/rows.lua"
local rows = files.exists(rows_file) and dofile(rows_file) or {}

--- A text as a Lua string, in lines that begin with `indent`: broken between words, by \z.
local function quoted(text, indent)
  local lines, line = {}, ""
  for word in text:gmatch "%S+%s*" do
    if #indent + #line + #word > 104 then lines[#lines + 1], line = line, "" end
    line = line .. word
  end
  lines[#lines + 1] = line
  for index, one in ipairs(lines) do lines[index] = ("%q"):format(one):sub(2, -2) end
  return '"' .. table.concat(lines, "\\z\n" .. indent) .. '"'
end

--- Write the rows, in the order of the workloads.
local function write_rows()
  local lines = { "--- What each workload costs, instructions, and why it is that: written by \z
    scripts/ledger.lua --set.", "return {" }
  for _, workload in ipairs(workloads) do
    local row = rows[workload.name]
    if row then
      lines[#lines + 1] = ("  [%q] = { %d,\n    %s },"):format(workload.name, row[1], quoted(row[2], "    "))
    end
  end
  files.write(rows_file, table.concat(lines, "\n") .. "\n}\n")
end

local function shown(count)
  return count < 1e6 and ("%.1f k"):format(count / 1e3) or ("%.2f M"):format(count / 1e6)
end

--- Compare a measured cost with its row; return whether it is within the tolerance.
local function judge(workload, cost)
  local row = rows[workload.name]
  local change = row and cost / row[1] - 1
  local verdict = not row and "no row" or change > tolerance and "MISS"
    or change < -tolerance and "PASS (less: set its row)" or "PASS"
  print(("%-16s %10s  row %10s  %+6.1f %%  %s"):format(workload.name, shown(cost),
    row and shown(row[1]) or "none", 100 * (change or 0), verdict))
  io.stdout:flush()
  return row ~= nil and change <= tolerance
end

local why = not_here()
if why then
  print("skipped: " .. why)
  os.exit(options.check and 3 or 0)
end
if options.check then os.exit(0) end

local good, found = true, false
for _, workload in ipairs(workloads) do
  local chosen = options.only or options.set ~= "all" and options.set
  if not chosen or chosen == workload.name then
    found = true
    local cost = measure(workload)
    if options.set then rows[workload.name] = { cost, options.because } end
    good = judge(workload, cost) and good
  end
end
if not found then wrong("there is no workload '%s'", options.only or options.set) end
if options.set then write_rows() end
os.exit(good and 0 or 1)
