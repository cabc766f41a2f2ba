--- Leaves of behavior trees that are written in Lua: each is a file in leaves/.
---
--- A file returns a record:
---
---   name             of the kind
---   doc              a sentence
---   fields           the fields of a node: name = field (see lib/fields.lua)
---   needs            the field, or a list of the fields, that are required
---   fault(form, site)      a sentence on the error of a node on the site's robot, or nil: called before a
---                          run
---   owns(form, site)       names of parts, groups, links or DOFs that it moves if the node has no `owns`;
---                          with `true` as second result they are all DOFs
---   seconds(form, site)    its approximate duration, s, or nil
---   work(site, form, memory, fresh, elapsed)   a tick's work: nil to continue, true, or false and why.
---                          `memory` is a table of this execution, empty if `fresh`, except `key`, a unique
---                          name
---   question(form)   a function of the behavior that is called instead of `work`, for speed, if `work` only
---                    calls it with `self`: true is success, all else failure; nil: none
---   stop(site, form, memory)        stopped from outside: release smoothly
---   pause(site, form, memory, on)   held, or continued
---   progress(site, form, memory)  for viewers: {value =, error =, tolerance =, unit =, nominal =, text =},
---                                 if known
---   asks             it is a condition: `progress` with an empty memory gives its present state, also before
---                    it is reached
---   capture(form, site)    the robot's present pose as fields to change, or nil and the reason
---   convert(form, site)    the results of its computations, as fields of its own to change, and a list of
---                          fields to remove
---   provides(form)   the name of a frame that exists afterwards; removes(form): of one that is removed
---   frames(form)     a list of the names of frames that it uses, other than its field `frame`
---   mirror(form, m)        fields to change for the mirrored node (see editing/mirror.lua), and a list of
---                          fields to remove
---   inherit          fields that a new node gets from the last node of its kind
---
--- `form` is the node's table with defaults filled in.  A site is the environment of a running or future
--- tree:
---
---   description      of the robot
---   sequences        the behavior's own, by name
---   call(fn, ...)    calls a function of the behavior with its `self` before the arguments; like the
---                    following, only while it runs
---   self             the `self` of the behavior's functions
---   host             the behavior's host (run/host.lua): solver, tracks, scene, actuator, recorder, stream,
---                    now, dt
---   name             of the state whose tree it is
---   machine(form)    begins the states of a leaf `machine` (see behavior/tree_machines_running.lua)
---   tree             the running tree (execution/running.lua)
---   alone            the tree belongs to no state (run/tasks.lua): operators do not step it
---   live             the robot runs: whether it can get somewhere is found from where it is, not by `fault`
---
--- A leaf moves the robot only by sources (host.tracks) and by its own objectives (host.solver).
return {
  (require "brio.tree.leaves.action"), -- in brackets: require returns two values
  (require "brio.tree.leaves.condition"),
  (require "brio.tree.leaves.play"),
  (require "brio.tree.leaves.foreign"),
  (require "brio.tree.leaves.machine"),
  (require "brio.tree.leaves.hand"),
  (require "brio.tree.leaves.holding"),
  (require "brio.tree.leaves.drive"),
  (require "brio.tree.leaves.say"),
  (require "brio.tree.leaves.wrench"),
  (require "brio.tree.leaves.contact"),
  (require "brio.tree.leaves.motion"),
  (require "brio.tree.leaves.policy"),
  (require "brio.tree.leaves.proximity"),
  (require "brio.tree.leaves.contains"),
  (require "brio.tree.leaves.ask_model"),
  (require "brio.tree.leaves.choose"),
  (require "brio.tree.leaves.arm"),
  (require "brio.tree.leaves.screw"),
  (require "brio.tree.leaves.spine"),
  (require "brio.tree.leaves.chest"),
  (require "brio.tree.leaves.neck"),
  (require "brio.tree.leaves.pelvis"),
  (require "brio.tree.leaves.leg"),
  (require "brio.tree.leaves.walk"),
  (require "brio.tree.leaves.setup_object"),
  (require "brio.tree.leaves.freeze_object"),
  (require "brio.tree.leaves.delete_object"),
  (require "brio.tree.leaves.clear_scene"),
  (require "brio.tree.leaves.freeze_scene"),
  (require "brio.tree.leaves.place_object"),
  (require "brio.tree.leaves.configure_detections"),
  (require "brio.tree.leaves.configure_detector"),
  (require "brio.tree.leaves.go_to"),
  (require "brio.tree.leaves.follow"),
  (require "brio.tree.leaves.search"),
}
