#!/usr/bin/env python3
"""Makes the samples: make.py [FOLDER]. The same bytes every time; nothing but Python 3 is needed.

dance.bvh   the dance of dance.py on a rig with Mixamo's names, T-pose, centimetres, 60 fps
second.bvh  the same dance on a rig of other names, rest pose, proportions, unit and rate
model.pmx   a small model of our own with the semi-standard bones
model.pmd   the same figure with the bones of the first models
"""
import pathlib
import sys

import figure
import rigs


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'dance.bvh').write_bytes(rigs.dance_bvh().encode())
    (folder / 'second.bvh').write_bytes(rigs.second_bvh().encode())
    (folder / 'model.pmx').write_bytes(figure.pmx())
    (folder / 'model.pmd').write_bytes(figure.pmd())


if __name__ == '__main__':
    main()
