--- `brio ask`: questionnaires at the terminal, with answers in the run store, and their scores.
local cli = require "brio.terminal.cli"
local clock = require "brio.clock"
local interview = require "brio.study.questionnaires.interview"
local output = require "brio.terminal.output"
local panel = require "brio.study.questionnaires.panel"
local questionnaire = require "brio.study.questionnaires.questionnaire"
local record = require "brio.study.questionnaires.answers"
local report = require "brio.study.questionnaires.report"
local score = require "brio.study.questionnaires.score"
local sheet = require "brio.study.questionnaires.sheet"
local store = require "brio.store"
local uv = require "luv"

local command = {
  name = "ask",
  summary = "questionnaires about the robot: ask people, and score their answers",
  usage = "brio ask [QUESTIONNAIRE ...] [--participant CODE | --score | --export FILE | --about] [options]",
  options = {
    { "participant", "CODE", "the participant: a code such as P7, never a name" },
    { "condition", "C", "of the study, such as A" },
    { "run", "RUN", "the run that the participant saw (see docs/analysis/runs.md)" },
    { "language", "L", "language, such as en, de, nl; default: en, or that of the start" },
    { "groups", "G,H", "only these groups of items, in this order, such as III,II" },
    { "variant", "V", "a variant of the questionnaire: see --about" },
    { "order", "given|random", "order of the items; default: given; random differs between participants" },
    { "seed", "S", "of the random order; default: 0" },
    { "again", nil, "start over, also if this participant has answered or started" },
    { "answers", "FILE", "take the answers from a table (CSV; -: standard input) instead of asking" },
    { "plain", nil, "ask line by line; default if the input is no terminal" },
    { "store", "FILE", "the run store; default: brio.db" },
    { "score", nil, "scores of each group of items, with Cronbach's alpha" },
    { "by", "WHAT", "scores for each condition, run or language" },
    { "items", nil, "with --score: statistics of each item" },
    { "level", "P", "with --score: level of alpha's interval; default: 0.95" },
    { "json", nil, "with --score: print JSON" },
    { "export", "FILE", "all answers as a table (CSV; -: standard output)" },
    { "about", nil, "the questionnaire's items, languages, sources and permission" },
    { "forget", nil, "remove all answers of this participant, to every questionnaire" },
    { "ascii", nil, "only ASCII characters; default if the locale is not UTF-8" },
  },
}

--- Print something for the person at standard output; false when it is closed.
local function say(...)
  return output.say(string.format(...)) and io.stdout:flush() and true or false
end

-- What is wanted --------------------------------------------------------------------------------------

local function split(text)
  local list = {}
  for word in (text or ""):gmatch "[^,%s]+" do list[#list + 1] = word end
  return text and list
end

--- The run of --run, nil without one; false when there is none (printed).
local function run_of(args, word)
  if not word then return nil end
  local good, why = cli.with_run(args, word, function(_, run) return run.run end)
  if good then return good end
  cli.error("%s", why)
  return false
end

--- --order and --seed: a function for questionnaire.order and a seed; nil on errors (printed).
local function order_of(args, data, participant)
  local order = args.order or "given"
  if order ~= "given" and order ~= "random" then
    return cli.error("--order must be given or random, not '%s'", order)
  end
  if order == "given" then
    if args.seed then return cli.error "--seed goes with --order random" end
    return {}
  end
  local seed = cli.seed(args)
  if not seed then return nil end
  local stream = require("brio.random").stream(seed,
    ("ask %s %s %s"):format(data.name, participant, args.condition or ""))
  return { seed = seed, mix = function(n) return stream:whole(n) end }
end

--- The sitting to begin: see Record:begin; nil and an exit code on errors (printed). `row`: fields from a
--- table (participant, condition, run, language as texts).
local function wanted_of(args, data, row)
  local function given(name)
    local value = row[name] or args[name]
    return value ~= "" and value or nil
  end
  local participant = given "participant"
  if not participant then
    cli.error("ask needs to know who answers: --participant P7 (or --score, --export, --about)")
    return nil, 2
  elseif not record.is_code(participant) then
    cli.error("a participant is a code such as P7, with a digit, never a name: not '%s'", participant)
    return nil, 2
  end
  local order = order_of(args, data, participant)
  if not order then return nil, 2 end
  local run = run_of(args, given "run")
  if run == false then return nil, 1 end
  local choice = { language = given "language", variant = args.variant, groups = split(args.groups),
    mix = order.mix }
  local good, why = questionnaire.check_choice(data, choice)
  if not good then
    cli.error("%s", why)
    return nil, 2
  end
  return { participant = participant, condition = given "condition", run = run, seed = order.seed,
    variant = args.variant, last_run = given "run" == "last", says_language = choice.language ~= nil,
    language = choice.language or questionnaire.languages(data)[1],
    items = questionnaire.order(data, choice) }
end

--- Earlier answers in the store; an empty list if there is no store yet and one may be created (`new`).
local function sittings_of(path, name, new)
  local there = uv.fs_stat(path)
  if new and (not there or there.size == 0) then return {} end
  local db, why = store.open(path)
  if not db then return nil, why end
  local list, fault = record.sittings(db, name)
  db:close()
  return list, fault
end

--- Begin or continue a sitting.  Return it with id and answers; nil and a sentence.
local function begin(kept, data, wanted, before, again)
  local one = record.match(before, wanted)
  if one and not again then
    if record.is_busy(one) then
      return nil, ("%s is being asked this in another terminal; if nobody is, --again starts over"):format(
        wanted.participant)
    end
    if one.ended_at then
      return nil, ("%s has answered %s%s already (sitting %d); --again asks once more"):format(
        wanted.participant, data.name,
        wanted.condition and " in condition " .. wanted.condition or "", one.id)
    elseif one.hash ~= data.hash then
      return nil, ("the questionnaire was changed since %s began with it; --again starts over"):format(
        wanted.participant)
    end
    one.language = wanted.says_language and wanted.language or one.language
    local good, why = kept:go_on(one.id, one.language)
    return good and one, why
  elseif one and not one.ended_at then
    local good, why = kept:finish(one.id, "abandoned")
    if not good then return nil, why end
  end
  local id, why = kept:begin(data, wanted)
  if not id then return nil, why end
  wanted.id, wanted.answers = id, {}
  return wanted
end

-- Answers from a table --------------------------------------------------------------------------------

local function read_text(path)
  if path == "-" then return io.read "a" or "" end
  local file, why = io.open(path, "rb")
  local text = file and file:read(1 << 24)
  if file then file:close() end
  return text, why or path .. " is empty, or no file"
end

--- Check a row of a table: its fields, and that it has a value or a gap for each item.  Nil and an exit code
--- on errors.
local function check_row(args, data, row, before)
  local wanted, code = wanted_of(args, data, row)
  if not wanted then
    cli.error("%s, line %d", args.answers, row.line)
    return nil, code
  end
  for _, item in ipairs(wanted.items) do
    if row.answers[item] == nil then
      cli.error("%s, line %d: no answer to '%s'; leave its value empty where it was skipped, or say --groups",
        args.answers, row.line, item)
      return nil, 1
    end
  end
  local one = record.match(before, wanted)
  if one and not args.again then
    cli.error("%s, line %d: the store has answers of %s already; --again puts them beside those",
      args.answers, row.line, wanted.participant)
    return nil, 1
  end
  wanted.given = row.answers
  return wanted
end

local function store_row(kept, data, wanted, before)
  local one, why = begin(kept, data, wanted, before, true)
  if not one then return nil, why end
  for _, item in ipairs(wanted.items) do
    local good, fault = kept:answer(one.id, item, wanted.given[item])
    if not good then return nil, fault end
  end
  return kept:finish(one.id, "finished")
end

--- Import sittings from a table: all of it is checked before anything is stored.
local function from_table(args, data, path, before)
  local text, why = read_text(args.answers)
  if not text then return cli.finish(nil, why) end
  local rows, fault = sheet.read(data, text)
  if not rows then
    cli.error("%s: %s", args.answers, fault)
    return 1
  end
  local list = {}
  for index, row in ipairs(rows) do
    local wanted, code = check_row(args, data, row, before)
    if not wanted then return code end
    list[index] = wanted
  end
  local kept, sentence = record.open(path)
  if not kept then return cli.finish(nil, sentence) end
  for index, wanted in ipairs(list) do
    local good, wrong = store_row(kept, data, wanted, before)
    if not good then
      kept:close()
      return cli.finish(nil, ("%s; %d of %d sittings were stored whole"):format(wrong, index - 1, #list))
    end
  end
  kept:close()
  print(("%d sittings stored in %s"):format(#list, path))
  return 0
end

-- Line by line ----------------------------------------------------------------------------------------

local function prompt(talk)
  local item = talk:item()
  local lines = { ("%d/%d"):format(talk.at, #talk.form) }
  if talk.at == 1 or talk.form[talk.at - 1].instruction ~= item.instruction then
    table.insert(lines, 1, item.instruction)
  end
  if item.text then lines[#lines] = lines[#lines] .. "  " .. item.text end
  for index, label in ipairs(item.labels or {}) do
    lines[#lines + 1] = ("  %d  %s"):format(item.lowest + index - 1, label)
  end
  if not item.labels then
    lines[#lines] = ("%s  %s %d ... %d %s"):format(lines[#lines], item.low, item.lowest, item.highest,
      item.high)
  end
  return table.concat(lines, "\n") .. "\n> "
end

--- Execute a line.  Return true, or nil and a sentence; "stop" to stop.
local function obey(talk, line, seconds)
  local word = line:match "^%s*(.-)%s*$"
  if word == "q" then return "stop" end
  if word == "b" then return talk:back() or nil, "this is the first" end
  if word == "s" then return talk:skip(seconds) end
  local value = tonumber(word)
  if not value then
    return nil, ("'%s' is no answer: a number, s (skip), b (back) or q (stop) is expected"):format(word)
  end
  return talk:answer(value, seconds)
end

--- Ask line by line.  Return "finished" or "stopped", or nil and a sentence.
local function by_lines(talk)
  local patient = uv.guess_handle(0) == "tty"
  while talk:item() do
    if not say("%s", prompt(talk)) then return nil, "nobody reads what is asked" end
    local shown = clock.monotonic()
    local line = io.read "l"
    if not line then return nil, "the answers end early" end
    local good, why = obey(talk, line, clock.monotonic() - shown)
    if good == "stop" then return "stopped" end
    if not good and not patient then return nil, why end
    if not good then cli.error("%s", why) end
  end
  return "finished"
end

-- At a terminal ---------------------------------------------------------------------------------------

local function draw(shown, out)
  local width, height = out:get_winsize()
  if not width or width < 1 then width, height = 80, 24 end
  local parts, lines = {}, shown:lines(width, height)
  for row = 1, height do parts[row] = ("\27[%d;1H\27[K%s"):format(row, output.styled(lines[row] or "")) end
  return output.draw(table.concat(parts)) and io.stdout:flush()
end

--- Ask with keys.  Return "finished" or "stopped", or nil and a sentence.
local function by_keys(talk, options)
  local input, out = uv.new_tty(0, true), uv.new_tty(1, false)
  out:set_blocking(true) -- in libuv's mode, output to a slow terminal is lost
  local shown = panel.new(talk, options)
  local fault
  local function leave(why)
    fault = fault or why
    shown.left = true
    uv.stop()
  end
  local function show()
    if not draw(shown, out) then leave "the terminal is gone" end
    if shown.left or shown.finished then uv.stop() end
  end
  for _, name in ipairs { "sigterm", "sighup", "sigwinch" } do
    uv.new_signal():start(name, name == "sigwinch" and show or function() leave() end)
  end
  input:set_mode(1)
  output.draw("\27[?1049h\27[?25l\27[?7l\27[2J")
  shown.shown_at = clock.monotonic()
  input:read_start(function(wrong, bytes)
    if wrong or not bytes then return leave "the terminal is gone" end
    shown:type(bytes, clock.monotonic())
    show()
  end)
  local good, why = xpcall(function()
    show()
    uv.run()
  end, debug.traceback)
  output.draw("\27[?7h\27[?25h\27[?1049l")
  io.stdout:flush()
  uv.tty_reset_mode()
  cli.close_handles()
  if not good then return nil, why end
  if fault then return nil, fault end
  return shown.finished and "finished" or "stopped"
end

--- Ask one participant.  Return an exit code, and whether the participant stopped.
local function ask(args, data, path, before)
  local wanted, code = wanted_of(args, data, {})
  if not wanted then return code end
  local done = record.match(before, wanted)
  if args[2] and done and done.ended_at and not args.again then -- one of several: continue with the next
    io.stderr:write(("brio: %s has answered %s already (sitting %d)\n"):format(wanted.participant, data.name,
      done.id))
    return 0
  end
  local kept, why = record.open(path)
  if not kept then return cli.finish(nil, why) end
  local one, fault = begin(kept, data, wanted, before, args.again)
  if not one then
    kept:close()
    return cli.finish(nil, fault)
  end
  local form = questionnaire.form(data, one.items, one.language)
  local talk = interview.new(form, one.answers,
    function(item, value, seconds) return kept:answer(one.id, item, value, seconds) end)
  local terminal = not args.plain and os.getenv "TERM" ~= "dumb" and uv.guess_handle(0) == "tty"
    and uv.guess_handle(1) == "tty"
  local how, sentence
  if terminal then
    how, sentence = by_keys(talk, { language = one.language, ascii = args.ascii or not cli.shows_utf8(),
      colored = (os.getenv "NO_COLOR" or "") == "" })
  else
    how, sentence = by_lines(talk)
  end
  local stopped = how == "stopped"
  if how == "finished" then how, sentence = kept:finish(one.id, "finished") end
  kept:close()
  if stopped or not how then
    io.stderr:write(("brio: %s: %d of %d answered and kept; the same command goes on from there\n"):format(
      one.participant, talk:count(), #form))
  else
    say("%s: %d answers in %s\n", one.participant, #form, path)
  end
  return cli.finish(how, sentence), stopped
end

-- Scores ----------------------------------------------------------------------------------------------

--- The variant of all sittings (false: none), or --variant; nil and a sentence if they differ, or if the
--- file does not have it (any more).
local function variant_of(args, data, list)
  local variant = args.variant or list[1].variant
  for _, one in ipairs(args.variant and {} or list) do
    if one.variant ~= variant then return nil, "the sittings are of several variants: say --variant" end
  end
  local good, why = questionnaire.check_choice(data, { variant = variant })
  if not good then return nil, why end
  return variant or false
end

--- The sittings in parts: { name, list }, all in one without `by`; sorted by name.
local function parts_of(list, by)
  if not by then return { { list = list } } end
  local parts, by_name = {}, {}
  for _, one in ipairs(list) do
    local name = tostring(one[by] or "(none)")
    if not by_name[name] then
      by_name[name] = { name = name, list = {} }
      parts[#parts + 1] = by_name[name]
    end
    table.insert(by_name[name].list, one)
  end
  table.sort(parts, function(a, b) return a.name < b.name end)
  parts.by = by
  return parts
end

--- Sittings to score: the finished ones; and lines about the others.
local function finished(list)
  local done, people, twice, open = {}, {}, false, 0
  for _, one in ipairs(list) do
    if one.outcome == "finished" then
      done[#done + 1] = one
      twice = twice or people[one.participant] ~= nil
      people[one.participant] = true
    elseif not one.outcome then
      open = open + 1
    end
  end
  local lines, count = {}, 0
  for _ in next, people do count = count + 1 end
  lines[1] = ("%d sittings of %d participants"):format(#done, count)
  if open > 0 then lines[#lines + 1] = ("%d sittings that are not finished are left out"):format(open) end
  if twice then
    lines[#lines + 1] = "some participants answered more than once: their sittings are not independent"
  end
  return done, lines
end

local function print_scores(args, data, list)
  local level = cli.number(args, "level", 0.5, 0.9999, 0.95)
  local by = args.by
  if by and by ~= "condition" and by ~= "run" and by ~= "language" then
    level = cli.error("--by must be condition, run or language, not '%s'", by)
  end
  if not level then return 2 end
  local done, lines = finished(list)
  if #done == 0 then
    return cli.finish(nil, ("nobody has answered %s yet in this store"):format(data.name))
  end
  local variant, why = variant_of(args, data, done)
  if variant == nil then return cli.finish(nil, why) end
  local parts = parts_of(done, by)
  for _, part in ipairs(parts) do
    part.sheets = score.sheets(data, part.list, { variant = variant or nil, level = level })
  end
  if args.json then
    local out = {}
    for index, part in ipairs(parts) do
      out[index] = { [by or "all"] = part.name, sittings = #part.list, groups = part.sheets }
    end
    print(store.json { questionnaire = data.name, level = level, parts = out })
    return 0
  end
  print(("%s: %s"):format(data.name, table.concat(lines, "; ")))
  print("\n" .. report.groups(data, parts, level))
  if args.items then print("\n" .. report.items(parts)) end
  return 0
end

local function export(args, data, list)
  local text = sheet.text(data, list)
  if args.export ~= "-" then return cli.finish(cli.write(args.export, text)) end
  return say("%s", text) and 0 or 1
end

-- The command -----------------------------------------------------------------------------------------

local function shelf()
  local list = {}
  for index, name in ipairs(questionnaire.shipped) do
    local data, why = questionnaire.find(name)
    if not data then return cli.finish(nil, why) end
    list[index] = data
  end
  print(report.shelf(list, function(data)
    local words = {}
    for index, code in ipairs(questionnaire.languages(data)) do
      words[index] = code .. (data.languages[code].origin == "own" and "*" or "")
    end
    return table.concat(words, " ")
  end))
  print("\n* our own translation, not validated; `brio ask NAME --about` names sources and permissions.")
  return 0
end

local function forget(args)
  if not args.participant or #args > 0 then
    cli.error "--forget goes with --participant, and without a questionnaire: it removes all answers of \z
      that participant"
    return 2
  end
  local path = args.store or "brio.db"
  if not uv.fs_stat(path) then return cli.finish(nil, path .. " is not there") end
  local kept, why = record.open(path)
  if not kept then return cli.finish(nil, why) end
  local good, fault = kept:forget(args.participant)
  kept:close()
  if good then print(("nothing of %s is left in %s"):format(args.participant, path)) end
  return cli.finish(good, fault)
end

local function act(args, data)
  if args.about then
    print(report.about(data, questionnaire.languages(data)))
    return 0
  end
  local path = args.store or "brio.db"
  local before, why = sittings_of(path, data.name, not (args.score or args.export))
  if not before then return cli.finish(nil, why) end
  if args.score then return print_scores(args, data, before) end
  if args.export then return export(args, data, before) end
  return (args.answers and from_table or ask)(args, data, path, before)
end

function command.run(args)
  if #args > 1 and (args.answers or args.export) then
    cli.error "--answers and --export go with one questionnaire"
    return 2
  end
  if args.forget then return forget(args) end
  if #args == 0 then
    for _, option in ipairs(command.options) do
      if args[option[1]] then
        cli.error("ask needs to know which questionnaire: %s", table.concat(questionnaire.shipped, ", "))
        return 2
      end
    end
    return shelf()
  end
  local list = {}
  for index, word in ipairs(args) do
    local data, why = questionnaire.find(word)
    if not data then
      cli.error("%s", why)
      return word:find "[/.]" and 1 or 2
    end
    list[index] = data
  end
  for index, data in ipairs(list) do
    if index > 1 and (args.score or args.about) and not args.json then print() end
    local code, stopped = act(args, data)
    if code ~= 0 or stopped then return code end
  end
  return 0
end

return command
