--- Divides the missing runs of a batch into shares, each long enough to be worth a process of its own.
local shares = {}

--- Seconds that a share takes at least, if there is so much to do, and at most.
shares.least, shares.most = 30, 600

--- Number of shares for each core, so that cores that are done early find more to do.
shares.per_core = 8

--- The number of runs of a share.  `seconds`: of one run; `left`: runs to do; `limit`: most shares.
---@param seconds number
---@param left integer
---@param cores integer
---@param limit integer
---@return integer
function shares.size(seconds, left, cores, limit)
  local even = math.ceil(left / (cores * shares.per_core))
  local long = math.ceil(shares.least / math.max(seconds, 1e-6))
  local most = math.max(1, math.floor(shares.most / math.max(seconds, 1e-6)))
  return math.max(1, math.min(math.max(even, long), most), math.ceil(left / limit))
end

--- The shares of what is missing, first runs first: a list of {point, runs = ascending numbers}.  `missing`:
--- for each point the numbers of its runs.
---@param missing integer[][]
---@param size integer
function shares.divide(missing, size)
  local list = {}
  for point, runs in ipairs(missing) do
    for first = 1, #runs, size do
      list[#list + 1] = { point = point,
        runs = table.move(runs, first, math.min(first + size - 1, #runs), 1, {}) }
    end
  end
  return list
end

--- The number of runs in all.
function shares.count(missing)
  local count = 0
  for _, runs in ipairs(missing) do count = count + #runs end
  return count
end

return shares
