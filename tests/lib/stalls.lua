--- What a run says when the machine, and not the test, kept its threads or a device waiting.
local stalls = {}

--- Pieces of sentences of a run whose own threads waited; of one whose device, in another process, did.
stalls.of_threads = { "sent no pose for so long", "the scripts are back", "motor thread did not run" }
stalls.of_devices = { "is late by", "does not answer", "answers again", "the motors rest and hold" }

local function any_in(pieces, line)
  for _, piece in ipairs(pieces) do
    if line:find(piece, 1, true) then return true end
  end
  return false
end

--- Whether a line tells of that; `devices` also counts what a device that was kept waiting leads to.
function stalls.tells(line, devices)
  return any_in(stalls.of_threads, line) or line:find("is late by", 1, true) ~= nil
    or devices and any_in(stalls.of_devices, line) or false
end

--- SQL: whether a fault's `message` tells of that.
stalls.sql = "(message like '%sent no pose%' or message like '%thread did not run%' or message like '%is \z
  late by%')"

return stalls
