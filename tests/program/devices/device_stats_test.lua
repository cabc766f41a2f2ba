--- Statistics of each device in the store: a row a second, and a view that sums them up.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local emulated = require "emulated"
local test, files, brio, sql = harness.test, harness.files, harness.brio, harness.sql

local behavior = [[
local want = require("brio").want
local made = require("brio").behavior "made" { robot = "ur3e", start = "sway" }
made.sway = { wants = { want.joint_match { joint = "elbow_joint", goal = function(self) return math.sin(self.now) end } } }
return made
]]

local robot = [[
return {
  name = "two", model = "%s/drivers/robots/ur3e/model.urdf", on_loss = "go_on",
  dofs = {
    { name = "shoulder_pan_joint", group = "arm" }, { name = "shoulder_lift_joint", group = "arm" },
    { name = "elbow_joint", group = "arm" }, { name = "wrist_1_joint", group = "wrist" },
    { name = "wrist_2_joint", group = "wrist" }, { name = "wrist_3_joint", group = "wrist" },
  },
  devices = { upper = { driver = "sim", dofs = { "arm" } }, lower = { driver = "%s", dofs = { "wrist" }, settings = { %s } } },
}
]]

local function place(t, driver, settings)
  local folder = t:folder()
  files.write(folder .. "/made.lua", behavior)
  files.write(folder .. "/robot.lua", robot:format(harness.root, driver or "sim", settings or ""))
  return folder, folder .. "/x.db"
end

test("a row a second of every device, with what failed; the same again on the fast clock", function(t)
  local rows = {}
  for round = 1, 2 do
    local folder, store = place(t)
    t:code(brio("run", folder .. "/made.lua", "--robot", folder, "--clock", "fast", "--for", 5.5, "--store",
      store,
      "--fault", "unplug lower at 2.2 for 1"), 0)
    t:equal(sql(store, "select group_concat(name || ' ' || driver || ' ' || words, ', ') from devices"),
      "lower simulator 3 simulated servos, upper simulator 3 simulated servos", "devices")
    t:equal(sql(store, "select group_concat(t, ' ') from device_samples where device = 2"),
      "1.0 2.0 3.0 4.0 5.0 5.505", "times")
    t:equal(sql(store, "select count(*) from device_samples where device = 2 and t <= 5 and abs(rate - \z
      1000) < 1"), "5", "rates")
    t:equal(sql(store, "select count(*) from device_samples where typical_ms is not null or retries is not \z
      null"), "0", "not known")
    t:equal(sql(store, "select group_concat(lost, ' ') from device_samples where device = 1"), "0 0 1 1 0 0",
      "lost")
    t:equal(sql(store, "select losses || ' ' || seconds_lost || ' ' || last_error from device_health where \z
      name = 'lower'"), "1 2 lower is unplugged (a fault on purpose)", "health")
    t:equal(sql(store, "select losses || ' ' || failures from device_health where name = 'upper'"), "0 0",
      "the other")
    t:check(harness.number(store, "select failing from device_health where name = 'lower'") > 0.01,
      "its share of failures")
    t:equal(sql(store, "pragma foreign_key_check"), "", "rows belong to devices")
    rows[round] = sql(store, "select * from device_samples order by device, t")
  end
  t:equal(rows[1], rows[2], "twice")
end)

test("on the real clock rates and times are measured, and drivers tell what they count", function(t)
  local folder, store = place(t)
  local bus = emulated.start("line", "--servos", 3, "--link", folder .. "/bus")
  files.write(folder .. "/robot.lua", robot:format(harness.root, "line", ("port = '%s/bus'"):format(folder)))
  t:code(brio("run", folder .. "/made.lua", "--robot", folder, "--for", 2.5, "--store", store, "--arm",
    "--quiet"), 0)
  t:equal(sql(store, "select count(*) from device_samples"), "6", "rows")
  local rate = harness.number(store, "select max(rate) from device_samples where device = 1")
  t:check(rate and rate > 0, "its rate is %s", tostring(rate))
  t:equal(sql(store, "select count(*) from device_health where slowest_ms > 0 and typical_ms > 0 and \z
    typical_ms <= slowest_ms"), "2", "times")
  t:equal(sql(store, "select count(*) from device_samples where device = 1 and timeouts >= 0 and \z
    retries >= 0"), "3", "counts")
  bus:stop()
end)

test("a store of before gets the tables", function(t)
  local folder, store = place(t)
  local schema = files.read(harness.root .. "/store/schema/001_runs.sql")
    .. files.read(harness.root .. "/store/schema/002_inputs.sql")
  t:code(brio("run", folder .. "/made.lua", "--robot", folder, "--clock", "fast", "--for", 0.1, "--store",
    folder .. "/new.db"), 0)
  schema = schema .. ("pragma application_id = %s; "):format(
    sql(folder .. "/new.db", "pragma application_id"))
  sql(store, "select 0;\n" .. schema .. "pragma user_version = 2; insert into runs(id, behavior) values(1, \z
    'of before')")
  t:code(brio("run", folder .. "/made.lua", "--robot", folder, "--clock", "fast", "--for", 1, "--store",
    store), 0)
  t:equal(sql(store, "select group_concat(distinct run) from devices"), "2", "devices")
end)

harness.done()
