/* Ipopt's C interface behind the record of program.h: callbacks and options are translated, nothing else. */
#include <coin/IpStdCInterface.h>

#include "trajectory/ipopt/program.h"

/* Ipopt's callbacks for values; brio itself notices whether x is new. */
static Bool cost(Index n, Number *x, Bool new_x, Number *out, UserDataPtr data) {
  (void)n, (void)new_x;
  const brio_program *p = data;
  return p->cost(p->context, x, out);
}

/* The gradient of the cost: p->n numbers. */
static Bool gradient(Index n, Number *x, Bool new_x, Number *out, UserDataPtr data) {
  (void)n, (void)new_x;
  const brio_program *p = data;
  return p->gradient(p->context, x, out);
}

/* The constraints: p->m numbers. */
static Bool rows(Index n, Number *x, Bool new_x, Index m, Number *out, UserDataPtr data) {
  (void)n, (void)new_x, (void)m;
  const brio_program *p = data;
  return p->rows(p->context, x, out);
}

/* Write the sparsity pattern, rows and columns of `count` entries. */
static void places(int count, const int *from_rows, const int *from_columns, Index *to_rows,
                   Index *to_columns) {
  for (int i = 0; i < count; i++) to_rows[i] = from_rows[i], to_columns[i] = from_columns[i];
}

/* Derivatives: without `values` Ipopt asks for the sparsity pattern. */
static Bool jacobian(Index n, Number *x, Bool new_x, Index m, Index count, Index *row, Index *column,
                     Number *values, UserDataPtr data) {
  (void)n, (void)new_x, (void)m;
  const brio_program *p = data;
  if (values) return p->jacobian(p->context, x, values);
  places(count, p->jacobian_rows, p->jacobian_columns, row, column);
  return TRUE;
}

/* The same of the Lagrangian, factor * cost + multipliers . rows: its lower triangle. */
static Bool hessian(Index n, Number *x, Bool new_x, Number factor, Index m, Number *multipliers,
                    Bool new_multipliers, Index count, Index *row, Index *column, Number *values,
                    UserDataPtr data) {
  (void)n, (void)new_x, (void)m, (void)new_multipliers;
  const brio_program *p = data;
  if (values) return p->hessian(p->context, x, factor, multipliers, values);
  places(count, p->hessian_rows, p->hessian_columns, row, column);
  return TRUE;
}

/* Called after each iteration; FALSE stops. */
static Bool report(Index mode, Index iteration, Number objective, Number violation, Number optimality,
                   Number barrier, Number length, Number regularization, Number dual, Number primal,
                   Index trials, UserDataPtr data) {
  (void)mode, (void)length, (void)regularization, (void)dual, (void)trials;
  const brio_program *p = data;
  return p->report(p->context, iteration, objective, violation, optimality, barrier, primal);
}

/* Translate the status of Ipopt. */
static brio_program_end end_of(enum ApplicationReturnStatus status) {
  switch (status) {
  case Solve_Succeeded:
  case Solved_To_Acceptable_Level:
    return BRIO_PROGRAM_SOLVED;
  case Maximum_Iterations_Exceeded:
  case Maximum_CpuTime_Exceeded:
    return BRIO_PROGRAM_LIMIT;
  case User_Requested_Stop:
    return BRIO_PROGRAM_STOPPED;
  case Infeasible_Problem_Detected:
  case Search_Direction_Becomes_Too_Small:
  case Restoration_Failed:
    return BRIO_PROGRAM_STALLED;
  default:
    return BRIO_PROGRAM_BROKEN;
  }
}

/* Solve from `x` (p->n), which receives the best point; BROKEN: Ipopt cannot begin, or failed. */
static brio_program_end solve(const brio_program *p, double *x) {
  /* index style 0: rows and columns count from 0 */
  IpoptProblem problem =
      CreateIpoptProblem(p->n, p->lower, p->upper, p->m, p->row_lower, p->row_upper, p->njacobian,
                         p->nhessian, 0, cost, rows, gradient, jacobian, hessian);
  if (!problem) return BRIO_PROGRAM_BROKEN;
  double value;
  /* brio's tolerances, in its own scaling; Ipopt prints nothing, neither its banner ("sb") */
  AddIpoptNumOption(problem, (char *)"tol", p->optimality);
  AddIpoptNumOption(problem, (char *)"constr_viol_tol", p->tolerance);
  AddIpoptNumOption(problem, (char *)"dual_inf_tol", 1);
  AddIpoptNumOption(problem, (char *)"mu_init", p->barrier);
  AddIpoptIntOption(problem, (char *)"max_iter", p->iterations);
  AddIpoptIntOption(problem, (char *)"print_level", 0);
  AddIpoptStrOption(problem, (char *)"sb", (char *)"yes");
  SetIntermediateCallback(problem, report);
  enum ApplicationReturnStatus status =
      IpoptSolve(problem, x, NULL, &value, NULL, NULL, NULL, (UserDataPtr)(size_t)p);
  FreeIpoptProblem(problem);
  return end_of(status);
}

extern const brio_program_library brio_program_library_record;
const brio_program_library brio_program_library_record = {
    .version = BRIO_PROGRAM_LIBRARY_VERSION, .size = sizeof(brio_program), .solve = solve};
