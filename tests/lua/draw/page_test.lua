--- Pages of reports: text is escaped, and the file needs no other file.
local markup, xml = require "brio.lib.markup", require "brio.xml"

local page = require "brio.draw.html_page"

local hostile = "a,\"b\"\n<script>alert(1)</script>&amp;\0\1\27\xff\xc3(\u{1F600}\u{FFFE}'"

test("text that goes into markup is UTF-8, has no control characters, and opens no tag", function(t)
  local safe = markup.escape(hostile)
  t:equal(safe:find "[<>\"'\0-\9\11-\31]", nil)
  t:ok(utf8.len(safe))
  t:ok(safe:find("\u{1F600}", 1, true))
  t:ok(safe:find("&amp;amp;", 1, true))
  t:equal(markup.utf8 "\xf0\x9f\x98", "\u{FFFD}\u{FFFD}\u{FFFD}")
  t:equal(markup.utf8 "ok \u{E9}", "ok \u{E9}")
end)

test("a page is one file: escaped, without scripts, links to elsewhere or unclosed tags", function(t)
  local made = page.new { title = hostile, about = hostile }
  made:heading(hostile):text(hostile, "bad"):list { hostile }:code(hostile):diff { "+" .. hostile, "-x",
    " y" }
  made:table({ "name", hostile }, { { hostile, 0 / 0 }, { nil, 1.5 } }, { caption = hostile })
  made:facts { { hostile, hostile }, { "left out", nil } }
  made:chart({ title = hostile, from = 0, to = 2, panels = {
    { title = hostile, unit = "rad", lines = { { label = hostile, points = { 0, 0.1, 2, 0.5 } } } },
    { title = "states", bands = { { row = hostile, label = hostile, from = 0, to = 1 } } },
    { title = "events", events = { { 1, hostile } } } } }, hostile)
  local html = made:finish()
  t:equal(html:find("<script", 1, true), nil)
  t:equal(html:find("left out", 1, true), nil)
  t:equal(html:match "https?://[^\"]*", "http://www.w3.org/2000/svg", "the only address is the name of SVG")
  t:equal(html:match "<a href=\"[^#]", nil)
  t:ok(html:find("default-src 'none'", 1, true))
  local body = html:match "<body>.*</body>"
  local root, why = xml.parse((body:gsub("<br>", "<br/>")))
  t:ok(root, why)
end)

test("tables say how many rows they leave out, and take fields by name", function(t)
  local made = page.new { title = "x" }
  made:table({ "a" }, { { b = 1 }, { b = 2 }, { b = 3 } }, { keys = { "b" }, most = 2 })
  local html = made:finish()
  t:ok(html:find("and 1 more", 1, true))
  t:ok(html:find('<td class="right">2</td>', 1, true))
  t:equal(html:find("<td class=\"right\">3</td>", 1, true), nil)
end)
