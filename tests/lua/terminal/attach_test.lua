--- The prompt's terminal without a terminal: keys, line editing, widths, the palette, and a screen that
--- random keys and log lines cannot break.
package.path = "tests/lib/?.lua;" .. package.path
local binding = require "brio.terminal.attach.binding"
local edit = require "brio.terminal.attach.edit"
local footer = require "brio.terminal.attach.footer"
local keys = require "brio.terminal.attach.keys"
local palette = require "brio.terminal.attach.palette"
local panel = require "brio.terminal.attach.panel"
local random = require "brio.random"
local screen = require "screen"
local terminal = require "brio.terminal.attach.terminal"
local uv = require "luv"
local widths = require "brio.terminal.attach.widths"

--- The keys of bytes that arrive in pieces of `size`.
local function keys_of(bytes, size)
  local made, list = keys.new(), {}
  local function take(name, text) list[#list + 1] = name == "paste" and "paste " .. text or name end
  for at = 1, #bytes, size do made:feed(bytes:sub(at, at + size - 1), take) end
  made:late(take)
  return table.concat(list, " ")
end

test("keys have the names that terminals mean, in whatever pieces they come", function(t)

     local bytes = "a \27[A\27OA\27[1;5C\27[1;3D\27OP\27[15~\27[[B\27[3~\27x\1"
    .. "\r\n\t\127\8\0\27\127\27[200~x\ny\27[201~\u{E9}\u{1F600}\27[Z\27[999~\27\27[Bz"
  local names = "a space up up ctrl-right alt-left f1 f5 f2 delete alt-x ctrl-a enter enter tab backspace \z
    backspace ctrl-space "
    .. "alt-backspace paste x\ny \u{E9} \u{1F600} back-tab escape down z"
  for size = 1, 7 do t:equal(keys_of(bytes, size), names, "in pieces of " .. size) end
  t:equal(keys_of("\27", 1), "escape")
  t:equal(keys_of("\27[", 1), "escape [")
  t:equal(keys_of("\255\128a\194", 4), "a")
  t:equal(keys_of("\27[200~" .. ("x"):rep(70000), 70006), "paste " .. ("x"):rep(70000),
    "a paste that never ends")
end)

test("characters take the columns that terminals give them", function(t)
  local cases = { { "abc", 3 }, { "e\u{301}", 1 }, { "\u{65E5}\u{672C}", 4 }, { "\u{1F600}", 2 },
    { "a\u{200D}b", 2 }, { "\1", 2 }, { "\255", 1 },
    { "\u{AC00}", 2 }, { "\u{E9}\u{2500}", 2 }, { "\u{301}", 1 }, { "", 0 } }
  for _, case in ipairs(cases) do t:equal(widths.width(case[1]), case[2], ("width of %q"):format(case[1])) end
  t:equal({ widths.cut("\u{65E5}\u{672C}x", 3) }, { "\u{65E5}", 2 })
  t:equal({ widths.cut("e\u{301}x", 1) }, { "e\u{301}", 1 })
end)

--- A line after some keys, and the last request that they made.
local function edited(line, names)
  local made, what = edit.new(), nil
  made:remember "first line"
  made:remember "second"
  made:insert(line)
  for _, name in ipairs(names) do
    what = made:key(name, #name == 1 and name or name == "space" and " " or "")
  end
  return made.text, made.cursor, what
end

test("a line is edited as in other shells", function(t)
  t:equal({ edited("abc def", { "home", "x", "end", "y" }) }, { "xabc defy", 9 })
  t:equal({ edited("abc def", { "alt-b", "ctrl-k" }) }, { "abc ", 4 })
  t:equal({ edited("abc def", { "ctrl-w", "ctrl-y", "ctrl-y" }) }, { "abc defdef", 10 })
  t:equal({ edited("ae\u{301}\u{65E5}b", { "left", "backspace", "backspace" }) }, { "ab", 1 })
  t:equal({ edited("e\u{301}b", { "ctrl-a", "delete" }) }, { "b", 0 })
  t:equal({ edited("", { "up", "up", "down" }) }, { "second", 6 })
  t:equal({ edited("kept", { "up", "down" }) }, { "kept", 4 })
  t:equal({ edited("", { "up", "up", "up" }) }, { "first line", 10, "bell" })
  t:equal({ edited("", { "ctrl-r", "l", "i", "enter" }) }, { "first line", 10, "line" })
  t:equal({ edited("a b", { "ctrl-r", "s", "backspace", "escape" }) }, { "a b", 3 })
  t:equal({ edited("", { "ctrl-d" }) }, { "", 0, "end" })
  t:equal({ edited("x", { "tab" }) }, { "x", 1, "complete" })
  t:equal({ edited("x", { "f9", "alt-q" }) }, { "x", 1 })
  local made = edit.new()
  t:ok(not made:insert(("x"):rep(70000)), "a line has an end")
  made:insert "\u{65E5}\u{672C}\u{8A9E}"
  t:equal({ made:layout("> ", 5) }, { { "> \u{65E5}", "\u{672C}\u{8A9E}", }, 2, 4 })
end)

test("what fits best stands on top of the palette", function(t)
  local rows = { { "play", "play wave", "", nil }, { "state", "go greet", "", nil },
    { "word", "weight", "set the weight", true },
    { "look", "look at ann", "person", nil }, { "event", "emit greeting", "", nil } }
  local function top(query)
    local made = palette.new(rows)
    for character in query:gmatch "." do made:key(character == " " and "space" or character, character) end
    return made.found[1] and made.found[1].row[2], made
  end
  t:equal((top "gogr"), "go greet")
  t:equal((top "greeting"), "emit greeting")
  t:equal((top "wave"), "play wave")
  t:equal((top "la ann"), "look at ann")
  t:equal((top "person"), "look at ann")
  t:equal((top "WEI"), "weight")
  local none, made = top "zzz"
  t:ok(none == nil and made:key("enter", "") == "close")
  made = select(2, top "wei")
  t:equal({ made:key("enter", "") }, { "insert", rows[3] })
  made = select(2, top "go")
  t:equal({ made:key("enter", "") }, { "act", rows[2] })
  t:equal(#made:lines(2), 1)
end)

local view = { t = 10, state = "calm", since = 3, leaves = {}, coming = {}, plays = { "nod" },
  says = "\u{65E5}\27[31m", waits = 1,
  looks = "ann", nexts = { { to = "idle", at = 15 }, { to = "gone", event = "left" } },
    owners = { { part = "head", who = "bob", share = 1 } },
  troubles = { "disarmed" }, faults = 2, fault = "a fault", recorded = true, lost = 0, waiting = 9,
    queue = { { "#1", "in 3.0 s", "hush" } },
  bound = { "n" }, session = { name = "visit", phase = "steps", of = 3, step = "one", index = 1, begun = 4,
    text = ("long "):rep(40),
    expected = { "say hello", "say ..." }, other = "play x",
      keys = { { "f1", "hush" }, { "y", "answer y", "-> two" } },
      next = "two" } }

test("the panel keeps to its place, whatever it has to say", function(t)
  for width = 10, 120, 23 do
    for height = 0, 9 do
      local lines = panel.lines(view, { width = width, height = height, glyphs = panel.glyphs.utf8,
        passed = 1.5, latency = 0.004 })
      t:ok(#lines <= height, "%d lines in %d", #lines, height)
      for _, line in ipairs(lines) do
        local text = panel.text(line, width, {})
        t:ok(widths.width(text) <= width, "'%s' is wider than %d", text, width)
      end
    end
  end
  local all = {}
  for _, line in ipairs(panel.lines(view,
      { width = 200, height = 20, glyphs = panel.glyphs.ascii, passed = 1.5,
    latency = 0.004 })) do
    all[#all + 1] = panel.text(line, 200, {})
  end
  local text = table.concat(all, "\n")
  for _, piece in ipairs { "1/3 one | 0:07 | -> two", "4.0 ms", "expects say hello | say ...   not: play x",
    "answer  y -> two", "keys    f1 hush",
    "#1 in 2 s: hush | 8 more", "calm 0:08 | plays nod", "in 4 s -> idle | left -> gone", "head: bob",
    "disarmed | 2 faults, last: a fault" } do
    t:ok(text:find(piece, 1, true), "'%s' is not in:\n%s", piece, text)
  end
  t:equal(binding.find(view, "n"), { "n", "key n" })
  t:equal(binding.find(view, "y")[2], "answer y")
  t:equal(binding.expected(view), "say hello")
  t:match(binding.list(view), "f1 +hush")
end)

--- A prompt at a screen, with a run that answers everything at once.
local function prompt_at(width, height)
  local made, on = screen.new(width, height, true), {}
  local now = 0
  local device = { forgets = true, colored = true, write = function(_, bytes) made:write(bytes) end,
    size = function() return made.width, made.height end,
      seconds = function() now = now + 0.001 return now end }
  local client = { ask = function(_, fields, answered)
    if fields.complete then return answered { candidates = { "one", "once" }, length = 0 } end
    if fields.line == "desk find" then
      return answered { text = '[["play","play nod",""],["word","say","",true]]' }
    end
    answered { text = fields.line and "said " .. #fields.line or "" }
  end }
  return terminal.begin(client, device, on, { behavior = "b", robot = "r" }), made, on
end

--- The expected bottom rows: those of the typed line.
local function is_whole(t, session, made)
  if session.mode == "find" then return end
  local prompts = { type = session.lines.begun and "  ... " or "brio> ", keys = "keys> ", word = "word> ",
    ask = "say this line? y or n> " }
  local prompt = prompts[session.mode]
  local shown = session.mode == "ask" and session.query or session.edit
  local rows, row, column = shown:layout(prompt, made.width - 1)
  if #rows > made.height - 2 then return end
  local first = made.y - row + 1
  for index, text in ipairs(rows) do
    t:equal(made:line(math.max(1, first + index - 1)), (text:gsub(" +$", "")), "a row of the line")
  end
  t:equal(made.x, column + 1, "the cursor's column")
end

test("random keys, lines of the log and views leave the line whole", function(t)
  local stream = random.stream(11, "keys")
  local soak = (tonumber(os.getenv "BRIO_TEST_SCALE") or 1) > 1
  local pieces = { "y", "n", "a", "b ", "word", "\27[A", "\27[B", "\27[C", "\27[D", "\1", "\5", "\11", "\23",
    "\25", "\127", "\t", "\18", "\r", "\27", "\15",
    "e\u{301}", "\u{65E5}\u{672C}", "\27[200~x\ny\27[201~", "\27[3~", "\27b", "\3", "?", ":", "\255", "\27[9",
      ("long "):rep(30), "\12" }
  for round = 1, soak and 200 or 2 do
    local session, made, on = prompt_at(30 + stream:whole(60), 8 + stream:whole(24))
    on.desk(view)
    for _ = 1, 120 do
      session:feed(pieces[stream:whole(#pieces)])
      if stream:whole(4) == 1 then session:late() end
      if stream:whole(5) == 1 then on.log(
          ("a line of the log %d \27[2J\7"):format(stream:whole(1e6)):rep(stream:whole(3)),
        "info") end
      if stream:whole(9) == 1 then on.desk(view) end
      if session.left then break end
      is_whole(t, session, made)
    end
    t:equal(#made.unknown, 0, "unknown control sequences, round " .. round)
    for _, handle in ipairs(session.handles) do handle:close() end
    uv.run "nowait"
  end
end)

test("a key acts at once, letters that follow each other quickly are a word", function(t)
  local now, said = 0, {}
  local session, made, on = prompt_at(80, 24)
  session.device.seconds = function() return now end
  function session.client.ask(_, fields, answered)
    said[#said + 1] = fields.panic and "PANIC" or fields.line
    if fields.line ~= "desk find" then answered { text = "" } end -- that one has no answer
  end
  local function press(letters, gap)
    for letter in letters:gmatch "." do
      session:feed(letter)
      if letter == "\27" then session:late() end
      now = now + gap
    end
    local list = table.concat(said, ", ")
    said = {}
    return list
  end
  on.desk { t = 0, plays = {}, leaves = {}, nexts = {}, owners = {}, troubles = {}, faults = 0, lost = 0,
    queue = {}, waiting = 0,
    session = { name = "s", phase = "steps", of = 2, keys = { { "g", "play nod" }, { "o", "hush" } },
      step = "a", index = 1, begun = 0 }, bound = {} }
  press("\27", 1)
  t:equal(press("go", 0.4), "play nod, hush", "keys one by one")
  t:equal(press("ggg", 0.1), "play nod, play nod, play nod", "the same key again and again")
  now = now + 1
  t:equal(press("gog", 0.1), "play nod, undo play nod", "the first of a word acts, and is taken back")
  t:equal({ session.mode, session.edit.text }, { "word", "gog" })
  press("go \r", 0.1)
  t:equal(session.mode, "ask")
  t:match(made:text(), "say this line%? y or n>")
  t:equal(press("oy", 0.1), "", "a y among other letters is no answer")
  now = now + 1
  t:equal(press("y", 1), "goggo ")
  t:equal(session.mode, "keys")
  t:equal(press(" g", 0.1), "step next", "the second letter waits")
  session:late()
  t:equal(press("", 1), "play nod", "and acts where no third comes")
  t:equal(press("og\r", 0.1), "hush, undo hush", "a line's end ends a word, too")
  press("\27", 1)
  t:equal(press("panic\r", 0.4):match "PANIC$", "PANIC", "spelled slowly")
  t:equal(press("panic\r", 0.1):match "PANIC$", "PANIC", "and quickly")
  t:equal(press("/gP", 1), "desk find, PANIC", "keys wait for the palette, the panic stop does not")
  t:equal(press("\3\27o", 1), "hush", "Ctrl-C drops what waits")
  for _, handle in ipairs(session.handles) do handle:close() end
  uv.run "nowait"
end)

test("the panic stop waits for no search, palette or paste, and says when it has no answer", function(t)
  local said, answers = {}, true
  local session, made = prompt_at(100, 24)
  function session.client.ask(_, fields, answered)
    said[#said + 1] = fields.panic and "PANIC" or fields.line
    if fields.line == "desk find" then return answered { text = '[["word","panic",""]]' } end
    if answers then answered { text = "" } end
  end
  local function says(bytes)
    session:feed(bytes)
    session:late()
    local list = table.concat(said, ", ")
    said = {}
    return list
  end
  session.edit:remember "say do not panic"
  t:equal(says "\18panic\r", "panic", "in a search that finds another line")
  t:equal(says "\15panic\r", "desk find, PANIC", "in the palette")
  t:equal(says " PANIC!\r", "panic", "in capitals")
  t:equal(says "say do not panic\r", "say do not panic", "a line with the word in it")
  session:feed "\27[200~note a\r"
  t:equal(says "panic\r", "PANIC", "in a paste without an end")
  t:equal(session.mode, "ask", "the paste itself is asked about")
  session:feed "note b\rno\27[201~"
  t:equal({ table.concat(session.question.lines, ", "), session.mode }, { "note a, panic, note b", "ask" },
    "what comes of it later")
  session:feed "\27"
  session:late()
  t:equal(says "go x\r", "go x", "and keys are heard again")
  session:feed "\27[200~note a"
  session:late()
  t:equal(says "b\rnote c\r", "", "the rest of a paste that came in pieces is not run")
  t:equal(table.concat(session.question.lines, ", "), "note ab, note c")
  session:feed "\27"
  session:late()
  answers = false
  for _, bytes in ipairs { "\3panic\r", "\27", "P" } do
    session:feed(bytes)
    session:late()
  end
  while select(2, made:text():gsub("NOT CONFIRMED", "")) < 2 do uv.run "once" end
  t:equal(table.concat(said, ", "), "panic, PANIC")
  for _, handle in ipairs(session.handles) do handle:close() end
  uv.run "nowait"
end)

test("at a dumb terminal the line is written anew below what is printed", function(t)
  local out = {}
  local dumb = footer.dumb(function(bytes) out[#out + 1] = bytes end)
  dumb:draw({ "> " }, 1, 2)
  dumb:draw({ "> ab" }, 1, 4)
  dumb:draw({ "> ab" }, 1, 3)
  dumb:print "said"
  dumb:draw({ "> a" }, 1, 3)
  t:equal(table.concat(out), "> ab\b\r\nsaid\r\n> ab\bb\b \b")
end)
