--- Records: faults in a table, the options of a call, and a record as data.
local schema = require "brio.lib.schema"
local store = require "brio.store"

local record = {
  name = { "string", needed = true, doc = "of it" },
  every = { "number", unit = "s", lower = 0.1, upper = 60, value = 4 },
  side = { "choice", of = { "left", "right" } },
  tree = "table or string",
  gains = { "map", of = { "number", lower = 0 } },
  eyes = { "record", fields = { yaw = { "number", unit = "rad", upper = 1 },
    link = { "string", needed = true } } },
  axis = { "vector" }, pan = { "list", of = { "record", fields = { dof = { "string", needed = true } } } },
  odd = { "number", fault = function(value) return value % 2 == 0 and (": %d is even"):format(value)
    or nil end },
}

test("a table is taken, or refused with where, what was expected and what was probably meant", function(t)
  for _, case in ipairs {
    { { name = "a", every = 0.1, side = "left", tree = "x.json", gains = { a = 0 }, eyes = { link = "x" },
      odd = 3 } },
    { { name = "a", evry = 3 }, "^blink has no field 'evry' %(did you mean 'every'%?%)$" },
    { { every = 3 }, "^blink needs 'name'$" },
    { { name = "a", every = 61 }, "^blink: every must be from 0.1 to 60 s, not 61$" },
    { { name = "a", side = "letf" },
      "^blink: side must be one of left, right, not 'letf' %(did you mean 'left'%?%)$" },
    { { name = "a", tree = 3 }, "^blink: tree must be a table or string, not a number$" },
    { { name = "a", gains = { b = -1 } }, "^blink: gains%.b must be at least 0, not %-1$" },
    { { name = "a", gains = { 1 } }, "^blink: gains has an item without a name$" },
    { { name = "a", eyes = { link = "x", yaw = 2 } }, "^blink: eyes%.yaw must be at most 1 rad, not 2$" },
    { { name = "a", eyes = { link = "x", yawn = 2 } },
      "^blink: eyes has no field 'yawn' %(did you mean 'yaw'%?%)$" },
    { { name = "a", eyes = {} }, "^blink: eyes needs 'link'$" },
    { { name = "a", eyes = 5 }, "^blink: eyes must be a table, not a number$" },
    { { name = "a", axis = { 1, "x", 0 } }, "^blink: axis%[2%] must be a number, not a string$" },
    { { name = "a", pan = { { dof = "x" }, { dof = 3 } } },
      "^blink: pan%[2%]%.dof must be a string, not a number$" },
    { { name = "a", pan = { {} } }, "^blink: pan%[1%] needs 'dof'$" },
    { { name = "a", odd = 4 }, "^blink: odd: 4 is even$" },
    { { name = "a", 7 }, "^blink has an item without a name$" },
    { 7, "^blink must be a table, not a number$" },
  } do
    local why = schema.fault(case[1], record, "blink")
    if case[2] then t:match(why or "nothing", case[2]) else t:equal(why, nil) end
  end
end)

test("everything that is wrong is found, each with its key", function(t)
  local keys = {}
  for index, fault in ipairs(schema.faults({ evry = 1, side = 3 }, record,
    "it")) do keys[index] = fault.key end
  t:equal(table.concat(keys, " "), "evry side name")
end)

test("a record may have fields for its first items, which have no names", function(t)
  local step = { { "text", needed = true, doc = "its name" }, { "number" }, late = { "number", above = 0 } }
  local steps = { list = { "list", of = { "record", fields = step } } }
  for _, case in ipairs {
    { { "one", late = 2 } }, { { "one", 3 } },
    { { late = 2 }, "^it: list%[1%] needs its name first$" },
    { { "one", "two" }, "^it: list%[1%]%[2%] must be a number, not a string$" },
    { { "one", 3, 4 }, "^it: list%[1%] has an item without a name$" },
    { { "one", late = 0 }, "^it: list%[1%]%.late must be above 0, not 0$" },
  } do
    local why = schema.fault({ list = { case[1] } }, steps, "it")
    if case[2] then t:match(why or "nothing", case[2]) else t:equal(why, nil) end
  end
  local faults = schema.faults({ list = { { "one", laet = 2 } } }, steps, "it")
  t:equal(faults[1].where, "list[1].laet", "where in the table, for who looks for its line")
  local rows = schema.describe(step)
  t:equal({ rows[1].name, rows[1].needed, rows[2].name, rows[3].name, rows[3].above },
    { "[1]", true, "[2]", "late", 0 })
end)

test("wrong options of a call are raised where it is called", function(t)
  local function call(options) schema.check_options(options, record, "blink.new") end
  local here = debug.getinfo(1, "l").currentline
  local good, why = pcall(function() call { name = "a", evry = 1 } end)
  t:ok(not good and why:find(("schema_test.lua:%d: "):format(here + 1), 1, true), why)
  t:match(why, "blink.new has no option 'evry' %(did you mean 'every'%?%)")
  t:raises(function() call(3) end, "blink.new expects a table of options, not a number")
  call(nil)
end)

test("a record is data, in the order of the names, that JSON can say", function(t)
  local list = schema.describe(record)
  local names = {}
  for index, row in ipairs(list) do names[index] = row.name end
  t:equal(table.concat(names, " "), "axis every eyes gains name odd pan side tree")
  t:equal(list[2].unit .. " " .. list[2].lower .. " " .. list[2].default, "s 0.1 4")
  t:equal(list[3].fields[1].name .. " " .. tostring(list[3].fields[1].needed), "link true")
  t:equal(list[4].of.type, "number")
  t:ok(store.json(list):find('"of":["left","right"]', 1, true), "choices are a list")
end)

test("a misspelled option of a run, of a test's run and of a robot is raised, with what was meant",
  function(t)
  local kiosk = "behaviors/kiosk.lua"
  for _, case in ipairs {
    { function() require("brio.runner").new { file = kiosk, clok = "fast" } end,
      "schema_test.lua:%d+: runner.new has no option 'clok' %(did you mean 'clock'%?%)" },
    { function() require("brio.runner").new { file = kiosk, clock = "fats" } end,
      "runner.new: clock must be one of real, fast, not 'fats' %(did you mean 'fast'%?%)" },
    { function() require("brio.runner").new { file = kiosk, rate = 0 } end,
      "runner.new: rate must be from 1 to 10000 Hz, not 0" },
    { function() require("brio.runner").new() end, "runner.new expects a table of options" },
    { function() t:run(kiosk, { seeed = 3 }) end,
      "schema_test.lua:%d+: t:run has no option 'seeed' %(did you mean 'seed'%?%)" },
    { function() require("brio.robots").find("pepper", { pakages = "x" }) end,
      "robots.find has no option 'pakages' %(did you mean 'packages'%?%)" },
  } do t:raises(case[1], case[2]) end
end)

--- Call visit(field, where) for every field of a record, and those inside it.
local function each_field(fields, where, visit)
  for name, field in pairs(fields) do
    if type(field) == "table" then
      visit(field, where .. "." .. name)
      if field.fields then each_field(field.fields, where .. "." .. name, visit) end
    end
  end
end

test("every field of every table has a known type, and a default that its own check takes", function(t)
  local fields, count = require "brio.lib.fields", 0
  for _, row in ipairs(require("brio.commands.schema.tables").list) do
    each_field(row.record(), row.name, function(field, where)
      for name in field[1]:gmatch "%f[%w]%a+" do
        t:ok(name == "or" or fields.is_type(name), "%s: there is no type '%s'", where, name)
      end
      t:ok(field.lower == nil or field.upper == nil or field.lower < field.upper, "%s: its range is empty",
        where)
      if field.value == nil then return end
      t:equal(fields.fault(field.value, field), nil, where)
      count = count + 1
    end)
  end
  t:ok(count > 80, "%d defaults", count)
end)
