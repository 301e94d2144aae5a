"""Two rigs that dance the same dance, and their BVH files.

A rig is a list of joints (name, part of the pose, parent, offset at rest, rotation that takes its rest
to the T-pose), parents first. Its joints turn in the world as the pose says, after that rotation, so
limbs of every rig point the same way.
"""
from dance import ANKLE, BALL, BEATS, HIP, KNEE, LEFT, RIGHT, SECONDS_A_BEAT, pose
from maths import (IDENTITY, about_z, add, euler, inverse, mirrored, mirrored_turn, rotate, scaled, shortest, turn)

FINGERS = ('Thumb', 'Index', 'Middle', 'Ring', 'Pinky')


def both_sides(joints):
    """Rows of the left side, then those of the right; names and parts carry the side."""
    rows = []
    for side in (LEFT, RIGHT):
        for name, part, parent, offset, rest in joints:
            if side == RIGHT:
                offset, rest = mirrored(offset), mirrored_turn(rest)
            rows.append((name.replace('*', side), (side, *part), parent.replace('*', side), offset, rest))
    return rows


def first_rig():
    """T-pose, centimetres, names as Mixamo gives them, three joints a finger."""
    def side(*joints):
        return both_sides([(name, part, parent, offset, IDENTITY) for name, part, parent, offset in joints])

    rows = [('Hips', 'Hips', None, (0, 0, 0), IDENTITY),
            ('Spine', ('Spine', 1 / 3), 'Hips', (0, 9.5, -0.8), IDENTITY),
            ('Spine1', ('Spine', 2 / 3), 'Spine', (0, 11, 0), IDENTITY),
            ('Spine2', ('Spine', 1), 'Spine1', (0, 12.5, 0), IDENTITY),
            ('Neck', 'Neck', 'Spine2', (0, 15, 0.5), IDENTITY),
            ('Head', 'Head', 'Neck', (0, 8.5, 1.5), IDENTITY)]
    rows += side(('*UpLeg', ('UpLeg',), 'Hips', HIP), ('*Leg', ('Leg',), '*UpLeg', KNEE),
                 ('*Foot', ('Foot',), '*Leg', ANKLE), ('*ToeBase', ('Toe',), '*Foot', BALL))
    arms = [('*Shoulder', ('Shoulder',), 'Spine2', (5, 11.5, 0.3)), ('*Arm', ('Arm',), '*Shoulder', (11.5, 0, -0.8)),
            ('*ForeArm', ('ForeArm',), '*Arm', (26, 0, 0)), ('*Hand', ('Hand',), '*ForeArm', (24, 0, 0))]
    knuckles = [((2.2, -1, 2.8), (3.6, -0.6, 2), (2.9, -0.4, 1.6)), ((8.8, 0, 2.7), (3.6, 0, 0), (2.3, 0, 0)),
                ((9, 0.2, 0.6), (4, 0, 0), (2.6, 0, 0)), ((8.6, 0.1, -1.4), (3.6, 0, 0), (2.4, 0, 0)),
                ((8, -0.2, -3.2), (2.8, 0, 0), (1.8, 0, 0))]
    for number, (finger, offsets) in enumerate(zip(FINGERS, knuckles)):
        for joint, offset in enumerate(offsets):
            parent = '*Hand%s%d' % (finger, joint) if joint else '*Hand'
            arms.append(('*Hand%s%d' % (finger, joint + 1), (number, joint), parent, offset))
    rows += side(*arms)
    return [('mixamorig:' + name, part, parent and 'mixamorig:' + parent, offset, rest)
            for name, part, parent, offset, rest in rows]


# The second rig is larger below the waist and has shorter arms; it stands in metres.
LEGS = 1.12
METRES = 0.01


def second_rig():
    """A-pose (arms 45, legs 5 degrees), metres, names of the CMU library, no fingers, three joints in the back."""
    arms, legs = about_z(45), about_z(-5)
    thigh, shin = (rotate(inverse(legs), scaled(v, LEGS)) for v in (KNEE, ANKLE))

    def hanging(x):
        return rotate(inverse(arms), (x, 0, 0))

    rows = [('Hips', 'Hips', None, (0, 0, 0), IDENTITY),
            ('LowerBack', ('Spine', 1 / 3), 'Hips', (0, 10, -1), IDENTITY),
            ('Spine', ('Spine', 2 / 3), 'LowerBack', (0, 11, 0.4), IDENTITY),
            ('Spine1', ('Spine', 1), 'Spine', (0, 11, 0.3), IDENTITY),
            ('Neck', 'Neck', 'Spine1', (0, 13, 0), IDENTITY),
            ('Head', 'Head', 'Neck', (0, 7.5, 1), IDENTITY)]
    rows += both_sides([
        ('*Shoulder', ('Shoulder',), 'Spine1', (3, 10, 0.5), IDENTITY),
        ('*Arm', ('Arm',), '*Shoulder', (12, -1, -1), arms),
        ('*ForeArm', ('ForeArm',), '*Arm', hanging(22), arms), ('*Hand', ('Hand',), '*ForeArm', hanging(20), arms)])
    rows += both_sides([
        ('*UpLeg', ('UpLeg',), 'Hips', scaled(HIP, LEGS), shortest(thigh, KNEE)),
        ('*Leg', ('Leg',), '*UpLeg', thigh, shortest(shin, ANKLE)),
        ('*Foot', ('Foot',), '*Leg', shin, IDENTITY), ('*ToeBase', ('Toe',), '*Foot', scaled(BALL, LEGS), IDENTITY)])
    return [(name, part, parent, scaled(offset, METRES), rest) for name, part, parent, offset, rest in rows]


# Tips: joints without a child, and where they end.
FIRST_ENDS = {'Head': (0, 19, 1), 'Toe': (0, 0, 6.5), 0: (2.4, -0.4, 1.2), 1: (2.2, 0, 0), 2: (2.4, 0, 0),
              3: (2.2, 0, 0), 4: (1.8, 0, 0)}
SECOND_ENDS = {'Head': (0, 0.18, 0.01), 'Toe': (0, 0, 0.065), 'Hand': rotate(inverse(about_z(45)), (0.15, 0, 0))}


def number(value, digits):
    text = '%.*f' % (digits, value)
    text = text.rstrip('0').rstrip('.') if '.' in text else text
    return '0' if text in ('-0', '') else text


def numbers(values, digits):
    return ' '.join(number(value, digits) for value in values)


def local_turns(rig, turns):
    """Rotations of the joints relative to their parents."""
    worlds = {}
    for name, part, parent, _, rest in rig:
        if isinstance(part, tuple) and part[0] == 'Spine':
            turned = turns['Spine'](part[1])
        else:
            turned = turns[part]
        worlds[name] = turn(turned, rest)
        yield turn(inverse(worlds[parent]), worlds[name]) if parent else worlds[name]


def hierarchy(rig, ends, order, digits):
    """The text from HIERARCHY up to MOTION, and the joints in its order."""
    lines, channels = ['HIERARCHY'], ' '.join(axis + 'rotation' for axis in order)
    joints = []

    def write(joint, depth):
        name, part, parent, offset, _ = joint
        joints.append(joint)
        indent = '\t' * depth
        lines.append(indent + ('JOINT ' if parent else 'ROOT ') + name)
        lines.append(indent + '{')
        lines.append('%s\tOFFSET %s' % (indent, numbers(offset, digits)))
        moves = '3 ' if parent else '6 Xposition Yposition Zposition '
        lines.append('%s\tCHANNELS %s%s' % (indent, moves, channels))
        children = [row for row in rig if row[2] == name]
        for child in children:
            write(child, depth + 1)
        if not children:
            end = ends[part] if part in ends else ends[part[1]]
            end = mirrored(end) if part[0] == RIGHT else end
            lines.extend([indent + '\tEnd Site', indent + '\t{',
                          '%s\t\tOFFSET %s' % (indent, numbers(end, digits)), indent + '\t}'])
        lines.append(indent + '}')

    write(rig[0], 0)
    return lines, joints


def bvh(rig, ends, order, fps, size, digits):
    """The dance on a rig; digits: of lengths, of angles, of the fingers' angles."""
    lines, joints = hierarchy(rig, ends, order, digits[0])
    frames = round(BEATS * SECONDS_A_BEAT * fps) + 1
    lines += ['MOTION', 'Frames: %d' % frames, 'Frame Time: %.7f' % (1 / fps)]
    last = [(0.0, 0.0, 0.0)] * len(joints)
    for frame in range(frames):
        hips, turns = pose(frame / fps / SECONDS_A_BEAT)
        row = [numbers(scaled(hips, size), digits[0])]
        last = [euler(q, order, near) for q, near in zip(local_turns(joints, turns), last)]
        for (_, part, *_), angles in zip(joints, last):
            row.append(numbers(angles, digits[2] if len(part) == 3 and not isinstance(part, str) else digits[1]))
        lines.append(' '.join(row))
    return '\n'.join(lines) + '\n'


def dance_bvh():
    return bvh(first_rig(), FIRST_ENDS, 'ZXY', 60, 1.0, (3, 3, 1))


def second_bvh():
    return bvh(second_rig(), SECOND_ENDS, 'ZYX', 30, LEGS * METRES, (5, 4, 4))
