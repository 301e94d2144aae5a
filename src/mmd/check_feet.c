/* Input: every frame of a motion. Output: how far feet slide while they stand, how deep soles are under
 * the floor, how high they are while the source stands. The floor is y = 0.
 *
 * A foot stands as much as the source's does; without a source as much as its own sole is low. */
#include "mmd/check.h"

static const float STILL = 0.0625f;   /* MMD units a frame: 0.15 m/s */
static const float NEAR_FLOOR = 0.5f; /* MMD units: 4 cm */
static const float STANDS = 0.9f;     /* weight of a foot that stands wholly */

typedef struct foot {
    int ankle, toes; /* bones; toes -1: the foot has none of its own */
    int joint;       /* of the source, -1: none */
    od_sole sole;
    vec3s ball, source; /* in the frame before */
} foot;

struct od_check_feet {
    foot feet[2];
    od_gauge *slide, *source, *above, *under;
    bool seen;
};

od_check_feet *od_check_feet_make(od_checker *checker)
{
    od_check_feet *feet = OD_NEW(checker->arena, od_check_feet, 1, checker->error);
    if (!feet) return NULL;
    for (int side = 0; side < 2; side++)
        feet->feet[side] = (foot){.ankle = od_checker_bone(checker, OD_ROLE_ANKLE_L + (od_role)side),
                                  .toes = checker->target->role[OD_ROLE_TOE_EX_L + side],
                                  .joint = checker->reference ? checker->reference->toe[side] : -1,
                                  .sole = od_sole_of(checker->target, side)};
    feet->slide = od_checker_gauge(checker, OD_MEASURE_SLIDE, "all");
    feet->source = od_checker_gauge(checker, OD_MEASURE_SOURCE_SLIDE, "all");
    feet->above = od_checker_gauge(checker, OD_MEASURE_FLOAT, "all");
    feet->under = od_checker_gauge(checker, OD_MEASURE_UNDER, "all");
    return feet->slide && feet->source && feet->above && feet->under ? feet : NULL;
}

static float way(vec3s a, vec3s b)
{
    return hypotf(a.x - b.x, a.z - b.z);
}

static void see_foot(const od_check_feet *feet, foot *f, const od_checker *checker)
{
    const od_xform *ankle = &checker->shown.world[f->ankle];
    versors toes = f->toes >= 0 ? checker->shown.world[f->toes].q : ankle->q;
    vec3s ball = od_xform_point(*ankle, f->sole.ball);
    float low = ankle->t.y + od_sole_lowest(&f->sole, ankle->q, toes);
    float step = feet->seen ? way(ball, f->ball) : 0;
    vec3s source = f->joint >= 0 ? checker->joints[f->joint].t : ball;
    float weight = od_contact_weight(OD_CM * fmaxf(f->joint >= 0 ? source.y : low, 0));
    bool stands = f->joint >= 0 ? weight > STANDS : step < STILL && low < NEAR_FLOOR;
    od_gauge_see(feet->under, checker, -low, f->ankle);
    if (stands) od_gauge_see(feet->above, checker, low, f->ankle);
    if (feet->seen) od_gauge_see(feet->slide, checker, OD_CM * weight * step, f->ankle);
    if (feet->seen && f->joint >= 0)
        od_gauge_see(feet->source, checker, OD_CM * weight * way(source, f->source), f->ankle);
    f->ball = ball;
    f->source = source;
}

void od_check_feet_see(od_check_feet *feet, const od_checker *checker)
{
    for (int side = 0; side < 2; side++)
        if (feet->feet[side].ankle >= 0) see_foot(feet, &feet->feet[side], checker);
    feet->seen = true;
}
