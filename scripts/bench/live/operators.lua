--- Ten operators of one robot: times from a key press to the engine and to the tick in which it takes effect,
--- and the cost in the ticks.
local rows = require "rows"
local uv = require "luv"

local operators = {}

--- Number of operators, and interval of their lines, ms: shorter than people's over a long time.
local many, every = 10, 400

--- The line of the n-th operator: some move the gaze, some move a joint, some send the behavior events.
local lines = {
  function(n) return ("joint %s %.3f"):format(n % 2 == 0 and "LElbowYaw" or "RElbowYaw",
    -0.5 + 0.001 * (n % 700)) end,
  function(n) return ("tune near %.2f"):format(1 + n % 100 / 100) end,
  function() return "emit nothing_in_particular" end,
  function() return "state" end,
  function(n) return n % 2 == 0 and "share head 0.5" or "give head" end,
}

--- Attach an operator who sends lines with the time of the key press, in a session as of `brio attach`.
local function attach(run, n)
  local pipe, timer, id = uv.new_pipe(), uv.new_timer(), 0
  pipe:connect(run.socket, function()
    pipe:read_start(function() end)
    pipe:write(('{"id":1,"who":"operator %d","device":"prompt","session":""}\n'):format(n))
    timer:start(every // many * n, every, function()
      id = id + 1
      pipe:write(('{"id":%d,"t":%.9f,"line":"%s"}\n'):format(id + 1, uv.hrtime() / 1e9,
        lines[n % #lines + 1](id)))
    end)
  end)
  return function()
    timer:close()
    pipe:write '{"bye":true}\n'
    pipe:close()
  end
end

--- Percentiles of a latency of actions, ms.
local function ways(store, what)
  local times = rows.numbers(store, ("select 1000 * (%s - t_input) from actions where t_input is \z
    not null"):format(what))
  table.sort(times)
  return times
end

--- The part of live.lua: `tools` has its start, finish, in_turns, go_round.
function operators.part(tools)
  return function(options, list)
    local run, cost = tools.start(options, tools.kiosk(options)), { [true] = {}, [false] = {} }
    tools.in_turns(run, 9, 3, function(seconds)
      local ends = {}
      for n = 1, many do ends[n] = attach(run, n) end
      tools.go_round(seconds * 1000)
      for _, close in ipairs(ends) do close() end
    end, function(from, to, busy)
      local query = ("select avg(tick_us) from solves where t >= %g and t < %g"):format(from + tools.settled,
        to)
      table.insert(cost[busy], rows.numbers(run.store, query)[1])
    end)
    tools.go_round(200)
    for _, way in ipairs { { "the engine has it", "t_accept", 5 },
        { "it counts in a tick", "t_dispatch", 10 } } do
      list[#list + 1] = rows.percentiles("ten operators: key press until " .. way[1], "ms",
        ways(run.store, way[2]), { p99 = way[3] })
    end
    tools.finish(run)
    for _, busy in ipairs { true, false } do table.sort(cost[busy]) end
    local without, with = cost[false][5], cost[true][5] -- the medians
    list[#list + 1] = rows.one("mean tick, no operator", "us", without)
    list[#list + 1] = rows.one("mean tick, ten operators who act 25 times a second", "us", with)
    list[#list + 1] = rows.one("ten operators who act add to the script thread's time", "% of 5 ms",
      math.max(0, (with - without) / 50), { value = 5 })
  end
end

return operators
