/** Ticks a second in which Linux tells the time of processes (USER_HZ, the same on all machines). */
const TICKS = 100;

/** Seconds of user and system time, out of /proc/<pid>/stat (proc_pid_stat(5)). */
export function cpuSeconds(stat: string): number {
  // The name of the program, in brackets, may have spaces and brackets itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** In MB (10^6 bytes). */
export interface Memory {
  /** That is resident now. */
  readonly now: number;
  /** The most that ever was. */
  readonly most: number;
}

/** Out of /proc/<pid>/status (proc_pid_status(5)). */
export function memory(status: string): Memory {
  const of = (name: string): number => {
    const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
    return (Number(kibibytes) * 1024) / 1e6;
  };
  return { now: of('VmRSS'), most: of('VmHWM') };
}
