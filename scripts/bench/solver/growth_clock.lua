--- A robot of about a hundred joints on the real clock: a hand follows a closed way, and the gaze a person
--- who walks.
local files = require "files"
local process = require "process"
local robot = require "solver.growth_robot"
local rows = require "rows"

local SECONDS = 8

local behavior = [[
local brio = require "brio"
local want = brio.want
local b = brio.behavior "many" { robot = "%s", start = "following", world = "many_world.lua",
  character = { gaze = true } }

--- A closed way about the place where the hand was at first.
local function way(self)
  local from, t = self.memory.from, self.now
  return { from[1] + 0.1 * (math.sin(1.7 * t) - 1), from[2] + 0.1 * math.sin(1.3 * t),
    from[3] + 0.1 * math.sin(0.79 * t) }
end

b.following = {
  enter = function(self)
    self.memory.from = self:where("left_hand").position
    self.gaze:look_at("ann", { why = "follows her" })
  end,
  wants = {
    want.position_match { link = "left_hand", goal = way, weight = 50 }, want.joint_limits { weight = 1 },
    want.smoothness_macro { weight = 10 }, want.collision_avoidance { weight = 3 },
  },
}
return b
]]

local world = [[
return { people = {
  { id = "ann", path = { { 0, 2, -1, 1.6 }, { 3, 2, 1, 1.6 }, { 6, 2, -1, 1.6 } }, loop = true },
} }
]]

local clock = {}

--- The robots: {name, URDF, folder with its packages or nil}.  TIAGo dual is measured if its file is there.
local function robots_of(options)
  local own = options.build .. "/bench/joints_" .. robot.most .. ".urdf"
  files.write(own, robot.urdf(robot.most))
  local list = { { ("%d joints"):format(robot.most), own } }
  local tiago = os.getenv "BRIO_TIAGO" or options.shared .. "/data/robots/tiago/tiago_dual.urdf"
  if files.exists(tiago) then
    list[2] = { "TIAGo dual", tiago, os.getenv "BRIO_TIAGO_PACKAGES" or tiago:match "^(.*)/" }
  else
    io.stderr:write("  growth: TIAGo dual is not measured, there is no ", tiago, " (BRIO_TIAGO names it)\n")
  end
  return list
end

--- Run the behavior on a robot; return the path of its store.
local function run(options, folder, one)
  local store = folder .. "/many.db"
  for _, tail in ipairs { "", "-wal", "-shm" } do os.remove(store .. tail) end
  files.write(folder .. "/many.lua", behavior:format(one[2]))
  local words = { options.build .. "/brio", "run", folder .. "/many.lua", "--clock", "real", "--log", "error",
    "--for", tostring(SECONDS), "--store", store }
  if one[3] then table.move({ "--packages", one[3] }, 1, 2, #words + 1, words) end
  local done = process.run(words, options.root)
  if done.code ~= 0 then error(("%s ended with %d: %s"):format(one[1], done.code, done.errors), 0) end
  return store
end

--- Add the figures of each robot to `list`.
function clock.measure(options, list)
  local folder = files.temporary()
  files.write(folder .. "/many_world.lua", world)
  for _, one in ipairs(robots_of(options)) do
    local store, name = run(options, folder, one), one[1] .. " on the real clock: "
    local ticks = rows.numbers(store, "select tick_us from solves")
    local late, sum = #rows.numbers(store, "select tick from solves where late_us > 2500"), 0
    for _, us in ipairs(ticks) do sum = sum + us end
    list[#list + 1] = rows.percentiles(name .. "a solve", "us",
      rows.numbers(store, "select solve_us from solves"), { p99 = 1000, scaled = true })
    list[#list + 1] = rows.percentiles(name .. "a tick", "us", ticks)
    list[#list + 1] = rows.one("  a tick in the mean", "ms", sum / #ticks / 1000)
    list[#list + 1] = rows.one("  ticks late by over half a period", ("%% of %d"):format(#ticks),
      100 * late / #ticks, { value = 1 })
  end
  files.remove(folder)
end

return clock
