/* Shared objects that belong to brio and are built only where their library is installed. */
#ifndef BRIO_BASE_SYSTEM_OBJECT_H
#define BRIO_BASE_SYSTEM_OBJECT_H

/* Open `object` ("brio_mujoco.so") beside the program or the module, or in the folder of its libraries; it
** stays loaded.  Return NULL where there is none, or its own library is missing, which dlerror() then says.
 */
void *brio_object_open(const char *object);

#endif
