import { expect, it } from 'vitest';
import { isOpenToOthers } from './server-file.js';

it.each([
  [0o600, 1000n, 1000n, false],
  [0o644, 1000n, 100n, false],
  [0o664, 1000n, 1000n, false],
  [0o664, 1000n, 100n, true],
  [0o666, 1000n, 1000n, true],
  [0o602, 1000n, 1000n, true],
])('a file of mode %o, of user %d and group %d, can be changed by others: %s', (mode, uid, gid, isOpen) => {
  expect(isOpenToOthers({ mode: BigInt(mode), uid, gid })).toBe(isOpen);
});
