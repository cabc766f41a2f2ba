--- Text for HTML, SVG and XML: markup characters are escaped, and invalid characters are replaced.
local markup = {}

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }

local unknown = "\u{FFFD}"

--- Valid UTF-8: each byte that is not a part of a character becomes U+FFFD.
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

--- A text that is valid in XML 1.0: without control characters (except tab and newline), U+FFFE and U+FFFF.
function markup.plain(value)
  local text = markup.utf8(tostring(value)):gsub("\r\n?", "\n")
  return (text:gsub("[\0-\8\11\12\14-\31\127]", unknown):gsub("\u{FFFE}", unknown):gsub("\u{FFFF}", unknown))
end

--- A text between tags, or in quotes within a tag.
function markup.escape(value) return (markup.plain(value):gsub("[&<>\"']", entities)) end

--- An element: its name, its attributes in order, {name, value, ...}, and its content, which is markup
--- (nil: empty).
function markup.element(name, attributes, inner)
  local parts = { "<", name }
  for index = 1, #attributes, 2 do
    parts[#parts + 1] = (' %s="%s"'):format(attributes[index], markup.escape(attributes[index + 1]))
  end
  parts[#parts + 1] = inner and (">%s</%s>"):format(inner, name) or "/>"
  return table.concat(parts)
end

return markup
