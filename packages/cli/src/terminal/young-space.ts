/**
 * V8's memory for new objects doubles with what survives in it, up to 16 MB three times, and loading a program makes much
 * that survives: a session would wait for its first prompt with 10 MB more than it needs. It may grow from the first
 * prompt on: answers and tools make many objects, which a small space would collect twice as often.
 *
 * V8 takes compiled code only under the flags it was made under. That holds for ours, which other runs use too, and for
 * that of Node's own modules, which take three times as long without it.
 */

/** The entry and the screen have a copy of this code each. */
const SMALL = Symbol.for('gemini-cli.small-young-space');

/** Every screen needs them before the first prompt. */
const LOADED_BEFORE = ['node:http', 'node:child_process', 'node:fs/promises', 'node:dns'];

export function keepYoungSpaceSmall(): void {
  // Node before 20.16 cannot do this.
  for (const name of LOADED_BEFORE) process.getBuiltinModule?.(name);
  setGrowth(1);
  Reflect.set(globalThis, SMALL, true);
}

export function letYoungSpaceGrow(): void {
  Reflect.set(globalThis, SMALL, false);
  setGrowth(2);
}

/** For compiling with kept code, and for keeping it. */
export function underUsualFlags<T>(compile: () => T): T {
  if (Reflect.get(globalThis, SMALL) !== true) return compile();
  setGrowth(2);
  try {
    return compile();
  } finally {
    setGrowth(1);
  }
}

/** 2 is what V8 does by itself. */
function setGrowth(factor: 1 | 2): void {
  // Not imported at the top: a run without a screen does not need it, and it takes 2 ms.
  process.getBuiltinModule?.('node:v8').setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
