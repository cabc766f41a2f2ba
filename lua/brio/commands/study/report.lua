--- `brio study report`: writes a report with the headings required of studies with a wizard.
local cli, output = require "brio.terminal.cli", require "brio.terminal.output"
local report, store = require "brio.study.report", require "brio.store"

local verb = { words = "FILE|NAME [--out FILE.html]", least = 1, most = 1,
  summary = "write a report with the headings of Wizard-of-Oz studies, filled in from the record" }

--- The study's name, and its file if one is given; nil and a sentence.
local function study_of(word)
  if not word:find "[/.]" then return word end
  local data, why = require("brio.study.file").read(word)
  if not data then return nil, why end
  return data.name, data
end

function verb.run(args, context)
  local name, data = study_of(args[1])
  if not name then return cli.finish(nil, data) end
  if args.out and not args.out:find "%.html?$" and not args.out:find "%.md$" then
    cli.error("--out must be a file .md or .html, not '%s'", args.out)
    return 2
  end
  local collected = context:query(function(db) return report.collect(db, name, data) end)
  if not collected then return 1 end
  if args.json then
    print(store.json(report.data(collected)))
    return 0
  end
  local html = args.out and args.out:find "%.html?$"
  local writer = require(html and "brio.draw.html_page" or "brio.study.report.markdown")
  local text = report.write(collected, writer)
  if not args.out then
    output.say(text)
    return 0
  end
  local good, why = cli.write(args.out, text)
  if good then
    print(("wrote %s; %d of %d headings are missing"):format(args.out, collected.missing, #collected.rows))
  end
  return cli.finish(good, why)
end

return verb
