--- The drawing of `brio tree --live`: it fits every window, shows reasons of failures also without colors,
--- and unusual numbers and texts do not break it.
local pieces = require "brio.terminal.styled"
local window = require "brio.terminal.tree_window"

--- A snapshot like the answer of prompt/trees.lua, of `count` nodes.
local function view_of(count, first, fields)
  local made = { behavior = "/some/where/door.lua", robot = "pepper", state = "opening", now = 12.34,
    nodes = count, first = first,
    automatic = true, concurrent = true, coming = { 4 }, running = {}, leaves = {}, breaks = {}, changed = {},
      why = {}, e = {},
    s = "", count = 7, version = 1 }
  local letters = {}
  for number = first, math.min(count, first + 60) do
    letters[#letters + 1] = ("rsfp."):sub(number % 5 + 1, number % 5 + 1)
    made.e[#made.e + 1] = number % 5 == 4 and -1 or number * 10
    if number % 5 == 2 then
      made.why[#made.why + 1] = { number, "it slipped, again and again, and nobody was there to see it" }
    end
  end
  made.s = table.concat(letters)
  for key, value in pairs(fields or {}) do made[key] = value end
  return made
end

local function rows_of(count)
  local rows = {}
  for number = 1, count do
    rows[number] = { number % 30, ("action 'node %d'"):format(number), "after beginning (waits for nothing)",
      1 }
  end
  return rows
end

local function drawn(view, rows, width, height, options)
  local all = { width = width, height = height, first = view and view.first or 1, chosen = 3,
    keys = "q quits", log = {}, link = { rate = 30, count = 7, disorder = 0 } }
  for key, value in pairs(options or {}) do all[key] = value end
  local lines, shown = window.draw(view, rows, all)
  local texts = {}
  for index, line in ipairs(lines) do texts[index] = pieces.text(line, all.colored) end
  return texts, shown, table.concat(texts, "\n")
end

local running = { { n = 3, name = "turn the knob", runs = true, e = 31, nominal = 2, error = 0.021,
  tolerance = 0.01, unit = "m" },
  { n = 9, name = "hand", runs = true, e = 250, nominal = 2, paused = true, stops = 1.5,
    text = "load 0.20" } }

test("fits every window", function(t)
  local log = { { text = ("x"):rep(300), level = "info" }, { text = "y", level = "error" },
    { text = "z", level = "warning" } }
  for _, count in ipairs { 1, 7, 50, 1000 } do
    for _, fields in ipairs { {}, { running = running, held = "ann", unsaved = true, breaks = { 2, 3 },
        changed = { 3 } },
      { ended = "failure", failed = { n = 2, name = ("long "):rep(60), why = ("why "):rep(60) } } } do
      local view = view_of(count, count > 20 and 11 or 1, fields)
      for width = 20, 200, 15 do
        for height = 6, 60, 6 do
          local texts, shown = drawn(view, rows_of(math.min(count, 100)), width, height,
            { log = log, colored = false })
          if #texts > height then t:fail("%d lines in a window of %d x %d", #texts, width, height) end
          if shown < 1 then t:fail("no node in a window of %d x %d", width, height) end
          for _, text in ipairs(texts) do
            if utf8.len(text) > width then
              t:fail("%d characters in a window of %d x %d: %s", utf8.len(text), width, height, text)
            end
          end
        end
      end
    end
  end
end)

test("what runs, what comes, what failed and why is said in words", function(t)
  local view = view_of(12, 1, { running = running, held = "ann",
    leaves = { { n = 4, name = "near", value = 0.52, unit = "m" } },
    ended = "failure", automatic = false, failed = { n = 2, name = "grip", why = "it slipped" } })
  local _, _, text = drawn(view, rows_of(12), 120, 30, { ascii = true })
  t:match(text, "door.lua on pepper   opening   12.3 s   failed   in charge: ann")
  t:match(text, "next 4 node 4   1%-12 of 12   30 Hz   updates 7 here, 7 there, out of order 0")
  t:match(text, "\n +2 +x +action 'node 2' +it slipped, again")
  t:match(text, "\n +4 > +action 'node 4' +after beginning")
  t:match(text, "\n%* 3 turn the knob   0.31 of 2 s ##%.%.%.%.%.%.%.%.   error 0.021 of 0.01 m\n")
  t:match(text, "\n= 9 hand   2.50 of 2 s ##########   paused   stops in 1.5 s   load 0.20\n")
  t:match(text, "\n> 4 near   now 0.52 m\n")
  t:match(text, "\nx 2 grip failed: it slipped\n")
  t:match(drawn(nil, {}, 80, 24, { status = { text = "no tree runs", style = "bad" } })[1],
    "^brio tree  no tree runs")
  t:match(select(3, drawn(view, rows_of(12), 80, 24, { typed = "tree set 3 seconds ", ascii = true })),
    "tree set 3 seconds _$")
end)

test("odd numbers, texts and gaps do not break it", function(t)
  local odd = { n = 3, name = "a\27[2Jb\nc", runs = true, e = 1e15, nominal = 1e-300, error = 1e300,
    tolerance = -1, value = -0.0, unit = ("u"):rep(200), text = "\xff\xfe" }
  local view = view_of(5, 1, { running = { odd, odd, odd, odd, odd, odd }, coming = {}, state = "x\27y",
    held = "\7" })
  for _, rows in ipairs { {}, { [2] = { 0, "\27]0;", "\n", 1 } } } do
    local texts = drawn(view, rows, 60, 20)
    for _, text in ipairs(texts) do
      t:ok(not text:find "[%z\1-\31\127]", "a control character in %q", text)
    end
  end
end)
