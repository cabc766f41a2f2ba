---@meta
--- Made from the comments in engine/lua by scripts/docs.lua.

---@class brio.actuator
local actuator = {}

---Every device family; settings are lists of {name, unit, doc, default, lower, upper}.
---@return any # list of {name, alias, doc, simulated, settings}
function actuator.drivers() end

---Opens a device: driver is a family's name ("simulator", or "sim"), axes a list of {name =,
---lower =, upper =, velocity =, acceleration =, start =}, groups lists of axes' names by name, settings
---the driver's by name, world what a simulator watches.  A device's failure returns nil, sentence, code.
---@param fields table
---@return any # actuator
function actuator.open(fields) end

---Sets where an axis should go (rad, m or 1), clamped to its limits, if a value is given;
---returns where it should go.
---@param name? string
---@param value? any
---@return any # value
function actuator:target(name, value) end

---Sets several targets: all of them, or none when one is wrong.
---@param fields table
function actuator:targets(fields) end

---What an axis reports and what it is told; valid is false where the report is not fresh.
---@param name string
---@return any # {position, velocity, target, command, valid, enabled}
function actuator:state(name) end

---The state of every axis.
---@return any # {name = state, ...}
function actuator:states() end

---Where an axis ends and its greatest velocity and acceleration; math.huge: no limit.
---@param name string
---@return any # {lower, upper, velocity, acceleration}
function actuator:limits(name) end

---The names of all axes, in the device's order.
---@return any # list of names
function actuator:axes() end

---The named groups of axes.
---@return any # {name = list of names, ...}
function actuator:groups() end

---Lets the device move an axis (or, with false, leaves it alone).
---@param name? string
---@param enabled? any
function actuator:enable(name, enabled) end

---Moves towards the targets for dt seconds (at most 60): writes, lets a simulator run, reads.
---A device's failure returns nil, sentence, code.
---@param dt number
---@return any # true
function actuator:step(dt) end

---The device's newest failure (nil: none yet) and how many there were.
---@return any # sentence, count
function actuator:error() end

---Gives the device back; closing again does nothing.
function actuator:close() end

---@class brio.canvas
local canvas = {}

---Start a white picture of width x height points (1 to 16384) that goes to the file named by
---`svg` or `png`; `scale` (0.1 to 8, default 1): pixels a point, PNG only.
---Raises: a field that is missing, unknown or out of range.  Fails: no_file, no_memory.
---@param fields table
---@return any # canvas | nil, sentence, code
---@return string? sentence
---@return string? code
function canvas.new(fields) end

---Set what the next calls draw with: red, green, blue and opacity, 0 to 1 (a: default 1).
---Raises: a number outside that range.
---@param r any
---@param g any
---@param b? any
---@param a? any
---@return any # canvas
function canvas:color(r, g, b, a) end

---Draw a closed outline through `points` ({x1, y1, ...}, at least 3), filled or not, and its
---edge `line_width` points wide (default: 0 when filled, else 1).  Raises: points that are no such list.
---@param points table
---@param filled? any
---@param line_width? any
---@return any # canvas
function canvas:polygon(points, filled, line_width) end

---Draw a line through `points` ({x1, y1, ...}, at least 2), `width` points wide (default 1).
---@param points? table
---@param width? number
---@return any # canvas
function canvas:line(points, width) end

---Draw a circle; the last two as in polygon.
---@param x number
---@param y number
---@param radius any
---@param filled? any
---@param line_width? any
---@return any # canvas
function canvas:circle(x, y, radius, filled, line_width) end

---Write one line of UTF-8 text, letters `size` points high, on the baseline y; x is its "left"
---(default), "middle" or "right" end.  Raises: another align.
---@param x number
---@param y number
---@param size number
---@param text? string
---@param align? any
---@return any # canvas
function canvas:text(x, y, size, text, align) end

---Return how wide canvas:text would write it.
---@param size number
---@param text string
---@return any # points
function canvas:text_width(size, text) end

---Write the file and let go of it.  Fails: io (a full disk).
---@return any # true | nil, sentence, code
---@return string? sentence
---@return string? code
function canvas:finish() end

---@class brio.clock
local clock = {}

---Time that only goes forward, from some unnamed start.
---@return any # seconds
function clock.monotonic() end

---CPU time that this thread has used.
---@return any # seconds
function clock.cpu() end

---Seconds since 1970 (UTC), with a fraction.
---@return any # seconds
function clock.wall() end

---@class brio.engine
local engine = {}

---Put an engine together.  `work` does the scripts' part of a tick and returns false when the
---run is over; `idle` is called a few times a second in the slack; `budget` is the CPU time in
---seconds that `work` may take (0: no end).
---@param fields table
---@return any # engine
function engine.new(fields) end

---Do one tick, a period of robot time after the last; false: the run is over.
---@return any # goes_on
function engine:tick() end

---Tick until the scripts say it is over; after `seconds` (0: never), or at an interrupt, they are
---asked to stop.  With `fast` as quickly as the machine allows.
---@param seconds number
---@param fast any
---@return any # true | nil, sentence, code
---@return string? sentence
---@return string? code
function engine:run(seconds, fast) end

---Ask for the end of the run.
---@param why string
function engine:stop(why) end

---Why the run should end: "time", "signal" or "script"; "" while it should go on.
---@return any # text
function engine:stopping() end

---How the run went so far: ticks, late_ticks, time (s), tick_p50_us, tick_p99_us, tick_max_us,
---first_tick (s of the monotonic clock), commands (hex digest of every command), resident_kb.
---@return any # table
function engine:report() end

---Let go of the engine and its parts.
function engine:close() end

---@class brio.perception
local perception = {}

---Checks one detection and returns it complete: what was left out has its default, the
---orientation has length 1.
---@param fields table
---@return any # detection
function perception.detection(fields) end

---Returns a new list of the same detections that are of that kind, at least that sure, and
---within so many meters of the point `of` (default: the world's origin).
---@param detections table
---@param kind string
---@param min_confidence any
---@param within number
---@param of any
---@return any # detections
function perception.filter(detections, kind, min_confidence, within, of) end

---The distance between two points in meters; each is {x, y, z} or something with a position.
---@param a any
---@param b any
---@return any # number
function perception.distance(a, b) end

---Where a point is seen from a pose (x forward, z up): yaw to the left and pitch upwards, in
---radians.
---@param pose table
---@param point table
---@return any # yaw, pitch
function perception.bearing(pose, point) end

---@class brio.random
local random = {}

---Start the stream `name` of a whole-number `seed`: the same two give the same numbers.
---@param seed number
---@param name string
---@return any # stream
function random.stream(seed, name) end

---@class brio.random.stream
local stream = {}

---A number from `lower` (0) up to, without, `upper` (1).
---@param lower? number
---@param upper? number
---@return any # number
function stream:uniform(lower, upper) end

---A number of the normal distribution with mean 0 and deviation 1.
---@return any # number
function stream:normal() end

---A whole number from 1 to n, each as likely.
---@param n number
---@return any # integer
function stream:whole(n) end

---@class brio.robot
local robot = {}

---Reads a URDF file. Options: `packages` (folders where `package://` is looked for), `base`
---("fixed", "bounded" or "free"), `base_center` (pose), `base_range` (6 numbers: +- m, +- rad),
---`independent_mimic` (mimic joints move by themselves).
---@param path? string
---@param options? table
---@return any # robot | nil, sentence, code
---@return string? sentence
---@return string? code
function robot.load(path, options) end

---Reads URDF text; `name` stands for its file in messages, and meshes are looked for beside it.
---@param text string
---@param name? string
---@param options? table
---@return any # robot | nil, sentence, code
---@return string? sentence
---@return string? code
function robot.parse(text, name, options) end

---The name in the file.
---@return any # text
function robot:name() end

---The file that it was read from.
---@return any # text
function robot:file() end

---The mass of all links, kg.
---@return any # number
function robot:mass() end

---A digest of the file's text, 16 hexadecimal digits: equal text, equal digest.
---@return any # text
function robot:hash() end

---The names of all links, parents before children, the root first.
---@return any # list of texts
function robot:links() end

---name, parent and joint (absent for the root), mass (kg), com (centre of mass in the link, m),
---inertia (about it: xx xy xz yy yz zz, kg m^2).
---@param name string
---@return any # table
function robot:link(name) end

---The names of all joints, in the order of the file.
---@return any # list of texts
function robot:joints() end

---name, type, parent, child, origin (pose in the parent), axis (in the joint), damping, friction,
---variables (names of what moves it), mimic ({joint, multiplier, offset}, absent without).
---@param name string
---@return any # table
function robot:joint(name) end

---What can move, in order: name, joint, lower, upper (rad or m), velocity, acceleration, effort
---(the greatest; math.huge when not known), circular, angular.
---@return any # list of tables
function robot:variables() end

---The shapes that may not touch: name, link, pose (in the link), kind ("sphere", "capsule", "box",
---"cylinder", "hull"), size (m, by kind), corners (how many a hull has), points (a hull's corners,
---m, in the shape's frame), mesh (its file, absent without).
---@return any # list of tables
function robot:collisions() end

---The shapes that are drawn, with the fields of `collisions`.
---@return any # list of tables
function robot:visuals() end

---What was odd in the file: sentences with file and line.
---@return any # list of texts
function robot:warnings() end

---Narrows `lower` and `upper` (rad or m) and sets the greatest `velocity` and `acceleration`;
---what is left out stays. Raises when a range would grow.
---@param variable string
---@param limits table
function robot:set_limits(variable, limits) end

---The base at home, every variable 0, or in the middle of its range where 0 is outside.
---@return any # configuration
function robot:neutral() end

---Where everything is: `links` (poses in the world by link name) and `com` (centre of mass, m).
---@param configuration any
---@return any # table
function robot:forward(configuration) end

---The centre of mass in the world, m.
---@param configuration any
---@return any # {x, y, z}
function robot:center_of_mass(configuration) end

---How a point of a link (in its frame, m; its origin without) moves: rows of linear then angular
---velocity in world axes, columns for the base (3 linear, 3 angular) and then each variable.
---@param configuration any
---@param link? string
---@param point? table
---@return any # list of 6 rows
function robot:jacobian(configuration, link, point) end

---@class brio.scene
local scene = {}

---Makes an empty scene: an object appears after so many detections, is lost after so many
---seconds without one; an unnamed detection within so many meters of an object is that object;
---positions are smoothed with a time constant in seconds (0: not at all).
---@param most_objects? any
---@param appear_after? any
---@param lost_after? any
---@param same_within? any
---@param smoothing? any
---@return any # scene
function scene.new(most_objects, appear_after, lost_after, same_within, smoothing) end

---Takes the detections of one tick, at a time in seconds that never goes back.
---@param time number
---@param detections table
function scene:update(time, detections) end

---What changed in the last update, in order; each change is told once.
---@return any # list of {change = "appeared" or "lost", object = object}
function scene:events() end

---Everything believed to be there, or all of one kind, in the order they appeared. An object is
---{kind, id, number, pose, position, velocity, size, confidence, first_seen, last_seen, sightings}.
---@param kind? string
---@return any # list of objects
function scene:objects(kind) end

---The object of that id, if it is there.
---@param id string
---@return any # object or nil
function scene:find(id) end

---The object (of that kind) nearest to the point `of` (default: the world's origin), at most
---`within` meters away.
---@param kind? string
---@param within? number
---@param of? any
---@return any # object or nil
function scene:nearest(kind, within, of) end

---Where a frame (a robot's link, or an object by its id) stands in the world.
---@param name string
---@return any # pose or nil
function scene:frame(name) end

---Makes a frame known, once; a name that is known keeps its handle.
---@param name string
---@return any # handle
function scene:declare_frame(name) end

---Says where a declared frame stands now.
---@param handle any
---@param pose table
function scene:set_frame(handle, pose) end

---How many detections were refused so far, for bad numbers or for want of room.
---@return any # count
function scene:refused() end

---@class brio.script
local script = {}

---Call a function with at most `budget` seconds of CPU time; a message carries its traceback.
---@param budget number
---@param function any
---@param ... any
---@return any # true, results... | false, message
function script.call(budget, function, ...) end

---coroutine.resume that keeps the watch on the coroutine; a message carries its traceback.
---@param coroutine any
---@param ... any
---@return any # true, values... | false, message
function script.resume(coroutine, ...) end

---@class brio.solver
local solver = {}

---Makes a solver; the robot starts in its neutral pose, and its limits are those it has now.
---Options: `backend` ("gauss_newton" or "nlopt"), `lively_losses` (costs exactly as Lively's), `seed`
---(of the noise), `max_iterations`, `max_objectives`, `max_shapes`, `collision_range` (m).
---@param robot? any
---@param options? table
---@return any # solver
function solver.new(robot, options) end

---Adds an objective under a key of its own, with weight 0. The handle, a whole number, may stand for
---the key in `goal`, `weight` and `remove`, and is faster.
---@param key string
---@param kind? string
---@param arguments? any
---@return any # handle
function solver:add(key, kind, arguments) end

---Removes an objective.
---@param key string
function solver:remove(key) end

---Asks for a goal, approached with the time constant `tau` (s; without: at once). A translation or size
---is {x, y, z}, a rotation {x, y, z, w}, a scalar a number; `solver.goals()` shows all.
---@param key string
---@param value? any
---@param tau? number
function solver:goal(key, value, tau) end

---Asks for a weight of at least 0, approached with the time constant `tau` (s; without: at once);
---after five time constants it is there. 0 switches the objective off.
---@param key string
---@param weight? number
---@param tau? number
function solver:weight(key, weight, tau) end

---What the solver is asked for: weight now and where it goes, unweighted cost at the last solution, and
---the goal now.
---@return any # list of {key, kind, handle, weight, target, cost, goal}
function solver:objectives() end

---Finds the pose for `time` (s), `dt` (s) after the last, and takes it into history. `joints` is a table of
---values by name; `status` is "converged", "cut" (iterations used up) or "held" (nothing better was
---found); `distance` (m) is the smallest of all watched pairs, absent where there are none.
---@param time number
---@param dt number
---@return any # {joints, base, cost, status, iterations, evaluations, distance}
function solver:solve(time, dt) end

---Where all links are in the world, at the last solution.
---@return any # {[link] = pose}
function solver:frames() end

---The robot's centre of mass in the world (m), at the last solution.
---@return any # {x, y, z}
function solver:center_of_mass() end

---Forgets history: the robot stands still as {base = pose, joints = {name = value}} says (without:
---neutral), noise starts anew, and with `zero_weights` every weight is 0.
---@param configuration? any
---@param zero_weights? any
function solver:reset(configuration, zero_weights) end

---Puts a shape in the way, in the world or fixed to `link`; a key in use is replaced. `size` is
---{x, y, z} in m (box: full lengths; sphere: {radius, 0, 0}; capsule and cylinder: {radius, 0,
---length}); a hull has `points`. With `physical = false` it is watched, never avoided.
---@param key string
---@param kind string
---@param size number
---@param points? table
---@param link? string
---@param pose? table
---@param physical? any
function solver:shape(key, kind, size, points, link, pose, physical) end

---Moves a shape, in the world or in the link it is fixed to.
---@param key string
---@param pose table
function solver:move_shape(key, pose) end

---Takes a shape out of the way.
---@param key string
function solver:remove_shape(key) end

---The watched pairs at the last solution: names of link or shape, distance (m, negative: depth) and where
---they are nearest (world). Pairs beyond the range have only a distance, which is a lower bound.
---@return any # list of {a, b, distance, physical [, point_a, point_b, normal]}
function solver:proximity() end

---The pairs of the robot's own links that are watched against each other.
---@return any # list of {link, link}
function solver:self_pairs() end

---All objectives there are. `params` lists {name, unit, doc, type ("number", "link" or "joint"), [default,
---lower, upper]}; `goal` names the kind of goal it takes.
---@return any # list of {name, doc, category, example, params, loss, lively_loss [, goal]}
function solver.kinds() end

---All kinds of goals there are, with how one is written.
---@return any # list of {name, doc, example}
function solver.goals() end

---@class brio.store
local store = {}

---SHA-256 as 64 hex digits: how the store knows a version.
---@param text string
---@return any # text
function store.hash(text) end

---Whether the process that recorded a run (column `process`) has surely ended.
---@param process any
---@return any # ended
function store.ended(process) end

---@class brio.store.db
local db = {}

---Run one statement and return all its rows, tables by column name, and the columns' names in
---order. Parameters stand for ?1, ?2, ... or, given as a table with fields, for :name. A statement
---that would write is refused.
---@param sql string
---@param parameter? any
---@param parameters? any
---@return any # rows, columns | nil, sentence, code
---@return string? sentence
---@return string? code
function db:query(sql, parameter, parameters) end

---Like db:query, one row at a time: for row in db:rows("SELECT ...") do ... end. Keeps the
---database open at one moment, so do not dwell on it while a run is recorded.
---@param sql string
---@param parameter? any
---@param parameters? any
---@return any # iterator, columns | nil, sentence, code
---@return string? sentence
---@return string? code
function db:rows(sql, parameter, parameters) end

---The names of the columns that a statement would have.
---@param sql string
---@return any # list | nil, sentence, code
---@return string? sentence
---@return string? code
function db:columns(sql) end

---Close; may be called again.
function db:close() end

---Open a run store for reading, also while a run is recorded in it.
---@param path string
---@return any # db | nil, sentence, code
---@return string? sentence
---@return string? code
function store.open(path) end

---@class brio.store.writer
local writer = {}

---Begin a run: a row in `runs`. Return its number.
---@param fields table
---@return any # run | nil, sentence, code
---@return string? sentence
---@return string? code
function writer:begin(fields) end

---End the run after all that was put, completing its row in `runs`.
---@param fields table
---@return any # true | nil, sentence, code
---@return string? sentence
---@return string? code
function writer:finish(fields) end

---Record a version of a file, which this run uses from t on, with the hash of the one it replaces.
---@param name string
---@param source any
---@param parent? any
---@param t? any
---@return any # hash | nil, sentence, code
---@return string? sentence
---@return string? code
function writer:version(name, source, parent, t) end

---Say which DOFs the samples of this run are of.
---@param names any
---@param units any
---@return any # true | nil, sentence, code
---@return string? sentence
---@return string? code
function writer:dofs(names, units) end

---Put a row; what is left out is null. False: there was no room, and the row is counted as lost.
---@param table any
---@param column any
---@param ... any
---@return any # kept
function writer:put(table, column, ...) end

---Put the sample of one tick: three lists with a number for each DOF (NaN: none).
---@param tick any
---@param t any
---@param goal table
---@param command any
---@param measured any
---@return any # kept
function writer:sample(tick, t, goal, command, measured) end

---How many rows were lost so far, and why ("": all is well).
---@return any # rows, why
function writer:lost() end

---Write out everything and close. Fails when rows were lost.
---@return any # true | nil, sentence, code
---@return string? sentence
---@return string? code
function writer:close() end

---Open or make a store to record into. wait (default true): a row waits for room instead of
---being lost; durable: also survive a power cut.
---@param path string
---@param wait? any
---@param durable? any
---@param ring_bytes? any
---@return any # writer | nil, sentence, code
---@return string? sentence
---@return string? code
function store.record(path, wait, durable, ring_bytes) end

---@class brio.world
local world = {}

---Makes a simulated world: a stage without mass or contact.  sensor is {pose =, range =, view =,
---noise =, dropout =, rate =}; people are {id =, path = {{t, x, y [, z [, yaw]]}, ...}, loop =,
---height =}, there from the first time to the last; objects are {kind =, id =, size =, path =,
---loop =}.  A person's pose is the head's, facing where they walk.
---@param fields table
---@return any # world
function world.new(fields) end

---Adds one more person (kind "person") or object (any other kind; "object" where none is given).
---@param fields table
function world:add(fields) end

---Sets the world's time in seconds; it only goes forward.
---@param time number
function world:advance(time) end

---What the world's sensor reports now; nothing between two reports of its rate.
---@return any # list of detections
function world:detect() end

---Where a person (the head) or an object truly is now, if it is there.
---@param id string
---@return any # pose or nil
function world:pose(id) end
