import { expect, it } from 'vitest';
import { reasonIn } from './end-reason.js';

it.each([
  [
    'a package that npm does not find',
    `npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/no-such - Not found
npm error 404
npm error 404  The requested resource 'no-such@*' could not be found.
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/x-debug-0.log`,
    'npm error 404 Not Found - GET https://registry.npmjs.org/no-such - Not found',
  ],
  [
    'a registry that cannot be reached',
    `npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error errno ENOTFOUND
npm error network request to https://registry.npmjs.org/x failed, reason: getaddrinfo ENOTFOUND`,
    'npm error network request to https://registry.npmjs.org/x failed, reason: getaddrinfo ENOTFOUND',
  ],
  [
    'an error of Node',
    `file:///x.mjs:1
throw new TypeError('no key');
^

TypeError: no key
    at file:///x.mjs:1:7

Node.js v20.20.2`,
    'TypeError: no key',
  ],
  ['any other program', 'starting\nthe key is missing\n', 'the key is missing'],
  ['a program that says nothing', '\n', undefined],
])('says why it ended, of %s', (_what, stderr, reason) => {
  expect(reasonIn(stderr)).toBe(reason);
});
