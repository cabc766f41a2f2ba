--- docs/trees/actions.md and docs/perception/perception.md against the records of leaves: the pages name each
--- field of an action, and of a leaf of perception.
local trees = require "brio.tree"

local function read(path)
  local handle = assert(io.open(path))
  local text = handle:read "a"
  handle:close()
  return text
end

--- Sections by the leaf that their heading names; the text before the first is in "".
local function sections(text)
  local all, name = { [""] = "" }, ""
  for line in text:gmatch "[^\n]*" do
    name = line:match "^## `([%w_]+)`$" or line:match "^## " and "" or name
    all[name] = (all[name] or "") .. line .. "\n"
  end
  return all
end

test("each kind of node is in the table of nodes", function(t)
  local rows = ""
  for line in read("docs/trees/trees.md"):gmatch "[^\n]+" do
    if line:match "^| `" then rows = rows .. line:match "^| ([^|]*)|" end
  end
  for name in next, trees.kinds do
    t:ok(rows:find("`" .. name .. "`", 1, true), "docs/trees/trees.md has no row for the node `%s`", name)
  end
end)

test("each field of an action is in the docs", function(t)
  local all = sections(read "docs/trees/actions.md")
  for _, name in ipairs { "arm", "screw", "spine", "chest", "neck", "pelvis", "leg" } do
    t:ok(all[name], "a section for %s", name)
  end
  for name, text in next, all do
    local kind = trees.kinds[name]
    t:ok(name == "" or kind, "'%s' is a kind of node", name)
    for field in next, kind and kind.fields or {} do
      t:ok(text:find("`" .. field .. "`", 1, true) or all[""]:find("`" .. field .. "`", 1, true),
        "%s: `%s` is described", name, field)
    end
  end
end)

test("the page of perception tells of each field of its leaves, of each rule and each kind", function(t)
  local page = read "docs/perception/perception.md"
  for _, name in ipairs { "setup_object", "freeze_object", "delete_object", "clear_scene", "freeze_scene",
    "place_object", "configure_detections", "configure_detector" } do
    t:ok(page:find("| `" .. name .. "` |", 1, true), "a row for %s", name)
    for field in next, trees.kinds[name].record.fields do
      t:ok(page:find("`" .. field .. "`", 1, true), "%s: `%s`", name, field)
    end
  end
  for rule in next, require("brio.perception.select").rules do
    t:ok(page:find('`"' .. rule .. '"`', 1, true), "the rule %s", rule)
  end
  for name, kind in next, require("brio.perception.objects").kinds do
    t:ok(page:find(('| `"%s"` |'):format(name), 1, true), "a row for %s", name)
    for field in next, kind.fields do
      t:ok(page:find("`" .. field .. "`", 1, true), "%s: `%s`", name, field)
    end
  end
  for color in next, require("brio.perception.colors").named do
    t:ok(page:find(color, 1, true), "the color %s", color)
  end
end)

test("the door of the docs is opened", function(t)
  local block = read "docs/trees/actions.md":match "```lua\n(.-)\n```"
  local run = t:run("source", { source = block, robot = "panda" })
  local till = run.now + 20
  while run.state ~= "through" and run.now < till do run:advance(0.1) end
  t:equal(run.state, "through")
  t:equal(run.failed, nil)
end)

test("what an action says of itself is whole", function(t)
  for name, kind in next, trees.kinds do
    local record = kind.record
    for _, field in ipairs(record and record.inherit or {}) do
      t:ok(record.fields[field], "%s takes over '%s', which it has", name, field)
    end
  end
  for _, name in ipairs { "arm", "screw", "spine", "chest", "neck", "pelvis", "leg" } do
    local record = trees.kinds[name].record
    for field, about in next, record.fields do
      t:ok(type(about) == "table" and type(about.doc) == "string", "%s: %s says what it is", name, field)
    end
    for _, word in ipairs { "fault", "owns", "seconds", "work", "stop", "pause", "progress", "capture" } do
      t:equal(type(record[word]), "function", name .. "." .. word)
    end
  end
end)

--- A value for a field, valid or not.
local function value_of(stream, name, about)
  local function number() return stream:uniform(-2, 2) end
  local words = { frame = { "world", "head", "tool", "cup", "base_link" },
    side = { "left", "right", "middle" }, preset = { "rest", "greet", "no" },
    part = { "arm", "head", "wrist", "all" }, link = { "tool", "head", "nothing" } }
  if words[name] then return words[name][stream:whole(#words[name])] end
  local kind = about[1]
  if kind == "number" then
    return stream:uniform(math.max(about.lower or -10, -10), math.min(about.upper or 10, 10))
  end
  if kind == "boolean" then return stream:whole(2) == 1 end
  if kind == "pose" then
    return { position = stream:whole(3) > 1 and { number(), number(), number() } or nil,
      orientation = stream:whole(2) == 1 and { 0, 0, 1, 0 } or nil }
  end
  if name == "joints" then
    return stream:whole(2) == 1 and { number(), number() } or { HeadYaw = number(), elbow_joint = number() }
  end
  if name == "waypoints" then
    return ({ "wave", {}, { { joints = { number() } } }, { { preset = "rest", at = number() } },
      { { pose = { position = { number(), 0, 1 } } } },
      { 3 }, 7 })[stream:whole(7)]
  end
  if name == "hold" then return ({ true, false, "always", "never", 3 })[stream:whole(5)] end
  return name == "owns" and {} or "word"
end

test("whatever a node says, on whatever robot, it is judged and never raises", function(t)
  local random, robots, check = require "brio.random", require "brio.robots", require "brio.tree.model.check"
  local stream, fine, wrong = random.stream(7, "actions"), 0, 0
  for _, robot in ipairs { "ur3e", "panda", "pepper", "probo", "mycobot280" } do
    local site = { description = assert(robots.find(robot)), name = "one" }
    for _, name in ipairs { "arm", "screw", "spine", "chest", "neck", "pelvis", "leg" } do
      local record = trees.kinds[name].record
      local fields = {}
      for field in next, record.fields do fields[#fields + 1] = field end
      table.sort(fields)
      for _ = 1, 25 do
        local form = { name }
        for _ = 1, 1 + stream:whole(4) do
          local field = fields[stream:whole(#fields)]
          form[field] = value_of(stream, field, record.fields[field])
        end
        local made = trees.compile(form)
        local faults = made and check.faults(made, site, function() return "here" end) or { {} }
        if #faults > 0 then wrong = wrong + 1 else fine = fine + 1 end
        if made and #faults == 0 then
          local seconds = record.seconds(made.list[1].values, site)
          t:ok(seconds == nil or seconds >= 0 and seconds < 1e6, "%s on %s takes %s s", name, robot,
            tostring(seconds))
        end
      end
    end
  end
  t:ok(wrong > 300 and fine > 5, "%d wrong, %d fine", wrong, fine)
end)
