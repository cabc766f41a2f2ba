--- Of a snapshot: the objects of the scene that the behavior had chosen, as a ghost is told of them.
local part = { name = "objects" }

function part.save(host)
  local told = host.objects:told()
  return #told > 0 and told or nil
end

function part.restore(host, told) host.objects:take(told) end

return part
