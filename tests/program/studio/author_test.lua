--- Behavior made by hand in the studio's page: every state, transition and property by clicks, choices and
--- drags, written as Lua, and run from the terminal; several people and programs at one file.
--- In Chromium: `make soak`, BRIO_BROWSER=1, or a part of a test's name.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files
package.path = harness.root .. "/lua/?.lua;" .. package.path
local cjson = require "cjson"
local pages = require "pages"

local brio = files.quote(harness.program)

--- A run of the file that `brio new --template empty` makes, and its page with the panel open.
local function started(t)
  pages.browser(t)
  local folder = t:folder()
  local made = harness.run(("cd %s && %s new host --template empty"):format(folder, brio))
  t:code(made, 0)
  local run = pages.start(folder, "host.lua")
  run.file = folder .. "/host.lua"
  harness.await_answer(run, "state", "idle, for")
  return run
end

local function opened(run, width, height)
  local page = pages.open(run, width or 900, height or 900)
  page:click "#tab-author"
  page:wait "document.querySelector('.chart.editable .state[data-state=idle]')"
  page:wait "document.querySelector('.panel.author input[aria-label=\"name of a new state\"]')"
  return page
end

--- A person's hands on a page: each call is one action, and waits until its edit is there.
local function hands(page)
  local self = { count = 0, page = page }
  local function act(work, ...)
    self.count = self.count + 1
    work(page, ...)
  end
  local function awaits(expression) if expression then page:wait(expression) end end
  function self.click(selector, expression)
    page:wait(("(() => { try { return document.querySelector(%s) } catch { return true } })()"):format(
      cjson.encode(selector:match "^(.-) *~" or selector)))
    act(page.click, selector)
    awaits(expression)
  end
  function self.fill(selector, text, expression)
    page:wait(("document.querySelector(%s)"):format(cjson.encode(selector)))
    act(pages.fill, selector, text)
    awaits(expression)
  end
  function self.choose(selector, words, expression)
    page:wait(("document.querySelector(%s)"):format(cjson.encode(selector)))
    act(pages.choose, selector, words)
    awaits(expression)
  end
  function self.drag(from, to, expression)
    local box = "svg.editable [data-state=%s] rect"
    page:place(box:format(to)) -- scrolls to it, and the next one to both
    page:place(box:format(from))
    local x1, y1 = page:place(box:format(to))
    local x0, y0 = page:place(box:format(from))
    act(page.drag, x0, y0, x1, y1, 6)
    awaits(expression)
  end
  return self
end

--- The text of the file, once it has a piece.
local function await_text(run, piece)
  harness.await("the file to have " .. piece, function()
    return (files.read(run.file) or ""):find(piece, 1, true)
  end, { seen = function() return files.read(run.file) end })
end

local function is_drawn(state)
  return ("document.querySelector('svg.editable [data-state=%s] rect')"):format(state)
end

--- The file as a person would write it who makes the same by hand.
local by_hand = [[
local brio = require "brio"
local want = brio.want

local host = brio.behavior "by_hand" { robot = "pepper", start = "idle" }

local function near(self) return self.scene:nearest("person", { within = 2.5 }) ~= nil end
local function away(self) return self.scene:nearest("person", { within = 3 }) == nil end

local safe = { want.collision_avoidance {}, want.joint_limits {} }
local function with(property) return { safe[1], safe[2], property } end

host.idle = {
  wants = with(want.joint_liveliness { joint = "HeadYaw", goal = 0.4 }),
  when = { near, "greet" },
}
local function at(joint, value) return with(want.joint_match { joint = joint, goal = value }) end
host.greet = { wants = at("RShoulderPitch", 0.3), after = { 2, "think" } }
host.think = { wants = at("RShoulderPitch", 0.8), when = { away, "farewell" } }
host.farewell = { wants = at("HeadPitch", 0.3), after = { 2, "idle" } }

return host
]]

local world = [[
return {
  sensor = { pose = { position = { 0.1, 0, 1.2 } }, range = 4.5, view = 2 * pi / 3, noise = 0.01, rate = 20 },
  people = {
    { id = "ann", height = 1.68, path = { { 2, 6, 1 }, { 4, 1.5, 0.2 }, { 9, 1.5, 0 }, { 11, 6, 1 } } },
  },
}
]]

--- One property more for the state that is picked.
local function add_property(hand, state, rank, objective, joint, goal)
  hand.click(("svg.editable [data-state=%s] rect"):format(state),
    ("document.querySelector('.card[data-state=%s]')"):format(state))
  if objective ~= "joint_match" then
    hand.choose(("select[aria-label='objective for %s']"):format(state), objective)
  end
  local label = ("%s %d"):format(state, rank)
  hand.click((".card[data-state=%s] button.add"):format(state),
    ("document.querySelector('[aria-label=\"%s joint\"]')"):format(label))
  local chosen = ("document.querySelector('[aria-label=\"%s joint\"]').value"):format(label)
  if hand.page:eval(chosen) ~= joint then -- the first joint of the robot is there already
    hand.choose(("[aria-label='%s joint']"):format(label), joint, chosen .. (" === '%s'"):format(joint))
    hand.page:wait(("studio.state.edited.value?.what.includes('%s')"):format(joint))
  end
  hand.fill(("[aria-label='%s goal']"):format(label), goal,
    ("studio.state.edited.value?.what.endsWith('.goal to %s')"):format(goal))
end

--- A transition, by a drag in the chart, which is drawn with it at last.
local function add_lead(hand, from, to, kind, given)
  local count = hand.page:eval "document.querySelectorAll('svg.editable .lead').length"
  hand.drag(from, to, "document.querySelector('.new-lead')")
  hand.choose(".new-lead [aria-label='kind of transition']", kind)
  if kind == "when" then hand.choose(".new-lead [aria-label='condition ...']", given)
  elseif given then hand.fill(".new-lead [aria-label=seconds]", given) end
  hand.click(".new-lead button ~ Add transition", "!document.querySelector('.new-lead')")
  hand.page:wait(("document.querySelectorAll('svg.editable .lead').length === %d"):format(count + 1))
end

--- States with the time of their entry, and the commands of all joints, of a run from the terminal.
local function effect_of(t, folder, name)
  local store = ("%s/%s.db"):format(folder, name)
  files.write(folder .. "/world.lua", world)
  local ran = harness.run(("cd %s && %s run %s.lua --world world.lua --for 16 --clock fast --seed 3 \z
    --store %s --quiet"):format(folder, brio, name, store))
  t:code(ran, 0)
  return harness.sql(store, "SELECT state || ' ' || round(entered, 3) FROM states ORDER BY id"),
    harness.sql(store, "SELECT t || ' ' || command FROM samples(1, 'RShoulderPitch', 0, 16)")
      .. harness.sql(store, "SELECT t || ' ' || command FROM samples(1, 'HeadYaw', 0, 16)")
      .. harness.sql(store, "SELECT t || ' ' || command FROM samples(1, 'HeadPitch', 0, 16)")
end

test("idle, greet, think, farewell are made from an empty file, and run from the terminal", function(t)
  local run = started(t)
  local page = opened(run)
  local hand = hands(page)
  for _, state in ipairs { "greet", "think", "farewell" } do
    hand.fill("input[aria-label='name of a new state']", state)
    hand.click("button ~ Add state", is_drawn(state))
  end
  add_lead(hand, "idle", "greet", "when", "a person is nearer")
  add_lead(hand, "greet", "think", "after")
  add_lead(hand, "think", "farewell", "when", "no person is nearer")
  add_lead(hand, "farewell", "idle", "after")
  add_property(hand, "idle", 3, "joint_liveliness", "HeadYaw", "0.4")
  add_property(hand, "greet", 3, "joint_match", "RShoulderPitch", "0.3")
  pages.picture(page, "author")
  add_property(hand, "think", 3, "joint_match", "RShoulderPitch", "0.8")
  add_property(hand, "farewell", 3, "joint_match", "HeadPitch", "0.3")
  print(("#   %d actions"):format(hand.count))
  t:check(hand.count <= 60, "%d actions", hand.count)
  local text = files.read(run.file)
  print("#   " .. text:gsub("\n", "\n#   "))
  t:code(harness.brio("check", run.file), 0)
  -- The run has taken each version, and goes where the page sends it.
  hand.click(".card[data-state=farewell] button ~ Enter")
  harness.await_answer(run, "state", "farewell, for")
  -- The pages' file does what one written by hand does.
  files.write(run.folder .. "/by_hand.lua", by_hand)
  local states, commands = effect_of(t, run.folder, "host")
  local wanted, reference = effect_of(t, run.folder, "by_hand")
  t:equal(states, wanted, "the states and their times")
  for _, state in ipairs { "idle", "greet", "think", "farewell" } do t:has(states, state .. " ") end
  t:check(#reference > 10000 and commands == reference, "the commands are the same, to the last bit")
  pages.quiet(t, page)
  page:close()
end)

--- Wait until a button of the panel can be pressed.
local function await_button(page, name)
  page:wait(("[...document.querySelectorAll('.panel.author button')].some((one) => \z
    one.textContent === '%s' && !one.disabled)"):format(name))
end

test("two browsers and an editor change one file; undo is of a person, also later", function(t)
  local run = started(t)
  local one, two = opened(run), opened(run)
  local first, second = hands(one), hands(two)
  first.fill("input[aria-label='name of a new state']", "greet")
  first.click("button ~ Add state", is_drawn "greet")
  two:wait(is_drawn "greet")
  second.click("svg.editable [data-state=idle] rect", "document.querySelector('.card[data-state=idle]')")
  second.choose("select[aria-label='more of idle']", "blend",
    "document.querySelector('[aria-label=\"idle blend\"]')")
  second.fill("[aria-label='idle blend']", "0.7")
  await_text(run, "blend = 0.7")
  -- A text editor saves a comment; an edit that saw the text before is merged with it.
  local hash = two:eval "import('/page/author/edits.js').then((m) => m.file.value.hash)"
  local function edit_as_seen(value)
    return two:eval(("studio.ask({ edit: studio.state.run.value.behavior, hash: '%s', op: { op: 'set', \z
      path: 'idle.blend', value: '%s' } })"):format(hash, value))
  end
  files.write(run.file, (files.read(run.file):gsub("local brio", "-- by hand\nlocal brio", 1)))
  local answer = edit_as_seen "0.8"
  t:equal(answer.merged, true)
  t:has(files.read(run.file), "-- by hand\nlocal brio")
  t:has(files.read(run.file), "blend = 0.8")
  -- Two edits of the same value: the second is refused with both texts.
  local refused = edit_as_seen "0.9"
  t:has(refused.error, "changed by somebody else")
  t:has(refused.mine, "blend = 0.9")
  t:has(refused.text, "blend = 0.8")
  -- The first person takes back the state, not what the others have done.
  one:open(run.url:gsub("#.*", "") .. "?again" .. run.url:match "#.*")
  one:wait(pages.ready)
  one:wait "studio.state.me.value"
  one:click "#tab-author"
  await_button(one, "Undo")
  one:click ".panel.author button ~ Undo"
  harness.await("the state to be gone", function() return not files.read(run.file):find("greet", 1, true) end)
  t:has(files.read(run.file), "blend = 0.8")
  t:has(files.read(run.file), "-- by hand")
  await_button(one, "Redo")
  one:click ".panel.author button ~ Redo"
  await_text(run, "behavior.greet = {")
  pages.quiet(t, one)
  pages.quiet(t, two)
  one:close()
  two:close()
end)

test("nothing is lost when the file is no Lua, or cannot be written: edits wait, and are made", function(t)
  local run = started(t)
  local page = opened(run)
  local hand = hands(page)
  local before = files.read(run.file)
  files.write(run.file, before:gsub("return behavior", "retur behavior"))
  page:wait "document.querySelector('.panel.author .problem')?.textContent.includes('line')"
  hand.fill("input[aria-label='name of a new state']", "greet")
  hand.click("button ~ Add state", "[...document.querySelectorAll('.panel.author .problem')].some((one) => \z
    one.textContent.includes('1 edits wait'))")
  t:has(files.read(run.file), "retur behavior", "nothing is written over what the editor has")
  pages.picture(page, "author-waits")
  files.write(run.file, before)
  await_text(run, "behavior.greet = {")
  -- A folder where the new text is written first: as a full disk, the write fails.
  harness.run(("mkdir %s.new"):format(run.file))
  hand.fill("input[aria-label='name of a new state']", "think")
  hand.click("button ~ Add state", "[...document.querySelectorAll('.panel.author .problem')].some((one) => \z
    one.textContent.includes('cannot be written'))")
  t:check(not files.read(run.file):find("think", 1, true), "the file is whole")
  harness.run(("rmdir %s.new"):format(run.file))
  hand.click(".panel.author .problem button ~ Try again", is_drawn "think")
  await_text(run, "behavior.think = {")
  -- What the loader refuses is not written.
  hand.click("svg.editable [data-state=idle] rect", "document.querySelector('.card[data-state=idle]')")
  hand.click(".card[data-state=idle] button ~ Delete",
    "document.querySelector('.panel.author .verdict.bad')?.textContent.includes('refused')")
  t:has(files.read(run.file), "behavior.idle = {")
  pages.quiet(t, page)
  page:close()
end)

pages.close()
harness.done()
