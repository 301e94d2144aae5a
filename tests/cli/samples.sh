#!/bin/sh
# The samples in the repository are what their script makes, byte for byte.
set -u
if ! python3 -c '' 2>/dev/null; then
    echo 'skipped: there is no python3 to make the samples with'
    exit 77
fi
here=$(dirname "$0")/../../samples
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
PYTHONDONTWRITEBYTECODE=1 python3 "$here/make.py" "$scratch" || exit 1
status=0
for name in dance.bvh second.bvh model.pmx model.pmd; do
    if cmp "$scratch/$name" "$here/$name"; then
        echo "$name: the same bytes"
    else
        echo "$name: differs; make it anew with: python3 samples/make.py"
        status=1
    fi
done
exit $status
