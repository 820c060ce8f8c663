/** Milliseconds of processor time that this process uses for the work: other programs on the machine do not change it much. */
export function cpuMs(work: () => void): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
