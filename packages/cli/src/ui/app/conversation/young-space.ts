/** For work: answers and tools make many objects, which the small space of the start would collect twice as often. */
import { setFlagsFromString } from 'node:v8';

/** Takes back `keepYoungSpaceSmall` of `boot/young-space.ts`. */
export function letYoungSpaceGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
