/* Rotations against an independent oracle: 3 x 3 matrices in double. */
#include "check.h"

#include "odori/xform.h"

static const double PI = 3.14159265358979323846;

typedef struct matrix {
    double m[3][3];
} matrix;

static matrix multiply(matrix a, matrix b)
{
    matrix c = {{{0}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}

/* The textbook matrix of a rotation about one of the axes. */
static matrix about(char axis, double angle)
{
    double c = cos(angle), s = sin(angle);
    if (axis == 'x') return (matrix){{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
    if (axis == 'y') return (matrix){{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
    return (matrix){{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}

/* Rodrigues: cos I + sin [u] + (1 - cos) u u^T. */
static matrix about_any(const double u[3], double angle)
{
    double c = cos(angle), s = sin(angle), d = 1 - c;
    return (matrix){{{c + d * u[0] * u[0], d * u[0] * u[1] - s * u[2], d * u[0] * u[2] + s * u[1]},
                     {d * u[1] * u[0] + s * u[2], c + d * u[1] * u[1], d * u[1] * u[2] - s * u[0]},
                     {d * u[2] * u[0] - s * u[1], d * u[2] * u[1] + s * u[0], c + d * u[2] * u[2]}}};
}

static matrix matrix_of(versors q)
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    return (matrix){{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                     {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                     {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
}

static void assert_matrix_near(matrix a, matrix b, double tolerance)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) assert_near(a.m[i][j], b.m[i][j], tolerance);
}

static void assert_vector_near(vec3s a, vec3s b, double tolerance)
{
    assert_near(a.x, b.x, tolerance);
    assert_near(a.y, b.y, tolerance);
    assert_near(a.z, b.z, tolerance);
}

static double norm(versors q)
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    return sqrt(x * x + y * y + z * z + w * w);
}

/* Angle in double between two rotations, 0 to pi, exact at both ends; independent of signs. */
static double angle_between(versors a, versors b)
{
    double sign = (double)od_quat_dot(a, b) < 0 ? -1 : 1;
    double difference = 0, sum = 0;
    for (int i = 0; i < 4; i++) {
        double d = (double)a.raw[i] - sign * (double)b.raw[i], s = (double)a.raw[i] + sign * (double)b.raw[i];
        difference += d * d;
        sum += s * s;
    }
    return 4 * atan2(sqrt(difference), sqrt(sum));
}

static vec3s random_vector(uint32_t *seed)
{
    for (;;) {
        vec3s v = od_vec3((float)check_random(seed), (float)check_random(seed), (float)check_random(seed));
        float n = glms_vec3_norm(v);
        if (n > 0.1f && n < 1.0f) return v;
    }
}

static vec3s random_direction(uint32_t *seed)
{
    return od_vec3_normalize(random_vector(seed));
}

static versors random_rotation(uint32_t *seed)
{
    for (;;) {
        versors q = od_quat((float)check_random(seed), (float)check_random(seed), (float)check_random(seed),
                            (float)check_random(seed));
        double n = norm(q);
        if (n > 0.1 && n < 1) return od_quat_normalize(q);
    }
}

static versors negative(versors q)
{
    return od_quat(-q.x, -q.y, -q.z, -q.w);
}

static void axis_and_angle_agree_with_rodrigues(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 1000; i++) {
        vec3s axis = random_vector(&seed); /* its length does not matter */
        double n = (double)glms_vec3_norm(axis);
        double unit[3] = {(double)axis.x / n, (double)axis.y / n, (double)axis.z / n};
        double angle = 7 * check_random(&seed);
        assert_matrix_near(matrix_of(od_quat_axis_angle(axis, (float)angle)), about_any(unit, angle), 2e-6);
    }
    assert_near(angle_between(od_quat_axis_angle(od_vec3(0, 0, 0), 1), od_quat_identity()), 0, 0);
}

static void products_apply_the_right_factor_first(void **state)
{
    (void)state;
    uint32_t seed = 2;
    for (int i = 0; i < 1000; i++) {
        versors a = random_rotation(&seed), b = random_rotation(&seed);
        assert_matrix_near(matrix_of(od_quat_mul(a, b)), multiply(matrix_of(a), matrix_of(b)), 2e-6);
        vec3s v = random_vector(&seed);
        assert_vector_near(od_quat_rotate(od_quat_mul(a, b), v), od_quat_rotate(a, od_quat_rotate(b, v)), 2e-6);
    }
}

static void rotating_a_vector_agrees_with_the_matrix(void **state)
{
    (void)state;
    uint32_t seed = 3;
    for (int i = 0; i < 1000; i++) {
        versors q = random_rotation(&seed);
        vec3s v = random_vector(&seed), r = od_quat_rotate(q, v);
        matrix m = matrix_of(q);
        for (int k = 0; k < 3; k++)
            assert_near(r.raw[k], m.m[k][0] * (double)v.x + m.m[k][1] * (double)v.y + m.m[k][2] * (double)v.z, 1e-6);
    }
}

static void a_transform_times_its_inverse_is_identity(void **state)
{
    (void)state;
    uint32_t seed = 4;
    for (int i = 0; i < 1000; i++) {
        od_xform a = {.q = random_rotation(&seed), .t = random_vector(&seed)};
        od_xform b = {.q = random_rotation(&seed), .t = random_vector(&seed)};
        vec3s p = random_vector(&seed);
        assert_vector_near(od_xform_point(od_xform_mul(a, b), p), od_xform_point(a, od_xform_point(b, p)), 2e-6);
        od_xform one = od_xform_mul(a, od_xform_inverse(a));
        assert_near(angle_between(one.q, od_quat_identity()), 0, 1e-6);
        assert_vector_near(one.t, od_vec3(0, 0, 0), 1e-6);
    }
}

static void euler_orders_agree_with_matrix_products(void **state)
{
    (void)state;
    static const char *const orders[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "zxz", "yyx"};
    uint32_t seed = 5;
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
        for (int i = 0; i < 300; i++) {
            float angles[3];
            for (int k = 0; k < 3; k++) angles[k] = (float)(2 * PI * check_random(&seed));
            matrix m = about(orders[o][0], (double)angles[0]);
            m = multiply(m, about(orders[o][1], (double)angles[1]));
            m = multiply(m, about(orders[o][2], (double)angles[2]));
            assert_matrix_near(matrix_of(od_quat_euler(orders[o], angles)), m, 2e-6);
        }
}

static void normalizing_gives_unit_or_identity(void **state)
{
    (void)state;
    assert_near(norm(od_quat_normalize(od_quat(1e-10f, 2e-10f, 0, -3e-10f))), 1, 1e-6);
    assert_near(norm(od_quat_normalize(od_quat(1e10f, 2e10f, 0, -3e10f))), 1, 1e-6);
    const versors bad[] = {od_quat(0, 0, 0, 0), od_quat(NAN, 0, 0, 1), od_quat(0, INFINITY, 0, 1),
                           od_quat(0, 0, -INFINITY, NAN), od_quat(3e38f, 3e38f, 0, 0)};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        versors q = od_quat_normalize(bad[i]);
        assert_true(q.x == 0 && q.y == 0 && q.z == 0 && q.w == 1);
    }
    assert_vector_near(od_vec3_normalize(od_vec3(0, 0, 0)), od_vec3(0, 0, 0), 0);
    assert_vector_near(od_vec3_normalize(od_vec3(0, -3e-6f, 4e-6f)), od_vec3(0, -0.6f, 0.8f), 1e-6);
}

static void only_finite_values_are_finite(void **state)
{
    (void)state;
    assert_true(od_quat_finite(od_quat(1, -2, 3, 0)));
    assert_true(od_vec3_finite(od_vec3(1, -2, 3e38f)));
    for (int i = 0; i < 4; i++)
        for (int bad = 0; bad < 3; bad++) {
            float value = bad == 0 ? NAN : bad == 1 ? INFINITY : -INFINITY;
            versors q = od_quat_identity();
            q.raw[i] = value;
            assert_false(od_quat_finite(q));
            vec3s v = od_vec3(1, 2, 3);
            v.raw[i % 3] = value;
            assert_false(od_vec3_finite(v));
        }
}

static void the_nearer_sign_is_the_same_rotation(void **state)
{
    (void)state;
    uint32_t seed = 6;
    for (int i = 0; i < 100; i++) {
        versors a = random_rotation(&seed), b = random_rotation(&seed), c = od_quat_near(a, b);
        assert_true(od_quat_dot(c, b) >= 0);
        assert_near(angle_between(a, c), 0, 0);
    }
}

/* Small angles, where acos of a cosine near 1 would give steps of 3e-4 or nothing. */
static void angles_are_exact_from_tiny_to_half_a_turn(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (double angle = 1e-6; angle < PI; angle *= 1.3) {
        vec3s axis = random_direction(&seed);
        versors q = od_quat_axis_angle(axis, (float)angle);
        assert_near(od_quat_angle(q), angle, 1e-6 * angle + 3e-7 * (angle > 1));
        assert_near(od_quat_angle(negative(q)), angle, 1e-6 * angle + 3e-7 * (angle > 1));
        vec3s a = od_vec3(1000, 0, 0), b = od_vec3((float)(0.001 * cos(angle)), (float)(0.001 * sin(angle)), 0);
        assert_near(od_vec3_angle(a, b), angle, 2e-6 * angle);
    }
    assert_near(od_vec3_angle(od_vec3(0, 0, 5), od_vec3(0, 0, -1)), PI, 1e-6);
    assert_near(od_vec3_angle(od_vec3(0, 0, 0), od_vec3(0, 0, -1)), 0, 0);
}

/* a goes onto b, and no smaller rotation could do it. */
static void check_from_to(vec3s a, vec3s b)
{
    versors q = od_quat_from_to(a, b);
    assert_near(norm(q), 1, 1e-6);
    vec3s u = od_vec3_normalize(a), v = od_vec3_normalize(b);
    assert_vector_near(od_quat_rotate(q, u), v, 2e-6);
    assert_near(od_quat_angle(q), od_vec3_angle(u, v), 3e-6);
}

static void the_smallest_rotation_between_directions(void **state)
{
    (void)state;
    uint32_t seed = 8;
    for (int i = 0; i < 1000; i++) {
        vec3s a = random_vector(&seed), b = random_vector(&seed);
        check_from_to(a, glms_vec3_scale(b, 100));
        check_from_to(a, glms_vec3_scale(a, 0.01f));
    }
    assert_near(od_quat_angle(od_quat_from_to(od_vec3(0, 0, 0), od_vec3(1, 0, 0))), 0, 0);
    assert_near(od_quat_angle(od_quat_from_to(od_vec3(1, 0, 0), od_vec3(0, 0, 0))), 0, 0);
}

static void opposite_directions_turn_by_half_a_turn(void **state)
{
    (void)state;
    uint32_t seed = 9;
    for (int i = 0; i < 3; i++)
        for (float sign = -1; sign < 2; sign += 2) {
            vec3s a = od_vec3(0, 0, 0);
            a.raw[i] = sign;
            check_from_to(a, glms_vec3_negate(a));
        }
    for (int i = 0; i < 1000; i++) {
        vec3s a = random_vector(&seed);
        check_from_to(a, glms_vec3_scale(a, -3));
    }
}

/* Nearly opposite: the case between; a foot that points backwards by a hair. */
static void nearly_opposite_directions_still_meet(void **state)
{
    (void)state;
    uint32_t seed = 10;
    for (double off = 1e-7; off < 0.3; off *= 1.5)
        for (int i = 0; i < 20; i++) {
            vec3s a = random_direction(&seed);
            vec3s side = od_vec3_normalize(glms_vec3_cross(a, random_direction(&seed)));
            vec3s b = glms_vec3_sub(glms_vec3_scale(side, (float)sin(off)), glms_vec3_scale(a, (float)cos(off)));
            versors q = od_quat_from_to(a, b);
            assert_near(norm(q), 1, 1e-6);
            assert_vector_near(od_quat_rotate(q, a), b, 1e-5);
        }
}

static vec3s across(vec3s v, vec3s axis)
{
    return od_vec3_normalize(glms_vec3_sub(v, glms_vec3_scale(axis, glms_vec3_dot(v, axis))));
}

static void frames_meet_in_the_primary_and_as_near_as_can_be_in_the_secondary(void **state)
{
    (void)state;
    uint32_t seed = 11;
    for (int i = 0; i < 1000; i++) {
        vec3s pa = random_direction(&seed), pb = i % 10 ? random_direction(&seed) : glms_vec3_negate(pa);
        vec3s sa = random_direction(&seed), sb = random_direction(&seed);
        if (fabsf(glms_vec3_dot(pa, sa)) > 0.99f || fabsf(glms_vec3_dot(pb, sb)) > 0.99f) continue;
        versors q = od_quat_from_frames(pa, sa, pb, sb);
        assert_near(norm(q), 1, 1e-6);
        assert_vector_near(od_quat_rotate(q, pa), pb, 3e-6);
        assert_vector_near(across(od_quat_rotate(q, sa), pb), across(sb, pb), 3e-5);
    }
}

static void frames_without_a_secondary_turn_the_smallest_way(void **state)
{
    (void)state;
    uint32_t seed = 12;
    for (int i = 0; i < 100; i++) {
        vec3s pa = random_direction(&seed), pb = random_direction(&seed), s = random_direction(&seed);
        versors want = od_quat_from_to(pa, pb);
        assert_near(angle_between(od_quat_from_frames(pa, pa, pb, s), want), 0, 1e-6);
        assert_near(angle_between(od_quat_from_frames(pa, s, pb, glms_vec3_scale(pb, 2)), want), 0, 1e-6);
        assert_near(angle_between(od_quat_from_frames(pa, od_vec3(0, 0, 0), pb, s), want), 0, 1e-6);
    }
}

/* b so that its angle to a is `angle`. */
static versors turned(versors a, double angle, uint32_t *seed)
{
    return od_quat_mul(a, od_quat_axis_angle(random_direction(seed), (float)angle));
}

typedef versors interpolation(versors a, versors b, float t);

/* From a to b in 16 steps: unit, ends met, and every step of the same size, so that the speed is
 * constant and the whole way is `total`. */
static void check_path(interpolation *path, versors a, versors b, double total, double tolerance)
{
    assert_near(angle_between(path(a, b, 0), a), 0, tolerance);
    assert_near(angle_between(path(a, b, 1), b), 0, tolerance);
    for (int i = 0; i < 16; i++) {
        versors p = path(a, b, (float)i / 16), q = path(a, b, (float)(i + 1) / 16);
        assert_near(norm(p), 1, 1e-6);
        assert_near(angle_between(p, q), total / 16, tolerance);
        double whole = total * (i + 1) / 16;
        assert_near(angle_between(a, q), whole <= PI ? whole : 2 * PI - whole, tolerance);
    }
}

static void the_short_path_has_constant_speed(void **state)
{
    (void)state;
    uint32_t seed = 13;
    for (int i = 0; i < 300; i++) {
        double angle = PI * (i + 0.5) / 300;
        versors a = random_rotation(&seed), b = turned(a, angle, &seed);
        check_path(od_quat_slerp, a, b, angle, 5e-6);
        check_path(od_quat_slerp, a, negative(b), angle, 5e-6);
    }
}

static void the_long_path_has_constant_speed_and_goes_the_other_way(void **state)
{
    (void)state;
    uint32_t seed = 14;
    for (int i = 0; i < 300; i++) {
        double angle = PI * (i + 0.5) / 300;
        versors a = random_rotation(&seed), b = turned(a, angle, &seed);
        check_path(od_quat_slerp_long, a, b, 2 * PI - angle, 2e-5);
        check_path(od_quat_slerp_long, a, negative(b), 2 * PI - angle, 2e-5);
    }
}

/* The two paths together are one whole turn about one axis: both lie on the same circle. */
static void both_paths_share_one_axis(void **state)
{
    (void)state;
    vec3s axis = od_vec3_normalize(od_vec3(1, 2, -2));
    for (int i = 1; i < 16; i++) {
        float t = (float)i / 16;
        versors b = od_quat_axis_angle(axis, 2.0f);
        assert_near(angle_between(od_quat_slerp(od_quat_identity(), b, t), od_quat_axis_angle(axis, 2.0f * t)), 0,
                    2e-6);
        float back = (float)(2.0 - 2 * PI) * t;
        assert_near(angle_between(od_quat_slerp_long(od_quat_identity(), b, t), od_quat_axis_angle(axis, back)), 0,
                    3e-6);
    }
}

/* Where the sine vanishes: nearly the same rotation by the short path. */
static void tiny_angles_are_interpolated_without_jumps(void **state)
{
    (void)state;
    uint32_t seed = 15;
    for (double angle = 1e-7; angle < 0.1; angle *= 1.5) {
        versors a = random_rotation(&seed), b = turned(a, angle, &seed);
        check_path(od_quat_slerp, a, b, angle, 1e-6);
        check_path(od_quat_slerp, a, negative(b), angle, 1e-6);
    }
    versors a = random_rotation(&seed);
    check_path(od_quat_slerp, a, a, 0, 1e-6);
}

/* q against about -q is where a careless slerp divides by nothing. */
static void q_against_about_minus_q_stays_where_it_is(void **state)
{
    (void)state;
    uint32_t seed = 16;
    for (int i = 0; i < 300; i++) {
        versors a = random_rotation(&seed), b = negative(a);
        if (i > 0) b = od_quat_normalize(od_quat(b.x + 1e-7f * (float)i, b.y, b.z - 1e-7f * (float)i, b.w));
        double apart = angle_between(a, b);
        for (int k = 0; k <= 16; k++) {
            versors q = od_quat_slerp(a, b, (float)k / 16);
            assert_near(norm(q), 1, 1e-6);
            assert_near(angle_between(q, a), apart * k / 16, 1e-6);
        }
    }
}

/* The long path between (nearly) equal rotations is a whole turn, still at constant speed. */
static void the_long_path_between_equal_rotations_is_a_whole_turn(void **state)
{
    (void)state;
    uint32_t seed = 17;
    for (double angle = 1e-7; angle < 0.1; angle *= 1.3) {
        versors a = random_rotation(&seed), b = turned(a, angle, &seed);
        check_path(od_quat_slerp_long, a, b, 2 * PI - angle, 2e-5);
        check_path(od_quat_slerp_long, a, negative(b), 2 * PI - angle, 2e-5);
    }
    versors a = random_rotation(&seed);
    check_path(od_quat_slerp_long, a, a, 2 * PI, 2e-5);
    check_path(od_quat_slerp_long, a, negative(a), 2 * PI, 2e-5);
}

static void any_t_gives_a_unit_quaternion(void **state)
{
    (void)state;
    uint32_t seed = 18;
    for (int i = 0; i < 1000; i++) {
        versors a = random_rotation(&seed), b = random_rotation(&seed);
        float t = (float)(4 * check_random(&seed));
        assert_near(norm(od_quat_slerp(a, b, t)), 1, 1e-6);
        assert_near(norm(od_quat_slerp_long(a, b, t)), 1, 1e-6);
    }
}

static void twist_and_swing_make_the_rotation(void **state)
{
    (void)state;
    uint32_t seed = 19;
    for (int i = 0; i < 1000; i++) {
        versors q = random_rotation(&seed);
        vec3s axis = random_direction(&seed);
        versors twist = od_quat_twist(q, axis), swing = od_quat_mul(q, od_quat_conj(twist));
        assert_near(norm(twist), 1, 1e-6);
        assert_true(twist.w >= 0);
        /* The twist turns about the axis alone, the swing not at all. */
        assert_vector_near(od_quat_rotate(twist, axis), axis, 2e-6);
        assert_near(swing.x * axis.x + swing.y * axis.y + swing.z * axis.z, 0, 2e-6);
        assert_near(angle_between(od_quat_axis_angle(axis, od_quat_twist_angle(q, axis)), twist), 0, 3e-6);
    }
}

static void the_twist_of_a_swing_by_half_a_turn_is_identity(void **state)
{
    (void)state;
    uint32_t seed = 20;
    for (int i = 0; i < 100; i++) {
        vec3s axis = random_direction(&seed), side = od_vec3_normalize(glms_vec3_cross(axis, random_direction(&seed)));
        versors twist = od_quat_twist(od_quat(side.x, side.y, side.z, 0), axis);
        assert_near(angle_between(twist, od_quat_identity()), 0, 0);
    }
}

static void the_twist_angle_is_signed_and_within_half_a_turn(void **state)
{
    (void)state;
    uint32_t seed = 21;
    for (int i = -360; i <= 360; i++) {
        vec3s axis = random_direction(&seed);
        double angle = i * PI / 180, want = remainder(angle, 2 * PI);
        versors q = od_quat_axis_angle(axis, (float)angle);
        double found = (double)od_quat_twist_angle(q, axis);
        assert_true(found > -PI - 1e-6 && found <= PI + 1e-6);
        assert_near(remainder(found - want, 2 * PI), 0, 2e-6);
        if (fabs(want) < 3.1) {
            assert_near(found, want, 2e-6);
            assert_near(od_quat_twist_angle(negative(q), axis), want, 2e-6);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axis_and_angle_agree_with_rodrigues),
        cmocka_unit_test(products_apply_the_right_factor_first),
        cmocka_unit_test(rotating_a_vector_agrees_with_the_matrix),
        cmocka_unit_test(a_transform_times_its_inverse_is_identity),
        cmocka_unit_test(euler_orders_agree_with_matrix_products),
        cmocka_unit_test(normalizing_gives_unit_or_identity),
        cmocka_unit_test(only_finite_values_are_finite),
        cmocka_unit_test(the_nearer_sign_is_the_same_rotation),
        cmocka_unit_test(angles_are_exact_from_tiny_to_half_a_turn),
        cmocka_unit_test(the_smallest_rotation_between_directions),
        cmocka_unit_test(opposite_directions_turn_by_half_a_turn),
        cmocka_unit_test(nearly_opposite_directions_still_meet),
        cmocka_unit_test(frames_meet_in_the_primary_and_as_near_as_can_be_in_the_secondary),
        cmocka_unit_test(frames_without_a_secondary_turn_the_smallest_way),
        cmocka_unit_test(the_short_path_has_constant_speed),
        cmocka_unit_test(the_long_path_has_constant_speed_and_goes_the_other_way),
        cmocka_unit_test(both_paths_share_one_axis),
        cmocka_unit_test(tiny_angles_are_interpolated_without_jumps),
        cmocka_unit_test(q_against_about_minus_q_stays_where_it_is),
        cmocka_unit_test(the_long_path_between_equal_rotations_is_a_whole_turn),
        cmocka_unit_test(any_t_gives_a_unit_quaternion),
        cmocka_unit_test(twist_and_swing_make_the_rotation),
        cmocka_unit_test(the_twist_of_a_swing_by_half_a_turn_is_identity),
        cmocka_unit_test(the_twist_angle_is_signed_and_within_half_a_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
