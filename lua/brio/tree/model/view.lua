--- The state of a running tree as plain data, which live views request repeatedly.
---
--- The cost of an answer depends on the requested rows and on the running nodes, not on the size of the
--- tree. Descriptions of nodes (rows) are sent on request; the state of a node is a letter in `s` and, in
--- hundredths of a second, a number in `e`.
local store = require "brio.store"
local trees = require "brio.tree.model.tree"

local view = {}

--- An answer is a line of at most 65536 bytes: maximum numbers of nodes with their state, of nodes with
--- their description or reason of failure, of running leaves, and maximum length of a text, bytes.
view.most_nodes, view.most_rows, view.most_running, view.longest = 300, 40, 4, 120

local letters = { idle = ".", running = "r", success = "s", failure = "f" }

local function cut(text)
  if text == nil then return nil end
  text = tostring(text)
  if text:find "[%c\127]" then text = text:gsub("[%c\127]", " ") end
  if #text <= view.longest then return text end
  return text:sub(1, view.longest):gsub("[\128-\255]+$", "") .. "..."
end

local function finite(value)
  return type(value) == "number" and value == value and math.abs(value) < math.huge and value or nil
end

local function hundredths(seconds) return math.floor(math.min(seconds, 1e12) * 100 + 0.5) end

local nothing = {}

--- State of a running or coming leaf: its time, and its progress.
local function leaf_of(tree, number, now)
  local record = tree.compiled.list[number]
  local status, elapsed = tree.nodes:status(number)
  local said = tree:progress(number) or nothing
  local stops = tree:stops_at(number)
  return {
    n = number, name = cut(record.name), runs = status == "running" or nil,
    e = status == "running" and hundredths(elapsed) or nil,
      nominal = finite(said.nominal) or finite(tree:nominal(number)),
    value = finite(said.value), error = finite(said.error), tolerance = finite(said.tolerance),
      unit = cut(said.unit),
    text = cut(said.text), paused = tree:is_held(number), stops = stops and stops - now or nil,
  }
end

--- The running leaves, without outer ones.
local function running_leaves(tree, now)
  local list = {}
  for _, number in ipairs(tree.nodes:running()) do
    if #list == view.most_running then break end
    if trees.kinds[tree.compiled.list[number].is].leaf then list[#list + 1] = leaf_of(tree, number, now) end
  end
  return list
end

--- Coming nodes, with the current progress of conditions and other leaves.
local function coming_of(tree, now)
  local numbers, leaves = {}, {}
  for _, number in ipairs(tree:coming()) do
    if #numbers == view.most_running then break end
    numbers[#numbers + 1] = number
    if #leaves < 2 and tree:progress(number) then leaves[#leaves + 1] = leaf_of(tree, number, now) end
  end
  return numbers, leaves
end

--- States of the rows of a window.
local function add_window(made, tree, first, last)
  local words, times, breaks = {}, {}, {}
  made.why = {}
  for number = first, last do
    local status, elapsed, why = tree.nodes:status(number)
    local place = number - first + 1
    words[place] = status == "running" and tree:is_held(number) and "p" or letters[status]
    times[place] = status == "idle" and -1 or hundredths(elapsed)
    if status == "failure" and why and #made.why < view.most_rows then
      made.why[#made.why + 1] = { number, cut(why) }
    end
    if made.held and tree.charge:breaks_at(tree, number) then breaks[#breaks + 1] = number end
  end
  made.s, made.e, made.breaks, made.why = table.concat(words), store.array(times), store.array(breaks),
    store.array(made.why)
end

--- Descriptions of the nodes of a window.
local function rows_of(tree, first, last)
  local rows = {}
  for number = first, last do
    local depth, name, said = trees.row(tree.compiled, number)
    rows[#rows + 1] = { depth, cut(name), cut(said), trees.kinds[tree.compiled.list[number].is].leaf and 1
      or 0 }
  end
  return store.array(rows)
end

--- The state of a tree at time `now`: in words, and of each of `count` nodes from `first` on; with `rows`
--- also their descriptions.
function view.snapshot(tree, now, first, count, rows)
  local list, charge = tree.compiled.list, tree.charge
  first = math.max(1, math.min(first, #list))
  local last = math.min(#list, first + math.min(count, view.most_nodes) - 1)
  local made = {
    nodes = #list, version = charge:version(tree.compiled), first = first, held = charge.held,
      concurrent = charge.concurrent,
    automatic = tree.nodes:automatic(), ended = tree.ended or tree.over, status = tree.nodes:status(1),
    running = store.array(running_leaves(tree, now)),
  }
  if rows then made.rows = rows_of(tree, math.max(1, rows), math.min(last, rows + view.most_rows - 1)) end
  local coming, leaves = coming_of(tree, now)
  made.coming, made.leaves = store.array(coming), store.array(leaves)
  if made.ended == "failure" then
    local name, why, number = tree:failure()
    made.failed = { n = number, name = cut(name), why = cut(why) }
  end
  add_window(made, tree, first, last)
  return made
end

-- As text for the prompt ------------------------------------------------------------------------------------

local marks = { [false] = " ", r = "*", p = "=", s = "+", f = "x", ["."] = " " }

--- The state of a tree in one word.
function view.mode(tree)
  local charge = tree.charge
  local ended = tree.ended or tree.over
  local mode = ended == "failure" and "failed, waits" or ended == "success" and "at its end"
    or tree.nodes:automatic() and "automatic" or "waits for a step"
  return mode .. (charge.concurrent and "" or ", one at a time")
    .. (charge.held and ", in charge: " .. charge.held or "")
end

local function seconds_text(elapsed, nominal)
  return nominal and ("%.2f of %g s"):format(elapsed, nominal) or ("%.2f s"):format(elapsed)
end

--- Progress of a leaf, in words; "" if unknown.
function view.progress_text(said)
  local unit = said.unit and said.unit ~= "" and " " .. said.unit or ""
  local words = {}
  if said.value then words[#words + 1] = ("now %.4g%s"):format(said.value, unit) end
  if said.error then
    words[#words + 1] = said.tolerance and ("error %.3g of %.3g%s"):format(said.error, said.tolerance, unit)
      or ("error %.3g%s"):format(said.error, unit)
  end
  if said.text then words[#words + 1] = said.text end
  return table.concat(words, ", ")
end

--- State of a node, in words; "" if it has not begun.
function view.standing(tree, number, now)
  local status, elapsed, why = tree.nodes:status(number)
  if status == "idle" then return view.progress_text(tree:progress(number) or nothing) end
  local nominal = tree:nominal(number)
  if status == "success" then return seconds_text(elapsed) end
  if status == "failure" then
    return ("failed after %.2f s%s"):format(elapsed, why and ": " .. cut(why) or "")
  end
  local said = view.progress_text(tree:progress(number) or {})
  return seconds_text(elapsed, nominal) .. (tree:is_held(number) and ", paused" or "")
    .. (tree:stops_at(number) and (", stops in %.1f s"):format(math.max(0, tree:stops_at(number) - now))
      or "")
    .. (said ~= "" and ", " .. said or "")
end

--- Maximum number of lines of a printed tree.
view.most_lines = 250

--- First printed node of a part: a few before the first that runs or comes next.
local function first_shown(tree, count)
  local first = tree:coming()[1] or 1
  for number = 1, #tree.compiled.list do
    if trees.kinds[tree.compiled.list[number].is].leaf and tree:runs(number) then
      first = number
      break
    end
  end
  return math.max(1, math.min(first - count // 5, #tree.compiled.list - count + 1))
end

--- One node's line.
local function line_of(tree, number, now, comes)
  local leaf = trees.kinds[tree.compiled.list[number].is].leaf
  local depth, name, said = trees.row(tree.compiled, number)
  local status = tree.nodes:status(number)
  local stands = (leaf or status == "failure") and view.standing(tree, number, now) or ""
  local mark = tree:is_held(number) and status == "running" and "=" or marks[letters[status]]
  return (("%4d%s%s%s %s%s%s%s"):format(number, tree.charge:breaks_at(tree, number) and "!" or " ",
    comes and ">" or " ", mark, ("  "):rep(depth), cut(name), said ~= "" and "  " .. cut(said) or "",
    stands ~= "" and "  [" .. stands .. "]" or ""):gsub("%s+$", ""))
end

--- The tree as text, a line for each node: `>` comes next, `*` runs, `=` is held, `+` has succeeded, `x`
--- has failed, `!` is a breakpoint.  Of a large tree, the part around the running nodes, or from the node
--- `from` on.
function view.text(tree, now, from)
  local count, comes = #tree.compiled.list, {}
  for _, number in ipairs(tree:coming()) do comes[number] = true end
  local first = from or count > view.most_lines and first_shown(tree, view.most_lines) or 1
  local last = math.min(count, first + view.most_lines - 1)
  local part = ""
  if last - first + 1 < count then
    part = (", nodes %d to %d of %d: tree print NODE shows others"):format(first, last, count)
  end
  local lines = { ("%s: %s%s"):format(tree.site.name or "tree", view.mode(tree), part) }
  for number = first, last do lines[#lines + 1] = line_of(tree, number, now, comes[number]) end
  return table.concat(lines, "\n")
end

return view
