--- Objects of the scene: selection, life cycle, and derived objects.
local brio = require "brio"
local colors = require "brio.perception.colors"
local geometry = require "brio.geometry"
local scene_objects = require "brio.perception.objects"

local function ball(x, y, z, more)
  local made = { kind = "ball", position = { x, y, z or 0 }, size = { 0.1, 0.1, 0.1 } }
  for key, value in next, more or {} do made[key] = value end
  return made
end

--- A scene that has seen these things six times; the time is 0.5 s then.
local function scene_of(list)
  local made = brio.scene.new { appear_after = 1, smoothing = 0, lost_after = 0.35 }
  for k = 0, 5 do made:update(k * 0.1, list) end
  return made
end

test("the rule says which one of several it is", function(t)
  local s = scene_of { ball(1, 0.5, 0, { id = "a", confidence = 0.5 }),
    ball(2, -1, 0.3, { id = "b", confidence = 0.9 }),
    ball(3, 2, 0.1, { id = "c", confidence = 0.7, size = { 0.2, 0.2, 0.2 } }) }
  local function taken(said)
    said.name = "it"
    said.class = "ball"
    local object, why = s:set_up(said)
    return object and object.source, why
  end
  t:equal(taken {}, "a")
  t:equal(taken { select = "confident" }, "b")
  t:equal(taken { select = "leftmost" }, "c")
  t:equal(taken { select = "rightmost" }, "b")
  t:equal(taken { select = "highest" }, "b")
  t:equal(taken { select = "largest" }, "c")
  t:equal(taken { of = "c" }, "c")
  t:equal(taken { select = function(list) return list[#list] end }, "c")
  t:equal(taken { where = function(one) return one.position[2] < 0 end }, "b")
  t:equal(taken { region = { kind = "sphere", size = { 0.5 }, pose = { position = { 3, 2, 0 } } } }, "c")
  t:equal(taken { id = "b" }, "b")
  t:equal(s:set_up({ name = "any", class = { "cup", "ball" }, select = "leftmost" }).source, "c")
  t:match(select(2, s:set_up { name = "any", class = { "cup", "jar" } }), "no 'cup' or 'jar' is seen")
  t:match(select(2, s:set_up { name = "any", class = "ball", id = "z" }),
    "3 'ball' are seen, none has the id 'z'")
  t:raises(function() s:set_up { name = "any", class = {} } end, "class must be a name or a list")
  s:delete "any"
  local _, why = taken { region = { kind = "sphere", size = { 0.5 }, pose = { position = { 9, 2, 0 } } } }
  t:match(why, "3 'ball' are seen, none is in the region")
  _, why = taken { within = 0.5 }
  t:match(why, "none is within 0.5 m")
  _, why = taken { history = 7 }
  t:match(why, "none is stable with a history of 7")
  _, why = taken { select = function() end }
  t:match(why, "chose none of 3")
  _, why = taken { select = function() return { number = 99 } end }
  t:match(why, "must return one of the list")
  _, why = s:set_up { name = "cup" }
  t:match(why, "no 'cup' is seen")
  t:equal(#s:chosen(), 1)
end)

test("a color is a name or ranges", function(t)
  local s = scene_of { ball(1, 0, 0, { id = "r", color = { 0.8, 0.1, 0.1 } }),
    ball(2, 0, 0, { id = "g", color = { 0.1, 0.7, 0.2 } }), ball(3, 0, 0, { id = "?" }) }
  t:equal(s:set_up { name = "it", class = "ball", color = "red" }.source, "r")
  t:equal(s:set_up { name = "it", class = "ball", color = "green" }.source, "g")
  t:equal(s:set_up { name = "it", class = "ball", color = { hue = { 90, 160 } } }.source, "g")
  local _, why = s:set_up { name = "it", class = "ball", color = "blue" }
  t:match(why, "none is blue")
  t:raises(function() s:set_up { name = "it", color = "gren" } end, "did you mean 'green'")
  t:raises(function() s:set_up { name = "it", color = { hue = { 0, 400 } } } end, "hue must be from 0 to 360")
  for name, rgb in next, { red = { 1, 0, 0 }, green = { 0, 0.6, 0.1 }, blue = { 0.1, 0.2, 0.9 },
    yellow = { 0.9, 0.8, 0.1 },
    orange = { 1, 0.5, 0 }, white = { 1, 1, 1 }, black = { 0, 0, 0 }, gray = { 0.5, 0.5, 0.5 },
    brown = { 0.4, 0.22, 0.08 } } do
    t:equal(colors.name(rgb), name)
    t:ok(colors.is(rgb, name), "%s is %s", table.concat(rgb, " "), name)
  end
end)

test("an object follows what it was chosen from, is stale without it, and stays where it was last",
function(t)
  local s = scene_of { ball(1, 0) }
  t:equal(s:set_up { name = "it", class = "ball" }.stale, false)
  s:changes()
  s:update(0.6, { ball(1.1, 0) })
  t:near(s:frame("it").position[1], 1.1, 1e-12)
  s:update(0.8, {})
  t:equal(s:object("it").stale, false)
  s:update(1.0, {})
  local it = s:object "it"
  t:equal(it.stale, true)
  t:near(it.age, 0.4, 1e-9)
  t:near(s:frame("it").position[1], 1.1, 1e-12)
  t:equal(s:changes()[1].change, "stale")
  for k = 0, 5 do s:update(1.1 + k * 0.1, { ball(2, 0) }) end
  t:near(s:frame("it").position[1], 1.1, 1e-12)
  s:set_up { name = "it", class = "ball" }
  t:near(s:frame("it").position[1], 2, 1e-12)
  t:equal(s:object("it").stale, false)
end)

test("what is frozen stays until it is set up again", function(t)
  local s = scene_of { ball(1, 0) }
  s:set_up { name = "it", class = "ball" }
  t:equal(s:freeze "it", true)
  s:update(0.6, { ball(1.2, 0) })
  t:near(s:frame("it").position[1], 1, 1e-12)
  t:equal(s:set_up({ name = "it", class = "ball" }).frozen, false)
  t:near(s:frame("it").position[1], 1.2, 1e-12)
  local _, why = s:freeze "that"
  t:match(why, "no object 'that'")
  s:set_up { name = "other", class = "ball" }
  t:equal(s:freeze_all(), 2)
  t:equal(s:delete "it", true)
  t:equal(s:object "it", nil)
  t:equal(s:clear(), 1)
  t:equal(#s:chosen(), 0)
  local told = {}
  for index, change in ipairs(s:changes()) do told[index] = change.change .. " " .. change.object.name end
  t:equal(table.concat(told, ", "),
    "set_up it, frozen it, set_up it, set_up other, frozen it, frozen other, deleted it, deleted other")
end)

test("an approach is before what is approached, level, and faces it", function(t)
  local s = scene_of { ball(3, 4, 1.2) }
  s:set_up { name = "it", class = "ball" }
  local object = s:set_up { name = "stand", derive = "approach", a = "world", b = "it", distance = 1 }
  t:equal(object.origin, "derived")
  local length = math.sqrt(3 * 3 + 4 * 4 + 1.2 * 1.2)
  t:near(object.position, { 3 - 3 / length, 4 - 4 / length, 1.2 - 1.2 / length }, 1e-12)
  local roll, pitch, yaw = geometry.rpy(object.pose.orientation)
  t:near({ roll, pitch, yaw }, { 0, 0, math.atan(4, 3) }, 1e-12)
  local _, why = s:set_up { name = "on it", derive = "approach", a = "it", b = "it" }
  t:match(why, "in the same place")
end)

test("what is derived follows, in layers, and is frozen alone", function(t)
  local s = scene_of { ball(3, 0, 1),
                       { kind = "cup", id = "cup-a", position = { 1, 1, 0 }, orientation = { 0, 0, 1, 0 } } }
  s:set_up { name = "it", class = "ball" }
  s:set_up { name = "cup" }
  s:set_up { name = "mixed", derive = "hybrid", a = "it", b = "cup" }
  s:set_up { name = "before", derive = "approach", a = "world", b = "mixed", distance = 0.5 }
  t:near(s:frame("mixed").position, { 3, 0, 1 }, 1e-12)
  t:near(math.abs(s:frame("mixed").orientation[3]), 1, 1e-9)
  s:place { name = "it", position = { 0, 6, 0 } } -- in the same tick
  t:near(s:frame("mixed").position, { 0, 6, 0 }, 1e-12)
  t:near(s:frame("before").position, { 0, 5.5, 0 }, 1e-12)
  s:freeze "before"
  s:place { name = "it", position = { 0, 8, 0 } }
  t:near(s:frame("mixed").position, { 0, 8, 0 }, 1e-12)
  t:near(s:frame("before").position, { 0, 5.5, 0 }, 1e-12)
  local _, why = s:set_up { name = "it", derive = "hybrid", a = "before", b = "cup" }
  t:match(why, "'it' would be derived from itself, through `a`")
  s:delete "cup"
  scene_objects.of(s):work()
  t:equal(s:object("mixed").stale, true) -- its source is deleted: it stays where it was
  t:near(s:frame("mixed").position, { 0, 8, 0 }, 1e-12)
end)

test("a door's panel is at its mechanism and faces its middle", function(t)
  local s = scene_of { { kind = "lever", position = { 2, 0.4, 1 } },
                       { kind = "panel", position = { 2.1, -0.1, 1.1 } } }
  s:set_up { name = "lever" }
  s:set_up { name = "panel" }
  local door = s:set_up { name = "door", derive = "door_panel", mechanism = "lever", panel = "panel" }
  t:near(door.position, { 2, 0.4, 1 }, 1e-12)
  local roll, pitch, yaw = geometry.rpy(door.pose.orientation)
  t:near({ roll, pitch, yaw }, { 0, 0, math.atan(-0.5, 0.1) }, 1e-12)
  local _, why = s:set_up { name = "door", derive = "door_panel", mechanism = "lever", panel = "panel",
                            within = 0.3 }
  t:match(why, "not one door's")
  _, why = s:set_up { name = "door", derive = "door_panle", mechanism = "lever" }
  t:match(why, "no kind of object 'door_panle' %(did you mean 'door_panel'")
  _, why = s:set_up { name = "door", derive = "approach", a = "lever" }
  t:match(why, "approach needs `b`")
  _, why = s:set_up { name = "door", derive = "approach", a = "lever", b = "panel", distanc = 1 }
  t:match(why, "did you mean 'distance'")
end)

test("somebody puts an object, and moves it by hand", function(t)
  local s = scene_of { ball(1, 0) }
  local cart = s:declare_frame "cart"
  s:set_frame(cart, { position = { 5, 0, 0 }, orientation = { 0, 0, math.sqrt(0.5), math.sqrt(0.5) } })
  local box = s:place { name = "box", position = { 1, 0, 0.5 }, frame = "cart", size = { 1, 1, 1 },
                        who = "ann" }
  t:near(box.position, { 5, 1, 0.5 }, 1e-12)
  t:equal(box.origin, "placed")
  box = s:nudge("box", { 0.1, 0, 0 }, "cart", math.pi / 2, "bob")
  t:near(box.position, { 5, 1.1, 0.5 }, 1e-12)
  t:near(box.size, { 1, 1, 1 }, 0)
  local _, _, yaw = geometry.rpy(box.pose.orientation)
  t:near(math.abs(yaw), math.pi, 1e-6)
  s:set_up { name = "it", class = "ball" }
  s:nudge("it", { 0, 0, 0.2 })
  s:update(0.6, { ball(1.3, 0) })
  t:near(s:frame("it").position, { 1, 0, 0.2 }, 1e-12) -- it does not follow anything any more
  local list = s:changes()
  t:equal(list[1].who .. list[2].who, "annbob")
  t:equal(list[4].change, "nudged")
  local _, why = s:nudge("that", { 0, 0, 0 })
  t:match(why, "no object 'that'")
  _, why = s:place { name = "cart", position = { 0, 0, 0 } }
  t:match(why, "'cart' is a frame already")
  _, why = s:place { name = "box" }
  t:match(why, "give position")
  _, why = s:place { name = "box", position = { 0, 0, 0 }, frame = "nowhere" }
  t:match(why, "no frame 'nowhere'")
end)

test("frames are asked at a time, also from one another", function(t)
  local s = brio.scene.new { appear_after = 1 }
  local head = s:declare_frame "head"
  for k = 0, 100 do
    s:update(k * 0.01, {})
    s:set_frame(head, { position = { k * 0.01, 0, 1 } }, k * 0.01)
  end
  t:near(s:frame("head", 0.505).position, { 0.505, 0, 1 }, 1e-9)
  t:near(s:pose("head", "world", 0.25).position, { -0.25, 0, -1 }, 1e-9)
  t:near(s:frame("head", 1.05).position[1], 1.05, 1e-9)
  local pose, why, code = s:frame("head", 2)
  t:equal(pose, nil)
  t:match(why, "pose of frame 'head' at 2.000 s is unknown")
  t:equal(code, "unreachable")
  local camera = s:declare_frame("camera", "head")
  s:set_frame(camera, { position = { 0, 0, 0.1 } })
  t:near(s:frame("camera").position, { 1, 0, 1.1 }, 1e-9)
  t:equal(table.concat(s:frame_names(), " "), "head camera")
  t:raises(function() s:declare_frame("x", "nowhere") end, "parent 'nowhere'")
end)

test("wrong use is said, and there is an end to what a scene holds", function(t)
  local s = scene_of { ball(1, 0) }
  t:raises(function() s:set_up "ball" end, "expects a table")
  t:raises(function() s:set_up { class = "ball" } end, "scene:set_up needs 'name'")
  t:raises(function() s:set_up { name = "it", clas = "ball" } end, "did you mean 'class'")
  t:raises(function() s:set_up { name = "it", select = "closets" } end, "did you mean 'closest'")
  t:raises(function() s:set_up { name = "it", history = 0 } end, "history must be from 1")
  t:raises(function() s:place { name = ("x"):rep(50), position = { 0, 0, 0 } } end, "at most 47 letters")
  for k = 1, 64 do t:ok(s:place { name = "o" .. k, position = { k, 0, 0 } }, "object %d", k) end
  local _, why = s:place { name = "one more", position = { 0, 0, 0 } }
  t:match(why, "no space for more than 64 objects")
  s:changes()
  for _ = 1, 300 do s:place { name = "o1", position = { 0, 0, 0 } } end
  t:equal(#s:changes(), 256)
end)

-- In trees ---------------------------------------------------------------------------------------------

local tree = [[
local brio = require "brio"
local top = brio.scene_object "top" { pure = true, frames = { "what" }, needs = { "what" }, work = function(at)
  local p = at.frames.what.position
  return { position = { p[1], p[2], p[3] + 0.1 } } -- above
end }
local b = brio.behavior "t" { robot = "biped", start = "a", scene_objects = { top } }
b.a = { tree = { "sequence", %s }, on = { tree_done = "b", tree_failed = "c" } }
b.b = {}
b.c = {}
return b]]

test("what a leaf does to an object is there for the next one, in the same tick", function(t)
  local run = t:run("x", { watch = true, recorded = true, source = tree:format [[
    { "setup_object", object = "it", class = "ball" },
    { "proximity", b = "it", max = 3, timeout = 0 },
    { "setup_object", object = "top", derive = "top", with = { what = "it" } },
    { "proximity", a = "top", b = "it", min = 0.099, max = 0.101, timeout = 0 },
    { "place_object", object = "it", pose = { position = { 1, 0, 0 } } },
    { "proximity", a = "top", b = "it", min = 0.099, max = 0.101, timeout = 0 },
    { "freeze_object", object = "it" },
    { "delete_object", object = "it" },
    { "delete_object", object = "it", optional = true },
    { "freeze_scene" },
    { "clear_scene" } ]] })
  run:see { kind = "ball", id = "b1", at = { 2, 0.5, 0.8 } }
  run:advance(0.5)
  t:equal(run.state, "b")
  local list, began = run:executions(), nil
  t:equal(#list, 11)
  for index, one in ipairs(list) do
    t:equal(one.status, "success", one.kind)
    began = began or one.ended
    if index > 1 then t:equal(one.ended, began, one.kind) end
  end
  run:finish()
  local rows = run:sql "SELECT name, change, origin, source, round(x, 2) AS x FROM scene_objects ORDER BY id"
  t:equal(rows[1].name .. rows[1].change .. rows[1].source, "itset_upb1")
  t:near(rows[1].x, 2, 0.01)
  local words = {}
  for index, row in ipairs(rows) do words[index] = row.change end
  t:equal(table.concat(words, " "), "set_up set_up placed frozen deleted frozen deleted")
  local told = {}
  for _, row in ipairs(run:sql "SELECT sentence FROM story WHERE kind = 'object' ORDER BY place") do
    told[#told + 1] = row.sentence
  end
  t:equal(table.concat(told, "; ", 1, 4), "the object it is set up from b1 at 2.00 0.50 0.80; the object \z
    top is set up, derived: top at 2.00 0.50 0.90; "
    .. "the object it is placed at 1.00 0.00 0.00; the object it is frozen")
end)

test("an object that is not seen is waited for, and then it fails in words", function(t)
  local run = t:run("x", { watch = true,
    source = tree:format [[ { "setup_object", object = "it", class = "ball", timeout = 0.5 } ]] })
  run:see { kind = "cup", id = "c", at = { 2, 0.5, 0.8 } }
  run:advance(0.3)
  t:equal(run.state, "a")
  run:advance(0.3)
  t:equal(run.state, "c")
  t:match(run:executions()[1].why, "'it' is not set up: no 'ball' is seen %(looked for 0.5 s%)")
end)

test("a node of a tree has its number, and names the detection that is meant", function(t)
  local run = t:run("x", { source = tree:format ' { "setup_object", id = 7, object = "it", \z
    class = "ball", detection_id = "b2" } ' })
  for index, id in ipairs { "b1", "b2" } do run:see { kind = "ball", id = id, at = { index, 0.5, 0.8 } } end
  run:advance(0.3)
  t:equal(run.scene:object("it").source, "b2")
end)

test("a kind of one's own is looked at anew after a reload", function(t)
  local run = t:run("x", { source = tree:format [[
    { "setup_object", object = "it", class = "ball" },
    { "setup_object", object = "top", derive = "top", with = { what = "it" } }, { "wait", seconds = 100 } ]]
  })
  run:see { kind = "ball", id = "b1", at = { 2, 0, 1 } }
  run:advance(0.2)
  t:near(run.scene:pose("it", "top").position[3], 0.1, 1e-9)
  t:equal(run:reload(function(text) return (text:gsub("p%[3%] %+ 0.1", "p[3] + 0.3")) end), true)
  run:advance(0.1)
  t:near(run.scene:pose("it", "top").position[3], 0.3, 1e-9)
  local _, faults = run:reload(function(text) return (text:gsub("scene_objects = { top }",
    "scene_objects = { 5 }")) end)
  t:match(tostring(faults), "item 1 must be what brio.scene_object made")
end)

test("what is wrong with a leaf is said before anything runs", function(t)
  for form, why in next, {
    ['{ "setup_object", object = "it", select = "closets" }'] = "did you mean 'closest'",
    ['{ "setup_object", object = "it", color = "gren" }'] = "did you mean 'green'",
    ['{ "setup_object", object = "it", region = { kind = "bax" } }'] = "region kind is one of",
    ['{ "setup_object", object = "it", derive = "approach", with = { a = "x" } }'] = "approach needs `b`",
    ['{ "setup_object", object = "it", with = { a = "x" } }'] = "there is no `derive`",
    ['{ "setup_object", object = "it", derive = "hybrid", class = "x" }'] = "derive and class",
    ['{ "place_object", object = "it", pose = { orientation = { 0, 0, 0, 1 } } }'] = "pose has no position",
    ['{ "freeze_object" }'] = "object",
  } do
    t:raises(function() t:run("x", { source = tree:format(form) }) end, why)
  end
end)

-- Before and beside a run --------------------------------------------------------------------------------

local function compiled(form)
  return (assert(require("brio.tree.files.build").compile(form,
    require("brio.tree.files.expand").context { skills = {} })))
end

test("a frame that nobody provides is warned of, also one that comes too late", function(t)
  local frame_check = require "brio.tree.model.frame_check"
  local biped = assert(require("brio.robots").find "biped")
  local function warned(form, ids)
    local list = {}
    for index, one in ipairs(frame_check.warnings({ compiled(form) }, biped, ids)) do
      list[index] = one.message
    end
    return table.concat(list, "\n")
  end
  local reach = { "proximity", a = "left_hand", b = "ball" }
  t:match(warned { "sequence", reach }, "no leaf sets up the frame 'ball'")
  t:equal(warned({ "sequence", reach }, { ball = true }), "")
  t:equal(warned { "sequence", { "setup_object", object = "ball" }, reach }, "")
  t:match(warned { "sequence", { "setup_object", object = "bell" }, reach }, "did you mean 'bell'")
  t:match(warned { "sequence", reach,
                   { "place_object", object = "ball", pose = { position = { 0, 0, 0 } } } }, "only behind it")
  t:equal(warned { "loop", { "sequence", reach, { "setup_object", object = "ball" } } }, "")
  t:match(warned { "sequence", { "setup_object", object = "stand", derive = "approach",
                                 with = { a = "pelvis", b = "door" } } }, "'door'")
  t:equal(warned { "sequence",
                   { "arm", side = "left", frame = "walking", pose = { position = { 0, 0, 0 } } } }, "")
end)

test("a mirrored tree means what is on the other side", function(t)
  local document, mirrors = require "brio.tree.document", require "brio.tree.mirror"
  local form = { "sequence",
    { "setup_object", object = "left lever", class = "lever", select = "leftmost", of = "left_hand",
      region = { kind = "box", size = { 1, 1, 1 }, pose = { position = { 1, 0.5, 0 } } },
      nominal = { position = { 1, 0.3, 1 }, orientation = { 0, 0, math.sin(0.3), math.cos(0.3) } } },
    { "setup_object", object = "left stand", derive = "approach",
      with = { a = "left_hand", b = "left lever" } },
    { "freeze_object", object = "left lever" },
    { "place_object", object = "it", frame = "left_hand", pose = { position = { 0, 0.1, 0 } } } }
  local doc = assert(document.of(form))
  local editing = require("brio.tree.editing").new(doc)
  local m = mirrors.new { description = assert(require("brio.robots").find "biped") }
  assert(editing:apply(assert(mirrors.operation(doc, doc.root, m)), "ann"))
  local made = doc:plain()
  t:equal(made[2].object .. made[2].class .. made[2].select .. made[2].of,
    "right leverleverrightmostright_hand")
  t:near(made[2].nominal.position, { 1, -0.3, 1 }, 1e-12)
  t:near(made[2].nominal.orientation, { 0, 0, -math.sin(0.3), math.cos(0.3) }, 1e-12)
  t:near(made[2].region.pose.position, { 1, -0.5, 0 }, 1e-12)
  t:equal(made[3].with.b .. made[3].with.a, "right leverright_hand")
  t:equal(made[4].object .. made[5].frame, "right leverright_hand")
end)

test("in a preview what is not seen is where it nominally is, and what was set up is as it is", function(t)
  local cjson, preview, situation = require "cjson", require "brio.trials.preview",
    require "brio.operator.prompt.situation"
  local source = [[
local brio = require "brio"
local b = brio.behavior "b" { robot = "biped", start = "one" }
b.one = { tree = { "sequence", { "wait", name = "rest", seconds = 60 } } }
b.two = { tree = { "sequence",
  { "setup_object", name = "the cup", object = "cup", nominal = { position = { 1, 0.2, 0.9 } } },
  { "proximity", a = "walking", b = "cup", min = 1.35, max = 1.37, timeout = 0 },
  { "proximity", a = "frozen one", b = "world", min = 2.99, max = 3.01, timeout = 0 },
  { "proximity", a = "stand", b = "frozen one", min = 0.99, max = 1.01, timeout = 0 },
  { "proximity", a = "it", b = "b1", max = 0.01, timeout = 0 },
  { "setup_object", object = "it", class = "ball", nominal = { position = { 9, 9, 9 } } },
  { "proximity", a = "it", b = "b1", max = 0.01, timeout = 0 } } }
return b
]]
  local run = t:run("b", { source = source })
  run:see { kind = "ball", id = "b1", at = { 2, 0.5, 0.8 } }
  run:advance(0.3)
  assert(run.scene:set_up { name = "it", class = "ball" })
  -- roles are frames, too
  t:near(run.scene:pose("chest", run.description.roles.chest).position, { 0, 0, 0 }, 1e-9)
  run.scene:place { name = "frozen one", position = { 3, 0, 0 } }
  run.scene:freeze "frozen one"
  run.scene:set_up { name = "stand", derive = "approach", a = "world", b = "frozen one", distance = 1 }
  local request = assert(situation.of(run.run, "two"))
  local result = assert(preview.run(preview.options(
    assert(cjson.decode(require("brio.store").json(request))), { seconds = 10 })))
  t:equal(result.outcome, "success", result.why)
  t:match(table.concat(preview.lines(result), "\n"), "the cup +succeeded [^\n]*nominal: it is not seen")
  local own = t:run("b", { source = (source:gsub('start = "one"', 'start = "two"')), watch = true })
  own:advance(6)
  t:equal(own:executions()[1].status, "failure") -- nominal poses exist only in a preview
end)

test("a person at the prompt puts objects where they are, and it is written who did", function(t)
  local words = require "brio.prompt.words"
  local run = t:run("x", { recorded = true, source = tree:format [[ { "wait", seconds = 100 } ]] })
  local function say(line)
    local word, rest = words.find(line)
    return word.run({ run = run.run }, rest, { who = "ann" })
  end
  run:see { kind = "ball", id = "b1", at = { 2, 0.5, 0.8 } }
  run:advance(0.3)
  t:match(say "object", "^none")
  t:match(say "object the ball from b1", "'the ball' is set up from 'b1'")
  t:match(select(2, say "object x from b2"), "id 'b2' %(did you mean 'b1'")
  t:match(say "object", "the ball +ball +b1 +2.000 0.500 0.800")
  t:match(say "nudge the ball 0.5 0 -0.3", "at 2.500 0.500 0.500, until it is set up again")
  t:match(say "place the ball 1 0 0 1.57 in pelvis", "'the ball' is at")
  t:near(run.scene:pose("pelvis", "the ball").position, { 1, 0, 0 }, 1e-6)
  t:match(say "place stool -1 .5 0", "'stool' is at %-1.000 0.500 0.000")
  t:match(say "object stool freeze", "frozen")
  t:match(say "object stool", "stool +stool +placed +%-1.000 0.500 0.000 +frozen")
  t:match(say "object stool delete", "deleted")
  for line, why in next, {
    ["object stoool"] = "no object 'stoool'", ["object the ball burn"] = "freeze, delete or from",
    ["place ball"] = "say what and where", ["place ball 1 2"] = "say x y z",
    ["place ball 1e9 0 0"] = "within 1e%+06 m", ["place ball 1 2 x"] = "'x' is no number",
    ["place ball 1 2 nan"] = "is no number", ["nudge ball 1 0 0"] = "no object 'ball'",
    ["nudge the ball 1 0 0 in nowhere"] = "no frame 'nowhere'",
    ["place pelvis 0 0 0"] = "is a frame already" } do
    t:match(select(2, say(line)), why)
  end
  t:equal(words.find "object = 5", nil)
  run:finish()
  local list = {}
  for index, row in ipairs(run:sql "SELECT name, change, who FROM scene_objects ORDER BY id") do
    list[index] = row.name .. " " .. row.change .. " " .. row.who
  end
  t:equal(table.concat(list, ", "), "the ball set_up ann, the ball nudged ann, the ball placed ann, \z
    stool placed ann, stool frozen ann, stool deleted ann")
end)

-- What is seen from elsewhere ----------------------------------------------------------------------------

test("a leaf says how a class is tracked, and what it says holds from then on", function(t)
  local run = t:run("x", { watch = true, source = tree:format [[
    { "configure_detections", class = "ball", appear_after = 30, lost_after = 9, confusion = { "orange" } },
    { "configure_detections", stability = 4 } ]] })
  run:advance(0.1)
  t:equal(run.state, "b")
  t:equal({ run.scene:settings("ball").appear_after, run.scene:settings("ball").lost_after,
    run.scene:settings("cup").stability }, { 30, 9, 4 })
  run:see { kind = "ball", id = "b1", at = { 2, 0.5, 0.8 } }
  run:advance(0.1)
  t:equal(#run.scene:objects "ball", 0)
  for form, why in next, { ['{ "configure_detections", class = "x" }'] = "nothing to change",
    ['{ "configure_detections", confusion = { "x" } }'] = "to one class",
    ['{ "configure_detector" }'] = "it has no request",
    ['{ "configure_detector", model = "x", use = { "x" } }'] = "there are none" } do
    t:raises(function() t:run("x", { source = tree:format(form) }) end, why)
  end
end)

local function with_feed(t, lines, form)
  local file = t:temporary ".jsonl"
  local handle = assert(io.open(file, "w"))
  handle:write(table.concat(lines, "\n"), "\n")
  handle:close()
  return (tree:format(form):gsub("scene_objects = { top }",
    ('detectors = { camera = { from = "file:%s", frame = "%s" } }, scene_objects = { top }')
    :format(file, "camera")))
end

test("what a camera saw late is placed where the camera was when it saw it", function(t)
  local lines = { '{"t": 0, "sent": 0, "detections": []}' }
  for k = 1, 60 do
    lines[#lines + 1] = ('{"t": %.3f, "sent": %.3f, \z
      "detections": [{"class": "ball", "id": "b", "pose": [1, 0, 0]}]}'):format(k * 0.05 - 0.4, k * 0.05)
  end
  local run = t:run("x", { source = with_feed(t, lines,
    [[ { "neck", yaw = 0.9, seconds = 1.5 }, { "wait", seconds = 100 } ]]) })
  run:advance(1.25)
  local seen = assert(run.scene:find "b")
  local camera = assert(run.scene:frame("camera", seen.time))
  local now = assert(run.scene:frame "camera")
  t:ok(geometry.angle(camera.orientation, now.orientation) > 0.05, "the head has turned meanwhile")
  local age = run.now - seen.time
  t:ok(age > 0.35 and age < 0.6, "it was seen %.3f s ago", age)
  local there = geometry.within(camera, { position = { 1, 0, 0 } }).position
  local wrong = geometry.within(now, { position = { 1, 0, 0 } }).position
  t:ok(geometry.distance(seen.position, there) < 0.5 * geometry.distance(seen.position, wrong),
    "%.3f m from where it was, %.3f m from where a slow eye has it",
    geometry.distance(seen.position, there), geometry.distance(seen.position, wrong))
end)

test("a detector is told what is wanted of it", function(t)
  local source = with_feed(t, { '{"t": 0, "detections": []}' }, [[
    { "configure_detector", detector = "camera", use = { "a", "b" }, confidence = 0.4, classes = { cup = 0.7 }, disable = { "chair" } },
    { "configure_detector", detector = "camera", reset = true, enable = { "cup" }, wait = false },
    { "configure_detector", detector = "camra", enable = { "cup" } } ]])
  local run = t:run("x", { watch = true, source = source })
  run:advance(0.3)
  local list = run:executions()
  t:equal(list[1].status, "success", list[1].why)
  t:equal(list[2].status, "success", list[2].why)
  t:match(list[3].why, "there is no detector 'camra' %(did you mean 'camera'")
  t:ok(run.run.host.self.detectors.camera:state().asked >= 4, "it was asked")
end)

test("what was set up is in the way of walks also when it is not seen, and a language model is told of \z
  it", function(t)
  local walks, telling = require "brio.tree.execution.walks", require "brio.tree.execution.situation_text"
  local run = t:run("x", { source = tree:format [[ { "wait", seconds = 100 } ]] })
  run:see { kind = "ball", id = "b1", at = { 2, 0.5, 0.8 } }
  run:advance(0.3)
  local site = { host = run.run.host, name = "a" }
  run.scene:set_up { name = "target", class = "ball" }
  run.scene:place { name = "table", position = { 1, 1, 0 }, size = { 1, 1, 0.7 } }
  run.scene:place { name = "a mark", position = { 1, 1, 0 } }
  local function names(except)
    local list = {}
    for index, one in ipairs(walks.obstacles(site, except)) do list[index] = one.name end
    return table.concat(list, " ")
  end
  t:equal(names {}, "b1 table")
  t:equal(names { "target" }, "table")
  t:equal(names { "table" }, "b1")
  t:match(telling.scene(site), "calls 'target': b1 at %(2.00, 0.50, 0.80%) m\n%- the robot calls 'table'")
end)

test("what is seen without an orientation is level, and keeps the one it was set up with", function(t)
  local s = brio.scene.new { appear_after = 1, smoothing = 0 }
  for k = 0, 5 do s:update(k * 0.1, { { kind = "ball", position = { 1, 0, 0 } } }) end
  t:equal(s:find("ball-1").oriented, false)
  local turned = { 0, 0, math.sin(0.4), math.cos(0.4) }
  s:adopt("it", s:find("ball-1").number, turned)
  t:equal(s:object("it").oriented, false)
  s:update(0.6, { { kind = "ball", position = { 1.1, 0, 0 } } })
  t:near(s:object("it").pose.orientation, turned, 1e-12)
  t:near(s:object("it").position[1], 1.1, 1e-12)
  t:equal({ s:state "it" }, { "seen", false, false })
  t:equal(select("#", s:state "that"), 0)
end)

test("an object of the scene is looked at by its name", function(t)
  local face = require "brio.character.gaze.interface"
  local s = scene_of { ball(1, 0, 0, { id = "near" }), ball(3, 0, 0, { id = "far" }) }
  s:set_up { name = "ball", class = "ball", id = "far" }
  local gaze = { host = { scene = s, description = { roles = {} }, now = 0 }, settings = {},
    view = { 0, 0, 0 }, attention = { points = {}, targets = function() return {} end } }
  local where, name, kind = face.target(gaze, "ball")
  t:equal({ name, kind, (where()) }, { "ball", "ball", 3.0 })
  s:delete "ball"
  t:equal(where(), nil)
  t:match(select(2, face.target(gaze, "boll")), "nothing 'boll' to look at")
end)
