--- Map memory: places, rooms, doors and seen objects; its files; the leaf go_to.
local kept = require "brio.perception.map.file"
local memory = require "brio.perception.map.memory"

local function flat()
  local map = memory.new()
  map:room("kitchen", { 0, 0, 4, 3 })
  map:room("hall", { 4, 0, 6, 3 })
  map:room("office", { { 6, 0 }, { 9, 0 }, { 9, 3 }, { 6, 3 } })
  map:door("door_1", { position = { 4, 1, 0 } }, nil, 1)
  map:door("door_2", { position = { 6, 2, 0 } }, nil, 1)
  map:remember("stove", { 1, 2, 0 }, 1.5, 2)
  map:remember("desk", { 8, 1, 0 }, 0, 2)
  return map
end

test("places are in rooms, the nearest is found, and doors join the rooms on both sides", function(t)
  local map = flat()
  t:equal({ map:room_of { 1, 1 }, map:room_of { 7, 1 }, map:room_of { 5, 1 },
    map:room_of { 20, 0 } or "none" }, { "kitchen", "office", "hall", "none" })
  t:equal(map.places.stove.room, "kitchen")
  local near, far = map:nearest { 7, 1 }
  t:equal(near.name, "desk")
  t:near(far, 1, 1e-12)
  t:equal(map:nearest({ 7, 1 }, "kitchen").name, "stove")
  local names = {}
  for _, door in ipairs(map:list_doors "hall") do names[#names + 1] = door.name end
  t:equal(names, { "door_1", "door_2" })
  names = {}
  for _, door in ipairs(map:doors_between("kitchen", "office")) do names[#names + 1] = door.name end
  t:equal(names, { "door_1", "door_2" })
  t:equal(map:doors_between("kitchen", "kitchen"), {})
  t:equal(map:doors_between("kitchen", "cellar"), nil)
  t:equal({ map:forget "stove", map:forget "stove" }, { true, false })
end)

test("what was seen is remembered: where, when first and last, how often, in which room", function(t)
  local map = flat()
  local function see(id, x, y, now)
    return map:see({ kind = "mug", id = id, position = { x, y, 0.8 } }, now)
  end
  local mug, change = see("mug-1", 1, 1, 3)
  t:equal({ change, mug.room, mug.count, mug.first }, { "new", "kitchen", 1, 3 })
  for step = 1, 10 do see("mug-1", 1, 1, 3 + 0.2 * step) end
  t:equal({ mug.count, mug.last }, { 1, 5 }, "seen all along is seen once")
  mug, change = see("mug-2", 1.2, 1, 60)
  t:equal({ change or "known", mug.count, mug.id }, { "known", 2, "mug-2" },
    "there it was, under another number")
  local other = see("mug-3", 8, 1, 60)
  t:ok(other ~= mug, "another one, far away")
  local third = see("mug-4", 1.25, 1.1, 60)
  t:ok(third ~= mug, "one beside it, seen at the same time")
  other, change = see("mug-3", 5, 1, 70)
  t:equal({ change, map:list_things({ kind = "mug" })[1].room }, { "moved", "hall" })
  t:equal({ #map:list_things { kind = "mug" }, #map:list_things { room = "kitchen" },
    #map:list_things { since = 65 } }, { 3, 2, 1 })
  t:equal({ map:gone(other), #map:list_things {} }, { true, 2 })
end)

test("memory is bounded: what was not seen for longest gives way", function(t)
  local map, most = memory.new(), memory.most.things
  memory.most.things = 5
  for index = 1, 9 do map:see({ kind = "cup", id = "cup-" .. index, position = { index, 0, 0 } }, index) end
  memory.most.things = most
  local list = map:list_things {}
  t:equal({ #list, list[1].id, list[5].id }, { 5, "cup-9", "cup-5" })
  for index = 1, memory.most.places do map:remember("p" .. index, { 0, 0, 0 }, 0, 0) end
  local made, why = map:remember("one more", { 0, 0, 0 }, 0, 0)
  t:equal(made, nil)
  t:match(why, "there may be 1000 places")
end)

test("a map is kept as plain text that reads back the same; runs are counted", function(t)
  local map = flat()
  map:see({ kind = "mug", id = 'a "mug"\n', position = { 1, 1, 0.8 }, size = { 0.1, 0.1, 0.1 } }, 3)
  local path = t:temporary ".map"
  t:equal(kept.write(path, map), true)
  local again = kept.read(path)
  t:equal(again.run, 2)
  t:equal(kept.text(again):gsub("runs = 2", "runs = 1"), (kept.text(map)))
  local mug = again:list_things({ kind = "mug" })[1]
  t:equal({ mug.room, mug.run }, { "kitchen", 1 })
  local same = again:see({ kind = "mug", id = "mug-1", position = { 1.1, 1, 0.8 } }, 0.5)
  t:equal({ same == mug, mug.count, mug.run, mug.first }, { true, 2, 2, 3 })
  t:equal({ #again:list_doors "hall", again.places.desk.room }, { 2, "office" })
end)

test("a map with endless rooms, and corners that have a height, reads back; what no file holds is refused",
  function(t)
  local map = flat()
  map:room("yard", { -math.huge, 3, math.huge, 20 })
  map:room("loft", { { 0, -3, 2.5 }, { 4, -3, 2.5 }, { 4, 0, 2.5 } })
  local again, why = kept.parse(kept.text(map), "m")
  t:equal(why, nil)
  t:equal({ again:room_of { 1000, 4 }, again:room_of { 3, -2 }, again.rooms.loft.shape[1] },
    { "yard", "loft", { 0, -3 } })
  local face = require("brio.character.map").new({ host = true, now = 0, say = print, emit = print }, {}).face
  t:raises(function() face:remember("a", { 0 / 0, 0 }) end, "of finite numbers")
  t:raises(function() face:remember("a", { 0, 0, yaw = 1 / 0 }) end, "a finite yaw")
  t:raises(function() face:room("a", { 0, 0, 0 / 0, 1 }) end, "the room 'a' must be")
  t:raises(function() face:door("a", { 0, 0 }, { "kitchen", 3 }) end, "names of rooms: rooms%[2%]")
end)

test("files that are no maps are refused with what and where", function(t)
  local function why(text) return select(2, kept.parse(text, "m")) end
  t:match(why "return 3", "must return a table")
  t:match(why "return { cats = {} }", "no field 'cats'")
  t:match(why "return { places = { { name = 'a' } } }", "places%[1%] needs 'position'")
  t:match(why "return { places = { { name = 'a', position = { 0, 0 / 0, 0 } } } }",
    "position%[2%] must be a number")
  t:match(why "return { rooms = { { name = 'a', shape = { 1, 2 } } } }", "rooms%[1%]%.shape")
  t:match(why "return { things = { { kind = 'a', id = 'b', position = { 0, 0, 0 }, first = 0, last = 0, \z
    count = -1, run = 1 } } }", "count must be at least 0, not %-1")
  t:match(why "while true do end", "m")
  t:match(why "return os.exit()", "nil value")
  t:match(why "return {", "m:1")
  t:equal(select(3, kept.read "/nowhere/at/all"), "no_file")
end)

local rover = [[
local brio = require "brio"
local rover = brio.behavior "rover" { robot = "biped", start = "going",
  character = { map = { grid = { size = 12 }, rooms = { kitchen = { 1, -2, 4, 2 } }, solids = { "table" } %s } } }
rover.going = { enter = function(self) self.map:remember("corner", { position = { 2.4, 0.9, 0 }, yaw = 0 }) end,
  tree = %s, on = { tree_done = "there", tree_failed = "lost" } }
rover.there = {}
rover.lost = { enter = function(self, failed) self.memory.why = failed.why end }
return rover
]]

local function run_of(t, tree, world, more)
  return t:run("rover", { source = rover:format(more or "", tree), robot = "biped", world_data = world,
    recorded = true })
end

test("go_to walks to a place around a table and a wall that it sees, and events tell of what is new in the \z
  map", function(t)
  local run = run_of(t, [[{ "go_to", place = "corner" }]],
    { depth = { link = "camera", width = 60, height = 36, view = 1.6 },
    walls = { { id = "wall", from = { 1.1, -0.6 }, to = { 1.1, 0.6 } } } })
  local nearest = math.huge
  for _ = 1, 600 do
    run:advance(0.05)
    if run.state ~= "going" then break end
    local p = run.run.host.stance:walking().position
    local y = math.max(0, math.abs(p[2]) - 0.6)
    nearest = math.min(nearest, math.sqrt((math.max(0, math.abs(p[1] - 1.1) - 0.05)) ^ 2 + y * y))
  end
  t:equal(run.state, "there")
  t:near(run.run.host.stance:walking().position, { 2.4, 0.9, 0 }, 0.05)
  t:ok(nearest > 0.2, "it came as near as %.2f m to the wall", nearest)
  run:finish()
  t:equal(run:sql("SELECT count(*) AS n FROM events WHERE name = 'map_place'")[1].n, 1)
end)

test("go_to says why it does not go: unknown places, no way", function(t)
  local run = run_of(t, [[{ "go_to", place = "moon" }]])
  run:advance(2)
  t:equal(run.state, "lost")
  t:match(run.memory.why, "not known where 'moon' is")
  local shut = { depth = { link = "camera", width = 90, height = 24, view = 3 },
    rooms = { { id = "cell", box = { -1, -1, 1, 1 } } } }
  run = run_of(t, [[{ "go_to", at = { 2, 0 }, known_only = true, patience = 2 }]], shut)
  run:advance(6)
  t:equal(run.state, "lost")
  t:match(run.memory.why, "there is no way from .* on ground that is known")
end)

--- Let a run go on for as long as it is in the state "going", but at most so many seconds.
local function until_over(run, seconds)
  repeat run:advance(0.25) until run.state ~= "going" or run.now > seconds
end

test("search finds what stands behind a wall; what is nowhere is told with the places", function(t)
  local world = { sensor = { link = "camera", range = 6, view = 1.6, rate = 20 },
    depth = { link = "camera", width = 60, height = 36, view = 1.6 },
    walls = { { id = "wall", from = { 1.5, 0.2 }, to = { 1.5, -3 } } },
    furniture = { { id = "mug", kind = "mug", shape = "box", at = { 3.5, -0.6, 0.8 },
      size = { 0.1, 0.1, 0.1 } } } }
  local run = run_of(t, [[{ "search", what = "mug", places = { "corner" } }]], world)
  until_over(run, 20)
  t:equal(run.state, "there")
  t:equal(run.run.host.map.face:where("mug").room, "kitchen")
  run = run_of(t, [[{ "search", what = "unicorn", places = { "corner" }, look = {} }]])
  until_over(run, 20)
  t:equal(run.state, "lost")
  t:match(run.memory.why, "no unicorn was seen at 1 of 1 places %(corner%)")
end)

test("follow waits for somebody to appear, and fails when nobody does", function(t)
  local run = run_of(t, [[{ "follow", who = "person", appear = 1 }]])
  run:advance(0.9)
  t:equal(run.state, "going")
  run:advance(0.4)
  t:equal(run.state, "lost")
  t:match(run.memory.why, "there is no person to follow, for 1 s %(appear%)")
end)

test("a map that is kept is there in the next run", function(t)
  local path = t:temporary ".map"
  local more = (", file = %q"):format(path)
  local run = run_of(t, [[{ "wait", seconds = 1 }]], nil, more)
  run:advance(0.2)
  run:finish()
  run = run_of(t, [[{ "go_to", at = { 0.3, 0 } }]], nil, more)
  run:advance(0.1)
  t:equal({ run.run.host.map.face:place("corner").run, run.run.host.map.memory.run }, { 2, 2 },
    "it was remembered anew")
  run:finish()
  local broken = io.open(path, "w")
  broken:write "return { places = 3 }"
  broken:close()
  run = run_of(t, [[{ "wait", seconds = 1 }]], nil, more)
  run:advance(0.2)
  run:finish()
  local file = io.open(path)
  t:equal(file:read "a", "return { places = 3 }", "what is no map is not written over")
  file:close()
end)
