--- `brio batch`: the same results whoever runs the shares and however many there are, only what is missing
--- again, and refusals in words.  `make test` does 12 runs a batch, `make soak` 600.  GNU parallel is really
--- started, and Slurm under `make soak` or with BRIO_SLURM=1; both are skipped where they are absent.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local cjson = require "cjson"
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

local folder = files.temporary()
local file = folder .. "/seven.lua"
local times = 12 * (harness.scale or 1)
local each = times // 3

files.write(file, [[
local brio = require "brio"
local b = brio.behavior "seven" { robot = "ur3e", start = "seven", tune = { near = brio.param(1.0, "m", 0.1, 2) } }
local tree = { "sequence", name = "all" }
for index = 1, 3 do
  tree[index + 1] = { "action", name = "step " .. index,
    tick = function(self) return self:random() < 0.9 - 0.3 * (self.tune.near - 1), "it slipped" end }
end
b.seven = { tree = tree }
return b
]])

--- Run a batch in a folder of its own below ours.
local function batch(name, ...)
  return brio("batch", file, "--times", tostring(times), "--folder", folder .. "/" .. name, ...)
end

local function lines_of(name) return files.read(("%s/%s/results.jsonl"):format(folder, name)) end

--- What one process says of all runs, which every batch must say.
local expected
local function all_lines()
  expected = expected or brio("repeat", file, "--times", tostring(times), "--share", "1/1").out
  return expected
end

local function count_lines(name, share)
  local _, count = (files.read(("%s/%s/shares/%s"):format(folder, name, share)) or ""):gsub("\n", "")
  return count
end

test("a batch has the results of one process, stores them once, and does again only what is missing",
function(t)
  local store = folder .. "/here.db"
  local run = batch("here", "--each", tostring(each), "--store", store)
  t:code(run, 0)
  t:equal(lines_of "here", all_lines(), "results")
  t:code(brio("repeat", file, "--times", tostring(times), "--jobs", "1", "--store", folder .. "/one.db"), 0)
  for _, name in ipairs { "repeat_runs", "repeat_executions" } do
    local sql = "SELECT * FROM " .. name
    t:equal(harness.sql(store, sql), harness.sql(folder .. "/one.db", sql), name)
  end
  -- a share is lost, and another ends in the middle of a line
  assert(os.remove(folder .. "/here/shares/000002-p1.lines"))
  local cut = folder .. "/here/shares/000003-p1.lines"
  files.write(cut, files.read(cut):sub(1, -20))
  t:code(batch("here", "--each", tostring(each), "--store", store), 0)
  t:equal(lines_of "here", all_lines(), "results after the loss")
  t:equal(count_lines("here", "000004-p1.lines") + count_lines("here", "000005-p1.lines"), each + 3,
    "lines that came again: the build twice, one share and one run")
  t:equal(harness.sql(store, "SELECT count(*) FROM repeats"), "1", "repeats")
end)

test("GNU parallel comes to the same", function(t)
  if harness.run("parallel --version").code ~= 0 then t:skip "GNU parallel is not installed" end
  t:code(batch("parallel", "--on", "parallel", "--each", tostring(times // 2), "--store", "none"), 0)
  t:equal(lines_of "parallel", all_lines(), "results")
end)

test("Slurm comes to the same, and a job that was cancelled goes on where it was", function(t)
  local slurm = require "slurm"
  local absent = harness.scale == 1 and not os.getenv "BRIO_SLURM"
    and "Slurm is started under make soak, or with BRIO_SLURM=1" or slurm.absent()
  if absent then t:skip(absent) end
  local one, why = slurm.start(t:folder())
  if not one then t:skip("Slurm does not come up here: " .. tostring(why)) end
  local good, fault = xpcall(function()
    local words = ("%s batch %s --times %d --each %d --store none --on slurm --folder %s/slurm"):format(
      files.quote(harness.program), file, times, times // 2, folder)
    -- held back: it waits in the queue when its program ends
    local held = one:run(("sh -c 'timeout -s INT 3 %s --engine-option=--hold; true'"):format(words))
    if harness.contains(held.text, "the job goes on") then
      t:has(one:run("squeue -h -o %r").out, "JobHeldUser")
    end
    t:has(one:run(words .. " --cancel").out, "cancel")
    t:equal(one:run("squeue -h").out, "", "jobs in the queue after --cancel")
    t:code(one:run(words), 0)
    t:equal(lines_of "slurm", all_lines(), "results")
  end, debug.traceback)
  one:stop()
  if not good then error(fault, 0) end
end)

test("results of another build or of another behavior are refused", function(t)
  batch("mixed", "--each", tostring(times), "--store", "none")
  local share = folder .. "/mixed/shares/000001-p1.lines"
  local text = files.read(share)
  files.write(share, (text:gsub('"hash":"%x+"', '"hash":"0123456789abcdef"', 1)))
  local run = batch("mixed", "--store", "none")
  t:code(run, 1)
  t:has(run.err, "results of different builds are not mixed")
  files.write(share, (text:gsub('"outcome":"%a+"', '"outcome":"error"', 1)))
  files.write(folder .. "/mixed/shares/000002-p1.lines", text)
  t:has(batch("mixed", "--store", "none").err, "came to two results")
  files.write(share, "nonsense\n")
  t:has(batch("mixed", "--store", "none").err, "does not begin with a line about its build")
  run = brio("batch", file, "--seed", "2", "--folder", folder .. "/mixed", "--store", "none")
  t:code(run, 1)
  t:has(run.err, "has another batch")
  files.write(folder .. "/mixed/batch.json", "{]")
  t:has(batch("mixed", "--store", "none").err, "is no file of a batch")
end)

-- `make test`: one size of shares; `make soak`: two.
test("it stops at the same run when the interval is narrow enough, whatever the shares", function(t)
  local function until_narrow(name, size)
    t:code(batch(name, "--until-width", "0.6", "--each", tostring(size), "--store", "none"), 0)
    return lines_of(name)
  end
  local one = until_narrow("narrow", 11)
  if harness.scale > 1 then t:equal(until_narrow("narrow too", times), one, "results") end
  local good, n = 0, 0
  for line in one:gmatch "[^\n]+" do
    n, good = n + 1, good + (cjson.decode(line).outcome == "success" and 1 or 0)
  end
  -- Wilson's interval, by its definition: p with |good/n - p| = z sqrt(p (1 - p) / n)
  local z = 1.959963984540054
  local function width(k, m)
    local a, b, c = 1 + z * z / m, -(2 * k / m + z * z / m), (k / m) ^ 2
    return math.sqrt(b * b - 4 * a * c) / a
  end
  t:check(n >= 10 and width(good, n) <= 0.6, "%d of %d", good, n)
end)

test("a space is a grid or a Latin hypercube, and each point is a repeat of the store", function(t)
  local store = folder .. "/space.db"
  local run = brio("batch", file, "--times", "2", "--space", "near=0.5..1.5:2", "--each", "2", "--folder",
    folder .. "/grid", "--store", store)
  t:code(run, 0)
  t:has(run.out, "best: near=")
  t:equal(harness.sql(store, "SELECT r.id, x.run, x.varied FROM repeats r JOIN repeat_runs x ON x.repeat = \z
    r.id"),
    '1|1|{"near":0.5}\n1|2|{"near":0.5}\n2|1|{"near":1.5}\n2|2|{"near":1.5}', "runs")
  local compared = brio("compare", "repeat 1", "repeat=2", "--store", store)
  t:code(compared, 0)
  t:has(compared.out, "A: repeat 1, 2 runs (seven.lua, ")
  t:has(compared.out, "runs that succeed")
  t:has(compared.out, "step 1 succeeds")
  t:has(compared.out, "both have the same seeds")
  t:has(brio("compare", "repeat 1", "repeat 9", "--store", store).err, "there is no repeat 9")
  t:has(brio("compare", "repeat 1", "1", "--store", store).err, "only be compared with a repeat")
  local rows = {
    { { "--space", "near=0..9:2" }, 1, "must be from 0.1 to 2 m" },
    { { "--space", "nea=1,2" }, 1, "did you mean 'near'" },
    { { "--space", "near" }, 2, "--space expects NAME=LO..HI" },
    { { "--space", "near=2..1" }, 2, "--space expects NAME=LO..HI" },
    { { "--space", "near=1,2", "--space", "near=1" }, 2, "it is given twice" },
    { { "--space", "near=0.1..1:1000", "--space", "x=0..1:1000" }, 2, "1000000 points" },
    { { "--points", "3" }, 2, "--points expects at least one --space" },
    { { "--until-width", "5" }, 2, "must be over 0 and under 1" },
    { { "--on", "slrm" }, 1, "did you mean 'slurm'" },
    { { "--each", "0" }, 2, "--each must be a number" },
  }
  for _, row in ipairs(rows) do
    local bad = brio("batch", file, "--folder", folder .. "/bad", "--store", "none", table.unpack(row[1]))
    t:code(bad, row[2])
    t:has(bad.err, row[3])
  end
end)

files.remove(folder)
harness.done()
