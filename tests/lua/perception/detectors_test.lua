--- Detectors: recorded messages on the fast clock, requests of a behavior, and faults in rows.
local detectors = require "brio.perception.detectors"
local store = require "brio.store"

local source = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "ur3e", start = "looking", memory = { told = {} } }
local function note(event)
  return function(self, data) table.insert(self.memory.told, ("%s %s %.2f"):format(event, data.name or data.id, self.now)) end
end
made.looking = {
  on = { detector_heard = note "heard", detector_lost = note "lost", cup_appeared = note "appeared", cup_lost = note "gone" },
}
return made
]]

--- A file of messages, ten a second from 100 s on, each with the detections that `seen(index)` gives.
local function recording(t, count, seen)
  local path = t:temporary ".jsonl"
  local file = assert(io.open(path, "w"))
  for index = 0, count - 1 do
    file:write(('{"t": %.1f, "detections": [%s]}\n'):format(100 + index / 10, seen(index)))
  end
  file:close()
  return path
end

local function cup() return '{"class": "cup", "pose": [1, 0, 0.5]}' end

local function run_with(t, said, options)
  options = options or {}
  options.source, options.detections = options.source or source, said
  return t:run("detectors_made.lua", options)
end

local function behind(run) return run.run.detectors.by_name end

test("recorded detections become objects of the scene, at the times at which they were seen", function(t)
  local run = run_with(t, { "eye=file:" .. recording(t, 20, cup) })
  run:advance(1)
  local object = run.run.scene:find "cup-1"
  t:near(object and object.position, { 1, 0, 0.5 }, 1e-9)
  t:near(object and object.last_seen, 0.9, 1e-6)
  run:advance(3)
  t:equal(run.run.scene:find "cup-1", nil)
  t:equal(run.memory.told, { "heard eye 0.00", "appeared cup-1 0.20", "gone cup-1 2.90", "lost eye 3.00" })
  t:equal(behind(run).eye:state().over, true)
end)

test("a file goes at another speed, begins later and begins anew", function(t)
  local run = run_with(t, { "eye=file:" .. recording(t, 20, cup) .. ",speed=2,begin=0.5,again=true" })
  run:advance(0.49)
  t:equal(behind(run).eye:state().frames, 0)
  run:advance(0.965)
  t:equal(behind(run).eye:state().frames, 20)
  run:advance(1)
  t:ok(behind(run).eye:state().frames > 35 and not behind(run).eye:state().over, "it begins anew")
end)

test("a run with a recording repeats, whatever is refused in it", function(t)
  local path = recording(t, 40, function(index)
    return index % 7 == 3 and '{"class": "cup", "pose": [1e30, 0, 0]}' or index % 11 == 5 and "{" or cup()
  end)
  local function once()
    local run = run_with(t, { "file:" .. path }, { recorded = true })
    run:advance(5)
    local state = behind(run).detector:state()
    return { told = run.memory.told, refused = state.refused, frames = state.frames, said = t.said }
  end
  local first = once()
  t:equal(first.refused.number, 6)
  t:equal(first.refused.syntax, 3)
  t:equal(once().refused, first.refused)
  t:equal(once().told, first.told)
end)

test("what is refused is said, and a row of faults", function(t)
  local run = run_with(t, { "eye=file:" .. recording(t, 3, function() return '{"class": "cup"}' end) },
    { recorded = true })
  run:advance(1)
  t:match(table.concat(t.said, "\n"), "warning: detector 'eye': %d refused: a detection without a position")
  run:finish()
  local rows = assert(store.open(run.store)):query "SELECT source, detail FROM faults ORDER BY id"
  t:equal(rows[1], { source = "detector eye", detail = "place" })
end)

test("poses of a frame go into the world, and of one that is not there nowhere", function(t)
  local path = recording(t, 10, function() return '{"class": "cup", "pose": [0, 0, 1]}' end)
  local run = run_with(t, { "eye=file:" .. path .. ",frame=tool0" })
  run:advance(0.5)
  local tool, seen = run.run.scene:frame "tool0", run.run.scene:find "cup-1"
  local apart = seen and math.sqrt((tool.position[1] - seen.position[1]) ^ 2 +
    (tool.position[2] - seen.position[2]) ^ 2
    + (tool.position[3] - seen.position[3]) ^ 2)
  t:near(apart, 1, 1e-3)
  run = run_with(t, { "eye=file:" .. path .. ",frame=nowhere" })
  run:advance(0.5)
  t:equal(behind(run).eye:state().refused.frame, 5)
end)

test("classes and confidence are kept to from the moment they are asked for", function(t)
  local run = run_with(t, { "eye=file:" .. recording(t, 40, function()
    return '{"class": "cup", "confidence": 0.6, "pose": [1, 0, 0.5]}, {"class": "door", "pose": [3, 0, 1]}'
  end) })
  local eye = behind(run).eye
  run:advance(0.5)
  t:ok(run.run.scene:find "cup-1" and run.run.scene:find "door-2", "both are seen")
  t:equal(eye:configure { classes = { cup = 0.7 } }, 1)
  eye:disable "door"
  t:equal(eye:acknowledged(), true, "a file answers nothing: nobody has to")
  run:advance(3.4)
  t:equal(#run.run.scene:objects(), 0)
  t:ok(eye:state().refused.off > 20, "counted")
end)

test("what is asked makes one line that says all of it", function(t)
  local run = run_with(t, { "eye=file:" .. recording(t, 1, cup) })
  local eye, lines = behind(run).eye, {}
  run.run.detectors.on_request = function(_, line) lines[#lines + 1] = line end
  eye:use { "yolo", "doors" }
  eye:configure { confidence = 0.5, nms = 0.25, classes = { cup = 0.75, chair = false } }
  eye:configure { model = "doors", mask = 0.5, classes = { handle = { erosion = 2, outlier = 2.5 } } }
  eye:enable { "chair" }
  eye:reset()
  t:equal(lines[1], '{"request":1,"use":["yolo","doors"]}')
  t:equal(lines[4], '{"models":{"doors":{"classes":{"handle":{"erosion":2,"outlier":2.5}},"mask":0.5}},\z
    "request":4,"settings":{"classes":'
    .. '{"chair":{"enabled":true},"cup":{"confidence":0.75,"enabled":true}},"confidence":0.5,"nms":0.25},\z
      "use":["yolo","doors"]}')
  t:equal(lines[5], '{"request":5}')
end)

test("wrong use of a detector is told", function(t)
  local run = run_with(t, { "eye=file:" .. recording(t, 1, cup) })
  local eye = behind(run).eye
  t:raises(function() eye:configure(3) end, "expects a table")
  t:raises(function() eye:configure { confidnce = 0.5 } end, "confidnce.*confidence")
  t:raises(function() eye:configure { confidence = 1.5 } end, "from 0 to 1")
  t:raises(function() eye:configure { classes = { cup = { erosion = -1 } } } end, "erosion must be a number")
  t:raises(function() eye:enable(7) end, "class's name")
  t:raises(function() eye:use { 3 } end, "model's name")
end)

test("what is wrong with rows is told before the run", function(t)
  local function refused(rows, pattern) t:match(detectors.fault(rows) or "nothing", pattern) end
  refused(3, "must be a table of name")
  refused({ eye = {} }, "detectors.eye must be a table with from")
  refused({ ["an eye"] = { from = "udp:1" } }, "is no name")
  refused({ eye = { from = "udp:1", fram = "head" } }, "no field 'fram' %(did you mean 'frame'")
  refused({ eye = { from = "udp:1", axes = "left" } }, "axes must be one of robot, optical, not 'left'")
  refused({ eye = { from = "udp:1", speed = 0 } }, "speed must be from 0.001 to 1000, not 0")
  t:equal(detectors.fault { eye = { from = "udp:7001", frame = "head", classes = { "cup" } } }, nil)
  t:equal(detectors.fault(nil), nil)
  local name, row = detectors.read "eye=udp:7001,frame=head,speed=2,again=true"
  t:equal({ name, row }, { "eye", { from = "udp:7001", frame = "head", speed = 2, again = true } })
  t:match(select(2, detectors.read "udp:1,fram=x"), "no fram.*frame")
  t:raises(function() run_with(t, { "udp:7001" }) end, "needs the real clock")
end)

--- A cloud with rows as a file: 64 x 48 pixels that see a wall 3 m away, and in columns 20 to 39, rows 10 to
--- 29, a box 2 m away.
local function depth_file(t)
  local path = t:temporary ".pcd"
  local file = assert(io.open(path, "w"))
  file:write "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 64\nHEIGHT 48\nPOINTS \z
    3072\nDATA ascii\n"
  for row = 0, 47 do
    for column = 0, 63 do
      local x = column >= 20 and column <= 39 and row >= 10 and row <= 29 and 2 or 3
      file:write(("%g %g %g\n"):format(x, -(column - 31.5) / 50 * x, -(row - 23.5) / 50 * x))
    end
  end
  file:close()
  return path
end

-- twice as fine as the cloud
local camera = '"camera": {"fx": 100, "fy": 100, "cx": 63.5, "cy": 47.5, "width": 128, "height": 96}'

local function seen_with(t, detection, settings)
  local path = t:temporary ".jsonl"
  local file = assert(io.open(path, "w"))
  for index = 0, 9 do
    file:write(('{"t": %.1f, %s, "detections": [%s]}\n'):format(index / 10, camera, detection))
  end
  file:close()
  local run = t:run("detectors_made.lua",
    { source = source, detections = { "eye=file:" .. path .. ",depth=view,begin=0.1" },
    clouds = { "view=file:" .. depth_file(t) } })
  if settings then behind(run).eye:configure(settings) end
  run:advance(0.6)
  return (run.run.scene:objects "cup")[1], behind(run).eye:state()
end

test("boxes and masks are looked up in the depth of a cloud", function(t)
  local found, state = seen_with(t, '{"class": "cup", "box": [42, 22, 36, 36]}')
  t:near(found and found.position, { 2, 0.08, 0.16 }, 0.03)
  t:near(found and found.size[2], 0.7, 0.1)
  t:equal(state.refused, {})
  found = seen_with(t, '{"class": "cup", "mask": {"polygon": [[42, 22], [78, 22], [78, 58], [42, 58]]}}')
  t:near(found and found.position, { 2, 0.08, 0.16 }, 0.03)
  found = seen_with(t, '{"class": "cup", "mask": {"columns": [4032, 8256]}}')
  t:near(found and found.position[1], 3, 1e-3, "half of the picture is mostly wall")
end)

test("what is asked of masks is done: what is thinner than its erosion has no place", function(t)
  local found, state = seen_with(t, '{"class": "cup", "box": [42, 22, 36, 6]}', { erosion = 8 })
  t:equal(found, nil)
  t:equal(state.refused, { place = 5 })
  found = seen_with(t, '{"class": "cup", "box": [42, 22, 36, 6]}', { erosion = 1 })
  t:near(found and found.position[1], 2, 1e-3)
end)

test("what was seen, asked and refused is in the store", function(t)
  local run = run_with(t, { "eye=file:" .. recording(t, 20, function(index)
    return '{"class": "cup", "id": "c1", "confidence": 0.75, "pose": [1, 0, 0.5], "color": [1, 0.5, 0]}'
      .. (index == 3 and ', {"class": "cup"}' or "")
  end) }, { recorded = true })
  run:advance(1)
  behind(run).eye:configure { confidence = 0.5 }
  run:advance(2)
  run:finish()
  local db = assert(store.open(run.store))
  t:equal(db:query "SELECT id, name, sends, frame FROM detectors",
    { { id = 1, name = "eye", sends = "detections" } })
  t:equal(db:query "SELECT detector, request FROM detector_requests",
    { { detector = 1, request = '{"request":1,"settings":{"confidence":0.5}}' } })
  t:equal(db:query "SELECT messages, frames, refused FROM detector_samples ORDER BY t DESC LIMIT 1",
    { { messages = 20, frames = 20, refused = '{"place":1}' } })
  local rows = db:query "SELECT t, detector, seen, class, name, confidence, x, y, z, qx, size_x, green FROM \z
    detections ORDER BY id"
  t:equal(#rows, 20)
  t:near(rows[2].seen, 0.1, 1e-9)
  rows[2].seen = 0.1
  t:equal(rows[2], { t = 0.1, detector = 1, seen = 0.1, class = "cup", name = "c1", confidence = 0.75,
    x = 1.0, y = 0.0, z = 0.5, green = 0.5 })
end)

test("the prompt tells who is heard and what was refused", function(t)
  local sensors = require "brio.operator.prompt.sensors"
  local run = run_with(t, { "eye=file:"
    .. recording(t, 5, function() return '{"class": "cup"}, {"class": "cup", "pose": [1, 0, 0]}' end) })
  run:advance(0.3)
  local prompt = { run = run.run }
  t:match(sensors.detectors(prompt, ""),
    "^eye %(detections at file:.*%) is heard: 3 frames, 3 detections, 3 refused$")
  t:match(sensors.detectors(prompt, "eye"), "place +3  a detection without a position")
  t:match(select(2, sensors.detectors(prompt, "eys")), "no detector 'eys'.*eye")
end)
