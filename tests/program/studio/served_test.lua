--- What the studio serves without a browser: layers and a page's gamepad at the prompt, poses
--- of a robot that walks, live and recorded, marks, and a run as a page of its own.
package.path = arg[0]:match "^(.*)/[^/]*$" .. "/../?.lua;" .. package.path
local harness = require "harness"
local cjson = require "cjson"
local test, files = harness.test, harness.files

local brio = files.quote(harness.program)

local walker = [[
local brio = require "brio"
local made = brio.behavior "walker" { robot = "biped", start = "going" }
made.going = { tree = { "walk", stance = { 0.8, 0.2, 0 }, focal = { 2, 0.2, 0 } }, on = { tree_done = "there" } }
made.there = {}
return made
]]

--- A recorded walk on the fast clock: its folder and store.
local function walked(t)
  local folder = t:folder()
  files.write(folder .. "/walker.lua", walker)
  local run = harness.brio("run", folder .. "/walker.lua", "--clock", "fast", "--for", "3", "--quiet",
    "--store",
    folder .. "/x.db")
  t:code(run, 0)
  return folder, folder .. "/x.db"
end

test("the base of a robot that walks is in the store, in frames, and in the page that is \z
  exported", function(t)
  local folder, store = walked(t)
  local rows = harness.sql(store, "SELECT count(*), max(x) FROM bases")
  local count, x = rows:match "([%d.]+)[^%d.]+([%d.]+)"
  t:check(tonumber(count) > 20 and tonumber(count) <= 91, "%s rows in 3 s", count)
  t:check(tonumber(x) > 0.1, "it went %s m", x)
  -- Frames at the times of rows have their numbers; between two, what is in proportion.
  files.write(folder .. "/frames.lua", ([[
    local recorded, feed = require "brio.studio.recorded", require "brio.studio.feed"
    local made = assert(recorded.open(%q))
    local rows = made.db:query "SELECT t, x, y, qz, qw FROM bases ORDER BY t"
    local worst, seen = 0, 0
    for k = 5, #rows - 1, 7 do
      local a, b = rows[k], rows[k + 1]
      for _, share in ipairs { 0, 0.5 } do
        local bytes = assert(made:frames(1, a.t + share * (b.t - a.t), a.t + share * (b.t - a.t), 1 / 30))
        local _, _, _, values, base = feed.read(bytes)
        assert(#values > 10 and base, "no base")
        worst = math.max(worst, math.abs(base[1] - a.x - share * (b.x - a.x)), math.abs(base[2] - a.y - share
          * (b.y - a.y)), math.abs(base[4] ^ 2 + base[5] ^ 2 + base[6] ^ 2 + base[7] ^ 2 - 1))
        seen = seen + 1
      end
    end
    print(worst < 1e-6 and seen > 4 and "good" or worst)
  ]]):format(store))
  t:has(harness.brio("lua", folder .. "/frames.lua").out, "good")
end)

test("a recorded run has its layers: who was seen, what was wanted, and what follows from the \z
  pose", function(t)
  local folder = t:folder()
  local store = folder .. "/k.db"
  t:code(harness.brio("run", "behaviors/kiosk.lua", "--clock", "fast", "--for", "8", "--quiet", "--store",
    store), 0)
  files.write(folder .. "/layers.lua", ([[
    local recorded, message = require "brio.studio.recorded", require "brio.studio.message"
    local made = assert(recorded.open(%q))
    for _, t in ipairs { 1, 7 } do
      print(message.text(assert(made:layers(1, t, "scene,goals,near,balance"))))
    end
    print(select(2, made:layers(1, 1, "clouds")))
  ]]):format(store))
  local lines = {}
  for line in harness.brio("lua", folder .. "/layers.lua").out:gmatch "[^\n]+" do lines[#lines + 1] = line end
  local before, greeting = cjson.decode(lines[1]), cjson.decode(lines[2])
  t:equal(#before.scene, 0, "nobody is seen after a second")
  local x, y = harness.sql(store, "SELECT x, y FROM sightings WHERE started <= 7 AND (ended IS NULL OR \z
    ended >= 7)")
    :match "([-%d.]+)[^-%d.]+([-%d.]+)"
  t:check(math.abs(greeting.scene[1].pose.position[1] - tonumber(x)) < 1e-9, "%s is stored", x)
  t:check(math.abs(greeting.scene[1].pose.position[2] - tonumber(y)) < 1e-9, "%s is stored", y)
  local goal = harness.sql(store, "SELECT goal FROM objective_values v JOIN objectives o ON o.run = v.run \z
    AND \z
    o.id = v.objective WHERE o.key = 'orientation_match(link=Head)' AND v.t <= 7 ORDER BY v.t DESC LIMIT 1")
  local found
  for _, one in ipairs(greeting.goals) do
    if one.key == "orientation_match(link=Head)" then found = one end
  end
  t:check(found and found.link == "Head" and found.form == "rotation", "the head's goal is drawn at the head")
  t:equal(found.goal[4], cjson.decode(goal:match "%b[]")[4])
  -- The pair that the run recorded as near is the nearest one, as far as it was.
  local a, b, distance = harness.sql(store,
    "SELECT a, b, distance FROM near_pairs WHERE started < 7 AND ended > 7")
    :match "(%a+)%A+(%a+)[^%d]+([%d.]+)"
  t:equal(greeting.near[1].a .. " " .. greeting.near[1].b, a .. " " .. b)
  t:check(math.abs(greeting.near[1].distance - tonumber(distance)) < 2e-3, "%g m, the least was %s",
    greeting.near[1].distance, distance)
  t:check(greeting.balance.com[3] > 0.3 and greeting.balance.com[3] < 0.6,
    "the center of mass is in the robot")
  t:has(lines[3], "a recorded run has no layer 'clouds'; it has scene, goals, near, balance, mind")
end)

test("a run becomes a page that needs nothing else, and whose texts are no markup", function(t)
  if not files.exists(harness.build .. "/studio/ui.js") then
    t:skip "the page's libraries are not there: make studio"
  end
  local folder, store = walked(t)
  harness.sql(store, "INSERT INTO annotations(run, tier, t0, label, coder, live) VALUES (1, 'note', 1, \z
    '</script><script>alert(1)</script><!--', 'ann', 0)")
  t:code(harness.brio("export", "1", "--as", "page", "--out", folder .. "/run.html", "--store", store), 0)
  local text = files.read(folder .. "/run.html")
  t:equal(select(2, text:gsub("<script", "")), 3, "import map, data, and the first import")
  t:equal(text:find("alert(1)</script>", 1, true), nil)
  t:equal(text:find(' src="', 1, true), nil, "nothing is fetched")
  t:check(text:find("default-src 'none'", 1, true) and not text:find("connect-src", 1, true), "its policy")
  local data = cjson.decode(text:match '<script type="application/json" id="run">(.-)</script>')
  t:equal(data.run.run, 1)
  t:equal(data.run.notes[1].label, "</script><script>alert(1)</script><!--")
  t:check(#data.frames > 1000 and data.model.name == "biped", "frames and the robot")
  -- Every module that a module names is there, by that name.
  local map = cjson.decode(text:match '<script type="importmap">(.-)</script>').imports
  local count = 0
  for name, address in pairs(map) do
    count = count + 1
    for other in address:gmatch '"(page/[%w_/]+%.js)"' do
      t:check(map[other], "%s imports %s, which is not there", name, other)
    end
    t:equal(address:find('"/page/', 1, true), nil, name)
  end
  t:check(count > 25, "%d modules", count)
end)

--- A run with its socket.
local function started(t, behavior, options)
  local folder = t:folder()
  files.write(folder .. "/it.lua", behavior)
  local run = { folder = folder, socket = folder .. "/x.sock", store = folder .. "/x.db" }
  run.process =
    harness.start(("%s run %s/it.lua --store %s --socket %s --quiet --rate 50 --motor-rate 100 %s")
    :format(brio, folder, run.store, run.socket, options or ""))
  harness.listening(run)
  harness.await_answer(run, "state", ", for")
  return run
end

local plain = [[
local brio = require "brio"
local made = brio.behavior "plain" { robot = "ur3e", start = "wait" }
made.wait = { wants = { brio.want.position_match { link = "tool0", goal = { 0.3, 0.1, 0.4 } } } }
return made
]]

test("layers are told when a viewer asks, each as it is in the run", function(t)
  local run = started(t, plain)
  harness.await_answer(run, "layers goals", "position_match")
  local made = cjson.decode(harness.say(run, "layers goals near gaze frames steps balance mind clouds").out)
  local goal = made.goals[1]
  t:equal(goal.form .. " " .. goal.link, "translation tool0")
  t:equal(table.concat(goal.goal, " "), "0.3 0.1 0.4")
  t:equal(#made.balance.com, 3)
  for _, name in ipairs { "near", "gaze", "frames", "steps", "clouds" } do
    t:check(made[name] ~= nil, "the layer %s", name)
  end
  t:has(harness.say(run, "layers gols").text, "did you mean")
  harness.say(run, "stop\nstop")
end)

test("a page's gamepad moves the inputs of the run's mapping, and is let go when it falls silent", function(t)
  local run = started(t, plain, "--gamepad standard")
  t:equal(cjson.decode(harness.say(run, "pad").out).panic[1], "BTN_MODE")
  harness.say(run, "pad ABS_X=1 ABS_Y=-1 BTN_SOUTH=1 ABS_Z=1")
  harness.await_answer(run, "input pad_south", "false")
  harness.say(run, "stop\nstop")
  harness.wait(run.process)
  -- What was held for one line was there, and was released after half a second of silence.
  local rows = harness.sql(run.store, "SELECT group_concat(name || '=' || value, ' ') FROM (SELECT name, \z
    value \z
    FROM inputs WHERE name IN ('pad_south', 'trigger_left', 'stick_left_x', 'stick_left_y') ORDER BY id)")
  for _, one in ipairs { "pad_south=true.*pad_south=false", "trigger_left=1.*trigger_left=0",
    "stick_left_x=1.*stick_left_x=0", "stick_left_y=1.*stick_left_y=0" } do
    t:check(rows:find(one), "%s, not %s", rows, one)
  end
  local other = started(t, plain)
  t:has(harness.say(other, "pad ABS_X=1").text, "--gamepad standard")
  harness.say(other, "stop\nstop")
end)

test("a mark is put, and taken back by its coder alone; what was marked live stays", function(t)
  local folder = t:folder()
  local store = folder .. "/m.db"
  files.write(folder .. "/it.lua", plain)
  t:code(harness.brio("run", folder .. "/it.lua", "--clock", "fast", "--for", "0.1", "--quiet", "--store",
    store), 0)
  harness.sql(store, "INSERT INTO annotations(run, tier, t0, label, coder, live) VALUES \z
    (1, 'note', 0, 'live', 'ann', 1)")
  files.write(folder .. "/marks.lua", ([[
    local marks, recorded = require "brio.studio.marks", require "brio.studio.recorded"
    local opened = assert(recorded.open(%q))
    local function put(mark, who)
      local number, coder = marks.put(opened, mark, who)
      return assert(number, coder), coder
    end
    local function refused(said, who) print(select(2, marks.take_back(opened, said, who))) end
    local one = put { run = 1, tier = "coding", t0 = 0, t1 = 1, label = "smiles", coder = "C1" }
    local same = put { run = 1, tier = "coding", t0 = 0, t1 = 1, label = "smiles", coder = "C1" }
    assert(same == one, "it is there once")
    local two = put { run = 1, tier = "coding", t0 = 0, t1 = 1, label = "smiles", coder = "C2" }
    local note, coder = put({ run = 1, tier = "note", t0 = 0.5, label = "own" }, "bob")
    local nobody = put { run = 1, tier = "note", t0 = 0.5, label = "nobody's" }
    assert(coder == "bob" and note ~= one and two ~= one)
    refused { run = 1, mark = two, coder = "C1" }
    refused({ run = 1, mark = note }, "eve")
    refused { run = 2, mark = one, coder = "C1" }
    refused({ run = 1, mark = 1 }, "ann")
    refused { run = 1, mark = "x" }
    refused "x"
    assert(marks.take_back(opened, { run = 1, mark = one, coder = "C1" }))
    assert(marks.take_back(opened, { run = 1, mark = note }, "bob"))
    assert(marks.take_back(opened, { run = 1, mark = nobody }))
    refused { run = 1, mark = one, coder = "C1" }
    local again = put { run = 1, tier = "coding", t0 = 0, t1 = 1, label = "smiles", coder = "C1" }
    assert(again > two, "a number is never given twice")
  ]]):format(store))
  local run = harness.brio("lua", folder .. "/marks.lua")
  t:code(run, 0)
  local numbers = "the numbers of a run and of its mark"
  local wanted = { "by its coder, C2", "by its coder, bob", "run 2 has no mark",
    "part of its record, and stays", numbers, numbers, "it was taken back" }
  local at = 0
  for line in run.out:gmatch "[^\n]+" do
    at = at + 1
    t:has(line, wanted[at])
  end
  t:equal(at, #wanted, run.text)
  local left = harness.sql(store, "SELECT group_concat(tier || ' ' || label || ' ' || coder, ', ') FROM \z
    (SELECT * FROM annotations ORDER BY id)")
  t:has(left, "note live ann, coding smiles C2, coding smiles C1")
end)

--- Run a script of Node.js with one of the page's modules, without its imports.
local function node(t, name, script, module)
  if harness.run("node --version").code ~= 0 then t:skip "Node.js is not installed" end
  local path = t:folder() .. "/" .. name
  files.write(path, script)
  return harness.run(("node %s %s"):format(files.quote(path), "lua/brio/studio/page/" .. module))
end

-- A browser that looks at a camera until it sees something, and says what.
local watcher = [[
const url = new URL(process.argv[3]), origin = url.origin;
const login = await fetch(origin + "/login", { method: "POST", body: JSON.stringify({ token: url.hash.slice(1) }),
  headers: { "Content-Type": "application/json", origin } });
const cookie = login.headers.get("set-cookie").split(";")[0];
const get = (name) => fetch(origin + "/api/picture?name=" + name, { headers: name === "out" ? {} : { cookie } });
console.log((await get("out")).status, (await get("ear")).status, await (await get("ear")).text());
for (;;) {
  const reply = await get("eye");
  if (reply.headers.get("content-type") === "image/jpeg") {
    const bytes = new Uint8Array(await reply.arrayBuffer());
    console.log(reply.headers.get("content-type"), bytes[0], bytes[1], bytes.length < 20000);
    break;
  }
  await new Promise((done) => setTimeout(done, 20));
}
process.exit(0);
]]

test("what a camera sees is shown to pages that ask, and past the run", function(t)
  if not files.exists(harness.build .. "/brio_camera") then t:skip "brio_camera was not built" end
  if not files.exists(harness.build .. "/studio/ui.js") then
    t:skip "the page's libraries are not there: make studio"
  end
  local folder = t:folder() .. "/pictures"
  harness.run("mkdir " .. files.quote(folder))
  for k = 1, 2 do
    files.write(("%s/%d.pgm"):format(folder, k), "P5 64 48 255\n" .. string.char(99 + k):rep(64 * 48))
  end
  local run = started(t, plain, ("--camera eye=folder:%s,again=true,rate=20"):format(folder))
  local studio = harness.start(("env XDG_STATE_HOME=%s/state %s studio %s --port 0 --no-browser")
    :format(run.folder, brio, run.socket))
  local url = harness.await_output(studio, "~http://127.0.0.1:%d+/#%x+"):match "http%S+"
  local seen = node(t, "watcher.mjs", watcher, "main.js " .. files.quote(url))
  t:has(seen.out, "403 422")
  t:has(seen.out, "the run shows no camera 'ear'")
  t:has(seen.out, "image/jpeg 255 216 true")
  harness.say(run, "stop\nstop")
  harness.wait(run.process)
end)

-- A studio with marks that have numbers, and the page's history of them.
local history = [[
import { readFileSync } from "node:fs";
const text = readFileSync(process.argv[2], "utf8");
const { Marks } = await import("data:text/javascript," + encodeURIComponent(text));
const stored = new Map();
let next = 1, fails = false;
async function ask({ mark, unmark }) {
  await null;
  if (fails) return { error: "no" };
  if (mark) {
    stored.set(next, { ...mark, coder: mark.coder ?? "ann" });
    return { mark: next++, coder: mark.coder ?? "ann" };
  }
  const one = stored.get(unmark.mark);
  if (!one || one.coder !== unmark.coder) return { error: "no such mark of this coder" };
  stored.delete(unmark.mark);
  return {};
}
const told = [];
const marks = new Marks(ask, (run, mark, there) => told.push((there ? "+" : "-") + mark.id));
const say = (...list) => console.log(...list, [...stored].map(([id, one]) => id + one.label).join(" "));
// Two at once are done one after the other.
say((await Promise.all([marks.put(1, { tier: "coding", t0: 1, label: "a", coder: "C1" }),
  marks.put(1, { tier: "note", t0: 2, label: "b" })])).join(""));
say(await marks.undo());
say(await marks.undo());
say(await marks.undo());
say(await marks.redo());
say(await marks.redo());
say(await marks.takeBack(1, { id: 3, tier: "coding", t0: 1, label: "a", coder: "C1" }));
say(await marks.undo());
say(await marks.undo(), await marks.undo());
fails = true;
say(await marks.redo());
fails = false;
say(await marks.redo());
say(await marks.put(2, { tier: "note", t0: 3, label: "c" }), marks.undone.length);
say(await marks.takeBack(2, { id: 99, coder: "ann" }), marks.done.length);
console.log(told.join(" "));
]]

test("a page undoes and redoes what it has marked, also after a mark has got another number", function(t)
  local run = node(t, "history.mjs", history, "marks.js")
  local lines = {}
  for line in run.out:gmatch "[^\n]+" do lines[#lines + 1] = line end
  t:equal(table.concat(lines, "|"), " 1a 2b| 1a| | | 3a| 3a 4b| 4b| 4b 5a|  |no | 6a| 0 6a 7c|\z
    no such mark of this coder 2 6a 7c|+1 +2 -2 -1 +3 +4 -3 +5 -4 -5 +6 +7", run.text)
end)

-- The page's module with a studio that fails twice: the newest moment is asked for again.
local retried = [[
import { readFileSync } from "node:fs";
const text = readFileSync(process.argv[2], "utf8").replace(/^import .*$/gm, "");
let asked = [], fails = 2;
globalThis.get = async (name, query) => {
  asked.push(query.t);
  if (fails-- > 0) throw new Error("busy");
  return { t: query.t };
};
const { Run } = await import("data:text/javascript," + encodeURIComponent(text));
const run = new Run({ run: 1, duration: 9 });
const taken = await new Promise((done) => {
  run.layersAt(1, ["scene"], done);
  run.layersAt(2, ["scene"], done);
});
console.log(asked.join(" "), taken.t);
process.exit(0);
]]

test("a page asks again for the layers of a recorded run after a fault", function(t)
  local run = node(t, "retried.mjs", retried, "recorded.js")
  t:equal(run.out:match "[^\n]*", "1 2 2 2", run.text)
end)

test("a layer that fails leaves the others whole", function(t)
  local script = t:folder() .. "/damaged.lua"
  files.write(script, [[
    local layers = require "brio.studio.recorded_layers"
    local db = { query = function() return nil, "no such table" end, rows = function() return nil end }
    local made = assert(layers.of({ db = db, run = 1, t = 1, posed = function() error("no robot", 0) end },
      "mind,balance"))
    print(made.mind and "mind", made.balance, made.faults.balance)
  ]])
  t:equal(harness.brio("lua", script).out, "mind\tnil\tno robot\n")
end)

harness.done()
