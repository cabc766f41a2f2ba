--- Part of a snapshot: the scene objects that the behavior had chosen, in the form in which a ghost gets
--- them.
local part = { name = "objects" }

function part.save(host)
  local told = host.objects:told()
  return #told > 0 and told or nil
end

function part.restore(host, told) host.objects:take(told) end

return part
