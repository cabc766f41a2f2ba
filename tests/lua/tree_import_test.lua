--- Trees of other programs: each generation and form in small, real files where they are at hand, and bad ones.
local clip = require "brio.clip"
local imports = require "brio.tree_import"
local ordered = require "brio.ordered"
local trees = require "brio.tree"

--- Load a text; `files` are those beside it, by path.
local function load(text, file, files)
  return imports.load(text, file or "t", function(path) return files and files[path] end)
end

--- What is printed of a text's trees, without what the original says in <...>.
local function printed(text, file, files)
  local loaded, why = load(text, file, files)
  if not loaded then return why end
  local out = {}
  for _, tree in ipairs(loaded.trees) do
    local made, faults = trees.compile(tree.form)
    out[#out + 1] = tree.name .. "\n" .. (made and trees.print(made) or faults[1].message)
  end
  return (table.concat(out, "\n"):gsub(",?  ?<[^\n]*>", ""):gsub(" +\n", "\n"))
end

local function slurp(path)
  local file = io.open(path, "rb")
  local text = file and file:read "a"
  if file then file:close() end
  return text
end

test("the first generation is a list of actions, one after the other", function(t)
  t:equal(printed [[{"name": "door", "actions": [{"type": "RDXHandPoseAction", "m00": 1.0}, {"type": "RDXHandConfigurationAction"}]}]],
    "door\n   1  sequence 'door'\n   2    foreign 'RDXHandPoseAction'\n   3    foreign 'RDXHandConfigurationAction'")
end)

test("older actions say whether the next begins with them, whatever they are called", function(t)
  local text = [[{"type": "ActionSequenceDefinition", "description": "D", "children": [
    {"type": "HandPoseActionDefinition", "description": "H", "executeWithNextAction": true},
    {"type": "HandPoseActionDefinition", "description": "H", "executeWithNextAction": false},
    {"type": "HandPoseActionDefinition", "description": "H", "executeWithNextAction": true},
    {"type": "HandPoseActionDefinition", "description": "H"},
    {"type": "WaitActionDefinition", "description": "W", "waitDuration": 9.97e-20}]}]]
  t:equal(printed(text), [[
D
   1  sequence 'D'
   2    foreign 'H'
   3    foreign 'H (2)'  after beginning (waits for nothing)
   4    foreign 'H'
   5    foreign 'H'  after H (2) (waits for 3)
   6    wait 'W'  seconds 9.97e-20 s]])
end)

test("the newest generation waits by name, and what cannot be found cannot run", function(t)
  local text = [[{"type": "BehaviorTreeRootNodeDefinition", "name": "R", "children": [
    {"type": "CheckpointNodeDefinition", "name": "C", "notes": ""},
    {"type": "FallbackNodeDefinition", "name": "F", "children": [
      {"type": "ConditionNodeDefinition", "name": "N", "conditionType": "COUNTER", "countTo": 3, "executeAfterAction": "Beginning"},
      {"type": "ConditionNodeDefinition", "name": "no", "conditionType": "ALWAYS_FAIL"},
      {"type": "GotoNodeDefinition", "name": "G", "nodeToGoto": "C"}]},
    {"type": "ConditionNodeDefinition", "name": "P", "conditionType": "PROXIMITY"},
    {"type": "GotoNodeDefinition", "name": "self", "nodeToGoto": "self"},
    {"type": "GotoNodeDefinition", "name": "on"},
    {"type": "WaitActionDefinition", "name": "W", "executeAfterAction": "C", "notes": "short"},
    {"type": "WaitActionDefinition", "name": "X", "executeAfterAction": "later"},
    {"type": "MimicActionDefinition", "name": "later", "children": [{"type": "WaitActionDefinition", "waitDuration": 1e400}]}]}]]
  local out = printed(text)
  for _, line in ipairs { "2    checkpoint 'C'", "3    fallback 'F'", "4      counter 'N'  limit 3", "5      catch: fail 'no'",
    "6      catch: goto 'G'  to 2 C", "7    foreign 'P'", "8    foreign 'self'", "9    goto 'on'  to next", "wait 'W'  seconds 4 s, after C (waits for 2)",
    "foreign 'X'", "sequence 'later'", "foreign 'later'" } do
    t:ok(out:find(line, 1, true), "%s\nis not in\n%s", line, out)
  end
end)

test("children that are files are found from the folder of trees, and a circle is refused", function(t)
  local root = '{"type": "ActionSequenceDefinition", "name": "a/b.json", "children": [{"file": "c.json"}, {"file": "gone.json"}]}'
  local leaf = '{"type": "ActionSequenceDefinition", "name": "c.json", "children": [{"type": "WaitActionDefinition"}]}'
  local out = printed(root, "x/a/b.json", { ["x/a/../c.json"] = leaf })
  t:match(out, "3      wait")
  t:match(out, "foreign 'gone.json'")
  t:match(printed(root, "x/a/b.json", { ["x/a/../c.json"] = root }), "c.json:1: 'c.json' includes itself")
end)

test("BehaviorTree.CPP: what is the same here runs, in the words of versions 3 and 4", function(t)
  local text = [[<root main_tree_to_execute="M"><BehaviorTree ID="S"><Sleep msec="250"/></BehaviorTree><BehaviorTree ID="M">
  <Control ID="Sequence" name="top">
    <Parallel success_threshold="-1"><AlwaysSuccess/><Action ID="Grip"/></Parallel>
    <RetryUntilSuccesful num_attempts="-1"><Inverter><AlwaysFailure/></Inverter></RetryUntilSuccesful>
    <Repeat num_cycles="{n}"><SubTreePlus ID="S" __autoremap="true"/></Repeat>
    <ForceSuccess><Timeout msec="1500"><SubTree ID="gone"/></Timeout></ForceSuccess>
    <SequenceStar><ReactiveFallback/></SequenceStar>
    <ReactiveSequence _while="a && b"><AlwaysSuccess/></ReactiveSequence>
  </Control></BehaviorTree><TreeNodesModel><Action ID="Grip"/></TreeNodesModel></root>]]
  t:equal(printed(text), [[
M
   1  sequence 'top'
   2    parallel 'Parallel'  successes 2, failures 1
   3      succeed 'AlwaysSuccess'
   4      foreign 'Grip'
   5    retry 'RetryUntilSuccesful'  times 0
   6      invert 'Inverter'
   7        fail 'AlwaysFailure'
   8    sequence 'Repeat'
   9      foreign 'Repeat'
  10      subtree 'S'
  11        wait 'Sleep'  seconds 0.25 s
  12    selector 'ForceSuccess'
  13      timeout 'Timeout'  seconds 1.5 s
  14        foreign 'gone'
  15      succeed
  16    sequence 'SequenceStar'
  17      foreign 'SequenceStar'
  18      reactive_selector 'ReactiveFallback'
  19    sequence 'ReactiveSequence'
  20      foreign '_while'
  21      reactive_sequence 'ReactiveSequence'
  22        succeed 'AlwaysSuccess']])
end)

test("files that include each other are read once; a tree inside itself is refused", function(t)
  local main = '<root BTCPP_format="4"><include path="d/x.xml"/><BehaviorTree ID="M"><SubTree ID="X"/></BehaviorTree></root>'
  local inner = '<root><include path="../m.xml"/><BehaviorTree ID="X"><SubTree ID="%s"/></BehaviorTree></root>'
  t:match(printed(main, "m.xml", { ["d/x.xml"] = inner:format "Y" }), "2    foreign 'Y'")
  t:match(printed(main, "m.xml", { ["d/x.xml"] = inner:format "M" }), "d/x.xml:1: the tree 'M' is inside itself")
end)

test("trees that multiply are refused before they fill the memory", function(t)
  local parts = { "<root>" }
  for i = 1, 40 do
    parts[#parts + 1] = ('<BehaviorTree ID="%d"><Sequence><SubTree ID="%d"/><SubTree ID="%d"/></Sequence></BehaviorTree>'):format(i, i + 1, i + 1)
  end
  t:match(printed(table.concat(parts) .. "</root>"), "t:1: more than 100000 nodes")
end)

test("a step that is not known here fails with its name when it is reached", function(t)
  local loaded = load '<root><BehaviorTree ID="M"><Sequence><AlwaysSuccess/><SpinAround turns="2"/></Sequence></BehaviorTree></root>'
  local running = trees.begin(trees.compile(loaded.trees[1].form), { call = function(fn, ...) return fn(nil, ...) end })
  local status, name, why = running:work(0)
  t:equal(status, "failure")
  t:equal(name, "SpinAround")
  t:match(why, "'SpinAround' is not known here")
end)

test("what is saved has all that was there, in its order", function(t)
  local xml = '<?xml version="1.0"?>\n<!-- a && b --><root z="1" a="&lt;&#65;"><BehaviorTree ID=\'q"q\'><!-- c --><X f="a && b < 3">'
    .. '<Y>text</Y></X></BehaviorTree></root>'
  local saved = imports.write(load(xml))
  t:equal(saved, [[
<?xml version="1.0"?>
<!-- a && b -->
<root z="1" a="&lt;&#65;">
  <BehaviorTree ID='q"q'>
    <!-- c -->
    <X f="a &amp;&amp; b &lt; 3">
      <Y>text</Y>
    </X>
  </BehaviorTree>
</root>
]])
  t:equal(imports.write { format = require "brio.tree_import.btcpp", document = ordered.xml(saved, "t") }, saved)
  local json = '{"type": "XDefinition", "b": [], "a" :1.50, "c": {"\\u00e9": "\\"[{,", "d": [true, null, -0.0]}, "a": 1e-400}'
  saved = imports.write(load(json))
  t:equal((saved:gsub("%s", "")), (json:gsub("%s", "")))
end)

test("bad files are refused with file and place", function(t)
  for text, expected in pairs {
    ["<root><BehaviorTree>"] = "t:1:%d+: the XML is cut off", ["<root a='\xff'/>"] = "t: not UTF%-8: the byte at offset 9 is 0xFF",
    ["<root/>"] = "t: no <BehaviorTree>", [""] = "t: no tree that is known here",
    ["<!DOCTYPE root><root/>"] = "document type", ["<root>" .. ("<a>"):rep(1000)] = "more than 64 deep",
    ['<root><BehaviorTree ID="a"><A/><B/></BehaviorTree></root>'] = "t:1: the tree 'a' has 2 nodes at its top",
    ['<root><BehaviorTree ID="a"/>\n<BehaviorTree ID="a"/></root>'] = "t:2: a second tree 'a'",
    ['{"type": "ADefinition", '] = "t: no JSON: .*character", ['{"type": "ADefinition",\n "name": 5}'] = "t:2: 'name' is a number, expected a text",
    ['{"type": "ADefinition", "children": 7}'] = "'children' is a number, expected a list",
    ['{"type": "ADefinition", "children": [3]}'] = "a node is a number, expected an object",
    ['{"type": "ADefinition", "children": [{"file": 4}]}'] = "'file' is a number", ['{"actions": ' .. ("["):rep(1000)] = "too many nested",
  } do
    local loaded, why = load(text)
    t:ok(not loaded and why:match(expected), "%s: %s", text:sub(1, 60), why)
  end
end)

test("no cut of a file, and no byte in it, is more than a sentence", function(t)
  local texts = { '<root a="1"><!-- c --><BehaviorTree ID="M"><Sequence><Sleep msec="5"/></Sequence></BehaviorTree></root>',
    '{"type": "GotoNodeDefinition", "name": "a", "children": [{"type": "WaitActionDefinition", "waitDuration": 2.5, "name": "\\u0041"}]}' }
  for _, text in ipairs(texts) do
    for at = 1, #text do
      for _, other in ipairs { "", '"', "<", "[", "&", "\0" } do
        local changed = other == "" and text:sub(1, at) or text:sub(1, at - 1) .. other .. text:sub(at + 1)
        local loaded, why = load(changed)
        t:ok(loaded or type(why) == "string", "%s", changed)
        if loaded then for _, tree in ipairs(loaded.trees) do trees.compile(tree.form) end end
      end
    end
  end
end)

--- Without blanks, and with elements that are empty written in one way.
local function bare(text)
  return (text:gsub("%s", ""):gsub("&&", "&amp;&amp;"):gsub("<([%w_]+)([^<]*)></%1>", "<%1%2/>"))
end

test("all real files at hand are read, printed and saved with all that is in them", function(t)
  local shared, seen = (os.getenv "BRIO_SHARED" or "../shared") .. "/data/", 0
  for _, folder in ipairs { "ihmc_behaviors/", "btcpp_trees/" } do
    for line in (slurp(shared .. folder .. "MANIFEST.tsv") or ""):gmatch "[^\n]+" do
      local path = shared .. folder .. line:match "^[^\t]+"
      local text = slurp(path)
      if text and imports.find(text) then
        local loaded, why = imports.load(text, path, slurp)
        t:ok(loaded, "%s", why)
        for _, tree in ipairs(loaded and loaded.trees or {}) do
          local made, faults = trees.compile(tree.form)
          t:ok(made and #trees.print(made) > 0, "%s: %s", path, faults[1] and faults[1].message)
        end
        if loaded then t:ok(bare(imports.write(loaded)) == bare(text), "%s is saved otherwise", path) end
        seen = seen + 1
      elseif text then
        t:ok(path:match "ffordance" or path:match "Extra", "%s is not known", path)
      end
    end
  end
  if seen == 0 then return t:skip "no shared data" end
  t:ok(seen >= 89, "only %d files", seen)
end)

test("a fault of ours is not taken for a bad file", function(t)
  local good, why = pcall(imports.load, '<root><include path="x"/></root>', "t", function() error "ours" end)
  t:ok(not good and clip.failure(why) == nil and tostring(why):match "ours", tostring(why))
end)
