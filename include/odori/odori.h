/* odori: motion retargeting for MikuMikuDance. The whole public interface. */
#ifndef ODORI_ODORI_H
#define ODORI_ODORI_H

#include "odori/arena.h"
#include "odori/bake.h"
#include "odori/binding.h"
#include "odori/camera.h"
#include "odori/check.h"
#include "odori/clip.h"
#include "odori/error.h"
#include "odori/format.h"
#include "odori/ik.h"
#include "odori/keys.h"
#include "odori/mapping.h"
#include "odori/model.h"
#include "odori/player.h"
#include "odori/reduce.h"
#include "odori/report.h"
#include "odori/rest.h"
#include "odori/retarget.h"
#include "odori/rig.h"
#include "odori/role.h"
#include "odori/scene.h"
#include "odori/skeleton.h"
#include "odori/smooth.h"
#include "odori/split.h"
#include "odori/target.h"
#include "odori/xform.h"

#define OD_VERSION_MAJOR 0
#define OD_VERSION_MINOR 1
#define OD_VERSION_PATCH 0
#define OD_VERSION "0.1.0"

/* The library's version at run time, "0.1.0". */
OD_API const char *od_version(void);

#endif
