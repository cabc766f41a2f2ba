--- Text that goes into HTML, SVG and XML: nothing in it is taken for markup, and what no reader would accept
--- is replaced.
local markup = {}

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }

local unknown = "\u{FFFD}"

--- UTF-8 as it should be: each byte that belongs to no character becomes U+FFFD.
function markup.utf8(text)
  if utf8.len(text) then return text end
  local out, at = {}, 1
  while at <= #text do
    local good, bad = utf8.len(text, at)
    bad = good and #text + 1 or bad
    out[#out + 1] = text:sub(at, bad - 1)
    if bad <= #text then out[#out + 1] = unknown end
    at = bad + 1
  end
  return table.concat(out)
end

--- A text that XML 1.0 may hold, as it is: without control characters but tab and newline, U+FFFE and U+FFFF.
function markup.plain(value)
  local text = markup.utf8(tostring(value)):gsub("\r\n?", "\n")
  return (text:gsub("[\0-\8\11\12\14-\31\127]", unknown):gsub("\u{FFFE}", unknown):gsub("\u{FFFF}", unknown))
end

--- A text for between tags, or in quotes within one.
function markup.escape(value) return (markup.plain(value):gsub("[&<>\"']", entities)) end

--- An element: its name, its attributes in order, {name, value, ...}, and what is in it, which is markup
--- itself (nil: nothing).
function markup.element(name, attributes, inner)
  local parts = { "<", name }
  for index = 1, #attributes, 2 do
    parts[#parts + 1] = (' %s="%s"'):format(attributes[index], markup.escape(attributes[index + 1]))
  end
  parts[#parts + 1] = inner and (">%s</%s>"):format(inner, name) or "/>"
  return table.concat(parts)
end

return markup
