--- The command line: its output when all is well, and when a person mistypes.
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
local harness = require "harness"
local test, brio, files = harness.test, harness.brio, harness.files

test("--version says brio and three numbers", function(t)
  local run = brio "--version"
  t:code(run, 0)
  t:has(run.out, "~^brio %d+%.%d+%.%d+\n$")
  t:equal(run.err, "", "standard error")
end)

test("help lists every command", function(t)
  local run = brio "help"
  t:code(run, 0)
  for _, path in ipairs(files.lines("ls " .. harness.root .. "/lua/brio/commands")) do
    t:has(run.out, "~\n%s+" .. path:gsub("%.lua$", "") .. "%s")
  end
  t:equal(brio("--help").out, run.out, "--help")
end)

test("every command has help of its own", function(t)
  for _, path in ipairs(files.lines("ls " .. harness.root .. "/lua/brio/commands")) do
    local name = path:gsub("%.lua$", "")
    local run = brio(name, "--help")
    t:code(run, 0)
    t:has(run.out, "usage: brio " .. name)
    t:equal(brio("help", name).out, run.out, "brio help " .. name)
  end
end)

test("schema lists every table, shows one, prints JSON, and names the table that was meant", function(t)
  local all = brio "schema"
  t:code(all, 0)
  for _, name in ipairs { "behavior", "state", "run", "character", "want.look_at", "node.wait" } do
    t:has(all.out, "~%f[^%z\n]" .. name:gsub("%p", "%%%0") .. " ")
  end
  local one = brio("schema", "state")
  t:has(one.out, "blend")
  t:has(one.out, "number, at least 0 s: time constant")
  local cjson = require "cjson"
  local row = cjson.decode(brio("schema", "state", "--json").out)
  local fields = {}
  for _, field in ipairs(row.fields) do fields[field.name] = field end
  t:equal(row.name, "state")
  t:equal(("%g %s"):format(fields.lasts.upper, fields.lasts.unit), "30 s")
  t:equal(table.concat(fields.history.of, " "), "shallow deep")
  local list = cjson.decode(brio("schema", "--json").out)
  t:equal(#list, select(2, all.out:gsub("\n", "\n")), "one line for each table")
  local wrong = brio("schema", "stat")
  t:code(wrong, 2)
  t:has(wrong.err, "there is no table 'stat' (did you mean 'state'?)")
  t:code(brio("schema", "a", "b"), 2)
end)

test("no command at all is wrong use, and shows what there is", function(t)
  local run = brio()
  t:code(run, 2)
  t:has(run.text, "usage: brio")
end)

test("an unknown command is wrong use and names the one meant", function(t)
  for wrong, meant in pairs { rnu = "run", chekc = "check", robto = "robot", histroy = "history" } do
    local run = brio(wrong, "x.lua")
    t:code(run, 2)
    t:has(run.err, wrong)
    t:has(run.err, "did you mean '" .. meant .. "'")
  end
  t:code(brio("help", "nothing"), 2)
end)

test("an unknown option is wrong use and names the one meant", function(t)
  local run = brio("run", "behaviors/kiosk.lua", "--sed", "4")
  t:code(run, 2)
  t:has(run.err, "--sed")
  t:has(run.err, "did you mean 'seed'")
  t:code(brio("run", "behaviors/kiosk.lua", "-s", "4"), 2)
  t:code(brio("check", "--everything", "x.lua"), 2)
  local nameless = brio("run", "behaviors/kiosk.lua", "--=4")
  t:code(nameless, 2)
  t:has(nameless.err, "run has no option --")
  t:check(not nameless.err:find "traceback", nameless.err)
  t:code(brio("run", "behaviors/kiosk.lua", "--for"), 2)
end)

test("bad values of options are wrong use and say what was expected", function(t)
  local wrong = { { "--for", "soon" }, { "--for", "-1" }, { "--for", "nan" }, { "--for", "1e999" },
    { "--seed", "x" },
                  { "--clock", "slow" }, { "--log", "loud" }, { "--driver", "hammer" } }
  for _, pair in ipairs(wrong) do
    local run = brio("run", "behaviors/kiosk.lua", "--clock", "fast", "--for", "0.1", pair[1], pair[2],
      { timeout = 20 })
    t:code(run, 2)
    t:has(run.err, pair[1]:sub(3))
    t:equal(run.out, "", "standard output of " .. run.command)
  end
end)

test("an option that counts takes whole numbers, and says so", function(t)
  for _, words in ipairs {
    { "play", "x.qianim", "--robot", "pepper", "--times", "2.5" }, { "perform", "--udp", "2.5" },
    { "servo", "/dev/null", "1", "--baud", "9600.5" }, { "scan", "/dev/null", "--baud", "9600.5" },
    { "setup", "/dev/null", "dynamixel", "1", "--baud", "9600.5" }, { "sql", "SELECT 1", "--rows", "2.5" },
    { "search", "x", "--most", "2.5" }, { "emulate", "dynamixel", "--servos", "2.5" },
    { "bisect", "x.lua", "--criterion", "1", "--times", "2.5" },
  } do
    local run = brio(table.unpack(words))
    t:code(run, 2)
    t:equal(run.err:match "^[^\n]*", ("brio: %s must be a whole number, not '%s'"):format(words[#words - 1],
      words[#words]), run.command)
  end
end)

test("a missing file is the world's failure and is named", function(t)
  for _, command in ipairs { "run", "check", "lua" } do
    local run = brio(command, "nowhere/none.lua")
    t:code(run, 1)
    t:has(run.text, "nowhere/none.lua")
  end
  local run = brio("robot", "nowhere/none.urdf")
  t:code(run, 1)
  t:has(run.err, "nowhere/none.urdf")
end)

test("a command without the words it needs is wrong use", function(t)
  for _, command in ipairs { "run", "check", "lua", "new", "sql" } do t:code(brio(command), 2) end
end)

test("lua runs a plain script with its words, all modules and its own exit", function(t)
  local folder = t:folder()
  files.write(folder .. "/plain.lua", [[
    local brio = require "brio"
    print(brio.version, ...)
    for _, name in ipairs { "robot", "solver", "scene", "perception", "actuator", "store" } do
      assert(type(require("brio." .. name)) == "table", name)
    end
    print(select("#", ...), arg and arg[1])
  ]])
  local run = brio("lua", folder .. "/plain.lua", "one", "--two", "three")
  t:code(run, 0)
  t:has(run.out, "one\t--two\tthree")
  t:has(run.out, "3\tone")
end)

test("lua tells of an error with its place and a traceback", function(t)
  local folder = t:folder()
  files.write(folder .. "/bad.lua", "local function deep() error 'broken here' end\n\ndeep()\n")
  local run = brio("lua", folder .. "/bad.lua")
  t:check(run.code ~= 0 and run.code < 4, "exit code %s", tostring(run.code))
  t:has(run.err, "bad.lua:1: broken here")
  t:has(run.err, "stack traceback")
end)

test("new writes a behavior that passes check and runs, and overwrites nothing", function(t)
  local folder = t:folder()
  local run = brio("new", "waver", { cwd = folder })
  t:code(run, 0)
  local file = files.lines("find " .. folder .. " -name waver.lua")[1]
  if not t:check(file, "no waver.lua was made: %s", run.text) then return end
  t:code(brio("check", file), 0)
  t:code(brio("run", file, "--for", 1, "--clock", "fast"), 0)
  t:code(brio("test", file:match "^(.*)/"), 0)
  local before = files.read(file)
  files.write(file, before .. "-- mine\n")
  t:check(brio("new", "waver", { cwd = folder }).code ~= 0, "a second `new` did not refuse")
  t:equal(files.read(file), before .. "-- mine\n", "the file after a second `new`")
  t:code(brio("new", "not a name!", { cwd = folder }), 2)
end)

test("test fails with 3 when a test fails and says which", function(t)
  local folder = t:folder()
  files.write(folder .. "/sum_test.lua", [[
    test("adds", function(t) t:equal(1 + 1, 2) end)
    test("is wrong", function(t) t:equal(1 + 1, 3) end)
  ]])
  local run = brio("test", folder)
  t:code(run, 3)
  t:has(run.text, "is wrong")
  run = brio("test", "--tap", folder)
  t:code(run, 3)
  t:has(run.out, "~ok [^\n]*adds")
  t:has(run.out, "~not ok [^\n]*is wrong")
  t:has(run.out, "\n#   ")
end)

test("test takes a file that does not load for a failure", function(t)
  local folder = t:folder()
  files.write(folder .. "/broken_test.lua", "test('x', function(t)\n")
  local run = brio("test", "--tap", folder)
  t:code(run, 3)
  t:has(run.out, "not ok")
  t:has(run.text, "broken_test.lua")
end)

--- The program as a user without access to all files: root has it.
local function as_somebody(folder, words)
  local root = files.output "id -u" == "0"
  return harness.run(("cd %s && %s %s %s"):format(files.quote(folder), root
    and "setpriv --reuid 65534 --regid 65534 --clear-groups" or "", files.quote(harness.program), words))
end

test("what may not be read or written is said so, and never taken for what is not there", function(t)
  local folder = t:folder()
  if files.output "id -u" == "0" and files.output "command -v setpriv" ==
    "" then t:skip "setpriv is not here, and root may do all" end
  files.write(folder .. "/study.lua",
    'local brio = require "brio"\nreturn brio.study { name = "s", title = "S", design = "within", '
    .. 'conditions = { "a", "b" }, participants = 2 }')
  os.execute(("cd %s && chmod 755 . && mkdir -m 755 shut kept ours && cp study.lua shut \z
    && chmod 644 study.lua"):format(files.quote(folder)))
  files.write(folder .. "/ours/robot.lua",
    ('return { name = "ours", model = "%s/drivers/robots/ur3e/model.urdf" }'):format(harness.root))
  files.write(folder .. "/ours/calibration.lua", "return {}")
  files.write(folder .. "/ours/b.lua", 'local brio = require "brio"\n\z
    local b = brio.behavior "b" { robot = "pepper", start = "one" }\nb.one = {}\nreturn b')
  os.execute(("cd %s/ours && chmod 644 robot.lua b.lua && chmod 600 calibration.lua"):format(
    files.quote(folder)))
  t:code(brio("study", "assign", folder .. "/study.lua", "--store", folder .. "/shut/x.db"), 0)
  os.execute(("cd %s && chmod 000 shut && chmod 555 kept"):format(files.quote(folder)))
  if not as_somebody(folder, "help").out:find "brio" then t:skip
    "the program cannot be run by somebody else here" end
  local cases = {
    { "study status study.lua --store shut/x.db", "cannot open shut/x.db: Permission denied" },
    { "history --store shut/x.db", "cannot open shut/x.db: Permission denied" },
    { "study assign study.lua --store kept/x.db",
      "kept/x.db: cannot be made: no permission to write in the folder kept" },
    { "attach shut/socket", "cannot attach to shut/socket: access is denied" },
    { "attach kept/socket", "cannot attach to kept/socket: there is no such socket" },
    { "study check shut/study.lua", "Permission denied" },
    { "robot shut/ours", "shut/ours/robot.lua: cannot read: Permission denied" },
    { "robot ./ours", "./ours/calibration.lua: cannot read: Permission denied" },
    { "ask godspeed --answers shut/x.csv", "brio: shut/x.csv: Permission denied" },
    { "run ours/b.lua --session shut/s.lua --store none", "brio: cannot open shut/s.lua: Permission denied" },
  }
  for _, case in ipairs(cases) do
    local run = as_somebody(folder, case[1])
    t:check(run.code ~= 0, "%s is refused", case[1])
    t:has(run.err, case[2])
  end
  os.execute(("chmod 755 %s"):format(files.quote(folder .. "/shut")))
end)

test("what goes to a closed pipe ends quietly", function(t)
  local run = harness.run { harness.files.quote(harness.program) .. " robot pepper | head -1", timeout = 20 }
  t:check(not run.err:find "traceback", "%s", run.err)
end)

harness.done()
