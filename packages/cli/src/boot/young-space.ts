/**
 * V8's memory for new objects doubles with what survives in it, up to 16 MB three times, and loading a program makes much
 * that survives: a session would wait for its first prompt with 10 MB more than it needs. It may grow from the first
 * prompt on (`ui/app/conversation/young-space.ts`).
 */
export function keepYoungSpaceSmall(): void {
  // Not imported at the top: a run without a screen does not need it, and it takes 2 ms. Node before 20.16 cannot do this.
  process.getBuiltinModule?.('node:v8').setFlagsFromString('--semi-space-growth-factor=1');
}
