/**
 * V8's memory for new objects. It doubles with what survives in it, up to 16 MB three times, and loading a program makes
 * much that survives: a session would wait for its first prompt with 10 MB more than it needs.
 */

export function keepYoungSpaceSmall(): void {
  setGrowthFactor(1);
}

/** For work: answers and tools make many objects, which a small space would collect twice as often. */
export function letYoungSpaceGrow(): void {
  setGrowthFactor(2);
}

function setGrowthFactor(factor: number): void {
  // Not imported at the top: a run without a screen does not need it, and it takes 2 ms. Node before 20.16 cannot do this.
  process.getBuiltinModule?.('node:v8').setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
