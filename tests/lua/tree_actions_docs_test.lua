--- docs/trees-actions.md against the records of leaves: each field of an action is written there.
local trees = require "brio.tree"

local function read(path)
  local handle = assert(io.open(path))
  local text = handle:read "a"
  handle:close()
  return text
end

--- Sections by the leaf that their heading names; what stands before the first is in "".
local function sections(text)
  local all, name = { [""] = "" }, ""
  for line in text:gmatch "[^\n]*" do
    name = line:match "^## `([%w_]+)`$" or line:match "^## " and "" or name
    all[name] = (all[name] or "") .. line .. "\n"
  end
  return all
end

test("each field of an action is in the docs", function(t)
  local all = sections(read "docs/trees-actions.md")
  for _, name in ipairs { "arm", "screw", "spine", "chest", "neck", "pelvis", "leg" } do
    t:ok(all[name], "a section for %s", name)
  end
  for name, text in next, all do
    local kind = trees.kinds[name]
    t:ok(name == "" or kind, "'%s' is a kind of node", name)
    for field in next, kind and kind.fields or {} do
      t:ok(text:find("`" .. field .. "`", 1, true) or all[""]:find("`" .. field .. "`", 1, true), "%s: `%s` is described", name, field)
    end
  end
end)

test("the door of the docs is opened", function(t)
  local block = read "docs/trees-actions.md":match "```lua\n(.-)\n```"
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
