--- Spaces, ranges and shares of `brio batch`, by their properties.
require "brio"
local ranges = require "brio.trials.batch.ranges"
local shares = require "brio.trials.batch.shares"
local space = require "brio.trials.batch.space"
local uv = require "luv"

test("in a Latin hypercube each part of each axis has one point, and the seed decides", function(t)
  local points = assert(space.points({ "a=2..6", "b=-1..1", "c=x,y" }, 16, 3))
  for place, axis in ipairs { { "a", 2, 6 }, { "b", -1, 1 } } do
    local seen = {}
    for _, point in ipairs(points) do
      local name, value = point[place]:match "^(%a)=(.*)$"
      t:equal(name, axis[1])
      seen[math.floor((tonumber(value) - axis[2]) / (axis[3] - axis[2]) * 16)] = true
    end
    for part = 0, 15 do t:ok(seen[part], "part %d of %s has no point", part, axis[1]) end
  end
  local x = 0
  for _, point in ipairs(points) do x = x + (point[3] == "c=x" and 1 or 0) end
  t:equal(x, 8)
  t:equal(assert(space.points({ "a=2..6", "b=-1..1", "c=x,y" }, 16, 3)), points)
  t:ok(assert(space.points({ "a=2..6" }, 16, 4))[1][1] ~= points[1][1], "another seed has other points")
end)

test("a grid has every combination once, its ends among them", function(t)
  local points, seen = assert(space.points({ "a=0..1:3", "b=x,y" }, nil, 1)), {}
  for _, point in ipairs(points) do seen[table.concat(point, " ")] = true end
  for _, a in ipairs { "0", "0.5", "1" } do
    for _, b in ipairs { "x", "y" } do t:ok(seen[("a=%s b=%s"):format(a, b)], "%s %s", a, b) end
  end
  t:equal(#points, 6)
  t:equal(space.ranges { "a=0..1:3", "b=x,y" }, { "a=0..1", "b=x,y" })
end)

test("ranges are read and written, and what is none is refused", function(t)
  t:equal(ranges.read("7,1-3, 2 - 4", 9), { 1, 2, 3, 4, 7 })
  t:equal(ranges.text { 1, 2, 3, 4, 7 }, "1-4,7")
  for _, text in ipairs { "", "0", "3-2", "10", "a", "1,,2", "1-", "99999999999999999999" } do
    t:equal(ranges.read(text, 9), nil)
  end
  local stream = require "brio.random".stream(1, "ranges")
  for _ = 1, 100 do
    local list = {}
    for number = 1, 40 do
      if stream:uniform(0, 1) < 0.5 then list[#list + 1] = number end
    end
    if #list > 0 then t:equal(ranges.read(ranges.text(list), 40), list) end
  end
end)

test("shares have half a minute at least, every missing run once, and no more tasks than the engine takes",
function(t)
  t:equal(shares.size(1, 100000, 2, 100000), 600)
  t:equal(shares.size(0.1, 1000, 2, 100000), 300)
  t:equal(shares.size(1000, 50, 2, 100000), 1)
  t:equal(shares.size(1, 1000000, 2, 1000), 1000)
  local missing, seen = { { 1, 2, 3, 5 }, {}, { 9 } }, {}
  for _, share in ipairs(shares.divide(missing, 3)) do
    t:ok(#share.runs <= 3, "a share has %d runs", #share.runs)
    for _, run in ipairs(share.runs) do seen[#seen + 1] = share.point .. "/" .. run end
  end
  t:equal(seen, { "1/1", "1/2", "1/3", "1/5", "3/9" })
  t:equal(shares.count(missing), 5)
end)

-- The folder and the engines ---------------------------------------------------------------------------

test("a batch is done by one program at a time, on whatever machine; a lock left behind is taken", function(t)
  local batches = require "brio.trials.batch.folder"
  local path = t:temporary ""
  local one = assert(batches.open(path))
  t:ok(one:lock())
  t:ok(one:keep_lock())
  one:unlock()
  local function written(text, age)
    local file <close> = assert(io.open(path .. "/lock", "w"))
    file:write(text)
    file:close()
    if age then uv.fs_utime(path .. "/lock", os.time() - age, os.time() - age) end
  end
  written "4711 another-node\n"
  local good, why = one:lock()
  t:ok(not good)
  t:match(why, "another brio %(process 4711 on another%-node%) does this batch")
  written("4711 another-node\n", batches.lock_lasts + 60)
  t:ok(one:lock(), "the lock of a program that has not looked for long")
  written "4711 another-node\n"
  good, why = one:keep_lock()
  t:ok(not good)
  t:match(why, "has taken over this batch")
  one:unlock()
  t:equal(select(2, pcall(function() return io.open(path .. "/lock"):read "a" end)), "4711 another-node\n",
    "the other's lock stays")
  written "999999999\n" -- of an older brio on this machine, which is gone
  t:ok(one:lock())
  one:unlock()
  t:ok(not io.open(path .. "/lock"))
end)

test("a lock that another program took meanwhile is not removed", function(t)
  local path = t:temporary ""
  local one = assert(require("brio.trials.batch.folder").open(path))
  local function write(text)
    local file <close> = assert(io.open(path .. "/lock", "w"))
    file:write(text)
  end
  write "4711 another-node\n"
  uv.fs_utime(path .. "/lock", os.time() - 600, os.time() - 600)
  -- the third program takes the lock between the look at the old one and its removal
  local stat = uv.fs_stat
  uv.fs_stat = function(name)
    local about = stat(name)
    if name:match "/lock$" then
      uv.fs_stat = stat
      os.remove(name)
      write "4712 third-node\n"
    end
    return about
  end
  local good, why = one:lock()
  uv.fs_stat = stat
  t:ok(not good)
  t:match(why, "another brio %(process 4712 on third%-node%) does this batch")
  t:equal(io.open(path .. "/lock"):read "a", "4712 third-node\n")
  local names = {}
  local listed = uv.fs_scandir(path)
  for name in function() return uv.fs_scandir_next(listed) end do names[#names + 1] = name end
  table.sort(names)
  t:equal(names, { "jobs", "lock", "shares" })
end)

--- A batch of forty runs, locked, whose engine is one of other machines: jobs that begin and never end by
--- themselves.  look(batch): what happens meanwhile.  Return it and the numbers of what began and was told to
--- end.
local function followed(t, ends, look)
  local path = t:temporary ""
  local batch
  local began, told = {}, {}
  local engine = { about = "Elsewhere", limit = 10, goes_on = true, elsewhere = true }
  function engine.start(job)
    job.id = #began + 1
    began[job.id] = job.id
    return true
  end
  function engine.going() return look(batch, path) or true end
  function engine.cancel(job)
    told[#told + 1] = job.id
    return ends
  end
  local repeated = { loaded = { sources = {} }, options = {} }
  batch = assert(require("brio.trials.batch.batch").new(repeated, { words = {}, points = { {} }, times = 40,
    folder = assert(require("brio.trials.batch.folder").open(path)), engine = engine, on = "slurm", cores = 2,
    extra = {}, directory = "/", pause = 1, progress = function() end }))
  assert(batch.folder:lock())
  return batch, began, told, path
end

test("a batch that is stopped while it measures begins no more, and ends what measures", function(t)
  local batch, began, told = followed(t, true, function(batch) batch.stopped = true end)
  t:ok(batch:run())
  t:equal(began, { 1 })
  t:equal(told, { 1 })
  t:equal(batch.folder:job(), nil, "nothing goes on")
end)

test("a batch whose lock is another's leaves the job that runs elsewhere to it", function(t)
  local batch, began, told = followed(t, true, function(_, path)
    local file <close> = assert(io.open(path .. "/lock", "w"))
    file:write "4711 another-node\n"
  end)
  local good, why = batch:run()
  t:ok(not good)
  t:match(why, "another brio has taken over this batch$")
  t:equal(#began, 1)
  t:equal(told, {})
end)

test("a job that does not end is reported and kept", function(t)
  local batch = followed(t, false, function(batch) batch.stopped = true end)
  local good, why = batch:run()
  t:ok(not good)
  t:match(why, "job 1 of Elsewhere was told to end, and has not ended yet")
  t:equal(batch.folder:job().id, 1)
end)

test("a share whose words have a line break is refused by engines that read lines", function(t)
  for _, name in ipairs { "parallel", "slurm" } do
    local good, why = require("brio.trials.batch.engines." .. name).start {
      folder = "/nowhere", round = 1, on = name, tasks = { "cd 'a\nb' && exec x" } }
    t:ok(not good)
    t:match(why, "has a line break: a\\nb; " .. name .. " runs each share as one line")
  end
end)

test("a process that does not end when it is told to is killed", function(t)
  local engine = require "brio.trials.batch.engines.here"
  local patience = engine.patience
  local mark = t:temporary ".mark"
  engine.patience = 0.05
  local job = { cores = 1, tasks = { ("trap '' TERM; : >%s; while :; do sleep 0.2; done"):format(mark) } }
  t:ok(engine.start(job))
  while not io.open(mark) do uv.sleep(5) end
  t:ok(engine.cancel(job))
  engine.patience = patience
  t:equal(job.running, 0)
  t:ok(not engine.going(job))
end)
