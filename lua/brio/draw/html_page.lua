--- Reports as one HTML file: headings, paragraphs, tables, charts. It loads nothing from a network, runs no
--- scripts, and works in print and on a phone. All arguments are text, not markup: they are escaped here.
---
---     local page = require("brio.draw.html_page").new { title = "Run 3", about = "kiosk on pepper" }
---     page:heading "How it ended"
---     page:text "It finished."
---     page:table({ "joint", "most" }, { { "HeadYaw", 0.5 } }, { caption = "How far joints went (rad)" })
---     page:chart({ from = 0, to = 4, panels = { ... } }, "what brio.draw.chart draws")
---     local html = page:finish()
local markup = require "brio.lib.markup"

local escape, element = markup.escape, markup.element

local Page = {}
Page.__index = Page

local style = [[
:root{color-scheme:light}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;color:#222;background:#fff;
margin:0 auto;max-width:62rem;
padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.7rem;line-height:1.2;margin:.4rem 0}
h2{font-size:1.25rem;margin:2rem 0 .5rem;border-bottom:1px solid #bbb;padding-bottom:.2rem}
h3{font-size:1.05rem;margin:1.3rem 0 .4rem}
p{margin:.5rem 0}
.about,.small,figcaption{color:#555}
.small,figcaption{font-size:.87rem}
nav{font-size:.9rem;margin:.8rem 0}
nav a{margin-right:.9rem;display:inline-block}
a{color:#00589b}
.wide{overflow-x:auto;margin:.6rem 0}
table{border-collapse:collapse;font-size:.87rem;overflow-wrap:normal}
th,td{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0;border-bottom:1px solid #ddd;
max-width:36rem}
td{overflow-wrap:break-word}
th{border-bottom:1.5px solid #888}
.right{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.facts th{border-bottom:1px solid #ddd;font-weight:600;white-space:nowrap}
figure{margin:.8rem 0}
figure svg{display:block;width:100%;min-width:42rem;height:auto}
pre{font-size:.8rem;line-height:1.35;overflow-x:auto;background:#f6f6f6;padding:.6rem;white-space:pre}
.added{background:#e2f4e2;display:block}
.removed{background:#fbe6e4;display:block}
.line{display:block;min-height:1.35em}
.good{color:#00633a;font-weight:600}
.bad{color:#a02010;font-weight:600}
@media print{body{max-width:none;padding:0;font-size:10pt}nav{display:none}
.wide,pre{overflow:visible}pre{white-space:pre-wrap}
figure,tr{break-inside:avoid}h2,h3{break-after:avoid}figure svg{min-width:0}@page{margin:15mm}}]]

--- Nothing may be loaded, executed or sent, whatever is in the page.
local policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action \z
  'none'"

local head = [[
<!DOCTYPE html>
<html lang="%s">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="brio %s">
<title>%s</title>
<style>%s</style>
</head>
<body>
<h1>%s</h1>
]]

local function add(page, ...)
  for _, part in ipairs { ... } do page.parts[#page.parts + 1] = part end
  page.parts[#page.parts + 1] = "\n"
  return page
end

--- A heading: of a section (level 2, listed at the top of the page), or of a part of one (3).
---@param text string
---@param level integer? default: 2
function Page:heading(text, level)
  level = level == 3 and 3 or 2
  if level == 3 then return add(self, "<h3>", escape(text), "</h3>") end
  self.sections[#self.sections + 1] = text
  return add(self, ('<h2 id="s%d">'):format(#self.sections), escape(text), "</h2>")
end

local kinds = { small = true, good = true, bad = true, about = true }

--- A paragraph; `kind` "small", "good" or "bad".
function Page:text(text, kind)
  return add(self, kinds[kind] and ('<p class="%s">'):format(kind) or "<p>",
    (escape(text):gsub("\n", "<br>")), "</p>")
end

--- A list of texts; `numbered`: 1, 2, ...
function Page:list(items, numbered)
  local name, lines = numbered and "ol" or "ul", {}
  for index, item in ipairs(items) do lines[index] = "<li>" .. escape(item) .. "</li>" end
  return add(self, "<", name, ">\n", table.concat(lines, "\n"), "\n</", name, ">")
end

--- A number for people; other values as texts; nil: empty.
local function cell(value)
  if value == nil then return "" end
  if math.type(value) == "float" then
    if value ~= value or value == math.huge or value == -math.huge then return "not finite" end
    return (("%.4g"):format(value))
  end
  return tostring(value)
end

local right = ' class="right"'

--- One row of `count` cells; numbers are right-aligned.
local function row_of(values, count)
  local cells = {}
  for index = 1, count do
    local value = values[index]
    cells[index] = ("<td%s>%s</td>"):format(type(value) == "number" and right or "", escape(cell(value)))
  end
  return "<tr>" .. table.concat(cells) .. "</tr>"
end

--- The headings, aligned as the first value of each column.
local function head_of(names, first, keys)
  local cells = {}
  for index, name in ipairs(names) do
    local value = first[keys and keys[index] or index]
    cells[index] = ('<th scope="col"%s>%s</th>'):format(type(value) == "number" and right or "", escape(name))
  end
  return "<tr>" .. table.concat(cells) .. "</tr>"
end

--- A table: the columns' names, and rows, each a list (nils are empty cells) or, with options.keys, a table
--- with these fields.
---@param names string[]
---@param rows table[]
---@param options { caption: string?, keys: string[]?, most: integer? }? most: maximum number of rows;
---  the number of the others is added below
function Page:table(names, rows, options)
  options = options or {}
  local lines, shown = {}, math.min(#rows, options.most or #rows)
  for index = 1, shown do
    local values = rows[index]
    if options.keys then
      values = {}
      for place, key in ipairs(options.keys) do values[place] = rows[index][key] end
    end
    lines[index] = row_of(values, #names)
  end
  if options.caption then self:text(options.caption, "small") end
  add(self, '<div class="wide"><table>\n<thead>', head_of(names, rows[1] or {}, options.keys),
    "</thead>\n<tbody>\n", table.concat(lines, "\n"), "\n</tbody></table></div>")
  if shown < #rows then self:text(("... and %d more."):format(#rows - shown), "small") end
  return self
end

--- Facts: a list of { name, value }; those without a value are omitted.
function Page:facts(facts)
  local lines = {}
  for index = 1, #facts do
    local name, value = facts[index][1], cell(facts[index][2] or nil)
    if value ~= "" then
      lines[#lines + 1] = ('<tr><th scope="row">%s</th><td>%s</td></tr>'):format(escape(name),
        (escape(value):gsub("\n", "<br>")))
    end
  end
  return add(self, '<div class="wide"><table class="facts">\n', table.concat(lines, "\n"), "\n</table></div>")
end

--- A picture, SVG text of brio.draw.svg, with a caption below it.
function Page:picture(svg, caption)
  local below = caption and "<figcaption>" .. escape(caption) .. "</figcaption>" or ""
  return add(self, '<figure><div class="wide">', svg, "</div>", below, "</figure>")
end

--- A chart for brio.draw.chart, with a caption below it.
function Page:chart(spec, caption) return self:picture(require("brio.draw.chart").svg(spec), caption) end

--- Preformatted text, a line each.
function Page:code(text) return add(self, "<pre>", escape(text), "</pre>") end

local changes = { ["+"] = "added", ["-"] = "removed" }

--- The difference of two texts: lines that begin with "+", "-" or a space.
function Page:diff(lines)
  local out = {}
  for index, line in ipairs(lines) do
    out[index] = element("span", { "class", changes[line:sub(1, 1)] or "line" }, escape(line))
  end
  return add(self, "<pre>", table.concat(out), "</pre>")
end

--- The page as a text.
function Page:finish()
  local links = {}
  for index, text in ipairs(self.sections) do
    links[index] = ('<a href="#s%d">%s</a>'):format(index, escape(text))
  end
  local title = escape(self.title)
  local begun = head:format(self.language, policy, require "brio.version", title, style, title)
  local about = self.about and '<p class="about">' .. escape(self.about) .. "</p>\n" or ""
  local nav = #links > 2 and "<nav>" .. table.concat(links, "\n") .. "</nav>\n" or ""
  return table.concat { begun, about, nav, table.concat(self.parts), "</body>\n</html>\n" }
end

--- A new page: { title, about (a line below it), language (of its words; default: "en") }.
---@param options { title: string, about: string?, language: string? }
local function new(options)
  local language = options.language or "en"
  assert(language:match "^[%a-]+$", "a language is letters: en")
  return setmetatable({ title = options.title, about = options.about, language = language, parts = {},
    sections = {} }, Page)
end

return { new = new, escape = escape }
