--- The page of `brio studio` in Chromium, used as a person does: clicks, keys, drags. Pictures of each panel
--- are in build/studio-pictures.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. arg[0]:match "^(.*)/" .. "/?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files
package.path = harness.root .. "/lua/?.lua;" .. package.path
local cjson = require "cjson"
local pages = require "pages"
local uv = require "luv"

local chromium -- the browser of the last test

local behavior = [[
local brio = require "brio"
local made = brio.behavior "page" { robot = "ur3e", start = "wait" }
made.wait = { on = { guest = "greet" }, wants = { brio.want.joint_match { joint = "wrist_1_joint",
  goal = 0.2 } } }
made.greet = { enter = function(self) self:emit("greeted", { name = "<b>Ann</b>" }) end,
  on = { again = "wait" },
  wants = { brio.want.joint_match { joint = "wrist_1_joint", goal = -1.0 } } }
made.work = { tree = TREE, on = { again = "wait" } }
return made
]]

--- A tree with that many leaves, half of which take a while.
local function tree_of(count)
  local parts = {}
  for k = 1, count do parts[k] = ('{ "wait", name = "step %d", seconds = %g }'):format(k, 0.01) end
  return '{ "sequence", ' .. table.concat(parts, ", ") .. " }"
end

--- A run and a studio beside it.
local function started(t, leaves)
  chromium = pages.browser(t)
  local folder = t:folder()
  files.write(folder .. "/page.lua", (behavior:gsub("TREE", function() return tree_of(leaves or 3) end)))
  local run = pages.start(folder, "page.lua")
  harness.await_answer(run, "state", "wait, for")
  return run
end

local opened, picture, quiet, ready = pages.open, pages.picture, pages.quiet, pages.ready

--- What the prompt's transcript ends with.
local function answered(page, piece)
  page:wait(("[...document.querySelectorAll('.said pre')].some((one) => \z
    one.textContent.includes(%s))"):format(cjson.encode(piece)))
end

--- Write a line into the prompt and send it.
local function say(page, line)
  page:eval "document.querySelector('.prompt input').focus()"
  page:type(line)
  page:wait(("document.querySelector('.prompt input').value === %s"):format(cjson.encode(line)))
  page:press "Enter"
end

test("the page shows the run, answers lines, completes them, and stops the motors", function(t)
  local run = started(t)
  local began = uv.hrtime()
  local page = opened(run)
  print(("#   first frame after %.2f s"):format((uv.hrtime() - began) / 1e9))
  page:wait "document.querySelector('svg.chart .state.active text')?.textContent === 'wait'"
  t:equal(page:eval "location.hash", "", "the token is taken out of the address")
  t:equal(page:eval "document.cookie", "", "the cookie is not for scripts")
  picture(page, "mind")
  say(page, "emit guest")
  page:wait "document.querySelector('svg.chart .state.active text')?.textContent === 'greet'"
  page:wait "studio.state.events.value.some((one) => one.name === 'greeted')"
  page:eval "document.querySelector('.prompt input').focus()"
  page:type "emit ag"
  page:press "Tab"
  page:wait "document.querySelector('.prompt input').value === 'emit again'"
  page:press "Enter"
  answered(page, "sent: again")
  page:click "button.panic"
  page:wait "document.querySelector('.stop span').textContent.includes('confirmed in')"
  t:has(harness.say(run, "motors").out, "held by panic")
  page:click "button ~ Release"
  page:wait "!document.querySelector('.stop span').textContent"
  harness.await_answer(run, "motors", "armed")
  quiet(t, page)
  page:close()
end)

--- Robots with random poses of their joints, and where brio puts their links.
local reference = [[
local model, random = require "brio.studio.model", require "brio.random"
local robots, store = require "brio.robots.catalog", require "brio.store"
local list = {}
for _, name in ipairs { ROBOTS } do
  local description = robots.find(name)
  if description then
    local stream, samples = random.stream(1, name), {}
    for k = 1, 12 do
      local joints, poses = {}, {}
      for _, variable in ipairs(description.robot:variables()) do
        local lower, upper = math.max(variable.lower, -3), math.min(variable.upper, 3)
        joints[variable.name] = stream:uniform(lower, math.max(upper, lower + 1e-9))
      end
      for link, pose in pairs(description.robot:forward({ joints = joints }).links) do
        poses[link] = { pose.position, pose.orientation }
      end
      samples[k] = { joints = joints, poses = poses }
    end
    list[#list + 1] = { name = name, model = model.of(description), samples = samples }
  end
end
print(store.json(store.array(list)))
]]

local compare = [[(async () => {
  const { Chain } = await import("/page/view/kinematics.js");
  const robot = %s;
  const chain = new Chain(robot.model);
  let worst = 0, links = 0;
  for (const sample of robot.samples) {
    for (const name in sample.joints) {
      if (chain.variable.has(name)) chain.values[chain.variable.get(name)] = sample.joints[name];
    }
    const p = chain.forward();
    for (const link in sample.poses) {
      const i = 7 * chain.index.get(link), [at, turn] = sample.poses[link];
      worst = Math.max(worst, Math.hypot(p[i] - at[0], p[i + 1] - at[1], p[i + 2] - at[2]));
      const dot = Math.abs(p[i + 3] * turn[0] + p[i + 4] * turn[1] + p[i + 5] * turn[2] + p[i + 6] * turn[3]);
      worst = Math.max(worst, 2 * Math.acos(Math.min(1, dot)) > 1e-4 ? 1 : 0);
      links++;
    }
  }
  return [worst, links];
})()]]

test("the page's kinematics is brio's, to 1e-5 m", function(t)
  local run = started(t)
  local names = files.lines("ls -d " .. harness.root
    .. "/drivers/robots/*/robot.lua | xargs -n1 dirname | xargs -n1 basename")
  local shared = harness.root .. "/../shared/data/robots"
  if harness.scale > 1 then
    for _, path in ipairs(files.lines("find " .. files.quote(shared)
      .. " -name '*.urdf' -o -name '*.xml' 2>/dev/null | sort")) do
      names[#names + 1] = path
    end
  end
  local page, compared = opened(run), 0
  for _, name in ipairs(names) do
    files.write(run.folder .. "/reference.lua", (reference:gsub("ROBOTS",
      function() return ("%q"):format(name) end)))
    local answer = harness.brio("lua", run.folder .. "/reference.lua")
    t:code(answer, 0)
    local one = answer.out:match "^%[(.*)%]\n$"
    if one and one ~= "" then
      local result = page:eval((compare:gsub("%%s", function() return one end)))
      t:check(result[1] < 1e-5 and result[2] > 0, "%s: off by %g m", name, result[1])
      compared = compared + 1
    end
  end
  t:check(compared >= 6, "%d robots were compared", compared)
  print(("#   %d robots"):format(compared))
  quiet(t, page)
  page:close()
end)

test("a recorded run is scrubbed and played; its poses are those of the store", function(t)
  local run = started(t)
  harness.say(run, "emit guest")
  harness.await_answer(run, "state", "greet, for")
  harness.say(run, "note seen <i>here</i>")
  local page = opened(run)
  page:wait "studio.state.newest.value > 3"
  page:click "#tab-runs"
  page:wait "document.querySelector('.panel.runs tbody tr')"
  page:click "tbody tr button ~ Open"
  page:wait "studio.state.shown.value.run === 1"
  page:wait "document.querySelector('.badge').textContent === 'recording'"
  page:wait "document.querySelector('.about').textContent.includes('run 1 is live')"
  local x, y, width = page:place "canvas.bar"
  page:drag(x - width / 2 + 5, y, x, y, 12)
  page:wait "studio.state.t.value > 0.5"
  page:wait "studio.state.shown.value.pieces.get(0)"
  local at = page:eval "studio.player.seek(2.5) || studio.state.t.value"
  local drawn = page:eval "(() => { const chain = studio.view.robot.chain; \z
    return chain.values[chain.variable.get('wrist_1_joint')]; })()"
  local stored = tonumber((harness.sql(run.store,
    "SELECT coalesce(measured, command) FROM samples(1, 'wrist_1_joint', 2.4, 2.5) \z
    ORDER BY t DESC LIMIT 1")))
  t:check(math.abs(drawn - stored) < 0.02, "at %g s the page draws %g, the store has %g", at, drawn, stored)
  page:click "#tab-mind"
  page:wait "document.querySelector('dl.now').textContent.includes('greet')"
  picture(page, "recorded")
  -- Layers follow the moment; they are those of the record, not of the live run.
  page:click "details.layers summary"
  page:click "details.layers input[name=balance]"
  page:wait "studio.view.layers.count('balance') > 1"
  page:eval "studio.player.seek(0.5)"
  local com = page:eval "studio.state.layerData.value.balance"
  page:wait(("studio.state.layerData.value.balance.com.some((c, k) => c !== %s[k])")
    :format(cjson.encode(com.com)))
  page:eval "studio.player.seek(2.5)"
  page:click "button[aria-label=play]"
  page:wait "studio.state.t.value > 2.8"
  page:click "#tab-plots"
  page:wait "document.querySelectorAll('.plot canvas').length > 1"
  t:equal(page:eval "studio.state.shown.value.notes.some((one) => one.label.includes('<i>here</i>'))", true)
  t:equal(page:eval "document.querySelectorAll('#app i').length", 0, "texts never become markup")
  local began = page:eval [[(() => { const began = performance.now(); let count = 0;
    for (let t = 0; t < 3; t += 0.03) { studio.player.seek(t); count++; }
    return count / (performance.now() - began) * 1000; })()]]
  print(("#   %.0f positions a second"):format(began))
  t:check(began >= 30, "%g positions a second", began)
  page:click ".time button ~ Live"
  page:wait "studio.state.isLive.value"
  quiet(t, page)
  page:close()
end)

test("a run that crashes is said, and the next one is joined without loading again", function(t)
  local run = started(t)
  local page = opened(run)
  page:eval "window.same = true"
  harness.signal(run.process, "KILL")
  page:wait "document.querySelector('.badge').textContent === 'has crashed'"
  local style = page:eval "(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(\z
    document.querySelector('.badge')))"
  t:check(style[1] ~= style[2], "the badge's text has the color of its ground, %s", style[1])
  harness.wait(run.process)
  run.begin()
  harness.await_answer(run, "state", "wait, for")
  page:wait "document.querySelector('.badge').textContent === 'live' && studio.state.run.value.number === 2"
  page:wait "studio.state.me.value && studio.player.rings[0].frames.length > 5"
  t:equal(page:eval "window.same", true)
  say(page, "state")
  answered(page, "wait, for")
  harness.say(run, "stop\nstop")
  page:wait "document.querySelector('.badge').textContent === 'has ended'"
  quiet(t, page)
  page:close()
end)

test("without the token there is no page, and foreign names get nothing", function(t)
  local run = started(t)
  local page = chromium:page(800, 600)
  page:open((run.url:gsub("#.*", "")))
  page:wait "document.body.textContent.includes('open the address')"
  page:open((run.url:gsub("#.*", "") .. "?#" .. ("0"):rep(32)))
  page:wait "document.body.textContent.includes('not the studio')"
  page:open(run.url:gsub("127%.0%.0%.1", "localhost"), nil)
  page:wait(ready)
  page:close()
end)

test("a tree of a thousand nodes is live: every node ends as it ran", function(t)
  if harness.scale == 1 then t:skip "takes ten seconds: make soak" end
  local run = started(t, 1000)
  local page = opened(run)
  page:click "#tab-tree"
  say(page, "go work")
  page:wait "studio.state.tree.value && studio.state.tree.value.nodes === 1001"
  page:wait "studio.state.tree.value.rows.filter(Boolean).length === 1001"
  picture(page, "tree")
  page:click "button ~ What runs now"
  page:wait "studio.state.tree.value === null || \z
    studio.state.tree.value.s.filter((one) => one === 's').length > 900"
  page:type ""
  quiet(t, page)
  page:close()
end)

test("files are checked as one types, and moments of a run are coded", function(t)
  local run = started(t)
  local page = opened(run)
  page:click "#tab-code"
  page:wait "document.querySelector('.panel.code .cm-content')?.textContent.includes('greeted')"
  page:eval "document.querySelector('.panel.code .cm-content').focus()"
  page:type "local = 1 "
  page:wait "document.querySelector('.panel.code [role=status]').textContent.includes('error')"
  page:wait "document.querySelector('.cm-lint-marker-error')"
  picture(page, "code-fault")
  page:click "#tab-coding"
  page:wait "document.querySelector('.panel.coding .tools.big button')"
  page:eval "document.querySelector('.panel.coding input').focus()"
  page:type "C1"
  page:eval "document.querySelector('.panel.coding input[type=checkbox]').click()"
  page:click ".panel.coding .tools.big button ~ smiles"
  page:wait "[...document.querySelectorAll('.panel.coding tbody tr')].some((one) => \z
    one.textContent.includes('smiles'))"
  t:has(harness.sql(run.store, "SELECT tier || ' ' || label || ' ' || coder FROM annotations"),
    "coding smiles C1")
  -- The coder takes it back, undoes that, and undoes the mark itself.
  local rows = "[...document.querySelectorAll('.panel.coding tbody tr')]"
  local marked = rows .. ".some((one) => one.textContent.includes('smiles'))"
  page:click ".panel.coding tbody button ~ Take"
  page:wait("!" .. marked)
  t:equal(page:eval "studio.state.events.value.some((one) => one.mark)", false, "the time bar has none, too")
  page:click ".panel.coding .tools button ~ Undo"
  page:wait(marked)
  page:click ".panel.coding .tools button ~ Undo"
  page:wait("!" .. marked)
  page:eval "document.querySelector('.panel.coding input[type=checkbox]').focus()"
  page:call("Input.dispatchKeyEvent", { type = "keyDown", key = "y", code = "KeyY", modifiers = 2,
    windowsVirtualKeyCode = 89 })
  page:wait(marked)
  t:has(harness.sql(run.store, "SELECT count(*) || ' mark' FROM annotations"), "1 mark")
  -- Another coder's mark has no button.
  page:eval "document.querySelector('.panel.coding input').focus()"
  page:type "0"
  page:wait "!document.querySelector('.panel.coding tbody button[aria-label]')"
  -- The table of Cohen's paper in small: 20 and 15 agreed, 5 and 10 not: (0.7 - 0.5) / (1 - 0.5).
  local kappa = page:eval [[import("/page/panels/coding.js").then((m) => m.kappa(
    [..."a".repeat(25) + "b".repeat(25)], [..."a".repeat(20) + "b".repeat(5) + "a".repeat(10) + "b".repeat(15)]))]]
  t:check(math.abs(kappa - 0.4) < 1e-12, "kappa is %g", kappa)
  picture(page, "coding")
  quiet(t, page)
  page:close()
end)

--- The contrast of each text of the page with the ground behind it, as the browser has drawn it: those below
--- AA. Texts of drawings are in tests/lua/studio/contrast_test.lua, as the sheet has them.
local pale = [[(() => {
  const read = (text) => {
    const parts = text.match(/[\d.]+/g).map(Number);
    return [...parts.slice(0, 3), parts[3] ?? 1];
  };
  const over = (a, b) => [0, 1, 2].map((k) => a[3] * a[k] + (1 - a[3]) * b[k]).concat(1);
  const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, share, k) => {
    const part = c[k] / 255;
    return sum + share * (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  }, 0);
  const ground = (one) => (one ? over(read(getComputedStyle(one).backgroundColor), ground(one.parentElement))
    : [255, 255, 255, 1]);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  let seen = 0;
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement, text = walker.currentNode.data.trim();
    if (!text || one.closest("svg, script, style, option") || one.disabled) continue;
    if (!one.getClientRects().length) continue;
    seen++;
    const under = ground(one), ink = over(read(getComputedStyle(one).color), under);
    const [a, b] = [light(ink), light(under)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) found.push(`${one.className} "${text.slice(0, 30)}" ${contrast.toFixed(2)}`);
  }
  return [seen, found.join("; ")];
})()]]

test("every panel opens, by mouse and by keys, and fits widths from 390 to 2560 pixels", function(t)
  local run = started(t)
  local page = opened(run)
  local names = { "mind", "tree", "goals", "joints", "steer", "plots", "log", "camera", "runs", "code",
    "author", "coding", "sql" }
  for _, size in ipairs { { 390, 844, true }, { 1024, 700 }, { 2560, 1300 } } do
    page:resize(table.unpack(size))
    for _, name in ipairs(names) do
      page:click("#tab-" .. name)
      page:wait(("document.querySelector('.panel.%s')"):format(name))
      local wide = page:eval "document.documentElement.scrollWidth - document.documentElement.clientWidth"
      t:check(wide <= 0, "%s is %g pixels too wide at %d", name, wide, size[1])
      local texts = page:eval(pale)
      t:check(texts[1] > 10, "%d texts in %s", texts[1], name)
      t:equal(texts[2], "", name .. ": texts that are too pale")
      picture(page, ("%s-%d"):format(name, size[1]))
    end
  end
  page:click "#tab-mind"
  for _ = 1, #names do page:press "ArrowRight" end
  page:wait "document.activeElement.id === 'tab-mind'"
  page:press("p", true)
  page:wait "document.querySelector('.stop span').textContent.includes('confirmed in')"
  page:click "button ~ Release"
  quiet(t, page)
  page:close()
end)

test("contact forces of physics are drawn, and what a camera sees is shown", function(t)
  chromium = pages.browser(t)
  for _, name in ipairs { "brio_mujoco.so", "brio_camera" } do
    if not files.exists(harness.build .. "/" .. name) then t:skip(name .. " was not built") end
  end
  local folder = t:folder()
  harness.run("mkdir " .. files.quote(folder .. "/pictures"))
  for k = 1, 2 do
    files.write(("%s/pictures/%d.pgm"):format(folder, k),
      "P5 64 48 255\n" .. string.char(99 + k):rep(64 * 48))
  end
  files.write(folder .. "/stands.lua", [[
local brio = require "brio"
local made = brio.behavior "stands" { robot = "biped", start = "still", safe = "still" }
made.still = { wants = {} }
return made
]])
  local run = pages.start(folder, "stands.lua", ("--physics mujoco --camera eye=folder:%s,again=true,rate=20")
    :format(folder .. "/pictures"))
  harness.await_answer(run, "state", "still, for")
  local page = opened(run)
  page:click "details.layers summary"
  page:click "details.layers input[name=contacts]"
  page:wait "studio.view.layers.count('contacts') > 3"
  -- All that presses on the soles together lifts what the robot weighs, about: it stands, and trembles.
  page:wait "studio.state.layerData.value.contacts.reduce((sum, one) => sum + one.force[2], 0) > 100"
  picture(page, "contacts")
  page:click "#tab-camera"
  page:wait "document.querySelector('.eye img:not([hidden])')?.naturalWidth === 64"
  local first = page:eval "document.querySelector('.eye img').src"
  page:wait(("document.querySelector('.eye img').src !== %s"):format(cjson.encode(first)))
  picture(page, "camera")
  quiet(t, page)
  page:close()
end)

test("a slider that is held moves its joint, and gives it back when the page falls silent", function(t)
  local run = started(t)
  local page = opened(run)
  page:click "#tab-joints"
  page:wait "document.querySelector('input[aria-label=\"jog wrist_2_joint\"]')"
  page:wait "studio.player.rings[0].last"
  local before = page:eval "studio.player.rings[0].last.values[4]"
  local x, y, width = page:place "input[aria-label='jog wrist_2_joint']"
  page:call("Input.dispatchMouseEvent", { type = "mousePressed", x = x, y = y, button = "left", buttons = 1,
    clickCount = 1 })
  page:call("Input.dispatchMouseEvent", { type = "mouseMoved", x = x + width / 8, y = y, button = "left",
    buttons = 1 })
  page:wait(("Math.abs(studio.player.rings[0].last.values[4] - %g) > 0.1"):format(before))
  t:has(harness.say(run, "why wrist_2_joint").out, "page")
  page:call("Input.dispatchMouseEvent", { type = "mouseReleased", x = x + width / 8, y = y, button = "left",
    buttons = 0, clickCount = 1 })
  harness.await("the joint to be the robot's again", function()
    return not harness.say(run, "why wrist_2_joint").out:find("page", 1, true)
  end)
  picture(page, "jog")
  quiet(t, page)
  page:close()
end)

test("a page or a studio that is killed leaves the run unhurt", function(t)
  local run = started(t)
  opened(run)
  pages.kill()
  harness.await_answer(run, "state", "wait, for")
  harness.signal(run.studio, "KILL")
  harness.wait(run.studio)
  harness.await_answer(run, "subscribe", "nobody")
  harness.say(run, "stop\nstop")
  t:equal(harness.wait(run.process), 0, "the run's exit code")
end)

pages.close()
harness.done()
