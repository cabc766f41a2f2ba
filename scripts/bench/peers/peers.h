// How the benchmarks of peers read a robot: the same file that brio reads, less what their
// readers stumble over and kinematics does not need.
#ifndef BRIO_SCRIPTS_BENCH_PEERS_PEERS_H
#define BRIO_SCRIPTS_BENCH_PEERS_PEERS_H

// Return the text of a URDF, to be given back with free, without shapes and without ends to the
// range of turning joints: urdfdom knows no capsules and refuses revolute joints without limits.
// A file that cannot be read: an empty text.
char *peers_read(const char *file);

#endif
