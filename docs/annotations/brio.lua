---@meta
-- luacheck: ignore 121 211 212 241 631
--- What `require "brio"` is to a behavior, for the Lua language server: docs/behaviors.md says more.

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

-- Speech ------------------------------------------------------------------------------------------

---@class brio.Said
---@field text string as people read it
local Said = {}

---Whether it is being said, or waits for its turn.
---@return boolean
function Said:on() end

---Waits until it is over. Only in `run`.
---@return true? over nil: it was cut off
---@return string? why "hushed", "replaced", "stopped"
function Said:wait() end

---Says no more of it.
---@return boolean on whether it was on
function Said:stop() end

---@class brio.Speech
local Speech = {}

---Says a text behind what is being said: see docs/speech.md for marks in it.
---@param text string
---@param how? { voice?: string, rate?: number, pitch?: number, volume?: number, beats?: number, interrupt?: boolean, plain?: boolean }
---@return brio.Said? said
---@return string? why
function Speech:say(text, how) end

---Plays a WAVE file; the mouth opens as it is loud.
---@param file string beside the behavior's own, unless its path is full
---@param how? { volume?: number, mouth?: boolean, interrupt?: boolean }
---@return brio.Said? said
---@return string? why
---@return string? code no_file, format
function Speech:play(file, how) end

---Says no more of anything.
---@return integer count how many texts that ended
function Speech:hush() end

---What is being said; nil: nothing.
---@return { text: string, word: string, seconds: number }?
function Speech:speaking() end

---How many texts wait behind it.
---@return integer
function Speech:waiting() end

-- Idle life ---------------------------------------------------------------------------------------

---@class brio.Idle
local Idle = {}

---The level, from 0 (still) to 1 (lively); with a value, sets it.
---@param value? number
---@return number
function Idle:level(value) end

---Keeps idle life off a row of it, a DOF or a group of DOFs.
---@param name string
function Idle:off(name) end

---Lets it on again.
---@param name string
function Idle:on(name) end

---A gesture of a row now, such as "blink".
---@param name string
function Idle:gesture(name) end

---All rows.
---@return { name: string, kind: "motion"|"gesture", off: boolean, level: number, count?: integer }[]
function Idle:list() end

-- What a function has in hand ---------------------------------------------------------------------

---@class brio.Self
---@field now number time of the run, s
---@field dt number since the last tick, s
---@field name string of the behavior
---@field state string path of the state whose function runs
---@field memory table what the behavior remembers
---@field tune table<string, number> values of its tunable parameters
---@field scene brio.scene what is around
---@field inputs table<string, any> what is sensed besides: buttons, touch, ranges, ... by name
---@field robot brio.robot the model
---@field roles table<string, string> links by what they are for
---@field poses table<string, table> named poses of the robot file
---@field control brio.Control what people have of the body, and levels of autonomy (docs/shared-control.md)
---@field actuator brio.actuator targets of what is outside the kinematic tree; measured states
---@field perception brio.perception
---@field stance brio.Stance how it stands and walks, where it has legs (docs/walking.md)
---@field emotion? brio.Emotion what it feels, where its character has an emotion (docs/emotion.md)
---@field gaze? brio.Gaze what it looks at, where its character has a gaze (docs/gaze.md)
---@field speech brio.Speech what it says
---@field idle? brio.Idle its idle life, where its character has one (docs/character.md)
local Self = {}

---@class brio.Stance
local Stance = {}

---Whether the robot walks at all, and why not.
---@return boolean can
---@return string? why
function Stance:can_walk() end

---Whether steps are being walked.
---@return boolean
function Stance:walks() end

---Where the soles stand; nil on a robot that does not walk.
---@return {left: table, right: table}?
function Stance:feet() end

---The ground below the pelvis, facing as it does: also the frame "walking".
---@return table? pose
function Stance:walking() end

---What is walked on from now on: regions or heights, as brio.plan's ground takes them; nil: a level floor.
---@param ground table?
function Stance:ground(ground) end

---@class brio.Control
local Control = {}

---Lets a person have a part of the body: a part of the robot's file, a group, DOF, link, role, or "all".
---@param part string
---@param how? {share: number, fade: number}
---@return boolean done false: another has it
function Control:take(part, how) end

---Lets a person have a share of a part, 0 to 1.
---@param part string
---@param share number
---@return boolean done false: another has it
function Control:share(part, share) end

---Gives a part back.
---@param part string
---@param seconds? number
---@return boolean done false: another has it, or nobody
function Control:give(part, seconds) end

---Moves a DOF of what is taken, or takes it.
---@param dof string
---@param value number rad, m or 1
---@return boolean done false: another has it
function Control:move(dof, value) end

---How much of a part a person has, up to 1; false: nothing.
---@param part string
---@return number|false
function Control:taken(part) end

---The level of autonomy of all (nil), a faculty or a part, 0 to 1; with a value it goes there.
---@param name? string
---@param value? number
---@param seconds? number
---@return number
function Control:level(name, value, seconds) end

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

---The pose of a link, role, object or person; nil when there is none.
---@param name string
---@return brio.Pose?
function Self:where(name) end

---Whether the robot has a DOF of that name, in the kinematic tree or outside it.
---@param dof string
---@return boolean
function Self:has(dof) end

---Whether this run has an input of that name.
---@param input string
---@return boolean
function Self:senses(input) end

---The level orientation that turns the x axis of a link to a point.
---@param link string
---@param point number[]
---@return number[] quaternion
function Self:towards(link, point) end

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

---Plays a sequence: a name among the behavior's `sequences` and the robot's, or a table as in docs/sequences.md.
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

-- The emotion of a character ----------------------------------------------------------------------

---@class brio.Emotion
---@field valence number -1 to 1: how pleasant
---@field arousal number -1 to 1: how awake
---@field intensity number 0 to 1
---@field angle number degrees from pleasant towards aroused
---@field name string of the emotion that is nearest; "neutral" where it is faint
---@field mood { valence: number, arousal: number }
---@field needs table<string, { level: number, where: string }> where: under, satisfied, over
---@field speed number what it feels makes of speed, 1 when neutral
---@field amplitude number the same of amplitude
---@field liveliness number the same of liveliness
---@field taken boolean an operator has it
local Emotion = {}

---Feels something for a while, then calms down.
---@param emotion string|number[] a name, or {valence, arousal}
---@param intensity? number 0 to 1; 1
---@param seconds? number for so long
---@return boolean done
function Emotion:feel(emotion, intensity, seconds) end

---Something happened: a push that decays; less where the same happened a moment ago.
---@param name string
---@param strength? number 0 to 2; 1
---@return number felt how strongly
function Emotion:event(name, strength) end

---Somebody does something to the robot: petting, ...; said again, it goes on.
---@param name string
---@param strength? number 0 to 2; 1
---@param seconds? number for so long; 1
---@return boolean done
function Emotion:act(name, strength, seconds) end

---An operator's emotion, over its own, until release.
---@param valence number
---@param arousal number
---@param who? string
---@return boolean done
function Emotion:override(valence, arousal, who) end

---Its own emotion comes back.
---@param seconds? number within so many
---@return boolean was whether an operator had it
function Emotion:release(seconds) end

-- The gaze of a character -------------------------------------------------------------------------

---@class brio.LookHow
---@field seconds? number for so long; without: until free()
---@field why? string a word for the story
---@field priority? number of several orders the highest counts, of equals the newest; 0
---@field by? string whose order it is; "behavior"

---@class brio.Looked
---@field target? string
---@field kind string
---@field why string
---@field since number s
---@field position number[]
---@field away boolean it looks beside it for a moment

---@class brio.GazeTarget
---@field target string
---@field kind string
---@field salience number
---@field position number[]

---@class brio.Gaze
local Gaze = {}

---Looks at a person, object, kind, named place, link or role, or at a place {x, y, z}.
---@param target string|number[]
---@param how? brio.LookHow
---@return boolean? done nil: there is no such thing now
---@return string? why
function Gaze:look_at(target, how) end

---@return brio.Looked? at nil: nothing draws it
function Gaze:at() end

---Ends what was ordered: what draws it counts again.
function Gaze:free() end

---Looks away now, for seconds, or as long as people do.
---@param seconds? number
function Gaze:avert(seconds) end

---Attends to a kind of object, a person's salience being 1; nil: as the behavior's `attend` says; 0: not at all.
---@param kind string
---@param salience? number
function Gaze:attend(kind, salience) end

---A place that draws by a name of its own; nil takes it away.
---@param name string
---@param place? number[]
---@param salience? number
function Gaze:point(name, place, salience) end

---Something was heard there: it draws for a moment.
---@param place number[]
---@param name? string
function Gaze:heard(place, name) end

---@return brio.GazeTarget[] targets what stands out most first
function Gaze:targets() end

---@return string[] ids whom it is engaged with
function Gaze:engaged() end

-- What a behavior says ----------------------------------------------------------------------------

---@alias brio.Target string|fun(self: brio.Self, data: any): string?
---@alias brio.Timer { [1]: number, [2]: brio.Target }
---@alias brio.Condition { [1]: fun(self: brio.Self): any, [2]: brio.Target }

---@class brio.Transition
---@field on? string the event that it waits for
---@field after? number s
---@field when? fun(self: brio.Self): any
---@field to brio.Target

---@class brio.State
---@field about? string
---@field wants? (brio.Property|brio.Group)[] the most important first
---@field blend? number time constant of its weights and goals, s; unless said, that of the state around it, or 0.1
---@field enter? fun(self: brio.Self, data: any)
---@field tick? fun(self: brio.Self, dt: number): string?
---@field exit? fun(self: brio.Self)
---@field run? fun(self: brio.Self, data: any): string? a straight line of waits
---@field on? table<string, brio.Target>
---@field after? brio.Timer|brio.Timer[]
---@field when? brio.Condition|brio.Condition[]
---@field go? brio.Transition[] the same three in one ordered list
---@field states? table<string, brio.State> states inside this one
---@field start? string
---@field history? "shallow"|"deep"
---@field regions? table<string, brio.Region> several machines at once
---@field tree? table|string a behavior tree, or the name of its file: see docs/trees.md
---@field finish? boolean a run whose text changes in a reload finishes on the version it began with
---@field lasts? number of power_off: s

---@class brio.Region
---@field states table<string, brio.State>
---@field start string
---@field history? "shallow"|"deep"

---@class brio.Param

---@class brio.Fields
---@field about? string
---@field robot? string what it runs on unless --robot says otherwise
---@field world? string a file beside it: people and objects of the simulated world
---@field start? string its first state
---@field safe? string the state to go to when it failed
---@field memory? table the first value of self.memory
---@field tune? table<string, brio.Param>
---@field sequences? table<string, string|table> what it can play, by name: files beside it, or tables (docs/sequences.md)
---@field stages? { name: string, after?: string, work: fun(self: brio.Self, tracks: table) }[] its own stages of the combination
---@field life? table<string, table> sequences that play at random intervals (docs/mixing.md)
---@field keys? table<string, table> sequences that play when a key or button is pressed (docs/mixing.md)
---@field model? table a language model that its trees may ask (docs/trees-conditions.md)
---@field skills? table<string, function|table> what `does` and `holds` in its trees name (docs/trees-files.md)
---@field machines? table<string, brio.Region> states that its trees run by name (docs/trees-files.md)
---@field character? table<string, boolean|table> what it does of itself beside its states, a faculty each; true: all its defaults
---@field check? fun(about: brio.About): boolean?, string? false and a sentence refuse this version before it runs

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
---@field geometry table
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
