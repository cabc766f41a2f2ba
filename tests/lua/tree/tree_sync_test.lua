--- Several people edit one tree over links that lose, delay, repeat and reorder messages: all end with the
--- same tree, and each edit is done or refused with a reason. `make soak` runs all ten thousand scripts.
local author = require "brio.tree.author"
local data = require "brio.tree.editing.data"
local document = require "brio.tree.document"
local editings = require "brio.tree.editing"
local sync = require "brio.tree.sync"

local scale = tonumber(os.getenv "BRIO_TEST_SCALE") or 1

local function door()
  return { "sequence", name = "open the door",
    { "wait", name = "walk up", seconds = 0.5 },
    { "sequence", name = "hand", after = "beginning", { "wait", name = "lift the hand", seconds = 2 } },
    { "fallback", after = "all", try = { { "wait", name = "turn the knob" } },
      catch = { { "wait", name = "let go" }, { "goto", to = "turn the knob" } } },
    { "wait", name = "walk through", after = { whole = "hand" } } }
end

-- A network -------------------------------------------------------------------------------------------------

--- A link with a delay of `delay` updates to four times as many, which loses and repeats some messages.
local function link(random, loss)
  local waiting, now = {}, 0
  return {
    send = function(message)
      if message == nil then return end
      for _ = 1, random() < 0.1 and 2 or 1 do
        if random() >= loss then
          waiting[#waiting + 1] = { at = now + 1 + random(0, 3), message = message }
        end
      end
    end,
    step = function(take)
      now = now + 1
      local left = {}
      for _, item in ipairs(waiting) do
        if item.at <= now then take(item.message) else left[#left + 1] = item end
      end
      waiting = left
    end,
  }
end

--- A generator of its own, so that scripts repeat.
local function generator(seed)
  local state = seed * 2654435761 % 4294967296
  return function(low, high)
    state = (1103515245 * state + 12345) % 2147483648
    local share = state / 2147483648
    if not low then return share end
    return low + math.floor(share * (high - low + 1))
  end
end

local function world(t, seed, people, loss, form)
  local self = { random = generator(seed), clients = {}, up = {}, down = {}, said = {}, answers = {}, t = t }
  local doc = assert(document.of(form or door()))
  self.authority = sync.authority(editings.new(doc))
  for index = 1, people do
    local own = { asked = 0, done = 0, refused = 0 }
    self.answers[index] = own
    self.clients[index] = sync.client("s" .. index, "person " .. index, {
      edited = function(done) if done.session == "s" .. index then own.done = own.done + 1 end end,
      refused = function(_, why)
        own.refused = own.refused + 1
        t:ok(type(why) == "string" and #why > 0)
      end })
    self.up[index], self.down[index] = link(self.random, loss), link(self.random, loss)
  end
  return self
end

--- An update of all sides.  `cut`: a client whose link is down.
local function update(self, cut)
  for index, client in ipairs(self.clients) do
    if index ~= cut then
      self.up[index].send(client:update())
      self.up[index].step(function(message) self.authority:receive(message) end)
      self.down[index].send(self.authority:update(client.session))
      self.down[index].step(function(message) client:receive(message) end)
    end
  end
end

local function all_settled(self)
  for _, client in ipairs(self.clients) do
    if not client:settled() or client.seq ~= self.authority.editing.seq then return false end
  end
  return true
end

local function come_to_rest(self)
  for _ = 1, 3000 do
    if all_settled(self) then return true end
    update(self)
  end
  return false
end

local function check_equal(self, seed)
  local t, nodes = self.t, self.authority.editing.document.nodes
  for index, client in ipairs(self.clients) do
    t:ok(data.equal(client.document.nodes, nodes), "script %d: client %d has another tree", seed, index)
    local own = self.answers[index]
    t:equal(own.done + own.refused, own.asked,
      ("script %d: edits of client %d that were answered"):format(seed, index))
    t:equal(client:status().nodes, client:status().nodes_there)
  end
end

-- Edits -----------------------------------------------------------------------------------------------------

local kinds = { "sequence", "selector", "wait", "checkpoint", "fallback" }

local function random_edit(random, doc, ids)
  local all = doc:inside(doc.root)
  local function pick(list) return list[random(1, #list)] end
  local id, other, what = pick(all), pick(all), random(1, 12)
  if what <= 2 then return author.set(doc, id, "seconds", random(1, 9)) end
  if what == 3 then return author.rename(doc, id, pick { "a", "b", "c" }) end
  if what == 4 then
    return author.insert(doc, { into = id, first = random(1, 2) == 1 },
      { pick(kinds), { "wait", after = pick { "a", "all" } } }, ids)
  end
  if what == 5 then
    return author.insert(doc, { behind = id }, { pick(kinds), name = pick { "a", "b" } }, ids)
  end
  if what == 6 then return author.delete(doc, id, random(1, 2) == 1) end
  if what == 7 then
    return author.move(doc, id, pick { { into = other }, { behind = other }, { before = other } })
  end
  if what == 8 then return author.duplicate(doc, id, ids) end
  if what == 9 then return author.set(doc, id, "after", pick { other, { whole = other }, "all" }) end
  if what == 10 then return author.kind(doc, id, pick(kinds)) end
  return { op = what == 11 and "undo" or "redo" }
end

local function script(t, seed)
  local random = generator(7 * seed + 1)
  local people = random(2, 4)
  local self = world(t, seed, people, random(0, 4) / 10)
  local cut, cut_until
  for round = 1, 40 do
    for index, client in ipairs(self.clients) do
      if client.document and random(1, 5) == 1 then
        local op = random_edit(random, client.document, client:ids())
        if op then
          local good, why = client:edit(op)
          if good then self.answers[index].asked = self.answers[index].asked + 1
          else t:ok(type(why) == "string") end
        end
      end
    end
    if random(1, 25) == 1 then
      self.authority:edit({ op = "set", id = self.authority.editing.document.root, field = "notes",
        value = tostring(round) }, "engine")
    end
    if random(1, 12) == 1 then cut, cut_until = random(1, people), round + random(2, 12) end
    if cut_until == round then cut = nil end
    update(self, cut)
  end
  t:ok(come_to_rest(self), "script %d comes to rest", seed)
  check_equal(self, seed)
  local done, refused = 0, 0
  for _, own in ipairs(self.answers) do done, refused = done + own.done, refused + own.refused end
  return done, refused
end

test("random concurrent edits over bad links end in equal trees, and each is done or refused with a reason",
  function(t)
  local done, refused, count = 0, 0, scale > 1 and 10000 or 100
  local most, first = sync.most_log, sync.piece
  for seed = 1, count do
    -- including those who were away too long
    sync.most_log, sync.piece = seed % 3 == 0 and 8 or most, seed % 2 == 0 and 300 or first
    local a, b = script(t, seed)
    done, refused = done + a, refused + b
  end
  sync.most_log, sync.piece = most, first
  t:ok(done > 10 * count and refused > count / 4, "%d done, %d refused", done, refused)
  if scale > 1 then
    print(("# %d scripts: %d edits done, %d refused with a reason"):format(count, done, refused))
  end
end)

-- What is said, one by one ----------------------------------------------------------------------------------

--- Two people with good links, who have the tree.
local function two(t)
  local self = world(t, 1, 2, 0)
  come_to_rest(self)
  return self, self.clients[1], self.clients[2], self.clients[1].document:find "walk up"
end

test("an edit shows at once, and elsewhere after an update", function(t)
  local self, ann, bob, up = two(t)
  t:ok(ann:edit(author.set(ann.document, up, "seconds", 3)))
  t:equal(ann.document.nodes[up].fields.seconds, 3)
  t:equal(bob.document.nodes[up].fields.seconds, 0.5)
  t:ok(come_to_rest(self))
  t:equal(bob.document.nodes[up].fields.seconds, 3)
end)

--- The answer to the second of two people who edit at once.
local function race(t, first, second)
  local self, ann, bob = two(t)
  local why
  bob.on.refused = function(_, said) why = said end
  ann.on.refused = function(_, said) t:ok(false, "ann was refused: %s", said) end
  self.answers[1].asked, self.answers[2].asked = 1, 1
  assert(ann:edit(assert(first(ann.document, ann:ids()))))
  assert(bob:edit(assert(second(bob.document, bob:ids()))))
  self.authority:receive(ann:update())
  self.authority:receive(bob:update())
  t:ok(come_to_rest(self))
  t:ok(data.equal(ann.document.nodes, bob.document.nodes))
  return why or "done", ann.document
end

test("what comes late means what its author meant, or is refused with who was first", function(t)
  local function set(name, value)
    return function(doc) return author.set(doc, doc:find(name), "seconds", value) end
  end
  local function delete(name, release)
    return function(doc) return author.delete(doc, doc:find(name), release) end
  end
  local function move(name, into)
    return function(doc) return author.move(doc, doc:find(name), { into = doc:find(into) }) end
  end
  local function add(name, behind)
    return function(doc, ids)
      return author.insert(doc, { behind = doc:find(behind) }, { "wait", name = name }, ids)
    end
  end
  t:equal(race(t, set("walk up", 3), set("walk up", 4)),
    "seconds of 'walk up' was set to 3 by person 1 meanwhile")
  t:equal(race(t, set("walk up", 3), set("walk up", 3)), "done")
  t:equal(race(t, set("walk up", 3), function(doc) return author.rename(doc, doc:find "walk up", "go") end),
    "done")
  t:equal(race(t, delete "walk up", set("walk up", 4)), "'walk up' (2) was deleted by person 1")
  t:equal(race(t, set("walk up", 4), delete "walk up"),
    "seconds of 'walk up' was set to 4 by person 1 meanwhile")
  t:equal(race(t, set("lift the hand", 4), delete("hand", true)),
    "seconds of 'lift the hand' was set to 4 by person 1 meanwhile")
  t:equal(race(t, add("new", "lift the hand"), delete("hand", true)),
    "'new' was moved by person 1 meanwhile")
  t:equal(race(t, delete("hand", true), add("new", "lift the hand")), "'hand' (3) was deleted by person 1")
  t:equal(race(t, move("walk up", "hand"), move("walk up", "fallback")),
    "'walk up' was moved by person 1 meanwhile")
  t:equal(race(t, move("walk up", "hand"), set("walk up", 4)), "done")
  t:equal(race(t, delete "walk through",
    function(doc) return author.set(doc, doc:find "let go", "after", doc:find "turn the knob") end), "done")
  t:equal(race(t, function(doc) return author.set(doc, doc:find "walk through", "after", "walk up") end,
    delete "walk up"), "'walk up' is referred to: after of 'walk through' is 'walk up'")
  local said, doc = race(t, add("x", "walk up"), add("y", "walk up"))
  t:equal(said, "done")
  t:equal(doc:name(doc:children(doc.root)[2]) .. doc:name(doc:children(doc.root)[3]), "yx",
    "the later one is nearer")
  said, doc = race(t, delete "walk up", add("y", "walk up"))
  t:equal(said, "done")
  t:equal(doc:name(doc:children(doc.root)[1]), "y", "where the one stood that is gone")
end)

test("two moves that together would make a circle: the second is refused", function(t)
  local self, ann, bob = two(t)
  assert(ann:edit(assert(author.insert(ann.document, { into = ann.document.root },
    { "sequence", name = "other" }, ann:ids()))))
  t:ok(come_to_rest(self))
  local why
  bob.on.refused = function(_, said) why = said end
  ann:edit(author.move(ann.document, ann.document:find "hand", { into = ann.document:find "other" }))
  bob:edit(author.move(bob.document, bob.document:find "other", { into = bob.document:find "hand" }))
  self.authority:receive(ann:update())
  self.authority:receive(bob:update())
  come_to_rest(self)
  t:equal(why, "'other' cannot be moved into itself: 'hand' is inside it")
end)

test("what is edited while the link is dead is kept and done when it is back", function(t)
  local self, ann, bob, up = two(t)
  for value = 1, 60 do
    t:ok(ann:edit(author.set(ann.document, up, "seconds", value)))
    update(self, 1)
  end
  t:ok(bob:edit(author.set(bob.document, bob.document:find "let go", "seconds", 7)))
  t:equal(ann:status().pending, 60)
  t:equal(self.authority.editing.seq, 0)
  self.answers[1].asked, self.answers[2].asked = 60, 1
  t:ok(come_to_rest(self))
  check_equal(self, 0)
  t:equal(bob.document.nodes[up].fields.seconds, 60)
  t:equal(self.authority.editing.seq, 61)
end)

test("an engine that was started anew gets what it had not heard", function(t)
  local self, ann, bob, up = two(t)
  ann:edit(author.set(ann.document, up, "seconds", 3))
  self.authority = sync.authority(editings.new(assert(document.of(door()))), "another run")
  t:ok(come_to_rest(self))
  t:equal(bob.document.nodes[up].fields.seconds, 3)
end)

test("updates are counted on both sides, and those out of order", function(t)
  local self = world(t, 5, 1, 0)
  local client = self.clients[1]
  local messages = {}
  for index = 1, 5 do messages[index] = client:update() end
  for _, index in ipairs { 1, 3, 2, 5, 4 } do self.authority:receive(messages[index]) end
  client:receive(self.authority:update "s1")
  t:equal(client:status().got_there, 5)
  t:equal(client:status().out_of_order_there, 2)
  t:equal(client:status().out_of_order, 0)
  t:equal(self.authority:people()[1].updates, 5)
end)

test("junk that comes over the wire changes nothing", function(t)
  local self, ann = two(t)
  local before = data.copy(self.authority.editing.document.nodes)
  for _, junk in ipairs { 5, {}, { session = "s1" },
      { session = "s1", who = 5, sent = 1, seq = 1, heard = 1 },
    { session = "s9", who = "eve", sent = -1, seq = 0, heard = 0 },
      { session = "s1", who = "eve", run = "run", sent = 1e9, seq = 0, heard = 0 },
    { session = "s9", who = "eve", run = "run", sent = 1, seq = 1 << 40, heard = 1 << 40,
      edits = { 5, { n = 1 }, { n = 2, op = 7 }, { n = 3, op = { op = "set" } },
      { n = 4, op = { op = "undo" } },
      { n = 5, op = { op = "insert", parent = 1, part = "children",
        nodes = { { id = 1 << 20, kind = "sequence", fields = {} }, 5 } } } } },
    { session = "s9", who = "eve", run = "run", sent = 2, seq = 0, heard = 0, wants = 1 << 50,
      edits = "none" } } do
    self.authority:receive(junk)
    ann:receive(junk)
    self.authority:update "s9"
  end
  t:ok(data.equal(before, self.authority.editing.document.nodes))
  t:equal(self.authority:update "nobody", nil)
  t:equal(#self.authority:update("s9").refused, 5)
end)

test("an edit that JSON cannot hold does not keep back those after it", function(t)
  local self, ann, _, up = two(t)
  local function exchange()
    self.authority:receive(ann:update())
    local answer = assert(data.json(self.authority:update(ann.session)))
    ann:receive(data.read_json(answer))
  end
  local function note(text) return { op = "set", id = up, field = "notes", value = text } end
  assert(self.authority:edit(note "caf\xe9", "bob", self.authority.editing.seq))
  for _ = 1, 3 do exchange() end
  t:match(ann.trouble, "the tree cannot be sent: is no text in UTF%-8")
  assert(self.authority:edit(note "plain", "bob", self.authority.editing.seq))
  for _ = 1, 3 do exchange() end
  t:equal(ann.document.nodes[up].fields.notes, "plain")
  t:ok(ann:settled())
end)

test("messages go as JSON", function(t)
  local self, ann, bob, up = two(t)
  ann:edit(author.fields(ann.document, up, { seconds = 2.0, notes = "ä\n", name = "x" }))
  ann:edit(assert(author.insert(ann.document, { into = ann.document.root },
    { "wait", name = "n", seconds = 1 }, ann:ids())))
  local function wire(message) return data.read_json(assert(data.json(message))) end
  for _ = 1, 10 do
    for _, client in ipairs(self.clients) do
      self.authority:receive(wire(client:update()))
      client:receive(wire(self.authority:update(client.session)))
    end
  end
  t:ok(all_settled(self))
  t:ok(data.equal(ann.document.nodes, bob.document.nodes))
  t:ok(data.equal(ann.document.nodes, self.authority.editing.document.nodes))
end)
