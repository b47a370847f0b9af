/** Ticks a second in which Linux reports the time of processes (USER_HZ, the same on all machines). */
const TICKS = 100;

/** Returns the seconds of user and system time in /proc/<pid>/stat (proc_pid_stat(5)). */
export function cpuSeconds(stat: string): number {
  // The name of the program, in parentheses, may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** The memory of a process in MB (10^6 bytes). */
export interface Memory {
  /** The resident memory now. */
  readonly now: number;
  /** The peak of the resident memory. */
  readonly most: number;
}

/** Parses /proc/<pid>/status (proc_pid_status(5)). */
export function memory(status: string): Memory {
  const of = (name: string): number => {
    const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
    return (Number(kibibytes) * 1024) / 1e6;
  };
  return { now: of('VmRSS'), most: of('VmHWM') };
}
