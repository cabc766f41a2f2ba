--- Leaves of behavior trees that are written in Lua: one row each, a file beside this in leaves/.
---
--- A file returns a record:
---
---   name             of the kind
---   doc              a sentence
---   fields           what a node of it may say: name = field (see lib/fields.lua)
---   needs            the field, or a list of the fields, that must be among them
---   fault(form, site)      a sentence on what is wrong with a node on the site's robot, or nil: asked before
---                          anything runs
---   owns(form, site)       names of parts, groups, links or DOFs that it moves where the node does not say
---                          `owns`; with `true`
---                          as second result they are DOFs outright
---   seconds(form, site)    about how long it takes, s, or nil
---   work(site, form, memory, fresh, elapsed)   a tick's work: nil to go on, true, or false and why.
---                          `memory` is a table of this execution, empty when `fresh`, but for `key`, a name
---                            of its own
---   question(form)   a function of the behavior that is called instead of `work`, quickly, where that does
---                    no more than call it
---                    with `self`: true is success, all else failure; nil: none
---   stop(site, form, memory)        it is ended from outside: let go, softly
---   pause(site, form, memory, on)   it is held, or goes on
---   progress(site, form, memory)  for who looks on: {value =, error =, tolerance =, unit =, nominal =, text
---                                 =}, as far as known
---   asks             it is a condition: `progress` with an empty memory says how it stands now, also before
---                    it is reached
---   capture(form, site)    the robot's present pose as fields to change, or nil and the reason
---   convert(form, site)    what it would work out when it runs, as fields of its own to change, and a list
---                          of those that go
---   provides(form)   the name of a frame that is there from then on; removes(form): of one that is there no
---                    more
---   frames(form)     a list of the names of frames that it uses, besides that of its field `frame`
---   mirror(form, m)        fields to change for the mirrored node (see editing/mirror.lua), and a list of
---                          those to take away
---   inherit          fields that a new node takes over from the last one like it
---
--- `form` is the node's table with what it leaves out filled in.  A site is where a tree is, or will be, run:
---
---   description      of the robot
---   sequences        the behavior's own, by name
---   call(fn, ...)    calls a function of the behavior with its `self` before the rest; only while it runs,
---                    as what follows
---   self             what the behavior's functions get
---   host             what carries the behavior (run/host.lua): solver, tracks, scene, actuator, recorder,
---                    stream, now, dt
---   name             of the state whose tree it is
---   machine(form)    begins the states of a leaf `machine` (see behavior/tree_machines_running.lua)
---   tree             the tree that runs (execution/running.lua)
---
--- A leaf moves the robot only by sources (host.tracks) and by objectives of its own (host.solver).
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
