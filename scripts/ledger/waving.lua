--- A robot that waves all the time, for the ledger: the cost of a tick with a playing sequence.
local brio = require "brio"

local waving = brio.behavior "waving" { robot = "pepper", start = "on" }

waving.on = {
  wants = { brio.want.joint_match { joint = "HeadPitch", goal = 0 } },
  tick = function(self)
    if not self:plays "wave" then self:play "wave" end
  end,
}

return waving
