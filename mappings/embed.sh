#!/bin/sh
# Writes the presets given as arguments as a C file to standard output: their names and JSON texts.
printf '/* Made from mappings/ by embed.sh. */\n#include "mapping/presets_data.h"\n\n'
printf "/* C99 promises strings of 4095 bytes; gcc and clang take any. */\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\n"
printf 'const od_preset od_presets[] = {\n'
for file in "$@"; do
    printf '    {"%s",\n' "$(basename "$file" .json)"
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/     "/' -e 's/$/\\n"/' "$file"
    printf '    },\n'
done
printf '};\n\nconst int od_presets_count = %d;\n' $#
