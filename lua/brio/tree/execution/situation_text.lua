--- Description of a run for a language model, as lines of plain text: the robot's surroundings, and its tree.
local telling = {}

--- Maximum number of objects and of nodes, and maximum length of a name, bytes.
telling.most, telling.longest = 30, 60

local function short(text) return (tostring(text):gsub("%c", " "):sub(1, telling.longest)) end

local function place(position) return ("(%.2f, %.2f, %.2f)"):format(position[1], position[2], position[3]) end

--- Confirmed people and objects, nearest first to the robot's base.
function telling.scene(site)
  local host, lines = site.host, {}
  local objects, far = host.scene:objects(), {}
  for _, object in ipairs(objects) do
    local p = object.position
    far[object] = p[1] * p[1] + p[2] * p[2] + p[3] * p[3]
  end
  table.sort(objects, function(a, b) return far[a] < far[b] or far[a] == far[b] and a.number < b.number end)
  for index, object in ipairs(objects) do
    if index > telling.most then break end
    lines[index] = ("- %s '%s' at %s m, seen %.1f s ago"):format(short(object.kind),
      short(object.id or object.number), place(object.position), math.max(0, host.now - object.last_seen))
  end
  if #lines == 0 then lines[1] = "- nothing is seen" end
  for index, object in ipairs(host.scene:chosen()) do
    if index > telling.most then break end
    lines[#lines + 1] = ("- the robot calls '%s': %s at %s m%s"):format(short(object.name),
      short(object.source or object.kind),
      place(object.position), object.stale and (", seen %.1f s ago"):format(math.max(0, object.age)) or "")
  end
  return "Around the robot (x forward, y left, z up):\n" .. table.concat(lines, "\n")
end

--- The behavior: its state, the running nodes of its tree, and those that failed, with the reason.
function telling.state(site)
  local lines = { ("State: %s, %.1f s since the beginning."):format(site.host:state() or site.name or "none",
    site.host.now) }
  local tree = site.tree
  for number, record in ipairs(tree and tree.compiled.list or {}) do
    if #lines > telling.most then break end
    local status, seconds, why = tree.nodes:status(number)
    if status == "running" and #record.name > 0 then
      lines[#lines + 1] = ("- '%s' runs, for %.1f s"):format(short(record.name), seconds)
    elseif status == "failure" then
      lines[#lines + 1] = ("- '%s' failed: %s"):format(short(record.name), short(why or "without a word"))
    end
  end
  return table.concat(lines, "\n")
end

--- Additional lines of a node before its question.
function telling.before(site, form)
  local parts = {}
  if form.tell_state then parts[#parts + 1] = telling.state(site) end
  if form.tell_scene then parts[#parts + 1] = telling.scene(site) end
  return #parts > 0 and table.concat(parts, "\n\n") .. "\n\n" or ""
end

return telling
