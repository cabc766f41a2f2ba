/* Outlines of points in a plane: hull and least rectangle, each in one pass over the points. */
#ifndef BRIO_CLOUD_SURFACES_OUTLINE_H
#define BRIO_CLOUD_SURFACES_OUTLINE_H

/* Write the corners of the convex hull of `points` (count), counter-clockwise, into `hull` (room for
** `most`, at least 3); return how many, 0 without points.  When there would be more than `most` those
** that add the least are left out.  With more than a few hundred points the hull is that of the outermost
** points of 256 strips: exact to the strips' width. */
int brio_cloud_outline(const double (*points)[2], int count, double (*hull)[2], int most);

/* Return the area of a polygon, m^2; counter-clockwise: not negative. */
double brio_cloud_outline_area(const double (*hull)[2], int corners);

/* Write the least rectangle around a hull: its middle, the direction (rad) of its longer side, its sides. */
void brio_cloud_outline_rectangle(const double (*hull)[2], int corners, double middle[2], double *direction,
                                  double size[2]);

/* Return how far a point is outside of a counter-clockwise convex polygon; 0 within. */
double brio_cloud_outline_outside(const double (*hull)[2], int corners, const double point[2]);

#endif
