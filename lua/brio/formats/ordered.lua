--- Documents of other programs that are written back: JSON and XML with the order of their contents kept.
---
--- The strict readers (brio.formats.json, brio.xml) check a text first and report its errors; the texts read
--- here are well-formed. Numbers, texts and attributes are kept as written. Failures are those of brio.clip.
local clip = require "brio.formats.clip"
local document = require "brio.formats.json"
local xml = require "brio.xml"

local ordered = {}

--- Report that a text is not UTF-8, with the position.
local function check_utf8(text, file)
  local good, at = utf8.len(text)
  if not good then clip.fail(file, "not UTF-8: the byte at offset %d is 0x%02X", at - 1, text:byte(at)) end
end

--- A counter of lines: at(position), for ascending positions.
local function line_counter(text)
  local line, before = 1, 1
  return function(position)
    for _ in text:sub(before, position - 1):gmatch "\n" do line = line + 1 end
    before = position
    return line
  end
end

-- JSON ------------------------------------------------------------------------------------------------------

--- A value is {kind = "object" or "list", line =, items...} or {kind = "text", "number" or "word", raw =,
--- value =}; an object's items also have `key` (its raw text). `object.of[name]` is the item of that name.
local scan_value

local words = { ["true"] = true, ["false"] = false }

local function scan_scalar(scan, at)
  local raw
  if scan.text:sub(at, at) ~= '"' then
    raw = scan.text:match("^[^%s,%]}]+", at)
    local number = tonumber(raw)
    return { kind = number and "number" or "word", raw = raw, value = number or words[raw] }, at + #raw
  end
  local last = at + 1
  while scan.text:sub(last, last) ~= '"' do last = last + (scan.text:sub(last, last) == "\\" and 2 or 1) end
  raw = scan.text:sub(at, last)
  local value = raw:find("\\", 1, true) and document.json("[" .. raw .. "]", scan.file)[1] or raw:sub(2, -2)
  return { kind = "text", raw = raw, value = value }, last + 1
end

local function skip(text, at) return text:match("^%s*()", at) end

local function scan_items(scan, at, kind, close)
  local items = { kind = kind, line = scan.line(at), of = {} }
  at = skip(scan.text, at + 1)
  while scan.text:sub(at, at) ~= close do
    local key, item
    if kind == "object" then
      key, at = scan_scalar(scan, at)
      at = skip(scan.text, skip(scan.text, at) + 1)
    end
    local line = scan.line(at)
    item, at = scan_value(scan, at)
    item.line = line
    if key then item.key, items.of[key.value] = key.raw, item end
    items[#items + 1] = item
    at = skip(scan.text, at)
    if scan.text:sub(at, at) == "," then at = skip(scan.text, at + 1) end
  end
  return items, at + 1
end

function scan_value(scan, at)
  local first = scan.text:sub(at, at)
  if first == "{" then return scan_items(scan, at, "object", "}") end
  if first == "[" then return scan_items(scan, at, "list", "]") end
  return scan_scalar(scan, at)
end

--- Read a JSON text.
function ordered.json(text, file)
  check_utf8(text, file)
  text = text:gsub("^\u{FEFF}", "")
  document.json(text, file)
  return (scan_value({ text = text, file = file, line = line_counter(text) }, skip(text, 1)))
end

local function put_json(out, value, indent)
  if value.kind ~= "object" and value.kind ~= "list" then out[#out + 1] = value.raw return end
  local open, close = "{", "}"
  if value.kind == "list" then open, close = "[", "]" end
  out[#out + 1] = open
  for index, item in ipairs(value) do
    out[#out + 1] = ("%s\n%s  %s"):format(index > 1 and "," or "", indent,
      item.key and item.key .. ": " or "")
    put_json(out, item, indent .. "  ")
  end
  out[#out + 1] = (#value > 0 and "\n" .. indent or "") .. close
end

--- Write a result of ordered.json.
function ordered.write_json(value)
  local out = {}
  put_json(out, value, "")
  return table.concat(out) .. "\n"
end

-- XML -------------------------------------------------------------------------------------------------------

local entities = { lt = "<", gt = ">", amp = "&", quot = '"', apos = "'" }

--- Escape text in attributes that XML forbids, but other readers accept: `a && b`, `a < b`.
local function legal(value)
  return (value:gsub("&(#?%w*;?)", function(name)
    local known = entities[name:match "^(%a+);$"] or name:match "^#%d+;$" or name:match "^#x%x+;$"
    return not known and "&amp;" .. name or nil
  end):gsub("<", "&lt;"))
end

--- A text with legal attributes; comments and CDATA are kept.
local function legal_text(text)
  local out, at = {}, 1
  while at <= #text do
    local first = text:find("<![-%[]", at)
    local last = first and select(2, text:find(text:sub(first + 2, first + 2) == "-" and "-->" or "]]>",
      first, true)) or #text
    out[#out + 1] = text:sub(at, (first or #text + 1) - 1):gsub("(=%s*)([\"'])(.-)%2",
      function(before, quote, value)
      return before .. quote .. legal(value) .. quote
    end)
    if first then out[#out + 1] = text:sub(first, last) end
    at = last + 1
  end
  return table.concat(out)
end

--- The value of an attribute's raw text.
local function said(raw)
  return (raw:gsub("&(#?)(x?)(%w+);", function(number, hex, name)
    if number == "" then return entities[hex .. name] end
    return utf8.char(tonumber(name, hex == "x" and 16 or 10))
  end))
end

--- The attributes that begin at `at`: a list of {name =, raw =, quote =}, their values by name, and their
--- end.
local function scan_attributes(text, at)
  local list, values = {}, {}
  while true do
    local name, quote, raw, after = text:match("^%s*([^%s=/>]+)%s*=%s*([\"'])(.-)%2()", at)
    if not name then return list, values, at end
    list[#list + 1] = { name = name, raw = raw, quote = quote }
    values[name] = said(raw)
    at = after
  end
end

--- Markup other than elements: a comment, CDATA, <?...?>, the end of a tag; {close =, its terminator}.
local function other_markup(text, at)
  local ends = text:match("^<!%-%-", at) and "-->" or text:match("^<!%[", at) and "]]>"
    or text:match("^<%?", at) and "?>"
  if not ends then return nil end
  local _, last = text:find(ends, at + 2, true)
  return { raw = text:sub(at, last) }, last + 1
end

local function scan_elements(text)
  local top = { items = {} }
  local open, at, line = { top }, 1, line_counter(text)
  while at <= #text do
    local inside, between, tag = open[#open], text:match("^([^<]*)()", at)
    if between:find "%S" then
      table.insert(inside.items, { raw = between:match "^%s*(.-)%s*$", text = true })
    end
    if tag > #text then break end
    local other, after = other_markup(text, tag)
    if other then
      table.insert(inside.items, other)
    elseif text:match("^</", tag) then
      open[#open] = nil
      after = text:find(">", tag, true) + 1
    else
      local element = { items = {}, line = line(tag), name = text:match("^<([^%s/>]+)", tag) }
      element.attributes, element.values, after = scan_attributes(text, tag + 1 + #element.name)
      table.insert(inside.items, element)
      table.insert(inside, element)
      local slash
      slash, after = text:match("^%s*(/?)>()", after)
      if slash == "" then open[#open + 1] = element end
    end
    at = after
  end
  return top
end

--- Read an XML text: {items = everything at the top, its element}. An element is {name =, line =, values =
--- {name = text}, its elements..., attributes =, items = }; items and attributes are written back.
function ordered.xml(text, file)
  check_utf8(text, file)
  text = legal_text(text:gsub("^\u{FEFF}", ""))
  if text:find("<!DOCTYPE", 1, true) then
    clip.fail(file, "a document type is declared; such a file is not read")
  end
  local good, why = xml.parse(text, file)
  if not good then clip.fail(nil, "%s", why) end
  return scan_elements(text)
end

local function put_xml(out, item, indent)
  if not item.name then out[#out + 1] = indent .. item.raw .. "\n" return end
  out[#out + 1] = indent .. "<" .. item.name
  for _, attribute in ipairs(item.attributes) do
    out[#out + 1] = (" %s=%s%s%s"):format(attribute.name, attribute.quote, attribute.raw, attribute.quote)
  end
  if #item.items == 0 then out[#out + 1] = "/>\n" return end
  local only = #item.items == 1 and item.items[1].text
  out[#out + 1] = only and ">" .. item.items[1].raw or ">\n"
  if not only then
    for _, inner in ipairs(item.items) do put_xml(out, inner, indent .. "  ") end
  end
  out[#out + 1] = (only and "" or indent) .. "</" .. item.name .. ">\n"
end

--- Write a result of ordered.xml.
function ordered.write_xml(top)
  local out = {}
  for _, item in ipairs(top.items) do put_xml(out, item, "") end
  return table.concat(out)
end

return ordered
