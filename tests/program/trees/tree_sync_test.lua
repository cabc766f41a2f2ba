--- Two people edit the tree of a run from programs of their own, over its socket; one of them leaves and
--- returns.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, files = harness.test, harness.files

local behavior = [[
local brio = require "brio"
local made = brio.behavior "made" { robot = "ur3e", start = "one" }
made.one = { tree = { "sequence", name = "top", { "wait", name = "a", seconds = 1000 }, { "wait", name = "b", seconds = 1 } } }
return made
]]

--- The work of each program: edits at once, and a wait until all is settled and `sees` holds.
local program = [[
local author = require "brio.tree.author"
local clients = require "brio.client"
local links = require "brio.tree.editing.channel"
local uv = require "luv"
local socket, who, wanted = ...
local refused = {}
local function connect()
  local client = assert(clients.connect(socket, { log = function() end, ended = function() end }))
  client:introduce(socket, { as = who })
  return client
end
local client = connect()
local link = links.new(client, "one", "p" .. uv.os_getpid(), who, {
  refused = function(_, why) refused[#refused + 1] = why end,
  refused_link = function(why) print("refused: " .. why) os.exit(1) end })
local function until_(what, done)
  local began = uv.now()
  while not done() do
    link:work(uv.now() / 1000)
    uv.run "nowait"
    uv.sleep(2)
    uv.update_time()
    if uv.now() - began > 200000 then print("waited 200 s for " .. what) os.exit(1) end
  end
end
until_("the tree", function() return link.edits.document end)
local edits, doc = link.edits, link.edits.document
assert(edits:edit(assert(author.insert(doc, { into = doc.root }, { "wait", name = "of " .. who }, edits:ids()))))
assert(edits:edit(assert(author.set(doc, doc:find(who == "ann" and "b" or "a"), "seconds", 13))))
link:work(uv.now() / 1000)
client:close() -- with what was sent or not
assert(edits:edit(assert(author.set(doc, doc:find("of " .. who), "seconds", 7))))
link:take(connect())
until_("the edits of both", function()
  local theirs = edits:settled() and edits.document:find("of " .. wanted)
  return theirs and edits.document.nodes[theirs].fields.seconds == 7
end)
local status = edits:status()
print(edits.document:count(), status.nodes == status.nodes_there, status.out_of_order, #refused, refused[1] or "")
print((edits.document:text():gsub("\n", " ")))
link.client:close()
]]

test("two people edit a tree at once over the prompt's socket, and see the same in the end", function(t)
  local folder = t:folder()
  local socket, store = folder .. "/x.sock", folder .. "/x.db"
  files.write(folder .. "/made.lua", behavior)
  files.write(folder .. "/program.lua", program)
  local run = { socket = socket }
  run.process = harness.start_brio("run", folder .. "/made.lua", "--socket", socket, "--store", store,
    "--quiet", "--rate", 50, "--motor-rate", 200) -- slow, for machines with much to do
  harness.listening(run)
  harness.await_answer(run, "state", "one, for")
  local ann = harness.start_brio("lua", folder .. "/program.lua", socket, "ann", "bob")
  local bob = harness.start_brio("lua", folder .. "/program.lua", socket, "bob", "ann")
  local code, said = harness.wait(ann)
  local other_code, other = harness.wait(bob)
  t:equal(code, 0, said)
  t:equal(other_code, 0, other)
  local first, second = said:match "\n(return[^\n]*)", other:match "\n(return[^\n]*)"
  t:equal(first, second)
  t:check(first and first:find("of ann", 1, true) and first:find("of bob", 1, true), "%s", said)
  t:check(said:find("^5%s+true%s+0") and other:find("^5%s+true%s+0"), "%s\n%s", said, other)
  local refused = tonumber(said:match "^5%s+true%s+0%s+(%d)") + tonumber(other:match "^5%s+true%s+0%s+(%d)")
  t:equal(refused, 0, "refused edits")
  harness.ended(run)
  t:equal(harness.sql(store, "SELECT count(DISTINCT json_extract(data, '$.who')) FROM events WHERE name = \z
    'tree_edited'"), "2")
end)

harness.done()
