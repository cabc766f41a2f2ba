--- The word `tree` of the prompt: a person's actions on a running behavior tree.
---
--- `tree` alone prints it; the words after it are rows of the table below:
---
---   name, usage, summary     for people: `tree help` and docs/trees/live.md are made of them
---   run(at, rest)            executes it; `at` is {prompt, host, request, state, name, compiled, tree,
---                            site}: the state that is meant with its tree, compiled and running; and
---                            tell(sentence), to everybody.  Returns the answer, or nil and why
---   changes                  it is recorded; a function of `rest` if that depends on it
---   takes                    the kind of its argument, for completion: "node", "kind" or a list of words
---   free                     it needs no running tree
---   edits                    the same, but a state with a tree
local behavior = require "brio.behavior.define"
local edits = require "brio.operator.prompt.tree_edits"
local find = require "brio.tree.execution.find"
local pretty = require "brio.lib.pretty"
local suggest = require "brio.lib.suggest"
local tree_kinds = require("brio.tree.model.tree").kinds
local trees_view = require "brio.tree.model.view"

local trees = {}

-- Which tree ------------------------------------------------------------------------------------------------

--- The running trees, outer states first: a list of {name, tree, state}.
function trees.running(host)
  local list = {}
  if host.top then
    host.top:each_outer_first(function(active)
      if active.tree then
        list[#list + 1] = { name = active.state.path, tree = active.tree, state = active.state }
      end
    end)
  end
  return list
end

local function names_of(list)
  local names = {}
  for index, item in ipairs(list) do names[index] = item.name end
  return names
end

--- The tree that is meant, by its state's name, or without a name if there is only one.  Return {name, tree},
--- or nil and why.
function trees.which(host, name)
  local list = trees.running(host)
  if #list == 0 then return nil, "no tree runs: the state that the behavior is in has none" end
  if not name then
    if #list == 1 then return list[1] end
    return nil, ("%d trees run: say which, as in tree in %s: %s"):format(#list, list[1].name,
      table.concat(names_of(list), ", "))
  end
  for _, item in ipairs(list) do
    if item.name == name or item.name:match "[^.]*$" == name then return item end
  end
  return nil, ("no tree runs in a state '%s'%s: there are %s"):format(name,
    suggest.hint(name, names_of(list)), table.concat(names_of(list), ", "))
end

--- The node that is meant; for words about running nodes, a running one.  Return its number, or nil and why.
local function node_of(at, text, runs)
  return find.node(at.compiled, text, runs and function(number) return at.tree:runs(number) end or nil)
end

local function named(at, number) return ("%d %s"):format(number, at.compiled.list[number].name) end

--- The person takes control, if nobody has; returns an addition to the answer.
local function take(at)
  local charge = at.host.charge
  if charge.held then return "" end
  charge:take(at.request.who)
  return "; you are in charge: after a failure and at its end it waits for you, until `tree hold off`"
end

local function switch(rest, now)
  if rest == "" then return not now end
  if rest == "on" or rest == "off" then return rest == "on" end
  return nil, ("say on or off, not '%s'"):format(rest)
end

local switches = { "on", "off" }

-- Modes -----------------------------------------------------------------------------------------------------

local function hold(at, rest)
  local charge = at.host.charge
  local on, why = switch(rest, charge.held ~= nil)
  if on == nil then return nil, why end
  if on then
    if charge.held then return charge.held .. " is in charge already" end
    charge:take(at.request.who)
    return "you are in charge: after a failure and at its end a tree waits for you, until `tree hold off`"
  end
  if not charge.held then return "nobody was in charge" end
  local list = {}
  for index, item in ipairs(trees.running(at.host)) do list[index] = item.tree end
  charge:give(list)
  return "trees run by themselves again, and their ends are the behavior's; breakpoints are gone"
end

--- For all trees: modes are the run's, and also apply to trees that begin later.
local function auto(at, rest)
  local list, charge = trees.running(at.host), at.host.charge
  local is_on = charge.automatic
  if list[1] then is_on = list[1].tree.nodes:automatic() end
  local on, why = switch(rest, is_on)
  if on == nil then return nil, why end
  local more = take(at)
  charge.automatic = on
  for _, item in ipairs(list) do item.tree:automatic(on) end
  return (on and "automatic: it goes on by itself" or "automatic is off: `tree step` lets the next begin")
    .. more
end

local function coming_text(at)
  local words = {}
  for _, number in ipairs(at.tree:coming()) do words[#words + 1] = named(at, number) end
  return #words > 0 and table.concat(words, ", ") or "nothing, it is at its end"
end

local function step(at)
  local what, more = coming_text(at), take(at)
  if at.tree.nodes:automatic() then at.tree:automatic(false) end
  at.host.charge.automatic = false
  at.tree:step()
  return "begins: " .. what .. more
end

local function set_next(at, rest)
  if rest == "" then return "next: " .. coming_text(at) end
  local number, why = node_of(at, rest)
  if not number then return nil, why end
  local more = take(at)
  local good
  good, why = at.tree:set_next(number)
  if not good then return nil, why end
  return "next: " .. coming_text(at) .. (at.tree.nodes:automatic() and ""
    or "; `tree step` or `tree auto on` begins it") .. more
end

local function concurrency(at, rest)
  local on, why = switch(rest, at.host.charge.concurrent)
  if on == nil then return nil, why end
  at.host.charge.concurrent = on
  for _, item in ipairs(trees.running(at.host)) do item.tree.nodes:concurrency(on) end
  return on and "what may run at once does" or "one after the other: nothing runs at once"
end

--- The tree that is meant, or a stand-in while it is not running.
local function tree_of(at) return at.tree or { site = { name = at.name }, compiled = at.compiled } end

local function list_breaks(at)
  local words = {}
  for number in ipairs(at.compiled.list) do
    if at.host.charge:breaks_at(tree_of(at), number) then words[#words + 1] = named(at, number) end
  end
  return #words > 0 and "breakpoints: " .. table.concat(words, ", ") or "there are no breakpoints"
end

local function set_break(at, rest)
  if rest == "" then return list_breaks(at) end
  local text = rest:match "^(.-)%s+off$"
  local number, why = node_of(at, text or rest)
  if not number then return nil, why end
  local more = text and "" or take(at)
  number, why = at.host.charge:set_break(tree_of(at), number, not text)
  if not number then return nil, why end
  return (text and "no breakpoint any more at %s%s" or "it stops before %s%s"):format(named(at, number), more)
end

-- Running nodes ---------------------------------------------------------------------------------------------

local function pausing(on, said)
  return function(at, rest)
    local number, why = node_of(at, rest, true)
    if not number then return nil, why end
    local good
    good, why = at.tree:pause(number, on)
    if not good then return nil, why end
    return ("%s: %s"):format(named(at, number), said)
  end
end

local function stop(at, rest)
  local text, seconds = rest:match "^(.-)%s+in%s+([%d.]+)%s*s?$"
  local delay = tonumber(seconds or 0)
  if not delay or delay > 3600 then return nil, "say in how many seconds, up to 3600" end
  local number, why = node_of(at, text or rest, true)
  if not number then return nil, why end
  local good
  good, why = at.tree:stop(number, delay)
  if not good then return nil, why end
  return delay > 0 and ("%s ends in %g s, as failed"):format(named(at, number), delay)
    or named(at, number) .. " ends, as failed"
end

local function reset(at)
  local more = take(at)
  at.tree:automatic(false)
  at.host.charge.automatic = false
  at.tree:reset()
  return "failures are forgotten, and nothing runs; next: " .. coming_text(at) .. more
end

-- Views -----------------------------------------------------------------------------------------------------

local function print_tree(at, rest)
  local number, why
  if rest ~= "" then
    number, why = node_of(at, rest)
    if not number then return nil, why end
  end
  return trees_view.text(at.tree, at.host.now, number)
end

--- Fields of a node that are set elsewhere.
local elsewhere = { kind = true, name = true, children = true, id = true }

local function show(at, rest)
  local number, why = node_of(at, rest, true)
  if not number then return nil, why end
  local compiled = at.tree.compiled
  local record, lines = compiled.list[number], {}
  lines[1] = ("%d %s '%s', id %d"):format(number, record.is, record.name, record.id)
  local status, stands = at.tree.nodes:status(number), trees_view.standing(at.tree, number, at.host.now)
  lines[2] = "  " .. (status == "idle" and "not begun" or status) .. (stands ~= "" and ", " .. stands or "")
  for _, key in ipairs(suggest.keys(record.values)) do
    local value = record.values[key]
    if not elsewhere[key] and type(value) ~= "function" then
      lines[#lines + 1] = ("  %s = %s"):format(key, pretty.line(value))
    end
  end
  return table.concat(lines, "\n")
end

--- Its status, for programs.  The answer includes the number of requests, so that both sides can count.
local function view(at, rest)
  local first, count, rows = rest:match "^(%d+)%s+(%d+)%s*(%d*)$"
  first, count, rows = tonumber(first), tonumber(count), tonumber(rows)
  if not first or first > 1e9 or count > 1e9 then
    return nil, "say tree view FIRST COUNT, or tree view FIRST COUNT ROWS-FROM"
  end
  local made = trees_view.snapshot(at.tree, at.host.now, first, count, rows)
  made.state, made.now, made.hold = at.name, at.host.now, at.host.held_since ~= nil or nil
  if rows then made.behavior, made.robot = at.prompt.run.loaded.file, at.prompt.run.description.name end
  made.count = at.host.charge:count(at.request.client)
  edits.mark(at.host, at.name, made)
  return { tree = made }
end

local function help(_, rest)
  local lines = {}
  for _, row in ipairs(trees.list) do
    if rest == "" or row.name == rest then
      lines[#lines + 1] = ("  tree %-28s %s"):format(row.usage, row.summary)
    end
  end
  if #lines > 0 then return table.concat(lines, "\n") end
  return nil, ("tree has no word '%s'%s"):format(rest, suggest.hint(rest, suggest.keys(trees.by_name)))
end

trees.list = {
  { name = "help", usage = "help [WORD]", summary = "list the words of `tree`, or explain one", free = true,
    run = help },
  { name = "print", usage = "[print [NODE]]", takes = "node",
    summary = "print the tree: next (>), running (*), succeeded (+), failed (x) with the reason; a large \z
      tree: its running nodes, or from NODE on",
    run = print_tree },
  { name = "show", usage = "show NODE", summary = "print everything about a node", takes = "node",
    run = show },
  { name = "hold", usage = "hold [on|off]", free = true, takes = switches, changes = true, run = hold,
    summary = "take control of trees: after a failure and at its end a tree waits for you; off: give it \z
      back to the behavior" },
  { name = "auto", usage = "auto [on|off]", summary = "whether leaves start by themselves", takes = switches,
    changes = true, free = true, run = auto },
  { name = "step", usage = "step", summary = "start the next concurrent set", changes = true,
    run = step },
  { name = "next", usage = "next [NODE]", summary = "show the next node, or set it, also backwards",
    takes = "node",
    run = set_next, changes = function(rest) return rest ~= "" end },
  { name = "concurrency", usage = "concurrency [on|off]", summary = "off: one leaf at a time",
    takes = switches, changes = true, free = true, run = concurrency },
  { name = "break", usage = "break [NODE [off]]", summary = "set or remove a breakpoint before a node; \z
    alone: list them",
    takes = "node", edits = true, changes = function(rest) return rest ~= "" end, run = set_break },
  { name = "pause", usage = "pause NODE", summary = "pause a running node: its time stands still",
    takes = "node", changes = true, run = pausing(true, "paused") },
  { name = "resume", usage = "resume NODE", summary = "continue a paused node", takes = "node",
    changes = true,
    run = pausing(false, "goes on") },
  { name = "stop", usage = "stop NODE [in SECONDS]",
    summary = "stop a running node as failed, now or later", takes = "node",
    changes = true, run = stop },
  { name = "reset", usage = "reset", summary = "stop all running nodes and clear failures; the next node \z
    stays",
    changes = true, run = reset },
  { name = "view", usage = "view FIRST COUNT [FROM]",
    summary = "status and nodes as JSON, for programs such as `brio tree --live`",
    run = view },
}

--- The words that edit a tree, by name.
local is_edit = {}

for _, row in ipairs(edits.list) do
  table.insert(trees.list, #trees.list, row)
  is_edit[row.name] = true
end

trees.by_name = {}
for _, row in ipairs(trees.list) do trees.by_name[row.name] = row end

-- A line ----------------------------------------------------------------------------------------------------

--- Parse a line: its word, the rest, and the state named by `in STATE` before it.
local function read(rest)
  local state, more = rest:match "^in%s+(%S+)%s*(.*)$"
  if state then rest = more end
  local name, behind = rest:match "^(%S+)%s*(.-)%s*$"
  return name or "print", behind or "", state
end

--- The state of that name, with a tree that is not running.
local function resting(host, name)
  local found
  behavior.each_state(host.machine, function(state)
    if state.tree and (state.path == name or state.name == name) then found = found or state end
  end)
  return found
end

--- Functions of words: see the table above.
local function place_of(prompt, request, row, name)
  local at = { prompt = prompt, host = prompt.run.host, request = request }
  function at.tell(sentence) prompt.run:tell("info", sentence) end
  if row.free then return at end
  local found, why = trees.which(at.host, name)
  local state = not found and row.edits and name and resting(at.host, name)
  if not found and not state then return nil, why end
  if state then
    at.state, at.name, at.compiled = state, state.path, state.tree
  else
    at.tree, at.name, at.state, at.site = found.tree, found.name, found.state, found.tree.site
    at.compiled = found.tree.compiled
  end
  return at
end

--- tree [in STATE] [WORD ...]
function trees.run(prompt, rest, request)
  local name, behind, state = read(rest)
  local row = trees.by_name[name]
  if not row then
    return nil, ("tree has no word '%s'%s; `tree help` lists them"):format(name,
      suggest.hint(name, suggest.keys(trees.by_name)))
  end
  local at, why = place_of(prompt, request, row, state)
  if not at then return nil, why end
  return row.run(at, behind)
end

--- capture [in STATE] NODE
function trees.capture(prompt, rest, request)
  local state, node = rest:match "^in%s+(%S+)%s+(.*)$"
  local at, why = place_of(prompt, request, {}, state)
  if not at then return nil, why end
  return edits.capture(at, node or rest)
end

--- Whether a line changes anything.
function trees.changes(rest)
  local name, behind = read(rest)
  local row = trees.by_name[name]
  local changes = row and row.changes
  if type(changes) == "function" then return changes(behind) end
  return changes == true
end

--- Number of nodes above which a tree is edited in the slack.
trees.large = 1000

--- Whether a line is executed in the slack: an edit of a large tree, or any edit while one is waiting.
function trees.aside(prompt, rest)
  local name, _, state = read(rest)
  local row, host = trees.by_name[name], prompt.run.host
  if not row or not row.edits or not is_edit[name] then return false end
  if host.aside and not host.aside:is_empty() then return true end
  local at = trees.changes(rest) and place_of(prompt, {}, row, state)
  return at and #at.compiled.list > trees.large
end

--- Roles for a line: editing a tree is for authors.
function trees.role(rest)
  return is_edit[read(rest)] and "author" or trees.changes(rest) and "wizard" or "observer"
end

--- Completions after `tree` at the end of `rest`.  Return the candidates and the number of bytes that they
--- replace.
function trees.complete(run, rest)
  local where = rest:match "^in%s+(%S*)$"
  if where then return names_of(trees.running(run.host)), #where end
  local state, argument = rest:match "^in%s+(%S+)%s+(.*)$"
  argument = argument or rest
  local word, text = argument:match "^(%S+)%s+(.*)$"
  if not word then
    local names = suggest.keys(trees.by_name)
    names[#names + 1] = "in"
    return names, #argument
  end
  local row = trees.by_name[word]
  if not row then return {}, 0 end
  if type(row.takes) == "table" then return row.takes, #text end
  if row.takes == "kind" then return suggest.keys(tree_kinds), #text end
  local found = row.takes == "node" and trees.which(run.host, state)
  if not found then return {}, 0 end
  local names = {}
  for index, record in ipairs(found.tree.compiled.list) do names[index] = record.name end
  return names, #text
end

--- The same after `capture`.
function trees.complete_node(run, rest)
  local names, length = trees.complete(run, "show " .. rest)
  return names, length
end

return trees
