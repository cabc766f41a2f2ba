---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/motion/lua_player.c by scripts/docs.lua.

---@class brio.player
local player = {}

---A player for a robot's DOFs, a list of {lower =, upper =, rest =, velocity =, acceleration =, mirror =,
---sign =}, the first `tree` of which are joints; mirror is the number of the DOF on the other side, sign 1 or
----1. `sources`: most sources at once (128); `follow`: the default weight of tracks (500); `filters`: a list
---of {dof =, stages = 2, tau =}: the output for these DOFs passes `stages` low-pass filters with time
---constant `tau` (s).
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

---A source of live values: how as in play, and tau (s): time constant of their smoothing; follow: their
---weight for joints (500).
---@param how any
---@return any? # source | nil, sentence, code
---@return string? sentence
---@return string? code
function player:live(how) end

---Sets a live source's value of DOF number `dof`; nil: releases it. With `over` it is added to the value
---below.
---@param source any
---@param dof any
---@param value any
---@param over? any
function player:say(source, dof, value, over) end

---Ends a source; the jump is bridged in `fade` seconds (its own).
---@param source any
---@param fade? any
---@return boolean # whether it was there
function player:stop(source, fade) end

---Lets a sequence that loops, or is held, play to its end.
---@param source any
---@return boolean # whether it was there
function player:release(source) end

---Continues with another version of its sequence at the same time in it.
---@param source any
---@param sequence any
---@return boolean # whether it was there
function player:exchange(source, sequence) end

---Changes "speed", "amplitude", "gain", "mirror", "time", "mute" or "solo" of a source during playback.
---@param source any
---@param field any
---@param value any
function player:set(source, field, value) end

---Masks DOF number `dof` for a source, or unmasks it.
---@param source any
---@param dof any
---@param off any
---@return boolean # whether it was there
function player:mask(source, dof, off) end

---Sets the share of a source on DOF number `dof`, from 0 to 1, in addition to its gain. It is not bridged:
---change it in small steps.
---@param source any
---@param dof any
---@param share any
---@return boolean # whether it was there
function player:share(source, dof, share) end

---All sources, from the bottom to the top; level: its peak motion, as a share of half the DOFs' range.
---@return table # list of {source, name, stage, priority, time, speed, amplitude, gain, level, live, mirror, mute, solo, holds, looping, passes}
function player:sources() end

---The stages of the combination, in their order.
---@return table # list of {name, doc, claims, yields, mixes, foreign}
function player:stages() end

---Adds a script's stage after another: combine stops at it, and the script sets its sources' values.
---@param name string
---@param after any
---@return number # number
function player:add_stage(name, after) end

---Removes a script's stage, with its sources.
---@param name string
---@return boolean # whether it was there
function player:remove_stage(name) end

---The value of DOF number `dof` at this stage of the combination.
---@param dof any
---@return number # number
function player:value(dof) end

---Sets the eyelids that follow eyes: a list of {lid =, eye =, closed =, open =, gain =}; lid and eye are
---numbers of DOFs.
---@param list table
function player:eyelids(list) end

---Reads, and with a table of the same fields and fade (s) sets, the mixer and the combination's channel of
---it.
---@param settings? any
---@return table # {literal, gain, mute, solo}
function player:mixer(settings) end

---Explains the value of DOF number `dof` in the last tick: the totals, and each source with a track for
---it, from the bottom to the top.
---@param dof any
---@return table # {below, combined, mixed, bridge, filter, value, rate, follow, [owner]}, list of {source, said, before, after, a, b, follow}
function player:why(dof) end

---The oldest event: "cue" (number index of its sequence), "looped" (index: passes), "ended",
---"on" and "off" (it acquired, or released, DOF number index).
---@return any # what, source, index or nothing
function player:poll() end

---Pauses its time, or continues it.
---@param paused any
function player:pause(paused) end

---A tick without a robot: `below` is a list of each DOF's value without the player; returns their values, and
---their weights (0: not moved). Stages of scripts are skipped.
---@param below any
---@param dt number
---@return any # values, follow
function player:tick(below, dt) end

return player
