--- Speech: parsing of texts, phonemes and their times, the mouth, beat gestures, events.
local mouth = require "brio.character.speech.mouth"
local plan = require "brio.character.speech.plan"
local robots = require "brio.robots"
local shapes = require "brio.character.speech.shapes"
local sounds = require "brio.character.speech.sounds"
local text = require "brio.character.speech.text"

--- All pieces of a text.
local function pieces_of(said, plain)
  local reader, list = text.reader(said, plain), {}
  for piece, spoken in function() return text.next(reader) end do
    piece.spoken = spoken
    list[#list + 1] = piece
  end
  return list
end

local function words_of(piece)
  local list = {}
  for index, word in ipairs(piece.words) do list[index] = word.text end
  return list
end

-- Texts ----------------------------------------------------------------------------------------------

test("a text becomes sentences, words, marks and pauses", function(t)
  local list = pieces_of "Hello {wave} there, {smile 0.5}what a *lovely* day! {pause 0.5}Dr. No said {{hi} \z
    - bye"
  t:equal(#list, 2)
  t:equal(words_of(list[1]), { "Hello", "there,", "what", "a", "lovely", "day!" })
  t:equal(list[1].marks, { { name = "wave", before = 2 }, { name = "smile", value = 0.5, before = 3 } })
  t:equal(list[1].spoken, "Hello there, what a lovely day!")
  t:equal({ list[1].words[2].ends, list[1].words[5].emphasis, list[1].words[6].ends },
    { "clause", true, "sentence" })
  t:equal(list[2].pause, 0.5)
  t:equal(words_of(list[2]), { "Dr.", "No", "said", "{hi}", "bye" })
  t:equal(list[2].words[4].ends, "clause", "a dash belongs to the word before")
  t:equal(words_of(pieces_of("a {b} *c*", true)[1]), { "a", "{b}", "*c*" }, "plain")
  t:equal(text.plain("Hello {wave} there, *you* {{x}", false, 100), "Hello there, you {x}")
end)

test("what is wrong with a text is said", function(t)
  t:match(text.fault(7), "not a number")
  t:match(text.fault "hello {wave there", "byte 7 has no }")
  t:match(text.fault "hello {0.5}", "is no mark")
  t:match(text.fault "{pause}", "needs seconds")
  t:match(text.fault "{pause 1e9}", "from 0 to 60")
  t:match(text.fault "{pause nan}", "needs seconds")
  t:match(text.fault "{play}", "name of a sequence")
  t:match(text.fault(("x"):rep(2 ^ 18 + 1)), "too long")
  t:equal(text.fault("hello {wave there", true), nil)
  t:equal(text.fault "a {{b} c", nil)
  for _, value in ipairs { "\1", "\xff", "\xef\xbb\xbf" } do -- nothing is left of it when it is read
    t:match(text.fault(("a {play %s} b"):format(value)), "{play} needs the name of a sequence")
  end
end)

test("a brace that is written twice is not parted where a long word is", function(t)
  for length = 90, 100 do
    local said = ("a"):rep(length) .. "{{b"
    t:equal(text.fault(said), nil)
    t:equal(table.concat(words_of(pieces_of(said)[1])), ("a"):rep(length) .. "{b")
  end
end)

test("any bytes are a text that can be spoken, in bounded pieces", function(t)
  t:equal(#pieces_of "", 0)
  t:equal(#pieces_of " \n\t ", 0)
  t:equal(text.clean "a\0b\27[31m\255c\128", "a b [31m c ")
  t:equal(text.clean "Grüße, 你好。再见", "Grüße, 你好. 再见")
  local seed, bytes = 1, {}
  for index = 1, 20000 do
    seed = (seed * 1103515245 + 12345) % 2147483648
    bytes[index] = string.char(seed // 65536 % 256)
  end
  local noise, count = table.concat(bytes), 0
  for _, said in ipairs { noise, ("x"):rep(100000), ("ü"):rep(20000), ("a "):rep(20000), ("{{"):rep(20000),
      ("*"):rep(20000), ("."):rep(100000) } do
    t:equal(text.fault(said, true), nil)
    for _, piece in ipairs(pieces_of(said, said == noise)) do
      count = count + 1
      t:ok(#piece.words <= text.most_words and utf8.len(piece.spoken), "a piece is not too long, and UTF-8")
      if count % 50 == 0 then t:ok(plan.of(piece, 1).seconds < 60) end
    end
  end
  t:ok(count > 100)
end)

-- Sounds ---------------------------------------------------------------------------------------------

local function shapes_of(list)
  local names = {}
  for index, sound in ipairs(list) do names[index] = sound[1] end
  return table.concat(names, " ")
end

test("letters, and phonemes of a program, become shapes of the mouth", function(t)
  t:equal(shapes_of(sounds.of_word "mama"), "pbm a pbm a")
  t:equal(shapes_of(sounds.of_word "Ship,"), "ch i pbm")
  t:equal(shapes_of(sounds.of_word "cake"), "kg a kg")
  t:equal(shapes_of(sounds.of_word "Größe"), shapes_of(sounds.of_word "grosse"))
  t:equal(shapes_of(sounds.of_word "мама"), "pbm a pbm a")
  t:equal(#sounds.of_word "42", #sounds.of_word "for" + #sounds.of_word "too")
  t:equal(#sounds.of_word "你好", 4)
  t:ok(#sounds.of_word "!" >= 1, "nothing is without a sound")
  local words = sounds.of_ipa "h_ə_l_ˈəʊ ð_ˈeə\nm_ˈɑː_m_ə (en) tʃ_ˈiː_z"
  t:equal(#words, 4)
  t:equal(shapes_of(words[1]), "kg e nl e u")
  t:equal({ words[1][2].stressed, words[1][4].stressed }, { nil, true })
  t:ok(words[3][2][2] > sounds.seconds.a, "a long vowel is longer")
end)

test("what is timed silence lasts as long as espeak-ng 1.51 speaks, within a tenth", function(t)
  for said, seconds in next, { -- measured: from the first to the last that is louder than -50 dB
    ["Hello there, what a lovely day it is."] = 2.01,
    ["The north wind and the sun were disputing which was the stronger, when a traveler came along wrapped \z
      in a warm cloak."] = 5.81,
    ["Please come in, sit down, and tell me what you would like to play today."] = 3.90,
    ["I am a robot of the university, and I have 20 motors in my head!"] = 3.54,
  } do
    t:near(plan.of(pieces_of(said)[1], 1).spoken / seconds, 1, 0.1, said)
    t:near(plan.of(pieces_of(said)[1], 2).seconds * 2, plan.of(pieces_of(said)[1], 1).seconds, 1e-9,
      "at twice the rate")
  end
end)

test("a program's words are found where it joins and parts them", function(t)
  local piece = pieces_of("I am of the 20 dogs.")[1]
  local list = require("brio.character.speech.align").words(piece.words,
    sounds.of_ipa "aɪ_ɐ_m ɒ_v_ð_ə t_w_ˈɛ_n t_i d_ˈɒ_ɡ_z")
  local shown = {}
  for index, word in ipairs(list) do shown[index] = shapes_of(word) end
  t:equal(shown[1] .. " " .. shown[2], "a i a pbm")
  t:equal(table.move(shown, 3, 6, 1, {}), { "a fv", "th e", "td u e nl td i", "td a kg sz" })
  local own = require("brio.character.speech.align").words(piece.words, {})
  t:equal(#own, 6)
end)

test("a plan goes by the silences of a file", function(t)
  local piece = pieces_of("One two, three four.")[1]
  local made = plan.fit(plan.of(piece, 1), 0.2, 2.2, 2.5, { { 0.5, 0.56 }, { 1.0, 1.4 } })
  t:near({ made.words[2].to, made.words[3].from, made.words[4].to }, { 1.0, 1.4, 2.2 }, 1e-9)
  made = plan.fit(plan.of(piece, 1), 0.2, 2.2, 2.5, { { 0.21, 0.3 } })
  t:ok(made.words[2].to > 0.8, "one that cannot be it is none")
end)

test("a plan is whole: words and sounds follow each other, and a stroke is in its word", function(t)
  local made = plan.of(pieces_of "Hello there, what a *lovely* day!"[1], 1)
  local t_ = 0
  for _, sound in ipairs(made.sounds) do
    t:near(sound.from, t_, 1e-9)
    t_ = sound.to
  end
  for _, word in ipairs(made.words) do t:ok(word.from <= word.stroke and word.stroke <= word.to) end
  t:near(made.spoken, t_, 1e-9)
  plan.fit(made, 0.1, 2.1, 2.5)
  t:near({ made.words[1].from, made.words[#made.words].to, made.seconds }, { 0.1, 2.1, 2.5 }, 1e-9)
end)

test("lips meet for p, b and m between open vowels, and the mouth goes without a jump", function(t)
  local made, mix, index, before = plan.of(pieces_of "papa mama baba"[1], 1), {}, 1, nil
  local closed = {}
  for tick = 0, math.floor(made.seconds / 0.005) do
    local at = tick * 0.005
    while made.sounds[index + 1] and at >= made.sounds[index + 1].from do index = index + 1 end
    local open = shapes.look(shapes.mix(made, at, index, mix))
    if before then t:ok(math.abs(open - before) < 0.15, "a step of %g at %g s", open - before, at) end
    before, closed[index] = open, math.min(closed[index] or 1, open)
  end
  for number, sound in ipairs(made.sounds) do
    if sound.shape == "pbm" then
      t:ok(closed[number] < 0.12, "open by %g for sound %d", closed[number], number)
    end
    if sound.shape == "a" then t:ok(closed[number] < 1) end
  end
end)

-- A robot that speaks --------------------------------------------------------------------------------

local function talker(robot, character, run)
  return ([[local brio = require "brio"
    local b = brio.behavior "talker" { robot = %q, start = "a", character = %s, memory = { heard = {} } }
    b.a = { run = function(self) %s end,
      on = { word = function(self, word) table.insert(self.memory.heard, word.word) end,
             smile = function(self, mark) table.insert(self.memory.heard, "smile " .. mark.value) end } }
    return b]]):format(robot, character, run)
end

test("a robot says a text: mouth, events at words, and an end that can be waited for", function(t)
  local run = t:run("talker.lua", { recorded = true, source = talker("probo", "{}", [[
    self:wait(0.5)
    local said = self.speech:say "Hello {smile 0.5} there, my *friend*."
    self.memory.result = { said:wait() }
    self.memory.at = self.now]]) })
  run:advance(0.8)
  t:equal(run.memory.heard[1], "Hello")
  local moved = 0
  for _ = 1, 60 do
    run:advance(0.02)
    moved = math.max(moved, run:command "MouthOpen")
  end
  t:ok(moved > 0.2, "the mouth opened by %g", moved)
  run:advance(3)
  t:equal(run.memory.heard, { "Hello", "smile 0.5", "there,", "my", "friend." })
  t:equal(run.memory.result, { true })
  t:near(run:command "MouthOpen", 0, 1e-6)
  t:near(run:command "NeckTilt", 0, 1e-3)
  run:finish()
  local row = run:sql("SELECT started, ended, text, why, json_array_length(words) AS words, marks \z
    FROM speech")[1]
  t:equal({ row.text, row.why, row.words }, { "Hello there, my friend.", "over", 4 })
  t:near(row.ended, run.memory.at, 0.006)
  t:match(row.marks, '"smile"')
  local owner = run:sql "SELECT DISTINCT owner FROM ownership WHERE dof = 'MouthOpen'"
  t:equal(#owner == 1 and owner[1].owner, "speech")
end)

test("texts wait for each other, interrupt, and are hushed; two runs of a seed are the same", function(t)
  local source = talker("probo", "{ speech = { rate = 1.5 } }", [[
    self.speech:say "one two three four five."
    local second, third = self.speech:say "six seven.", self.speech:say "eight."
    self.memory.waiting = self.speech:waiting()
    self:wait(0.4)
    self.memory.speaking = self.speech:speaking().text
    third:stop()
    self.memory.third = { third:on(), second:on() }
    self.speech:say("now nine.", { interrupt = true, beats = 0 })
    self.memory.second = { second:wait() }
    self:await "said"
    for _ = 1, 40 do
      local said, why = self.speech:say "x"
      if not said then self.memory.full = why end
    end
    self.memory.hushed = self.speech:hush()]])
  local hashes = {}
  for index = 1, 2 do
    local run = t:run("talker.lua", { recorded = true, source = source })
    run:advance(3)
    t:equal(run.memory.waiting, 3)
    t:equal(run.memory.speaking, "one two three four five.")
    t:equal(run.memory.third, { false, true })
    t:equal(run.memory.second, { nil, "replaced" })
    t:match(run.memory.full, "32 texts are queued")
    t:equal(run.memory.hushed, 32)
    t:equal(run.failed, nil)
    run:finish()
    hashes[index] = run:sql("SELECT commands_hash FROM runs")[1].commands_hash
    local why = run:sql "SELECT why FROM speech ORDER BY number"
    t:equal({ why[1].why, why[2].why }, { "replaced", "over" })
  end
  t:equal(hashes[1], hashes[2])
end)

test("hold stands speech still; a failure ends it; what is wrong is said at its line", function(t)
  local run = t:run("talker.lua", { source = talker("probo", "{}", [[
    self.speech:say "one two three four five six seven eight nine ten."
    self:wait(1.5)
    self.speech:say("x", { loud = 1 })]]) })
  run:advance(0.5)
  local heard = #run.memory.heard
  run.run.host:hold()
  run:advance(5)
  t:equal(#run.memory.heard, heard)
  run.run.host:go_on()
  run:advance(0.5)
  t:ok(#run.memory.heard > heard)
  run:advance(1.5)
  t:match(run.failed, "how has no field 'loud'")
  t:equal(run.run.host.speech.face:speaking(), nil)
  run:advance(0.5)
  t:near(run:command "MouthOpen", 0, 1e-6)
end)

test("the settings are judged on the robot", function(t)
  local character, probo = require "brio.character.character", robots.find "probo"
  local function fault(spec) return character.faults({ speech = spec }, probo)[1] end
  for _, name in ipairs { "probo", "pepper", "panda", "ur3e", "mycobot280" } do
    t:equal(character.faults({ speech = true }, robots.find(name)), {}, name)
  end
  t:match(fault { rate = 0 }, "rate must be from 0.3 to 3, not 0")
  t:match(fault { mouth = { open = { MouthOpn = { 0, 1 } } } }, "no DOF 'MouthOpn'.*did you mean 'MouthOpen'")
  t:match(fault { mouth = { shapes = { xyz = {} } } }, "no shape 'xyz'")
  t:match(fault { gestures = { { name = "nod", dofs = { NeckTilt = 1 / 0 } } } }, "must be a number")
  t:match(fault { gestures = { { name = "nod", dof = { NeckTilt = 1 } } } }, "no field 'dof'")
  t:equal(mouth.fault({ open = { MouthOpen = { 0, 1 } } }, probo), nil)
  t:match(fault { mouth = { open = { MouthOpen = { 0, 1.5 } } } },
    "mouth.open.MouthOpen must be { shut, wide open }, both from %-1 to 1")
  t:match(fault { mouth = { open = { MouthOpen = { 0, 1 } }, shapes = { pbm = { MouthOpen = -3 } } } },
    "must be a number from %-1 to 1")
end)

test("beats are never the same twice in a row, and leave alone what is asked for", function(t)
  local run = t:run("talker.lua", { source = [[local brio = require "brio"
    local b = brio.behavior "talker" { robot = "pepper", start = "a" }
    b.a = { wants = { brio.want.position_match { link = "r_gripper", goal = { 0.3, -0.2, 0.8 } } },
      run = function(self) self:wait(0.01) self.speech:say(("*one* and *two* and *three* and *four*, "):rep(12) .. ".") end }
    return b]] })
  run:advance(0.005)
  run:advance(0.005)
  local speech, made, last, again, right = run.run.host.speech, {}, nil, 0, 0
  speech:equip()
  local word = speech.beats.word
  function speech.beats.word(...)
    local gesture = word(...)
    if gesture then
      if gesture.name == last then again = again + 1 end
      last = gesture.name
      made[last] = (made[last] or 0) + 1
      for _, row in ipairs(gesture.dofs) do
        if row[1]:find "^R" then right = right + 1 end
      end
    end
    return gesture
  end
  run:advance(15)
  t:equal({ again, right }, { 0, 0 }, "twice in a row, and with the arm whose hand is asked for")
  t:ok((made["nod"] or 0) > 0 and (made["hand, mirrored"] or 0) > 0, "it nods, and beats with the other hand")
  t:ok(math.abs(run:command "LElbowRoll" -
    run.run.host.tracks.player:why(run.run.host.tracks:number "LElbowRoll").below) < 0.5)
end)

test("what is felt shows in beats and rate as far as is said, and a setting makes none", function(t)
  local amounts, lengths = {}, {}
  for index, character in ipairs { "{ speech = true }", "{ emotion = true }",
      "{ speech = { beats = false } }",
    "{ emotion = true, speech = { felt = 0 } }" } do
    local run = t:run("talker.lua", { source = talker("probo", character, [[
      if self.emotion then self.emotion:feel("sad", 1, 5) end
      self:wait(1)
      self.speech:say "one *two* three."]]) })
    run:advance(0.01)
    run.run.host.speech:equip()
    local beats = run.run.host.speech.beats
    local word = beats.word
    function beats.word(self, said, now, stroke, amount)
      amounts[index] = amount
      return word(self, said, now, stroke, amount)
    end
    run:advance(1.2)
    lengths[index] = run.run.host.speech.current.job.plan.spoken
  end
  t:equal({ amounts[1], amounts[3], amounts[4] }, { 1, 0, 1 })
  t:ok(amounts[2] < 0.95, "sad: %g", amounts[2])
  t:ok(lengths[2] > 1.02 * lengths[1], "sad: it takes %g s instead of %g", lengths[2], lengths[1])
  t:near(lengths[4], lengths[1], 1e-9)
end)

test("beats leave alone what a person has taken, and go on elsewhere", function(t)
  local run = t:run("talker.lua", { recorded = true, source = talker("pepper", "{}", [[
    self:wait(0.5)
    self.speech:say(("*one* and *two* and *three* and *four*, "):rep(8) .. ".")]]) })
  run:advance(0.3)
  for _, group in ipairs { "right_arm", "head" } do
    t:ok(run.run.host.control:take(group, { who = "ann" }))
  end
  run:advance(15)
  run:finish()
  local moved = {}
  for _, row in ipairs(run:sql "SELECT DISTINCT dof FROM why WHERE source = 'beats' AND abs(moved) > 1e-3") do
    moved[row.dof] = true
  end
  t:ok(moved.LElbowRoll, "the left arm beats")
  for dof in next, moved do t:ok(not dof:find "^R" and not dof:find "^Head", "%s is ann's", dof) end
end)

test("who takes the head of a robot that speaks changes nothing of its face, ears and trunk", function(t)
  local function face(taken)
    local run, rows = t:run("talker.lua", { rate = 50, source = talker("probo", "{ idle = true }", [[
      self:wait(0.5)
      self.speech:say(("*one* and *two*, and *three*. "):rep(4))]]) }), {}
    run:advance(0.3)
    if taken then t:ok(run.run.host.control:take("head", { who = "ann" })) end
    for tick = 1, 500 do
      run:advance(0.02)
      rows[tick] = {}
      for _, dof in ipairs(run.description.dofs) do
        if dof.outside then table.insert(rows[tick], run:command(dof.name)) end
      end
    end
    return rows
  end
  local plain, taken = face(false), face(true)
  local most = 0
  for tick, row in ipairs(plain) do
    for index, value in ipairs(row) do most = math.max(most, math.abs(value - taken[tick][index])) end
  end
  t:ok(most <= 1e-9, "a DOF outside the tree differs by %g", most)
end)

test("a reload changes how it speaks while it speaks", function(t)
  local run = t:run("talker.lua", { source = talker("probo", "{ speech = {} }", [[
    self.speech:say "One two three four five six seven eight nine ten eleven twelve."]]) })
  run:advance(0.6)
  local heard = #run.memory.heard
  t:ok(heard > 0 and math.abs(run:command "MouthOpen") > 0)
  t:ok(run:reload(function(text_) return (
    text_:gsub("speech = {}", "speech = { mouth = false, beats = false }")) end))
  run:advance(0.4)
  t:equal(run:command "MouthOpen", 0, "the mouth is shut")
  t:ok(#run.memory.heard > heard, "the text goes on")
end)

test("people say and hush at the prompt", function(t)
  local run = t:run("talker.lua", { source = talker("probo", "{}", "") })
  run:advance(0.05)
  local words = {}
  for _, word in ipairs(require "brio.character.speech.words") do words[word.name] = word.run end
  local prompt = { run = { host = run.run.host },
    value = function(_, text_) return true, load("return " .. text_)() end }
  local function say(text_) return words.say(prompt, text_, { who = "ann" }) end
  t:equal(say [["Hello {smile 1} there."]], "says: Hello there.")
  t:equal(say "and more without quotes", "says: and more without quotes")
  t:match(select(2, say ""), "say what")
  t:match(select(2, say "a { b"), "has no }")
  t:match(select(2, say "[[a]], 7") or "", "^$")
  run:advance(0.05)
  t:equal(words.hush(prompt), "is silent; 3 texts are dropped")
  t:equal(words.hush(prompt), "there is no speech now")
end)

test("a robot's own mouth and beats that are wrong are left out, and that is said", function(t)
  local folder = os.tmpname()
  os.remove(folder)
  os.execute(("mkdir %s && cp drivers/robots/probo/*.lua drivers/robots/probo/model.urdf %s"):format(folder,
    folder))
  local function write(name, words)
    local handle = assert(io.open(folder .. "/" .. name, "w"))
    handle:write(words)
    handle:close()
  end
  write("mouth.lua", "return { open = 5 }")
  write("beats.lua", "return { { name = 'nod' ")
  local run = t:run("talker.lua", { robot = folder,
    source = talker("probo", "nil", [[self.speech:say "One two."]]) })
  run:advance(1)
  t:equal(run.memory.heard, { "One", "two." })
  local said = table.concat(t.said, "\n")
  t:match(said, "mouth.lua of the robot 'probo' is left out: mouth.open must be a table")
  t:match(said, "beats.lua of the robot 'probo' is left out: .*beats.lua")
  os.execute("rm -r " .. folder)
end)
