--- brio ask from outside: by lines, at a terminal, from tables; runs that are left half way, killed, repeated
--- or without disk space; scores.
package.path = arg[0]:match "^(.*)/[^/]*$" .. "/../?.lua;" .. package.path
local harness = require "harness"
local pty = require "pty"
local test, files = harness.test, harness.files

local brio = files.quote(harness.program)

--- Run a shell script in a folder of its own, with $brio and the function ask (brio ask, into study.db).
--- Return the run, and the store.
local function shell(t, script, folder)
  folder = folder or t:folder()
  local run = harness.run { ("brio=%s; ask() { \"$brio\" ask \"$@\" --store study.db; }; %s"):format(brio,
    script), cwd = folder }
  return run, folder .. "/study.db", folder
end

local function threes(count) return ("yes 3 | head -%d"):format(count) end

test("answers by lines are kept one by one, and what was left goes on, in the language it was begun",
function(t)
  local run, store, folder = shell(t,
    [[printf '4\n5\nb\n2\ns\n1\nq\n' | ask godspeed --participant P7 --condition A --language de]])
  t:code(run, 0)
  t:has(run.out,
    "Bitte beurteilen Sie Ihren Eindruck des Roboters auf diesen Skalen:\n1/24  unecht 1 ... 5 natürlich")
  t:has(run.err, "P7: 4 of 24 answered and kept; the same command goes on from there")
  t:equal(harness.sql(store, "SELECT item, value, given FROM answers ORDER BY place"),
    "natural|4|1\nhumanlike|2|2\nconscious||1\nlifelike_1|1|1")
  run = shell(t, threes(20) .. " | ask godspeed --participant P7 --condition A", folder)
  t:code(run, 0)
  t:has(run.out, "5/24  bewegt sich steif")
  t:has(run.out, "P7: 24 answers in study.db")
  t:equal(harness.sql(store, [[SELECT participant, condition, language, outcome, ended_at > begun_at,
    (SELECT count(*) FROM answers WHERE seconds >= 0) FROM sittings]]), "P7|A|de|finished|1|24")
  run = shell(t, "ask godspeed --participant P7 --condition A", folder)
  t:code(run, 1)
  t:has(run.err, "P7 has answered godspeed in condition A already (sitting 1); --again asks once more")
  run = shell(t, threes(24) .. " | ask godspeed --participant P7 --condition B && " .. threes(24)
    .. " | ask godspeed --participant P7 --condition A --again", folder)
  t:code(run, 0)
  t:equal(harness.number(store, "SELECT count(*) FROM sittings WHERE outcome = 'finished'"), 3)
end)

test("several are asked one after the other, and those that are answered are passed over", function(t)
  local run, store, folder = shell(t,
    "{ " .. threes(3) .. "; printf '4\\nq\\n'; } | ask affect ueq_s sus --participant P1")
  t:code(run, 0)
  t:equal(harness.sql(store, "SELECT questionnaire, count(*) FROM answers GROUP BY 1 ORDER BY 1"),
    "affect|3\nueq_s|1")
  run = shell(t, threes(17) .. " | ask affect ueq_s sus --participant P1 && ask ueq_s sus --score", folder)
  t:code(run, 0)
  t:has(run.err, "P1 has answered affect already (sitting 1)")
  t:equal(harness.number(store, "SELECT count(*) FROM sittings WHERE outcome = 'finished'"), 3)
  t:has(run.out, "~\nSUS +Usability +10 +1 +50%.00")
end)

test("in a pipe an answer that is none ends it, and so does the end; what was right is kept", function(t)
  local run, store, folder = shell(t, [[printf '3\nsix\n4\n' | ask nars --participant P1]])
  t:code(run, 1)
  t:has(run.err, "'six' is no answer: a number, s (skip), b (back) or q (stop) is expected")
  run = shell(t, [[printf '9\n' | ask nars --participant P1]], folder)
  t:code(run, 1)
  t:has(run.err, "an answer is a whole number from 1 to 5, not '9'")
  run = shell(t, [[printf '4\n' | ask nars --participant P1]], folder)
  t:code(run, 1)
  t:has(run.err, "the answers end early")
  t:equal(harness.sql(store, "SELECT item, value FROM answers"), "nars_1|3\nnars_2|4")
  run = shell(t, threes(14) .. " | ask nars --participant P2 >/dev/full", folder)
  t:code(run, 1)
  t:has(run.err, "P2: 0 of 14 answered and kept")
end)

test("the order is mixed for each participant in a way of their own, the same again, and kept", function(t)
  local run, store = shell(t,
    ([[for p in P1 P2; do %s | ask rosas --participant $p --order random --seed 5; done >/dev/null
    %s | ask rosas --participant P1 --order random --seed 5 --again >/dev/null]])
    :format(threes(18), threes(18)))
  t:code(run, 0)
  t:equal(harness.sql(store, [[SELECT a.items = b.items, a.items = c.items, json_array_length(a.items), a.seed
    FROM sittings a, sittings b, sittings c WHERE a.id = 1 AND b.id = 2 AND c.id = 3]]), "0|1|18|5")
end)

--- Answer a questionnaire at a terminal.
local function asked(folder)
  local words = "exec %s ask godspeed --participant P3 --language ja --store %s/study.db"
  return pty.start(words:format(brio, folder), { folder = folder, whole = true })
end

test("keys at a terminal answer, go back and stop, and a killed one is gone on with", function(t)
  if not pty.is_here() then t:skip "there is no program script" end
  local folder = t:folder()
  local store = folder .. "/study.db"
  local one = asked(folder)
  one:sees "アンケート"
  one:type "3"
  one:sees " 2 / 24"
  one:type "5b"
  one:sees "○     ●    人間的"
  one:type "\27[D\r"
  one:sees " 3 / 24"
  one:type "7"
  one:sees "1 から 5 までの数を選んでください。"
  one:signal "KILL"
  one:close()
  t:equal(#one.screen.unknown, 0, "unknown control sequences")
  local answers = "SELECT item, value, given FROM answers ORDER BY place"
  t:equal(harness.sql(store, answers), "natural|3|1\nhumanlike|4|2")
  one = asked(folder)
  one:sees " 3 / 24"
  one:type "5"
  one:sees " 4 / 24"
  one:type "q"
  one:sees "y/n"
  one:type "y"
  t:equal(one:close(), 0, "exit code")
  t:has(one.log, "P3: 3 of 24 answered and kept")
  t:has(one.log, "~\27%[%?25h\27%[%?1049l")
end)

test("two terminals cannot ask the same at once, but others meanwhile", function(t)
  local folder = t:folder()
  local await = ". " .. files.quote(harness.root .. "/tests/lib/await.sh")
  local run, store = shell(t, await .. [[; mkfifo answers; exec 9<>answers
    (ask affect --participant P1 <answers >/dev/null) 2>&1 & echo 5 >&9
    await sh -c 'test "$(sqlite3 study.db "SELECT count(*) FROM responses")" = 1'
    printf '1\n1\n1\n' | ask affect --participant P1 && exit 11
    printf '1\n1\n1\n' | ask affect --participant P2 >/dev/null || exit 12
    printf '6\n7\n' >&9; wait]], folder)
  t:code(run, 0)
  t:has(run.err, "P1 is being asked this in another terminal; if nobody is, --again starts over")
  t:equal(harness.sql(store, "SELECT participant, value FROM answers ORDER BY sitting, place"),
    "P1|5\nP1|6\nP1|7\nP2|1\nP2|1\nP2|1")
end)

test("a full disk is said, and as much is kept as was said", function(t)
  local run, store = shell(t, threes(24) .. [[ | ask godspeed --participant P0 >/dev/null
    { printf '3\n3\n'; for i in $(seq 300); do printf '4\nb\n'; done; } | ( ulimit -f $(($(stat -c %s study.db) / 256)); trap '' XFSZ; ask godspeed --participant P1 >/dev/null )]])
  t:code(run, 1)
  local count = tonumber(run.err:match "P1: (%d+) of 24 answered and kept")
  t:check(count and count >= 2, "it was not full: %s", run.err)
  t:has(run.err, "~study.db: .*disk")
  t:equal(harness.number(store, "SELECT count(*) FROM answers WHERE participant = 'P1'"), count, "answers")
  t:equal(harness.sql(store, "PRAGMA integrity_check"), "ok")
end)

local paper = [[participant,condition,nars_1,nars_2,nars_3,nars_4,nars_5,nars_6,nars_7,nars_8,nars_9,nars_10,nars_11,nars_12,nars_13,nars_14
P1,A,4,3,2,2,1,2,1,3,2,2,4,1,3,4
P2,A,2,2,4,1,4,3,1,2,1,1,2,1,2,2
P3,B,5,4,1,4,2,1,2,4,5,3,5,3,4,5
P4,B,3,3,3,,3,3,2,3,3,2,3,2,3,3
]]

test("answers from paper are scored for each group and condition, exported and forgotten", function(t)
  local folder = t:folder()
  files.write(folder .. "/paper.csv", paper)
  local run, store = shell(t, "ask nars --answers paper.csv && ask nars --score --by condition --items && \z
    ask nars --export out.csv", folder)
  t:code(run, 0)
  t:has(run.out, "4 sittings stored in study.db")
  t:has(run.out, "nars: 4 sittings of 4 participants")
  t:has(run.out, "~\nA +S1 +Situations and interactions with robots +6 +2 +9%.00 +2%.83 ")
  t:has(run.out, "B, S1: alpha is not defined: fewer than two complete answers")
  t:has(run.out, "~\nB +S3 +nars_5 +yes +2 +3%.50 +0%.71 ")
  local out = files.read(folder .. "/out.csv")
  t:has(out, "~,A,,en,,[%d:TZ.-]+,[%d:TZ.-]+,finished,4,3,2,2,1,2,1,3,2,2,4,1,3,4,11%.0,18%.0,13%.0\n")
  run = shell(t, "ask nars --score --json; sed 's/P\\([0-9]\\)/Q\\1/' out.csv >again.csv; \z
    ask nars --answers again.csv; ask nars --answers paper.csv", folder)
  t:code(run, 1)
  t:check(harness.is_json(run.out:match "^[^\n]*"), "no JSON: %s", run.out:sub(1, 200))
  t:has(run.err, "paper.csv, line 2: the store has answers of P1 already; --again puts them beside those")
  t:equal(harness.number(store, "SELECT count(*) FROM sittings"), 8)
  t:equal(harness.sql(store, "SELECT mean, answered, skipped FROM subscale_means WHERE participant = 'P4' \z
    AND subscale = 'S1'"), "2.4|5|1")
  run = shell(t, "ask --participant P1 --forget", folder)
  t:code(run, 0)
  t:equal(harness.number(store, "SELECT count(*) FROM answers WHERE participant = 'P1'"), 0)
  t:code(harness.run("grep -q P1 " .. files.quote(store)), 1)
end)

test("tables that are wrong are refused whole, with the line", function(t)
  local folder = t:folder()
  files.write(folder .. "/range.csv", (paper:gsub("P3,B,5", "P3,B,6")))
  files.write(folder .. "/name.csv", (paper:gsub("P3", "Anna")))
  files.write(folder .. "/short.csv", "participant,nars_1\nP1,3\n")
  local run, store = shell(t, [[for f in range name short none; do ask nars --answers $f.csv && exit 11; done
    ask nars --answers short.csv --groups S2 && exit 12; test ! -e study.db]], folder)
  t:code(run, 0)
  t:has(run.err, "range.csv: line 4: '6' is no answer to 'nars_1': a whole number from 1 to 5, or nothing")
  t:has(run.err,
    "a participant is a code such as P7, with a digit, never a name: not 'Anna'\nbrio: name.csv, line 4")
  t:has(run.err,
    "short.csv, line 2: no answer to 'nars_2'; leave its value empty where it was skipped, or say --groups")
  t:has(run.err, "none.csv")
  t:check(not files.exists(store), "a store was made")
end)

test("wrong use is said in a sentence", function(t)
  for words, expected in next, {
    ["godsped --participant P1"] = { 2, "did you mean 'godspeed'" },
    ["nars"] = { 2, "ask needs to know who answers: --participant P7" },
    ["nars --participant P1 --language xx"] = { 2,
        "nars is not there in 'xx'; there are en, de, es, fr, nl" },
    ["nars --participant P1 --groups S9"] = { 2, "nars has no group 'S9'; there are S1, S2, S3" },
    ["godspeed --participant P1 --variant short"] = { 2,
        "godspeed has no variant 'short'; there are as_printed, likeability_4" },
    ["nars --participant P1 --order mixed"] = { 2, "--order must be given or random, not 'mixed'" },
    ["nars --participant P1 --seed 3"] = { 2, "--seed goes with --order random" },
    ["nars --participant P1 --run 7"] = { 1, "study.db" },
    ["nars --score"] = { 1, "study.db" },
    ["nars --score --by robot"] = { 1, "study.db" },
    ["./none.lua --participant P1"] = { 1, "none.lua: cannot read" },
    ["--score"] = { 2, "ask needs to know which questionnaire" },
    ["--forget"] = { 2, "--forget goes with --participant" },
    ["nars sus --export x.csv"] = { 2, "--answers and --export go with one questionnaire" },
  } do
    local run = shell(t, "ask " .. words .. " </dev/null")
    t:code(run, expected[1])
    t:has(run.err, expected[2])
  end
  local run = shell(t, "head -c 5000 /dev/zero | tr '\\0' x >not.db; \"$brio\" ask nars --participant P1 \z
    --store not.db </dev/null; $brio ask && $brio ask sus --about")
  t:code(run, 0)
  t:has(run.err, "not.db: file is not a database")
  t:has(run.out, "~godspeed +24 +5 +en de es%* fr%* ja nl%*")
  t:has(run.out, "permission: Made freely available by its author")
end)

test("answers to a variant that the file has no more are not scored by a guess", function(t)
  local folder = t:folder()
  files.write(folder .. "/mine.lua", [[return {
  name = "mine", title = "Mine", sources = { "us" }, permission = "ours", lowest = 1, highest = 3,
  groups = { { id = "A", title = "A" } }, items = { { id = "x", group = "A" }, { id = "y", group = "A" } },
  variants = { short = { about = "one", omit = { "y" } } },
  languages = { en = { name = "English", origin = "own", source = "us", instruction = "Say:",
    items = { x = { "low", "high" }, y = { "bad", "good" } } } },
}
]])
  files.write(folder .. "/short.csv", "participant,x\nP1,3\n")
  local run = shell(t, [[ask ./mine.lua --variant short --answers short.csv && ask ./mine.lua --score &&
    sed -i /variants/d mine.lua && ask ./mine.lua --export - && ask ./mine.lua --score]], folder)
  t:code(run, 1)
  t:has(run.out, "\n1,P1,,,en,short,")
  t:has(run.err, "mine has no variant 'short'")
end)

test("answers stand beside the run that the participant saw", function(t)
  local run, store = shell(t,
    ([["$brio" run %s/behaviors/kiosk.lua --robot pepper --for 0.2 --clock fast --quiet --store study.db &&
    printf '3\nq\n' | ask affect --participant P1 --run last && "$brio" run %s/behaviors/kiosk.lua --robot pepper --for 0.1 --clock fast --quiet \
    --store study.db && %s | ask affect --participant P1 --run last]])
    :format(files.quote(harness.root), files.quote(harness.root), threes(2)))
  t:code(run, 0)
  t:equal(harness.sql(store, "SELECT run, outcome, (SELECT count(*) FROM runs) FROM sittings"),
    "1|finished|2")
  t:equal(harness.sql(store, "SELECT r.robot, a.item, a.value FROM answers a JOIN runs r ON r.id = a.run \z
    ORDER BY a.place LIMIT 1"), "pepper|valence|3")
end)

test("the questionnaire that the page shows can be asked", function(t)
  local folder = t:folder()
  local page = files.read(harness.root .. "/docs/analysis/questionnaires.md")
  files.write(folder .. "/mine.lua", page:match "```lua\n(return {.-)```")
  local run = shell(t, threes(3) .. " | ask ./mine.lua --participant P1 && ask ./mine.lua --score", folder)
  t:code(run, 0)
  t:has(run.out, "1/3  I liked how close it came.  not at all 1 ... 7 very much")
  t:has(run.out, "~near +Nearness +2 +1 +4%.00")
end)

harness.done()
