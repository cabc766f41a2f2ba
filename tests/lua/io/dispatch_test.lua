--- Calls into code that people write: budget, owner, active state and replay gate of a call.
local dispatch = require "brio.io.dispatch"
local door = require "brio.io.input_gate"

--- What a call sees of a host: who acts, and in which state.
local function host()
  return { solver = { actor = { owner = false, faculty = false } }, self = { _active = false } }
end

local function seen(one)
  local actor = one.solver.actor
  return { actor.owner, actor.faculty, one.self._active and one.self._active.state.path }
end

local nobody = { false, false, false }
local faculty = { owner = "autonomy", faculty = "gaze" }
local greet = { state = { path = "greet" } }

test("a call has what its record says, and the rest of the call around it", function(t)
  local one, inner = host(), nil
  t:equal(dispatch.call(one, faculty, function(a, b)
    inner = dispatch.call(one, greet, seen, one)
    t:equal(seen(one), { "autonomy", "gaze", false }, "as before the inner call")
    return a + b
  end, 1, 2), 3)
  t:equal(inner, { "autonomy", "gaze", "greet" })
  t:equal(seen(one), nobody)
end)

test("a call passes on all arguments and results, nil among them", function(t)
  local function all(...) return select("#", ...), ... end
  t:equal(table.pack(dispatch.call(host(), greet, all, nil, 1, nil)), { n = 4, 3, nil, 1, nil })
  t:equal(table.pack(dispatch.call(nil, dispatch.load, all, nil, nil)), { n = 4, true, 2, nil, nil })
end)

test("an error passes through records without a budget; the first with one has put all back", function(t)
  local one = host()
  local good, why = dispatch.call(one, { budget = "tick", owner = "operator" }, function()
    dispatch.call(one, faculty, function()
      dispatch.call(one, greet, function() error "here" end)
    end)
  end)
  t:equal(good, false)
  t:match(why, "here\nstack traceback:")
  t:equal(seen(one), nobody)
end)

test("a call that does not end is cut short at its budget, one inside it as well", function(t)
  local function forever() while true do end end
  local good, why = dispatch.call(nil, { budget = 0.02 }, forever)
  t:equal(good, false)
  t:match(why, "time budget")
  good, why = dispatch.call(nil, { budget = 0.02 }, function()
    dispatch.call(nil, { budget = 1000 }, forever)
  end)
  t:equal(good, false)
  t:match(why, "time budget")
end)

test("the replay gate holds for the call alone, also when it fails", function(t)
  local gate = door.replaying { loose = true }
  t:equal(dispatch.call(nil, { gate = gate }, door.replays), true)
  t:equal(door.replays(), false)
  t:raises(function() dispatch.call(nil, { gate = gate }, error, "lost") end, "lost")
  t:equal(door.replays(), false)
  t:equal(dispatch.call(nil, { gate = gate }, dispatch.call, nil, { gate = false }, door.replays), false)
end)
