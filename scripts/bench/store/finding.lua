--- The duration of the queries of docs/analysis/cookbook.md in a store of 1,000 runs of ten minutes each: a
--- few real runs of the examples, copied repeatedly (see store_fill.lua: only the first of each has samples).
--- Needs 2.5 GB of disk space.
local cjson = require "cjson"
local files = require "files"
local rows = require "rows"

local finding = {}

--- Maximum duration of a query, ms of CPU time.
local limit = 200

--- The runs, ten minutes each: five behaviors, and two sessions of a study with a wizard who enters a line
--- every few seconds.
local script = [[
set -e
cp "$ROOT"/scripts/cookbook/*.lua .
ln -s "$ROOT/behaviors" "$ROOT/drivers" .
run() { "$BRIO" run "$@" --clock fast --rate 50 --for 600 --quiet --log silent --store small.db; }
for behavior in kiosk visitor three_doors sort_balls nodding; do run behaviors/$behavior.lua; done
"$BRIO" study assign nod_study.lua --store small.db
"$BRIO" study consent nod_study.lua P01 --store small.db
for number in 1 2; do
  run --study nod_study.lua --participant P01 --wizard W1 --operator lines.txt
  "$BRIO" study end nod_study.lua P01 --store small.db
done
"$BRIO" ask godspeed --groups III --answers answers.csv --store small.db
"$BRIO" lua "$ROOT/scripts/bench/store/store_fill.lua" small.db large.db 1000
]]

--- The wizard's lines, every few seconds.
local function wizard_lines()
  local said = { "play nod", "play wave", "say how are you", "play shake", "say that is nice", "play greet",
    'note "smiles"', "hush" }
  local lines = { "@W1", "1 step next" }
  for number = 1, 60 do lines[#lines + 1] = ("%d %s"):format(9 * number, said[number * 5 % #said + 1]) end
  return table.concat(lines, "\n") .. "\n"
end

local function answers()
  local lines = { "participant,condition,item,value,run" }
  for number, item in ipairs { "like", "friendly", "kind", "pleasant", "nice" } do
    lines[#lines + 1] = ("P01,seldom,%s,%d,6"):format(item, 2 + number % 3)
    lines[#lines + 1] = ("P01,often,%s,%d,7"):format(item, 3 + number % 3)
  end
  return table.concat(lines, "\n") .. "\n"
end

local function ask(options, list)
  local folder = files.temporary()
  files.write(folder .. "/make.sh", script)
  files.write(folder .. "/lines.txt", wizard_lines())
  files.write(folder .. "/answers.csv", answers())
  local brio = options.build .. "/brio"
  local made = files.output(("cd %s && ROOT=%s BRIO=%s sh make.sh 2>&1 || echo FAILED"):format(folder,
    files.quote(options.root), files.quote(brio)))
  if made:find "FAILED" then error(made) end
  local worst = 0
  local command = ("cd %s && %s lua scripts/bench/store/finding_ask.lua %s/large.db %s")
    :format(files.quote(options.root), files.quote(brio), folder, options.rounds)
  for _, line in ipairs(files.lines(command)) do
    local row = cjson.decode(line)
    worst = math.max(worst, row.cpu_ms)
    list[#list + 1] = rows.one(("%d. %s"):format(row.number, row.title), "ms", row.cpu_ms, { value = limit })
  end
  list[#list + 1] = rows.one("the slowest of them", "ms", worst, { value = limit })
  files.remove(folder)
end

--- Measure; {rows, notes}.
function finding.measure(options)
  return rows.measure("finding", { { "thirty questions", ask } }, options)
end

return finding
