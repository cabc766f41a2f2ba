---@meta
-- luacheck: ignore 212 241 631
--- Made from engine/lua/plan/lua_timing.c by scripts/docs.lua.

---@class brio.timing
local timing = {}

---@class brio.timing.path
local path = {}

---@class brio.timing.transfer
local transfer = {}

---Times a path. `points`: a list of points, each one number for each joint; `velocity` and `acceleration`:
---limits (per s and s^2; 1e-9 to 1e9), a list or one number for all joints, math.huge: none; `names` of the
---joints, for errors. `at`: the parameter of each point, rising (the length of the straight lines up to it);
---`ends`: "natural" (no curvature at the ends) or "clamped" (no slope). `intervals` (100): more come closer
---to the shortest duration, which falls in proportion. `scheme`: "everywhere" (limits hold at any time),
---"interpolation" or "collocation" (at gridpoints, as in the paper: to compare). `start_rate` and `end_rate`:
---ds/dt at the ends (0; of clamped paths math.huge, the highest, as their joints rest at the ends anyway).
---`duration`: the requested one (the shortest). `constraints`: a function (s, q, slope, curve) that returns
---`rows` further constraints {a, b, c} at a gridpoint, a u + b x <= c with x = (ds/dt)^2 and u = d2s/dt2; q,
---slope and curve are the position and its derivatives by s. A torque limit, for example: with inverse
---dynamics tau(q, qd, qdd) and gravity g, a = tau(q, 0, slope) - g, b = tau(q, slope, curve) - g, c = limit -
---g. They hold at gridpoints.
---Points that are all the same take 0 s, or the requested duration. Raises on bad limits and points; nil: no
---motion is within the constraints, or not with this duration ("unreachable"); the path is too large
---("limit").
---@param fields table
---@return brio.timing.path? # path | nil, sentence, code
---@return string? sentence
---@return string? code
function timing.path(fields) end

---The duration, and the shortest one within the constraints, s.
---@return number # seconds, shortest
function path:duration() end

---Makes the motion last so long (0: the shortest), on the same path and within the same constraints: it is
---slowed down by one factor where the path may stand still. nil: shorter than the shortest duration, or
---longer than constraints such as gravity permit; then nothing changes.
---@param seconds number
---@return boolean? # true | nil, sentence, code
---@return string? sentence
---@return string? code
function path:set_duration(seconds) end

---Positions, velocities and accelerations of the joints at a time, s: lists. Before 0 and after the duration
---they rest at the ends.
---@param time number
---@return any # q, qd, qdd
function path:at(time) end

---The parameter of the path at a time, s, and its first and second derivative by time.
---@param time number
---@return any # s, rate, acceleration
function path:parameter(time) end

---The fastest motion of joints from one state to another with limits of velocity, acceleration and jerk (per
---s, s^2, s^3; a list or one number for all joints), such that all arrive together. `from` and `to`:
---{position, [velocity, acceleration]}, lists of a number for each joint (0). The joint that takes longest
---determines the duration; the others get one velocity of cruise that fits (some have to take longer: those
---that move fast at an end). For targets that change while the joints move: take the state of the transfer
---under way as `from`. About 5 us a joint. Raises where a limit is not from 1e-9 to 1e9, a state is
---beyond limits, `from` leads beyond them or `to` comes from there. nil: no motion was found ("unreachable").
---Source: Haschke, Weitnauer and Ritter 2008.
---@param fields table
---@return brio.timing.transfer? # transfer | nil, sentence, code
---@return string? sentence
---@return string? code
function timing.transfer(fields) end

---The duration, s.
---@return number # seconds
function transfer:duration() end

---Positions, velocities and accelerations of the joints at a time, s: lists. Before 0 it is the start; after
---the duration the end, carried on with its velocity and acceleration.
---@param time number
---@return any # q, qd, qdd
function transfer:at(time) end

return timing
