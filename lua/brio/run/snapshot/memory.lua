--- Part of a snapshot: the behavior's memory and its tuned values.
local part = { name = "memory" }

function part.save(host)
  return { memory = host.self.memory, tune = host.self.tune, version = host.version }
end

--- Restore the saved keys; keys that only the present version of the behavior has keep their first values.
local function take(host, told)
  local first = host:initial_memory()
  for key, value in next, told.version ~= host.version and first or {} do
    if told.memory[key] == nil then told.memory[key] = value end
  end
  host.self.memory = told.memory
end

function part.restore(host, told)
  if type(told.memory) == "table" then take(host, told) end
  local params = host.definition.fields.tune or {}
  for name, value in next, type(told.tune) == "table" and told.tune or {} do
    local param = params[name]
    if param and type(value) == "number" and value >= param.lower and value <= param.upper then
      host.self.tune[name] = value
    end
  end
end

return part
