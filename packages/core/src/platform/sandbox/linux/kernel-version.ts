/** Which sandbox features a Linux kernel version has. Pure. */

/** Before 5.14 the kernel counts all processes of the user, so a limit would also stop programs outside. */
export function countsPerSandbox(kernelRelease: string): boolean {
  return isAtLeast(kernelRelease, 5, 14);
}

/** Before 6.14 the highest process id holds for the whole machine, so a limit would hit all users. */
export function hasOwnHighestId(kernelRelease: string): boolean {
  return isAtLeast(kernelRelease, 6, 14);
}

/** Before 6.12 Landlock does not block signals and abstract sockets. */
export function hasWholeLandlock(kernelRelease: string): boolean {
  return isAtLeast(kernelRelease, 6, 12);
}

function isAtLeast(kernelRelease: string, wantedMajor: number, wantedMinor: number): boolean {
  const [major = 0, minor = 0] = kernelRelease.split('.').map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
