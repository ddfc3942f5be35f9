/* cores.h - how many threads can run at once */
#ifndef DODONA_CORE_CORES_H
#define DODONA_CORE_CORES_H

/* The cores that the limits of a process's control groups (cgroups of Linux, versions 1 and 2) come
 * to, rounded up; 0: there is no limit. `groups` is the file that names them, /proc/self/cgroup,
 * and `mount` the folder that they are mounted in, /sys/fs/cgroup. */
int dd_cores_by_groups(const char *groups, const char *mount);

#endif
