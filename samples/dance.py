"""The dance: what a body does at each beat. 48 beats of half a second.

Output is a pose: where the hips are and how every part of the body has turned in the world since a
T-pose that faces +Z (left is +X, palms down). Lengths are centimetres of the body below; a rig of
another size scales the place of the hips. Feet are exactly still while they stand: the legs are
solved for them. Knees bend forward only and are never straight.
"""
import math

from maths import (Curve, about, about_x, about_y, about_z, add, bump, cross, curves, dot, from_columns, inverse,
                   length, lower, mirrored, mirrored_turn, mix, part, rotate, scaled, smooth, sub, turn, unit)

BEATS = 48
SECONDS_A_BEAT = 0.5

# The left leg at rest, each joint from the one above, and the heel from the ankle.
HIP, KNEE, ANKLE, BALL = (9.0, -4.0, 0.0), (0.0, -43.0, 0.6), (0.0, -42.0, -2.2), (0.0, -6.5, 13.0)
HEEL = (0.0, -8.0, -4.0)
HIPS_HEIGHT = 97.0
BALL_HEIGHT = 1.5
REACH = 0.99 * (length(KNEE) + length(ANKLE))

LEFT, RIGHT = 'Left', 'Right'

# Steps: foot, lifts at, lands at, place of the stance (x, z) and its heading, the foot's distance from the
# middle of the stance, lift, kick (how far it swings out), pitch on landing (below 0: heel first).
STEPS = [
    (LEFT, 4.1, 4.9, 32, 0, 0, 11, 6, 0, 8), (RIGHT, 5.1, 5.9, 32, 0, 0, 11, 5, 0, 12),
    (RIGHT, 6.1, 6.9, 0, 0, 0, 11, 6, 0, 8), (LEFT, 7.1, 7.9, 0, 0, 0, 11, 5, 0, 12),
    (LEFT, 12.1, 12.9, 0, 35, 0, 10, 7, 0, -16), (RIGHT, 13.1, 13.9, 0, 68, 0, 10, 8, 0, -18),
    (LEFT, 14.1, 14.9, 0, 90, 0, 11, 8, 0, -16), (RIGHT, 15.1, 15.9, 0, 90, 0, 11, 6, 0, 0),
    (LEFT, 16.1, 16.9, 0, 90, 90, 25, 6, 0, 10), (RIGHT, 17.1, 17.9, 0, 82, 90, 12, 6, 0, 10),
    (RIGHT, 18.1, 18.9, 0, 90, 0, 26, 6, 0, 10), (LEFT, 19.1, 19.9, 0, 90, 0, 12, 6, 0, 10),
    (RIGHT, 20.1, 20.9, 0, 58, 0, 10, 7, 0, 22), (LEFT, 21.1, 21.9, 0, 26, 0, 10, 7, 0, 22),
    (RIGHT, 22.1, 22.9, 0, 0, 0, 13, 7, 0, 20), (LEFT, 23.1, 23.9, 0, 0, 0, 13, 6, 0, 15),
    (LEFT, 29.75, 30.65, 0, 22, 0, 13, 31, 0, 28), (RIGHT, 29.75, 30.65, 0, 22, 0, 13, 31, 0, 28),
    (LEFT, 32.1, 32.9, 8, 22, 90, 17, 7, 0, 10), (RIGHT, 33.0, 33.85, 8, 22, 180, 17, 8, 0, 12),
    (LEFT, 34.0, 34.8, 8, 22, 270, 23, 8, 0, 12), (RIGHT, 34.9, 35.7, 0, 22, 360, 12, 8, 0, 12),
    (LEFT, 35.8, 36.5, 0, 22, 360, 12, 6, 0, 0),
    (LEFT, 36.9, 37.6, 0, 22, 360, 48, 8, 0, 0), (LEFT, 38.3, 38.95, 0, 22, 360, 12, 8, 0, 10),
    (RIGHT, 39.1, 39.8, 0, 22, 360, 48, 8, 0, 0), (RIGHT, 40.4, 41.0, 0, 22, 360, 12, 8, 0, 10),
    (RIGHT, 41.4, 42.5, 0, 22, 360, 12, 42, 42, 10), (LEFT, 43.0, 44.1, 0, 22, 360, 12, 42, 42, 10),
    (LEFT, 44.8, 45.6, 0, 44, 360, 14, 8, 0, -14),
]
JUMP = (29.75, 30.65)
ROLL_OFF, ROLL_DOWN, HEEL_UP = 0.3, 0.25, 30

# Height of the hips. The flight is a parabola: its slope is half the gravity times the time of flight.
FLIGHT = 981 * SECONDS_A_BEAT ** 2 * (JUMP[1] - JUMP[0]) / 2
HEIGHT = Curve([
    (0, 96), (5, 96), (6, 92), (7.2, 95), (16.5, 95), (18, 90.5), (19.5, 95), (24, 96), (24.6, 94),
    (25.8, 60), (26.8, 60), (27.7, 95), (28.2, 95), (29.05, 66),
    (JUMP[0], 93, FLIGHT), (JUMP[1], 93, -FLIGHT), (31.2, 70), (32, 95), (36.5, 95), (37.6, 84), (38.2, 84),
    (38.9, 94), (39.8, 84), (40.3, 84), (41, 94), (44.2, 95), (45.6, 90), (46.2, 94), (48, 94)])
BOUNCE = Curve([(0, 0), (0.5, 3), (3.5, 3), (4, 2), (8, 3.5), (12, 2), (20, 2), (24, 0), (41, 0), (41.5, 2), (44, 2),
                (45, 0), (48, 0)])

# Share of the left foot in carrying the body where the steps do not say it.
WEIGHT = [(0, 0.5), (1, 0.62), (2, 0.38), (3, 0.62), (3.8, 0.4), (8.5, 0.7), (9.5, 0.3), (10.5, 0.7), (11.5, 0.35),
          (24.5, 0.5), (29.5, 0.5), (31.5, 0.5), (37.9, 0.78), (40.1, 0.22), (46.2, 0.62), (48, 0.62)]

# Hips: forward tilt, lean to the left, turn to the left against the feet.
HIPS = [
    (0, 2, 0, 0), (1, 2, 4, 4), (2, 2, -4, -4), (3, 2, 4, 4), (4, 2, 0, 0), (5, 3, 5, 8), (6, 3, -2, 0),
    (7, 3, -5, -8), (8, 2, 0, 0), (8.5, 2, 5, 0), (9.5, 2, -5, 0), (10.5, 2, 5, 0), (11.5, 2, -5, 0), (12, 2, 0, 0),
    (13, 4, 0, -8), (14, 4, 0, 8), (15, 4, 0, -8), (16, 3, 0, 0), (24, 2, 0, 0), (25.8, 24, 0, 0), (26.8, 24, 0, 6),
    (28, 3, 0, 0), (29.05, 22, 0, 0), (29.75, 2, 0, 0), (30.3, 0, 0, 0), (31.2, 20, 0, 0), (32, 3, 0, 0),
    (36.5, 3, 0, 0), (37.6, 6, -6, 10), (38.9, 3, 0, 0), (39.8, 6, 6, -10), (41, 3, 0, 0), (42, -4, 3, 6),
    (42.8, 3, 0, 0), (43.6, -4, -3, -6), (44.4, 3, 0, 0), (46.2, 2, 5, 12), (48, 2, 5, 12)]
# Spine: forward bend, lean to the left, turn to the left.
SPINE = [
    (0, 0, 0, 0), (1, 2, -5, -5), (2, 2, 5, 5), (3, 2, -5, -5), (4, 0, 0, 0), (5, 4, -6, -12), (6, 0, 0, 0),
    (7, 4, 6, 12), (8, 0, 0, 0), (9, 2, 6, 4), (10, 2, -6, -4), (11, 2, 6, 4), (12, 0, 0, 0), (12.5, 6, 0, -24),
    (13.5, 6, 0, 24), (14.5, 6, 0, -24), (15.5, 6, 0, 24), (16.2, 0, 0, 0), (17, -8, 6, 14), (18, 0, 0, 0),
    (19, -8, -6, -14), (20, 0, 0, 0), (22, -10, 0, 0), (24, 0, 0, 0), (25.8, 28, 0, 0), (26.3, 24, 8, 16),
    (26.8, 26, -6, -14), (28, 0, 0, 0), (29.05, 26, 0, 0), (29.75, -6, 0, 0), (30.4, -8, 0, 0), (31.2, 24, 0, 0),
    (32, 2, 0, 16), (33.5, 0, 0, 10), (35.5, 0, 0, 6), (36.5, 0, 0, 0), (37.6, 6, -14, 12), (38.9, 0, 0, 0),
    (39.8, 6, 14, -12), (41, 0, 0, 0), (42, 10, 0, 8), (42.8, 0, 0, 0), (43.6, 10, 0, -8), (44.4, 0, 0, 0),
    (46.2, -8, -8, -10), (48, -8, -8, -10)]
# Head and neck: nod, tilt to the left, turn to the left.
HEAD = [
    (0, 0, 0, 0), (0.5, 10, 0, 0), (1, -4, 4, 8), (1.5, 10, 0, 0), (2, -4, -4, -8), (2.5, 10, 0, 0), (3, -4, 4, 8),
    (4, 0, 0, 0), (5, 6, 0, 25), (6, 0, 0, 0), (7, 6, 0, -25), (8, 0, 0, 0), (9, -4, 8, 40), (10.8, -4, -8, -40),
    (12, 0, 0, 0), (16, 0, 0, 0), (16.5, 0, 0, 35), (17.5, -22, 0, 0), (18.4, 0, 0, -35), (19.4, -22, 0, 0),
    (20.4, 0, 0, 0), (22, -18, 10, 0), (24, 0, 0, 0), (25.8, -18, 0, 0), (26.3, -10, 0, 30), (26.8, -10, 0, -30),
    (28, 0, 0, 0), (29.05, -8, 0, 0), (30.2, -16, 0, 0), (31.2, 6, 0, 0), (32, 0, 0, 40), (33, 0, 0, 45),
    (34, 0, 0, 30), (35.5, 0, 0, 10), (36.5, 0, 0, 0), (37.6, 0, 8, 35), (38.9, 6, 0, 0), (39.8, 0, -8, -35),
    (41, 0, 0, 0), (42, 8, 6, 0), (43.6, 8, -6, 0), (44.6, 0, 0, 0), (46.2, -16, 6, 20), (48, -16, 6, 20)]

# Arms: raise, swing forward, roll (below 0: the elbow's fold turns up), elbow, twist of the forearm, wrist up,
# curl of the fingers.
DOWN = (-74, 8, 0, 12, -10, 0, 25)
SIDE = (0, 4, -60, 8, 0, 0, 6)
UP = (76, 12, -40, 12, -20, 10, 4)
OPEN = (38, 14, -60, 10, -40, 15, 4)
GUARD = (-46, 34, -50, 118, -20, 0, 84)
PUNCH = (2, 80, -10, 7, 25, 0, 86)
HIGH_PUNCH = (68, 30, -30, 8, 20, 0, 86)
ACROSS = (-24, 62, 20, 96, 0, 0, 35)
FRONT = (-8, 74, -60, 18, -60, 10, 8)
BACK = (-62, -32, 0, 14, 0, -10, 20)
WAIST = (-46, -10, 62, 98, 0, 18, 35)
KNEES = (-36, 62, -20, 28, 10, 20, 60)
POINT = (56, 26, -30, 6, -10, 0, 12)
LOW = (-34, 12, -20, 16, -20, 10, 10)
FOLD = (22, 30, -80, 116, -40, 20, 10)
ARMS = {
    LEFT: [
        (0, *DOWN), (1, *LOW), (2, *DOWN), (3, *LOW), (4, *DOWN), (4.9, *OPEN), (5.9, *FOLD), (6.9, *LOW),
        (7.9, *SIDE), (8.3, *SIDE), (11.7, *SIDE), (12.2, *GUARD), (12.5, *PUNCH), (12.9, *GUARD), (14.2, *GUARD),
        (14.5, *PUNCH), (14.9, *GUARD), (16.2, *GUARD), (16.9, *HIGH_PUNCH), (17.4, *HIGH_PUNCH), (18.2, *GUARD),
        (19.6, *GUARD), (20.2, *DOWN), (21, *BACK), (22, *UP), (23, *FRONT), (24, *DOWN), (25.8, *KNEES),
        (26.8, *KNEES), (28, *DOWN), (29.05, *BACK), (29.8, *UP), (30.4, *OPEN), (31.2, *LOW), (32, *SIDE),
        (33, *ACROSS), (35, *ACROSS), (36.3, *OPEN), (37, *FOLD), (37.6, *POINT), (38.2, *POINT), (38.9, *FOLD),
        (39.8, *WAIST), (40.3, *WAIST), (41, *FOLD), (42, *LOW), (42.8, *FOLD), (43.6, *FRONT), (44.4, *DOWN),
        (45.4, *OPEN), (46.2, *POINT), (48, *POINT)],
    RIGHT: [
        (0, *DOWN), (1.5, *LOW), (2.5, *DOWN), (3.5, *LOW), (4, *DOWN), (4.9, *LOW), (5.9, *FOLD), (6.9, *OPEN),
        (7.9, *SIDE), (8.3, *SIDE), (11.7, *SIDE), (12.2, *GUARD), (13.2, *GUARD), (13.5, *PUNCH), (13.9, *GUARD),
        (15.2, *GUARD), (15.5, *PUNCH), (15.9, *GUARD), (18.1, *GUARD), (18.9, *HIGH_PUNCH), (19.4, *HIGH_PUNCH),
        (20.2, *DOWN), (21.2, *BACK), (22.3, *UP), (23.2, *FRONT), (24, *DOWN), (25.8, *KNEES), (26.8, *KNEES),
        (28, *DOWN), (29.05, *BACK), (29.8, *UP), (30.4, *OPEN), (31.2, *LOW), (32, *FRONT), (33, *ACROSS),
        (35, *ACROSS), (36.3, *OPEN), (37, *FOLD), (37.6, *WAIST), (38.2, *WAIST), (38.9, *FOLD), (39.8, *POINT),
        (40.3, *POINT), (41, *FOLD), (42, *FRONT), (42.8, *FOLD), (43.6, *LOW), (44.4, *DOWN), (45.4, *LOW),
        (46.2, *WAIST), (48, *WAIST)]}
# A wave runs from the left hand to the right one and back: how strong it is, and how late each joint is.
WAVE = Curve([(8, 0), (8.8, 1), (11.2, 1), (12, 0)])
WAVE_DELAY = {LEFT: (0.5, 0.25, 0.0), RIGHT: (0.75, 1.0, 1.25)}


class Foot:
    """Where one foot is: standing, rolling off over its ball, in the air, rolling down."""

    def __init__(self, side, steps):
        self.side = side
        sign = 1 if side == LEFT else -1
        stand = self._stance(sign, 0, 0, 0, 11)
        pitch, self.steps = [(0, 0)], []
        for _, start, end, x, z, heading, width, lift, kick, landing in steps:
            last, stand = stand, self._stance(sign, x, z, heading, width)
            jumps = (start, end) == JUMP
            up = 46 if jumps else HEEL_UP
            pitch += [(start - ROLL_OFF, 0), (start + 0.25 * (end - start), up), (end, landing), (end + ROLL_DOWN, 0)]
            self.steps.append((start, end, last, stand, lift, kick, landing, jumps))
        self.first = self._stance(sign, 0, 0, 0, 11)
        self.pitch = Curve(pitch)

    @staticmethod
    def _stance(sign, x, z, heading, width):
        """Place of the ball on the floor and heading of a foot that stands; toes point out a little."""
        return add((x, BALL_HEIGHT, z), rotate(about_y(heading), (sign * width, 0, 0))), heading + sign * 7

    def at(self, beat):
        """Ankle, rotation of the foot, rotation of the toes, heading, and ball if the foot were flat."""
        (ball, heading), toes, pitch = self.first, 1.0, self.pitch(beat)
        for start, end, last, stand, lift, kick, landing, jumps in self.steps:
            if beat < start:
                break
            t = (beat - start) / (end - start)
            (ball, heading) = stand
            heel_first = landing < 0
            touch = self._over_heel(stand, landing) if heel_first else ball
            if t >= 1:
                toes = 1.0
                if heel_first and beat < end + ROLL_DOWN:
                    ball = self._over_heel(stand, pitch)
                continue
            ball = mix(last[0], touch, smooth(t))
            heading = last[1] + (heading - last[1]) * smooth(t)
            rise = 4 * t * (1 - t) * smooth(4 * min(t, 1 - t)) if jumps else bump(t)
            ball = add(ball, rotate(about_y(heading), (0, lift * rise, kick * bump(t))))
            toes = 1 - smooth(t / 0.4) + (0.0 if heel_first else smooth((t - 0.6) / 0.4))
        foot = turn(about_y(heading), about_x(pitch))
        toe = turn(foot, about_x(-max(pitch, 0.0) * toes))
        ground = add(ball, rotate(about_y(heading), (0, 0, -7)))
        return sub(ball, rotate(foot, BALL)), foot, toe, heading, ground

    @staticmethod
    def _over_heel(stand, pitch):
        """The ball of a foot that has only its heel on the floor."""
        ball, heading = stand
        flat = about_y(heading)
        heel = add(ball, rotate(flat, sub(HEEL, BALL)))
        return add(heel, rotate(turn(flat, about_x(pitch)), sub(BALL, HEEL)))


def weight_keys():
    keys = list(WEIGHT)
    for side, start, end, *_ in STEPS:
        if (start, end) != JUMP:
            stands = 0.18 if side == LEFT else 0.82
            keys += [(start + 0.1, stands), (end, 0.5 + (stands - 0.5) * 0.35)]
    return keys


FEET = {side: Foot(side, [step for step in STEPS if step[0] == side]) for side in (LEFT, RIGHT)}
LEFT_SHARE = Curve(weight_keys())
HIPS_CURVES, SPINE_CURVES, HEAD_CURVES = curves(HIPS), curves(SPINE), curves(HEAD)
ARM_CURVES = {side: curves(rows) for side, rows in ARMS.items()}


def sided(side, vector):
    return vector if side == LEFT else mirrored(vector)


def leaning(forward, left, turned):
    return turn(about_y(turned), about_z(-left), about_x(forward))


def frame(direction, hinge):
    return from_columns(hinge, direction, cross(hinge, direction))


def leg(side, hips, hips_turn, ankle, foot_heading, hips_heading):
    """World rotations of thigh and shin; the knee is a hinge across the leg."""
    hip = add(hips, rotate(hips_turn, sided(side, HIP)))
    to_ankle = sub(ankle, hip)
    distance, thigh, shin = length(to_ankle), length(KNEE), length(ANKLE)
    down = scaled(to_ankle, 1 / distance)
    across = rotate(about_y(0.6 * foot_heading + 0.4 * hips_heading), (1, 0, 0))
    hinge = unit(sub(across, scaled(down, dot(across, down))))
    bend = math.degrees(math.acos((distance ** 2 + thigh ** 2 - shin ** 2) / (2 * distance * thigh)))
    along = rotate(about(hinge, -bend), down)
    below = unit(sub(to_ankle, scaled(along, thigh)))
    rest = (1.0, 0.0, 0.0)
    return (turn(frame(along, hinge), inverse(frame(unit(KNEE), rest))),
            turn(frame(below, hinge), inverse(frame(unit(ANKLE), rest))))


def arm(side, beat, chest):
    """World rotations of shoulder, upper arm, forearm and hand, and the curl of the fingers."""
    lift, swing, roll, elbow, twist, wrist, curl = (curve(beat) for curve in ARM_CURVES[side])
    strength = WAVE(beat)
    waves = [strength * math.sin(math.pi * (beat - 8 - delay)) for delay in WAVE_DELAY[side]]
    lift += 16 * waves[0]
    elbow += strength * 22 + 20 * waves[1]
    wrist += 34 * waves[2]
    shoulder = turn(about_y(-0.12 * swing), about_z(0.15 * max(lift, 0.0)))
    upper = turn(about_y(-swing), about_z(lift), about_x(roll))
    forearm = turn(upper, about_y(-elbow), about_x(0.6 * twist))
    hand = turn(forearm, about_x(0.4 * twist), about_z(wrist))
    parts = (shoulder, upper, forearm, hand)
    if side == RIGHT:
        parts = map(mirrored_turn, parts)
    return [turn(chest, q) for q in parts], curl


def finger(side, hand, curl, number, joint):
    """World rotation of a finger's joint; number 0 is the thumb, which folds across the palm."""
    if number == 0:
        bend = turn(about_y(-10 - 0.15 * curl), about((0.5, -0.8, -0.33), (0.1, 0.3, 0.4)[joint] * curl))
    else:
        bend = about_z(-curl * (1 + 0.05 * (number - 2)) * (1, 2.05, 2.7)[joint])
    return turn(hand, bend if side == LEFT else mirrored_turn(bend))


def hips_place(beat, feet, hips_turn):
    """Above the feet, at the height that the dance wants and both legs reach."""
    share = LEFT_SHARE(beat)
    x, _, z = mix(feet[RIGHT][4], feet[LEFT][4], share)
    height = HEIGHT(beat) - BOUNCE(beat) * (0.5 - 0.5 * math.cos(2 * math.pi * beat))
    for side in (LEFT, RIGHT):
        hip, ankle = rotate(hips_turn, sided(side, HIP)), feet[side][0]
        away = math.hypot(x + hip[0] - ankle[0], z + hip[2] - ankle[2])
        height = lower(height, ankle[1] + math.sqrt(REACH ** 2 - away ** 2) - hip[1], 3)
    return (x, height, z)


def pose(beat):
    """Place of the hips and a table of world rotations by part; ('Spine', t) is a function of t from 0 to 1."""
    feet = {side: foot.at(beat) for side, foot in FEET.items()}
    tilt, lean, turned = (curve(beat) for curve in HIPS_CURVES)
    heading = 0.5 * (feet[LEFT][3] + feet[RIGHT][3])
    hips_turn = turn(about_y(heading), leaning(tilt, lean, turned))
    hips = hips_place(beat, feet, hips_turn)
    bend = leaning(*(curve(beat) for curve in SPINE_CURVES))
    # The chest rises from the tilted hips by itself, so that a lean of the hips is not a lean of the body.
    bend = turn(about_z(0.8 * lean), bend)
    look = leaning(*(curve(beat) for curve in HEAD_CURVES))
    chest = turn(hips_turn, bend)
    turns = {'Hips': hips_turn, 'Spine': lambda t: turn(hips_turn, part(bend, t)),
             'Neck': turn(chest, part(look, 0.4)), 'Head': turn(chest, look)}
    for side in (LEFT, RIGHT):
        ankle, turns[side, 'Foot'], turns[side, 'Toe'], foot_heading, _ = feet[side]
        turns[side, 'UpLeg'], turns[side, 'Leg'] = leg(side, hips, hips_turn, ankle, foot_heading, heading)
        parts, curl = arm(side, beat, chest)
        turns.update(zip(((side, name) for name in ('Shoulder', 'Arm', 'ForeArm', 'Hand')), parts))
        for number in range(5):
            for joint in range(3):
                turns[side, number, joint] = finger(side, parts[3], curl, number, joint)
    return hips, turns
