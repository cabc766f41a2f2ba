--- `brio study new`: creates a working file for a study.
local cli = require "brio.terminal.cli"

local verb = { words = "NAME", least = 1, most = 1,
  summary = "create a study: NAME.lua, with everything that a report needs" }

local head = [[
--- NAME: what is to be found out, in a sentence.  docs/analysis/studies.md says what each field means.
local brio = require "brio"

return brio.study {
  name = "NAME",
  title = "What is to be found out?",
  design = "within",              -- each participant meets each condition; "between": one of them
  counterbalance = "williams",    -- of the order: each condition as often in each place, and after each
  conditions = {
    { name = "still", about = "the robot listens without a move" },
    { name = "nodding", about = "the robot nods while it listens" },
  },
  participants = 12,
  seed = SEED,                    -- of the order: nobody can guess it
  behavior = "NAME_behavior.lua", -- also of a condition alone, as robot, world, session and tune
  questionnaires = { "godspeed" },
  minutes = 10,
  late_after = 3,                 -- s from a cue to the wizard's action
  consent = "form 1",
  wizards = {
    { code = "W1", part = "speech and head", training_minutes = 60, experience = "3 studies" },
  },
  facts = {                       -- all that is kept of participants: words or numbers, no free text
    age = { lowest = 18, highest = 99, unit = "years" },
    robots_before = { "never", "seldom", "often" },
  },
  report = {
]]

--- The fields of `report`, empty, with their questions.
local function report_text()
  local lines = {}
  for _, part in ipairs(require("brio.study.headings").parts) do
    lines[#lines + 1] = ("    %s = {"):format(part.key)
    for _, row in ipairs(part.rows) do
      lines[#lines + 1] = ("      -- %s = \"\", -- %s"):format(row[1], row[2])
    end
    lines[#lines + 1] = "    },"
  end
  return table.concat(lines, "\n") .. "\n  },\n}\n"
end

function verb.run(args)
  local name = args[1]
  if not name:find "^%a[%w_-]*$" or #name > 40 then
    cli.error("a study's name is a word of letters, digits, _ and -, not '%s'", name)
    return 2
  end
  local path = name .. ".lua"
  if require("luv").fs_stat(path) then
    cli.error("%s is there already", path)
    return 1
  end
  local seed = ("%d"):format(("I3"):unpack(require("luv").random(3)))
  local good, why = cli.write(path, ((head .. report_text()):gsub("NAME", name):gsub("SEED", seed)))
  if not good then return cli.finish(nil, why) end
  print(("wrote %s. Next:\n  brio new %s_behavior\n  brio study check %s"):format(path, name, path))
  return 0
end

return verb
