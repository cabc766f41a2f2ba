---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/motion/lua_player.c by scripts/docs.lua.

---@class brio.player
local player = {}

---A player for a robot's DOFs, a list of {lower =, upper =, rest =, velocity =, acceleration =, mirror =,
---sign =}, the first `tree` of which are joints; mirror is the number of the DOF on the other side, sign 1 or
----1. `sources`: at most at once (128); `follow`: the weight of tracks that say none (500); `filters`: a list
---of {dof =, stages = 2, tau =}, what comes out for these DOFs goes through so many low-pass filters of that
---time constant (s).
---@param fields table
---@return brio.player # player
function player.new(fields) end

---Plays a sequence of motion.sequence. how: {name =, stage = "sequences", priority = 0, speed = 1, amplitude
---= 1, gain = 1, fade = 0.25 or {in, out}, start = 0, mirror =, hold =, alive = 0 to 1}. The source is a
---number.
---@param sequence any
---@param how any
---@return any? # source | nil, sentence, code
---@return string? sentence
---@return string? code
function player:play(sequence, how) end

---A source of values that are said live: how as in play, and tau (s): they are smoothed so; follow: how hard
---joints are to go along with them (500).
---@param how any
---@return any? # source | nil, sentence, code
---@return string? sentence
---@return string? code
function player:live(how) end

---Says a live source's value of DOF number `dof`; nil: it lets go of it. With `over` it is added to what is
---below.
---@param source any
---@param dof any
---@param value any
---@param over? any
function player:say(source, dof, value, over) end

---Ends a source; what that changes at a jump is bridged in `fade` seconds (its own).
---@param source any
---@param fade? any
---@return boolean # whether it was there
function player:stop(source, fade) end

---Lets a sequence that loops, or is held at its end, go on to its end.
---@param source any
---@return boolean # whether it was there
function player:release(source) end

---Goes on with another version of its sequence at the same time of it.
---@param source any
---@param sequence any
---@return boolean # whether it was there
function player:exchange(source, sequence) end

---Changes "speed", "amplitude", "gain", "mirror", "time", "mute" or "solo" of a source while it plays.
---@param source any
---@param field any
---@param value any
function player:set(source, field, value) end

---Keeps a source off DOF number `dof`, or lets it on again.
---@param source any
---@param dof any
---@param off any
---@return boolean # whether it was there
function player:mask(source, dof, off) end

---How much of a source counts on DOF number `dof`, from 0 to 1, beside its gain. It is not bridged: go there
---step by step.
---@param source any
---@param dof any
---@param share any
---@return boolean # whether it was there
function player:share(source, dof, share) end

---All sources, from the bottom to the top; level: how far it moves DOFs, as a share of half their range, at
---the peak.
---@return table # list of {source, name, stage, priority, time, speed, amplitude, gain, level, live, mirror, mute, solo, holds, looping, passes}
function player:sources() end

---The stages of the combination, in their order.
---@return table # list of {name, doc, claims, yields, mixes, foreign}
function player:stages() end

---Adds a stage of one's own behind another: combine stops at it, and its sources' values are said then.
---@param name string
---@param after any
---@return number # number
function player:add_stage(name, after) end

---Takes a stage of one's own away, with its sources.
---@param name string
---@return boolean # whether it was there
function player:remove_stage(name) end

---Where DOF number `dof` is at this place of the combination.
---@param dof any
---@return number # number
function player:value(dof) end

---Eyelids that go with eyes: a list of {lid =, eye =, closed =, open =, gain =}; lid and eye are numbers of
---DOFs.
---@param list table
function player:eyelids(list) end

---Reads, and with a table of the same fields and fade (s) sets, the mixer and the combination's channel of
---it.
---@param settings? any
---@return table # {literal, gain, mute, solo}
function player:mixer(settings) end

---each source that has a track for it, from the bottom to the top.
---@param dof any
---@return table # {below, combined, mixed, bridge, filter, value, rate, follow, [owner]}, list of {source, said, before, after, a, b, follow} What made DOF number `dof` what it was in the last tick: the whole, and
function player:why(dof) end

---The oldest thing that happened: "cue" (number index of its sequence), "looped" (index: passes), "ended",
---"on" and "off" (it has taken, or let go of, DOF number index).
---@return any # what, source, index or nothing
function player:poll() end

---While it is paused, time does not go on.
---@param paused any
function player:pause(paused) end

---A tick without a robot: `below` is where each DOF is without the player, a list; what it makes of them, and
---how hard each is to be followed (0: it wants nothing of it). Stages of one's own are passed by.
---@param below any
---@param dt number
---@return any # values, follow
function player:tick(below, dt) end

return player
