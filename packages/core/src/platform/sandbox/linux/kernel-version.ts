/** What a version of the Linux kernel can do for a sandbox. Pure. */

/** Before 5.14 the kernel counts all processes of the user, and a limit would hit the next one started anywhere. */
export function countsPerSandbox(kernelRelease: string): boolean {
  return isAtLeast(kernelRelease, 5, 14);
}

/** Before 6.14 the highest process id is the machine's: writing it would limit everybody. */
export function hasOwnHighestId(kernelRelease: string): boolean {
  return isAtLeast(kernelRelease, 6, 14);
}

/** Before 6.12 Landlock does not hold back signals and abstract sockets. */
export function hasWholeLandlock(kernelRelease: string): boolean {
  return isAtLeast(kernelRelease, 6, 12);
}

function isAtLeast(kernelRelease: string, wantedMajor: number, wantedMinor: number): boolean {
  const [major = 0, minor = 0] = kernelRelease.split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
