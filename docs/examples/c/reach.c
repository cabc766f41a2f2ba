/* Bring a link of a robot to a point (m), 200 steps a second: reach FILE.urdf LINK X Y Z */
#include <stdio.h>
#include <stdlib.h>
#include "robot/kinematics.h"
#include "solver/solver.h"

int main(int argc, char **argv) {
  brio_error err = {.message = "reach FILE.urdf LINK X Y Z is expected"};
  brio_robot *robot = argc == 6 ? brio_robot_load(argv[1], NULL, &err) : NULL;
  brio_solver *solver = robot ? brio_solver_new(robot, NULL, &err) : NULL;
  if (!solver) return fprintf(stderr, "reach: %s\n", err.message), 1;
  double goal[3] = {atof(argv[3]), atof(argv[4]), atof(argv[5])}, dt = 0.005;
  brio_argument link = {.name = "link", .text = argv[2]};
  int slot = brio_solver_add(solver, "hand", "position_match", &link, 1, &err);
  if (slot < 0 || !brio_solver_set_goal(solver, slot, goal, 3, 0, &err) ||
      !brio_solver_set_weight(solver, slot, 10, 0, &err))
    return fprintf(stderr, "reach: %s\n", err.message), 1;
  brio_solution solution;
  for (int i = 1; i <= 600; i++) brio_solver_solve(solver, i * dt, dt, &solution); /* allocates nothing */
  for (int i = 0; i < robot->nvariable; i++)
    printf("%-24s %7.4f\n", robot->variables[i].name, solution.q[7 + i]);
  brio_vec3 at = brio_solver_state(solver)->links[brio_robot_link(robot, argv[2], NULL)].p;
  printf("%s is at %.4f %.4f %.4f\n", argv[2], at.x, at.y, at.z);
  brio_solver_free(solver);
  brio_robot_free(robot);
}
