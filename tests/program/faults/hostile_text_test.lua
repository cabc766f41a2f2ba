--- Malicious text: escape sequences, other control characters, invalid UTF-8.  No command prints it to a
--- terminal unescaped, and other programs can read every row.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local pty = require "pty"
local test, brio, files = harness.test, harness.brio, harness.files

local folder = files.temporary()
local store = folder .. "/runs.db"

--- It clears the screen, sets the title, colors by a C1 control, reverses the writing direction, and is
--- invalid UTF-8.
local hostile = "a\27[2Jb\27]0;owned\7c\u{9b}31md\127\re\u{202e}f\xff\xc3g"

--- The part of a text that would control a terminal; nil: there is none.
local function steers(text)
  return text:match "[%z\1-\8\11-\31\127]" or text:match "\u{9b}" or text:match "\u{202e}"
    or not utf8.len(text) and "no UTF-8"
end

--- Fail where a command prints such a part.
local function harmless(t, run, what)
  local found = steers(run.text)
  if found then t:fail("%s lets %q through: %q", what, found, run.text:sub(1, 600)) end
end

--- The stock SQL programs' text with the hostile text in it.
local function as_sql(text)
  local digits = text:gsub(".", function(byte) return ("%02x"):format(byte:byte()) end)
  return ("CAST(x'%s' AS TEXT)"):format(digits)
end

test("what a behavior says is recorded as UTF-8, and its file byte for byte", function(t)
  local file = folder .. "/loud.lua"
  files.write(file, ([[
local brio = require "brio"
local b = brio.behavior "loud" { robot = "panda", start = "one" } -- %s
b.one = { enter = function(self)
  self:emit(%q, { said = %q })
  self:log(%q)
end }
return b
]]):format("\xff", hostile, hostile, hostile))
  local run = brio("run", file, "--clock", "fast", "--for", "0.2", "--store", store)
  t:code(run, 0)
  harmless(t, run, "run")
  for _, query in ipairs { "SELECT name || data FROM events WHERE name GLOB '*owned*'",
    "SELECT text FROM logs WHERE text GLOB '*owned*'",
    "SELECT source FROM versions WHERE name GLOB '*loud.lua'" } do
    local text, why = harness.sql(store, query)
    t:check(text and text ~= "" and utf8.len(text), "%s: %s", query, tostring(text or why))
  end
  local bytes = files.read(file)
  local hash = harness.sql(store, "SELECT hash FROM versions WHERE name GLOB '*loud.lua'")
  files.write(file, "-- another text\n" .. bytes)
  run = brio("rollback", file, hash, "--store", store)
  t:code(run, 0)
  harmless(t, run, "rollback")
  t:check(files.read(file) == bytes, "the file that is taken back is another one")
  t:code(brio("replay", "1", "--store", store), 0)
end)

--- Columns that hold a person's text, and what else they hold.
local columns = { "notes.text", "events.name", "faults.message", "faults.detail", "operator.who",
  "operator.arguments", "logs.text", "logs.source", "states.state", "dofs.name", "runs.behavior",
    "runs.robot",
  "runs.reason", "versions.name",
  "run_versions.name", "activations.name", "annotations.label", "sources.name" }

--- Commands that print from a store; RUN stands for its run.
local printing = {
  { "history" }, { "history", "--json" }, { "history", "versions" }, { "history", "tree" },
  { "at", "1", "0.1" }, { "at", "1", "0.1", "--json" },
  { "search", "owned" }, { "search", "owned", "--json" }, { "compare", "1", "1" }, { "plot", "1" },
  { "timeline", "1" }, { "sql", "SELECT * FROM notes, events, faults, runs" },
  { "sql", "SELECT * FROM notes, runs", "--json" }, { "sql", hostile }, { "quality", "1" }, { "replay", "1" },
  { "profile", "1" }, { "export", "1", "--list" }, { "diff", "0", "1" }, { "ask" },
  { "study", "status", hostile },
  { "prune", "--older", hostile }, { "merge", folder .. "/" .. hostile }, { "keep", hostile },
}

test("no command that reads a store prints what steers a terminal", function(t)
  local list = { "INSERT INTO notes(run, id, t, text) VALUES(1, 1, 0.1, 'x');",
    "INSERT INTO faults(run, id, tick, t, severity, source, message)"
      .. " VALUES(1, 1, 20, 0.1, 'error', 'x', 'x');",
    "INSERT INTO operator(run, id, tick, t, who, command) VALUES(1, 1, 20, 0.1, 'x', 'note');",
    "INSERT INTO annotations(run, tier, t0, label, live) VALUES(1, 'x', 0.1, 'x', 1);" }
  for _, place in ipairs(columns) do
    local name, column = place:match "^(.*)%.(.*)$"
    list[#list + 1] = ("UPDATE OR IGNORE %s SET %s = %s;"):format(name, column, as_sql(hostile))
  end
  for _, statement in ipairs(list) do
    local done, why = harness.sql(store, statement)
    t:check(done, "%s: %s", statement, tostring(why))
  end
  for _, words in ipairs(printing) do
    local all = table.move(words, 1, #words, 1, {})
    table.move({ "--store", store, { cwd = folder } }, 1, 3, #all + 1, all)
    harmless(t, brio(table.unpack(all)), "brio " .. table.concat(words, " "):gsub("%c", "?"))
  end
  local shown = brio("history", "--run", "1", "--store", store)
  t:code(shown, 0)
  t:has(shown.out, "a\\27[2Jb\\27]0;owned\\7c\\u{9b}31md\\127\\13e\\u{202e}f\\255\\195g")
  local exact = brio("sql", "SELECT text FROM notes", "--csv", "--store", store)
  t:has(exact.out, "b\27]0;owned\7c") -- data for programs, byte by byte
end)

test("every command repeats a hostile word without harm", function(t)
  local there = { cwd = folder } -- some make files
  for _, path in ipairs(files.lines("ls " .. harness.root .. "/lua/brio/commands")) do
    local name = path:gsub("%.lua$", "")
    harmless(t, brio(name, hostile, "--store", store, there), "brio " .. name)
    harmless(t, brio(name, folder .. "/" .. hostile .. ".lua", hostile, there), "brio " .. name)
  end
  harmless(t, brio(hostile), "brio")
  harmless(t, brio("run", "--" .. hostile), "brio run")
end)

test("at a terminal data for programs are filtered, too", function(t)
  if not pty.is_here() then t:skip "no script(1) here" end
  for _, words in ipairs { "history --run 1", "sql 'SELECT text FROM notes' --csv", "at 1 0.1", "plot 1" } do
    local command = ("%s %s --store %s; echo OVER"):format(harness.program, words, files.quote(store))
    local one = pty.start(command, { folder = folder })
    one:sees "OVER"
    t:has(one.log, "owned")
    local found = steers(one.log:gsub("\r\n", "\n"))
    if found then t:fail("%s lets %q through: %q", words, found, one.log:sub(1, 600)) end
    one:close()
  end
end)

test("a line that is no UTF-8 is refused at the door, and what is said is shown without harm", function(t)
  local socket = folder .. "/s.sock"
  local run = harness.listening { socket = socket, process = harness.start_brio("run", folder .. "/loud.lua",
    "--socket", socket, "--store", folder .. "/live.db", "--quiet") }
  local function raw(line)
    local said = harness.run { ([[python3 -c 'import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.sendall(sys.stdin.buffer.read())
print(s.makefile().readline())' %s]]):format(files.quote(socket)), input = line .. "\n" }
    return said.text
  end
  t:has(raw '{"id":1,"line":"note \xff bad"}', "line must be UTF-8: byte 6 of it, 0xff, is not")
  t:has(raw '{"id":2,"line":"note \\u001b[2J \\u009b31m \\u202e owned"}', "noted")
  harness.await_row(folder .. "/live.db", "SELECT count(*) = 1 FROM notes")
  local said = harness.say(run, "sql SELECT text FROM notes\nnote " .. hostile .. "\nwho\n" .. hostile)
  harmless(t, said, "attach")
  t:has(said.out, "owned")
  harness.ended(run)
  local noted = harness.sql(folder .. "/live.db", "SELECT group_concat(text) FROM notes")
  t:check(noted and utf8.len(noted), "the notes are no UTF-8")
end)

files.remove(folder)
harness.done()
