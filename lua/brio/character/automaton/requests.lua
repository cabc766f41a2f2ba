--- What is asked of an automaton: a queue of motions, one on demand, and the operator.  Requests are plain
--- data, which a behavior keeps in its memory: {queue = list of IDs, demand = ID, radio = posture}.
local requests = {}

--- The most motions that wait.
requests.most = 1000

local function known(library, id)
  local made, why = library:find(id)
  if not made then error(why, 3) end
end

--- Append motions to the queue.  Raises on an unknown ID, and appends nothing.
---@param asked table
---@param library table
---@param ids string[]
function requests.append(asked, library, ids)
  if type(ids) ~= "table" then error("a queue is a list of IDs", 2) end
  for _, id in ipairs(ids) do known(library, id) end
  if #asked.queue + #ids > requests.most then
    error(("the queue holds %d motions at most"):format(requests.most), 2)
  end
  table.move(ids, 1, #ids, #asked.queue + 1, asked.queue)
end

--- Ask for one motion now: it interrupts another one, and the queue goes on after it.
function requests.demand(asked, library, id)
  known(library, id)
  asked.demand = id
end

--- The operator takes over, standing or walking; nil: gives back to the queue.
function requests.radio(asked, posture)
  if posture ~= nil and posture ~= "standing" and posture ~= "walking" then
    error("the operator commands 'standing' or 'walking', not " .. tostring(posture), 2)
  end
  asked.radio = posture
end

--- The mode and the motion that are wanted: "walking/animation", ID, or "standing/radio".  `id`: the motion
--- that plays, which nothing but a demand interrupts.  Without a motion it stands as the operator last
--- commanded.
---@return string mode
---@return string? id
function requests.wanted(asked, library, id)
  if asked.radio then return asked.radio .. "/radio" end
  local next_id = asked.demand or id or asked.queue[1]
  if not next_id then return "standing/radio" end
  return library:find(next_id).mode .. "/animation", next_id
end

--- A motion begins: it waits no longer.
function requests.begun(asked, id)
  if asked.demand == id then asked.demand = nil
  elseif asked.queue[1] == id then table.remove(asked.queue, 1) end
end

return requests
