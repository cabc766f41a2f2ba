---@meta
-- luacheck: ignore 121 211 212 241 631
--- What `require "brio"` is to a behavior, for the Lua language server; see docs/behaviors/behaviors.md.

---@class brio.Pose
---@field position number[] x, y, z in meters
---@field orientation number[] quaternion x, y, z, w

---@class brio.Object
---@field kind string "person", ...
---@field id string
---@field number integer counts all that ever appeared
---@field pose brio.Pose
---@field position number[]
---@field velocity number[] m/s
---@field size number[]
---@field confidence number 0 to 1
---@field first_seen number s
---@field last_seen number s
---@field sightings integer

-- What a function has in hand ---------------------------------------------------------------------

---@class brio.Self
---@field now number time of the run, s
---@field dt number since the last tick, s
---@field name string of the behavior
---@field state string path of the state whose function runs
---@field resumed? boolean true while the run goes on from another one, as `enter` is called
---@field memory table what the behavior remembers
---@field tune table<string, number> values of its tunable parameters
---@field scene brio.scene what is around
---@field inputs table<string, any> what is sensed besides: buttons, touch, ranges, ... by name
---@field detectors table<string, brio.detector> programs that see for the robot (docs/perception/detectors.md)
---@field clouds table<string, brio.cloud> the newest point clouds, by the name of what senses them
---@field robot brio.robot the model
---@field roles table<string, string> links by what they are for
---@field poses table<string, table> named poses of the robot file
---@field control brio.Control what people have of the body, and levels of autonomy (docs/operators/shared-control.md)
---@field actuator brio.actuator targets of what is outside the kinematic tree; measured states
---@field perception brio.perception
---@field stance brio.Stance how it stands and walks, where it has legs (docs/behaviors/walking.md)
---@field emotion? brio.Emotion what it feels, where its character has an emotion (docs/animation/emotion.md)
---@field gaze? brio.Gaze what it looks at, where its character has a gaze (docs/animation/gaze.md)
---@field speech brio.Speech what it says
---@field idle? brio.Idle its idle life, where its character has one (docs/animation/character.md)
local Self = {}

---Waits for so many seconds. Only in `run`.
---@param seconds number
function Self:wait(seconds) end

---Waits for an event. Only in `run`.
---@param event string
---@param timeout? number s
---@return any data what came with it (true: nothing); nil: time was over
---@return string? why "timeout"
function Self:await(event, timeout) end

---Waits until the condition is true. Only in `run`.
---@param condition fun(self: brio.Self): any
---@param timeout? number s
---@return any value the condition's; nil: time was over
---@return string? why "timeout"
function Self:await_until(condition, timeout) end

---Tells the machine, and the store, that something happened.
---@param event string
---@param data? any
function Self:emit(event, data) end

---True once every so many seconds of the state, the first time after that long.
---@param seconds number
---@return boolean
function Self:every(seconds) end

---Seconds since the state was entered.
---@return number
function Self:elapsed() end

---Forget where a state was left: it is entered as for the first time, whatever its history.
---@param state string its name, as a transition has it
function Self:forget(state) end

---A random number of this run's seeded stream.
---@param lower? number 0 unless said
---@param upper? number 1 unless said
---@return number
function Self:random(lower, upper) end

---One of a list's items, each as likely.
---@generic T
---@param list T[]
---@return T
function Self:choose(list) end

---Writes a sentence to the log.
---@param format string
---@param ... any
function Self:log(format, ...) end

--- Keep what a variable is, each time that it changes, in the store: table `watched`, view `watches`.
---@param name string
---@param value number|string|boolean|nil
---@param unit? string "m", "rad", ...; the first one holds
function Self:watch(name, value, unit) end

---The pose of a link, role, object or person; nil when there is none.
---@param name string
---@return brio.Pose?
function Self:where(name) end

---Whether the robot has a DOF of that name, in the kinematic tree or outside it.
---@param dof string
---@return boolean
function Self:has(dof) end

---The newest point cloud of that name; without a name, the newest of all.
---@param name? string
---@return brio.cloud? # nil: there is none
function Self:cloud(name) end

---Whether this run has an input of that name.
---@param input string
---@return boolean
function Self:senses(input) end

---The level orientation that turns the x axis of a link to a point.
---@param link string
---@param point number[]
---@return number[] quaternion
function Self:towards(link, point) end

---@class brio.Task
---@field name string
local Task = {}

---"running", "success" or "failure", and why it failed.
---@return "running"|"success"|"failure" result
---@return string? why
function Task:status() end

---What it does now, in words.
---@return string
function Task:text() end

---Stop it: what it moves brakes and holds.
function Task:stop() end

---Start a tree, or a leaf, beside the tree of the state; it ends with the state.
---@param tree table
---@param name? string
---@return brio.Task
function Self:task(tree, name) end

---Bring an arm somewhere, around what is in the way: a task with the leaf `arm` and these fields.
---@param fields table
---@return brio.Task
function Self:reach(fields) end

---Put a solid in the robot's way, or move it there; nil takes it away.
---@param key string
---@param shape? { kind: string, size?: number[], points?: number[][], link?: string, pose?: brio.Pose, physical?: boolean }
---@return boolean? done nil when there is no room
---@return string? why
---@return string? code
function Self:shape(key, shape) end

---@class brio.How
---@field stage? string of the combination; "sequences"
---@field priority? number the higher is on top; of equals, the later
---@field speed? number 1: as it was made
---@field amplitude? number how much of what it does; 1
---@field alive? number 0 to 1: how much of what lends joints life stays on top; 0
---@field gain? number of its channel of the mixer; 1
---@field fade? number|number[] s, or {in, out}: in which jumps where it comes and goes are bridged
---@field start? number s of its own time
---@field mirror? boolean left for right
---@field hold? boolean its last values stay until it is stopped

---@class brio.Playing
---@field name string
local Playing = {}

---@return boolean plays whether it still plays
function Playing:on() end

---@param fade? number s
---@return boolean done
function Playing:stop(fade) end

---@param field "speed"|"amplitude"|"gain"|"mirror"|"time"|"mute"|"solo"
---@param value number|boolean
---@return boolean done false when it is over
function Playing:set(field, value) end

---Of a live source: a DOF's value, nil to let go; with `over` it is added to what is below.
---@param dof string
---@param value? number
---@param over? boolean
function Playing:say(dof, value, over) end

---Plays a sequence: a name among the behavior's `sequences` and the robot's, or a table as in
---docs/animation/sequences.md.
---@param name string|table
---@param how? brio.How
---@return brio.Playing? playing nil: there are too many
---@return string? why
function Self:play(name, how) end

---Makes a source of values that are said live; tau (s) smooths them.
---@param name string
---@param how? brio.How
---@return brio.Playing?
---@return string? why
function Self:live(name, how) end

---Stops what plays under a name; a loop goes on to its end, unless a fade (s) is said.
---@param name string
---@param fade? number
---@return boolean done whether there was any
function Self:stop(name, fade) end

---@param name string
---@return boolean
function Self:plays(name) end

---Whether there is a sequence of that name, of the behavior's or of the robot's.
---@param name string
---@return boolean
function Self:knows(name) end

---Why a DOF is where it is; `tostring` says it in sentences.
---@param dof string
---@return table
function Self:why(dof) end

-- What a behavior says ----------------------------------------------------------------------------

---@alias brio.Target string|fun(self: brio.Self, data: any): string?
---@alias brio.Timer { [1]: number, [2]: brio.Target }
---@alias brio.Condition { [1]: fun(self: brio.Self): any, [2]: brio.Target }

---@class brio.Param

---@class brio.About
---@field robot brio.robot
---@field roles table<string, string>
---@field poses table<string, table>
---@field tune table<string, number> the values that the file gives
---@field memory table the first value of self.memory

---@class brio.Behavior
---@field power_on? brio.State
---@field power_off? brio.State
---@field [string] brio.State

---@class brio
---@field version string
---@field want brio.want
---@field geometry brio.geometry directions, orientations and poses (docs/behaviors/geometry.md)
---@field perception brio.perception
---@field scene brio.scene
---@field solver brio.solver
---@field weights table
local brio = {}

---Starts the description of a behavior: brio.behavior "name" { fields }; states are then assigned to it.
---@param name string
---@return fun(fields: brio.Fields): brio.Behavior
function brio.behavior(name) end

---A number that people may tune while the behavior runs.
---@param value number
---@param unit string
---@param lower number
---@param upper number
---@return brio.Param
function brio.param(value, unit, lower, upper) end

---What a study's file returns: plain data, see docs/analysis/studies.md.
---@param fields table
---@return table
function brio.study(fields) end

-- What a test is written in -----------------------------------------------------------------------

---@class brio.Test
local T = {}

---@param ... any a format and its values
function T:fail(...) end
---@param got any
---@param expected any
---@param what? string
function T:equal(got, expected, what) end
---@param got number|table
---@param expected number|table
---@param tolerance number
---@param what? string
function T:near(got, expected, tolerance, what) end
---@param condition any
---@param what? string
---@param ... any
function T:ok(condition, what, ...) end
---@param text string
---@param pattern string
function T:match(text, pattern) end
---@param fn function
---@param pattern string
function T:raises(fn, pattern) end
---@param why string
function T:skip(why) end
---@param suffix? string
---@return string path
function T:temporary(suffix) end

--- The data of a world file beside the test, to be changed and given to t:run as `world_data`.
---@param file string
---@return table
function T:world(file) end

--- Whether long tests are to be run in full, as `make soak` asks for.
---@return boolean
function T:long() end
---@param file string beside the test
---@param options? { recorded?: boolean, source?: string, seed?: integer, robot?: string, world_data?: table, with_world?: boolean }
---@return brio.TestRun
function T:run(file, options) end

---@class brio.TestRun
---@field state string
---@field memory table
---@field now number
---@field failed? string
---@field solver brio.solver
---@field scene brio.scene
---@field world brio.world what is truly there
---@field actuator brio.actuator
---@field description table
local Run = {}

---@param seconds number of robot time
---@return boolean goes_on
function Run:advance(seconds) end
---@param what { kind: string, id: string, at?: number[], during?: number, path?: number[][], size?: number[] }
function Run:see(what) end
---@param name string
---@param data? any
function Run:emit(name, data) end
---@param name string
---@return number
function Run:command(name) end
---@param name string
---@return number
function Run:measured(name) end
---@param query string
---@param ... any
---@return table rows
function Run:sql(query, ...) end
---@return "finished"|"stopped"|"failed"
function Run:finish() end
---@return "finished"|"stopped"|"failed"
function Run:close() end

---@param name string
---@param body fun(t: brio.Test)
function test(name, body) end

return brio
