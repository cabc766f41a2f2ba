--- Edits of files by the pages of a studio, without a browser: order, merging, refusals by the loader, files
--- that cannot be written, undo, roles, new behaviors.
local code = require "brio.studio.code"
local disk = require "brio.file"
local editing = require "brio.studio.editing"
local message = require "brio.studio.message"
local people = require "brio.studio.person"
local snippets = require "brio.behavior.text.snippets"
local uv = require "luv"

--- Let the loop go on until a condition holds.
local function await(condition)
  local timer = uv.new_timer()
  timer:start(20, 20, function() end)
  local till = uv.hrtime() + 240e9
  while not condition() and uv.hrtime() < till do uv.run "once" end
  timer:close()
  assert(condition(), "waited in vain")
end

--- A studio's edits of a file in a folder of its own: {file, edit(fields), told}.  `checked`: by a loader
--- that refuses texts with `BAD`, which takes a moment; else by brio itself.
local function made(t, checked)
  local folder = t:temporary()
  assert(uv.fs_mkdir(folder, 448))
  uv.os_setenv("XDG_STATE_HOME", folder .. "/state")
  local self = { folder = folder, file = folder .. "/host.lua", told = {} }
  assert(disk.replace(self.file, snippets.behavior("empty", "host", "ur3e")))
  self.code = code.new { program = uv.exepath(), names = function() return {} end,
    live = { client = true, about = { behavior = "host.lua", folder = folder } } }
  if checked then
    function self.code.check(_, _, text, done)
      local timer = uv.new_timer()
      timer:start(1, 0, function()
        timer:close()
        if self.before_verdict then self.before_verdict() end
        local bad = text:find("BAD", 1, true)
        done { faults = bad and { { line = 3, message = "BAD is bad" } } or {} }
      end)
    end
  end
  self.editing = editing.new { code = self.code, tell = function(_, value) self.told[#self.told + 1] = value
    end }
  function self.begin(fields)
    local slot = {}
    fields.who = fields.who or "ann"
    self.editing:edit("host.lua", fields, function(answer) slot.answer = answer end)
    return slot
  end
  function self.edit(fields)
    local slot = self.begin(fields)
    await(function() return slot.answer end)
    return slot.answer
  end
  function self.text() return (assert(disk.read(self.file))) end
  return self
end

local function set(path, value) return { op = "set", path = path, value = value } end

test("edits that come at once are made one after the other", function(t)
  local it = made(t, true)
  local hash = it.editing:outline("host.lua", "ann").hash
  local slots = {}
  for index = 1, 8 do
    slots[index] = it.begin { hash = hash, who = "p" .. index,
      op = { op = "add", path = "state_" .. index, value = "{ wants = {} }" } }
  end
  await(function() return slots[8].answer end)
  local good = 0
  for _, slot in ipairs(slots) do if not slot.answer.error then good = good + 1 end end
  -- All saw the first text, and each adds at the same place: what touches is refused with both texts.
  t:equal(good, 1)
  t:match(slots[2].answer.error, "changed by somebody else")
  t:match(slots[2].answer.mine, "state_2 = {")
  for index = 2, 8 do
    t:equal(it.edit({ who = "p" .. index,
      op = { op = "add", path = "state_" .. index, value = "{ wants = {} }" } }).error,
      nil)
  end
  for index = 1, 8 do t:ok(it.text():find("state_" .. index, 1, true)) end
  t:equal(it.edit({ who = "p3", undo = true }).what, "undo: add to state_3")
  t:ok(not it.text():find("state_3", 1, true) and it.text():find("state_8", 1, true), "of the person alone")
  t:equal(#it.told, 9)
end)

test("a text that is saved while the loader judges is not overwritten", function(t)
  local it = made(t, true)
  it.before_verdict = function()
    it.before_verdict = nil
    assert(disk.replace(it.file, "-- an editor's\n" .. it.text()))
  end
  local answer = it.edit { op = set("idle.blend", "0.5") }
  t:equal(answer.error, nil)
  t:match(it.text(), "^%-%- an editor's\n")
  t:match(it.text(), "blend = 0%.5")
end)

test("refused, broken and unwritable: the file keeps its bytes, and the answer says why", function(t)
  local it = made(t, true)
  local before = it.text()
  t:equal(it.edit({ op = set("idle.about", '"BAD"') }).error, "refused: line 3: BAD is bad")
  t:match(it.edit({ op = set("idle.nothing[3]", "1") }).error, "there is no 'idle.nothing'")
  for _, op in ipairs { {}, { op = 5 }, { op = "set", path = {} , value = {} },
    { op = "move", path = "idle", to = true },
    { op = "lead", path = "idle", kind = 3, trigger = 4, to = 5 },
      { op = "rename", path = "idle", to = 7 } } do
    t:equal(type(it.edit({ op = op }).error), "string")
  end
  t:equal(it.text(), before)
  assert(uv.fs_mkdir(it.file .. ".new", 448))
  local answer = it.edit { op = set("idle.blend", "0.5") }
  t:ok(answer.waits and answer.error:find "cannot be written", answer.error)
  t:equal(it.text(), before)
  uv.fs_rmdir(it.file .. ".new")
  assert(disk.replace(it.file, before .. "x = = 1\n"))
  answer = it.edit { op = set("idle.blend", "0.5") }
  t:ok(answer.waits and answer.line == 17, answer.error)
  t:equal(it.editing:outline("host.lua", "ann").fault.line, 17)
  -- A file that is faulty already can be edited, as long as nothing becomes worse.
  assert(disk.replace(it.file, (before:gsub("robot =", "BAD = 1, robot ="))))
  t:equal(it.edit({ op = set("idle.blend", "0.5") }).error, nil)
  uv.fs_unlink(it.file)
  t:ok(it.edit({ op = set("idle.blend", "0.5") }).waits)
  t:match(it.editing:edit("../host.lua", { who = "a" }, function(one) answer = one end) or answer.error,
    "no such file")
end)

test("undo goes on after the studio has ended, and a history that is damaged is none", function(t)
  local it = made(t, true)
  local before = it.text()
  it.edit { op = set("idle.blend", "0.5") }
  it.editing = editing.new { code = it.code, tell = function() end }
  t:equal(it.editing:outline("host.lua", "ann").undo, "set idle.blend to 0.5")
  t:equal(it.edit({ undo = true }).error, nil)
  t:equal(it.text(), before)
  t:equal(it.edit({ redo = true }).undo, "set idle.blend to 0.5")
  local folder = it.folder .. "/state/brio/edits/"
  local name = disk.list(folder)[1]
  for _, text in ipairs { "{", "[]", '{"edits":[1],"texts":{}}', '{"edits":[{"who":"ann"}],"texts":{"a":1}}',
    "" } do
    assert(disk.replace(folder .. name, text))
    t:match(it.edit({ undo = true }).error, "nothing to undo")
  end
end)

test("the loader itself judges, and the schemas come from brio", function(t)
  local it = made(t)
  t:equal(it.edit({ op = set("idle.blend", "0.5") }).error, nil)
  t:match(it.edit({ op = set("idle.blnd", "0.5") }).error,
    "refused: line 15: state 'idle' has no field 'blnd'")
  local about
  it.editing:about(function(answer) about = answer end)
  await(function() return about end)
  local tables = {}
  for _, row in ipairs(message.read(about.tables)) do tables[row.name] = row end
  t:ok(tables.state and tables["want.look_at"] and about.snippets[1] and about.goals.scalar)
  -- Every type of goal has a first value.
  for name, row in pairs(tables) do
    for _, field in ipairs(row.fields) do
      if name:find "^want" and field.name == "goal" then
        t:ok(snippets.goals[field.type], name .. " " .. field.type)
      end
    end
  end
end)

test("only authors edit, and a new behavior takes no other file's place", function(t)
  local it, answers = made(t, true), {}
  local socket = { text = function(_, text)
    local said = message.read(text)
    answers[said.id or 0] = said.answer
  end, close = function() end }
  local person = people.new(socket,
    { live = {}, code = it.code, editing = it.editing, changed = function() end,
    left = function() end })
  person.client, person.role = { close = function() end }, "wizard"
  local function hear(text) person:hear("text", text) end
  hear '{"id":1,"edit":"host.lua","op":{"op":"set","path":"idle.blend","value":"1"}}'
  hear '{"id":2,"create":"other","kind":"empty","robot":"ur3e"}'
  t:match(answers[1].error, "for authors")
  t:match(answers[2].error, "for authors")
  person.role = "author"
  hear '{"id":3,"create":"other","kind":"empty","robot":"ur3e"}'
  hear '{"id":4,"create":"other","kind":"empty","robot":"ur3e"}'
  hear '{"id":5,"create":"../x","kind":"empty","robot":"ur3e"}'
  hear '{"id":6,"outline":"other.lua","known":3}'
  t:equal(answers[3].file, "other.lua")
  t:match(answers[4].error, "cannot be created: EEXIST")
  t:match(answers[5].error, "letters, digits")
  t:match(answers[6].outline, '"name":"other"')
  hear '{"id":7,"outline":"/etc/passwd"}'
  t:match(answers[7].error, "no such file")
end)
