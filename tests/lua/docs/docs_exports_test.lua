--- docs/analysis/exports.md names each format, topic and tier that there is.
local run_export = require "brio.formats.run.writers"
local run_marks = require "brio.formats.run.marks"
local run_topics = require "brio.formats.run.topics"

test("docs/analysis/exports.md names each format, topic and tier", function(t)
  local file = assert(io.open "docs/analysis/exports.md")
  local text = file:read "a"
  file:close()
  for _, format in ipairs(run_export.list()) do
    t:ok(text:find(("| `%s` |"):format(format.name), 1, true), "format %s", format.name)
  end
  for _, row in ipairs(run_topics.list) do
    t:ok(text:find("`" .. row.topic, 1, true), "topic %s", row.topic)
  end
  for _, row in ipairs(run_marks.list) do
    t:ok(text:find("`" .. row.tier .. "`", 1, true) or text:find("`" .. row.tier .. ": ", 1, true), "tier %s",
      row.tier)
  end
end)
