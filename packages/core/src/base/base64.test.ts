import { expect, it } from 'vitest';
import { cleanBase64 } from './base64.js';

it.each([
  ['aGk=', 'aGk='],
  ['aGk', 'aGk='],
  ['aG\nk=\n', 'aGk='],
  ['_-8', '/+8='],
  ['data:image/png;base64,aGk=', 'aGk='],
  ['??', ''],
  ['', ''],
])('%j is the data %j', (given, clean) => {
  expect(cleanBase64(given)).toBe(clean);
});
