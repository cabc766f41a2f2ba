--- Shared code for Choregraphe's two kinds of files: curves of actuators, with keys on frames and Bézier
--- tangents.
---
--- The end of a tangent is relative to its key: `abscissaParam` in frames, `ordinateParam` in the curve's
--- unit.
local clip = require "brio.formats.clip"

local choregraphe = {}

--- Factors of units, and the resulting units. Old files number their units.
local units = {
  degree = { math.pi / 180, "rad" }, ["0"] = { math.pi / 180, "rad" },
  radian = { 1, "rad" },
  dimensionless = { 1, "1" }, ["1"] = { 1, "1" },
  meter = { 1, "m" },
}

local function where(file, element) return ("%s:%d:%d"):format(file, element.line, element.column) end

--- A finite number in an attribute; `fallback` if it is absent.
local function number(file, element, key, fallback)
  local text = element.attributes[key]
  if text == nil and fallback then return fallback end
  local value = text and clip.number(text)
  if not value then
    clip.fail(where(file, element), "<%s> has %s, expected a number", element.name,
      text and ("%s='%s'"):format(key, text) or "no " .. key)
  end
  return value
end

--- The end of a tangent, {dt, dvalue}, or nil if the key has none on that side; and the interpolation there.
local function tangent(file, key, side, fps, scale)
  for _, child in ipairs(key) do
    if child.name == "Tangent" and child.attributes.side == side then
      local kind = child.attributes["editor:interpType"] or child.attributes.interpType or "bezier"
      local dt, dvalue = number(file, child, "abscissaParam", 0) / fps,
        number(file, child, "ordinateParam", 0) * scale
      return { dt, dvalue }, kind
    end
  end
end

--- The interpolation from a key to the next, by the kind of its tangent.
local interpolations = {
  bezier = "bezier", bezier_auto = "bezier", linear = "linear", constant = "hold",
}

--- Shorten handles that reach beyond the neighboring key, where the curve would go back in time.
local function fit_handles(keys)
  local cut = 0
  for index, key in ipairs(keys) do
    local following, before = keys[index + 1], keys[index - 1]
    local room_right = following and following[1] - key[1] or 0
    local room_left = before and key[1] - before[1] or 0
    local right, left = key[5], key[4]
    if right and following and right[1] > room_right then
      key[5], cut = { room_right, right[2] * room_right / right[1] }, cut + 1
    end
    if left and before and -left[1] > room_left then
      key[4], cut = { -room_left, left[2] * room_left / -left[1] }, cut + 1
    end
    if right and right[1] < 0 or left and left[1] > 0 then key[4], key[5], cut = nil, nil, cut + 1 end
  end
  return cut
end

local function read_key(file, element, fps, scale)
  local right, kind = tangent(file, element, "right", fps, scale)
  local interpolation = right and interpolations[kind] or (right and "bezier") or "linear"
  return { number(file, element, "frame") / fps, number(file, element, "value") * scale, interpolation,
    (tangent(file, element, "left", fps, scale)), right }
end

local function fps_of(file, element, fallback)
  local fps = number(file, element, "fps", fallback)
  if not (fps > 0 and fps <= 10000) then
    clip.fail(where(file, element), "fps is %g, expected frames a second", fps)
  end
  return fps
end

--- The track of a curve, or nil if it is muted or empty.
function choregraphe.track(file, curve, fallback_fps, notes)
  local name = curve.attributes.actuator
  if not name or name == "" then clip.fail(where(file, curve), "a curve without the name of its actuator") end
  local unit = curve.attributes.unit or "degree"
  local scale = units[unit] or clip.fail(where(file, curve),
    "unit '%s' of '%s', expected degree, radian or dimensionless", unit, name)
  if curve.attributes.mute == "1" then
    clip.note(notes, "the curve of %s is muted: left out", name)
    return nil
  end
  local fps, keys = fps_of(file, curve, fallback_fps), {}
  for _, child in ipairs(curve) do
    if child.name == "Key" then
      local key = read_key(file, child, fps, scale[1])
      local last = keys[#keys]
      if last and key[1] <= last[1] then
        clip.fail(where(file, child), "frame %s comes after frame %.6g, expected rising frames",
          child.attributes.frame, last[1] * fps)
      end
      keys[#keys + 1] = key
    end
  end
  local cut = fit_handles(keys)
  if #keys == 0 then clip.note(notes, "the curve of %s has no key: left out", name) end
  if cut > 0 then clip.note(notes, "%s: %d tangents reach beyond the next key: cut there", name, cut) end
  return #keys > 0 and { name = name, unit = scale[2], keys = keys, at = where(file, curve) } or nil
end

--- Visit an element and all its descendants, outer ones first.
function choregraphe.visit(element, see)
  see(element)
  for _, child in ipairs(element) do choregraphe.visit(child, see) end
end

--- The events of the labels inside an element: {t, "label", text}.
function choregraphe.labels(file, element, fallback_fps)
  local events = {}
  choregraphe.visit(element, function(one)
    if one.name == "Labels" then
      local fps = fps_of(file, one, fallback_fps)
      for _, label in ipairs(one) do
        if label.name == "Label" then
          events[#events + 1] = { number(file, label, "frame") / fps, "label", label.attributes.name or "" }
        end
      end
    end
  end)
  table.sort(events, function(a, b) return a[1] < b[1] end)
  return events
end

return choregraphe
