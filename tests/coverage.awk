# Input: what gcov says. Output: one line for each file of src, least covered first, and the sum.
/^File '/ {
    file = substr($0, 7, length($0) - 7)
    next
}
/^Lines executed:/ && file ~ /^(src|include)\// {
    split($2, part, /[:%]/)
    percent = part[2]
    lines = $4
    # A header is compiled into many objects: its best one counts.
    if (!(file in all) || percent > share[file]) {
        share[file] = percent
        all[file] = lines
    }
    file = ""
}
END {
    sorted = "sort -n"
    for (file in all) {
        total += all[file]
        hit += all[file] * share[file] / 100
        printf "%6.2f %% of %5d  %s\n", share[file], all[file], file | sorted
    }
    close(sorted)
    if (total) printf "%6.2f %% of %5d  in all\n", 100 * hit / total, total
}
