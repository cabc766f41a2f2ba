/* <compiler> of MJCF: how the rest of the file is to be understood. */
#include <string.h>

#include "robot/formats/mjcf_internal.h"

/* Read the axes of euler angles. */
static bool read_eulerseq(brio_mjcf *mjcf, const brio_mjcf_item *item) {
  const char *value = brio_mjcf_value(mjcf, item, "eulerseq");
  if (!value) return true;
  /* Three letters: small ones turn with the body, capitals stay. */
  if (strlen(value) != 3 || strspn(value, "xyzXYZ") != 3)
    return brio_draft_wrong(mjcf->draft, item->element,
                            "eulerseq='%.40s': expected three of x, y, z, X, Y and Z", value);
  memcpy(mjcf->option.eulerseq, value, 4);
  return true;
}

/* Read a flag, if it is there. */
static bool read_flag(brio_mjcf *mjcf, const brio_mjcf_item *item, const char *name, bool *out) {
  static const char *const words[] = {"false", "true", NULL};
  int flag = *out;
  if (!brio_mjcf_word(mjcf, item, name, words, &flag)) return false;
  *out = flag;
  return true;
}

/* Read where mesh files are: `meshdir`, or `assetdir` for all kinds of files. */
static void read_folder(brio_mjcf *mjcf, const brio_xml *element) {
  /* The more special one goes last, so that it counts. */
  const char *all = brio_xml_value(element, "assetdir"), *meshes = brio_xml_value(element, "meshdir");
  if (all) mjcf->option.meshdir = all;
  if (meshes) mjcf->option.meshdir = meshes;
}

/* Refuse what cannot be read right: positions in the world's frame, which MuJoCo itself has given up. */
static bool check_coordinate(brio_mjcf *mjcf, const brio_mjcf_item *item) {
  static const char *const words[] = {"local", NULL};
  int word = 0;
  return brio_mjcf_word(mjcf, item, "coordinate", words, &word);
}

/* Warn of what changes inertias in a way that brio does not. */
static void warn_of_inertia(brio_mjcf *mjcf, const brio_xml *element) {
  static const char *const names[] = {"boundinertia", "balanceinertia", "fitaabb"};
  for (int i = 0; i < 3; i++) {
    /* 0 and false are the defaults, which change nothing. */
    const char *value = brio_xml_value(element, names[i]);
    if (value && strcmp(value, "0") != 0 && strcmp(value, "false") != 0)
      brio_draft_warn(mjcf->draft, element, "%s='%.40s' is ignored: inertias stay as in the file", names[i],
                      value);
  }
}

/* Read one <compiler>; those behind it override it. */
static bool read_compiler(brio_mjcf *mjcf, const brio_xml *element) {
  static const char *const angles[] = {"degree", "radian", NULL};
  brio_mjcf_option *option = &mjcf->option;
  brio_mjcf_item item = {element, -1};
  /* Each attribute that is missing leaves the value of an earlier <compiler>. */
  int angle = option->radians;
  read_folder(mjcf, element);
  warn_of_inertia(mjcf, element);
  if (!brio_mjcf_word(mjcf, &item, "angle", angles, &angle)) return false;
  /* MJCF has degrees by default. */
  option->radians = angle;
  return read_eulerseq(mjcf, &item) && check_coordinate(mjcf, &item) &&
         read_flag(mjcf, &item, "autolimits", &option->autolimits) &&
         read_flag(mjcf, &item, "strippath", &option->strippath) &&
         brio_mjcf_word(mjcf, &item, "inertiafromgeom", brio_mjcf_flags, &option->inertia_from_geoms) &&
         brio_mjcf_numbers(mjcf, &item, "inertiagrouprange", 2, 2, option->group_range) >= 0 &&
         brio_mjcf_number(mjcf, &item, "settotalmass", &option->total_mass) &&
         brio_mjcf_number(mjcf, &item, "boundmass", &option->bound_mass);
}

bool brio_mjcf_read_option(brio_mjcf *mjcf) {
  /* MuJoCo's defaults; without total_mass masses are as they are. */
  mjcf->option = (brio_mjcf_option){.eulerseq = "xyz",
                                    .autolimits = true,
                                    .meshdir = "",
                                    .inertia_from_geoms = BRIO_MJCF_AUTO,
                                    .group_range = {0, 5},
                                    .total_mass = -1};
  for (const brio_xml *e = brio_xml_child(mjcf->root, "compiler"); e; e = brio_xml_next(e, "compiler"))
    if (!read_compiler(mjcf, e)) return false;
  return true;
}
