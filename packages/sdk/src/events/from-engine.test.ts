import { expect, it } from 'vitest';
import { httpStatus } from './from-engine.js';

it.each([
  [{ code: 429 }, 429],
  [{ code: 'ECONNREFUSED' }, undefined],
  [{ code: 54, exitCode: 54 }, undefined],
  [{ code: 41, exitCode: 41, httpStatus: 401 }, 401],
  [{ code: 130, exitCode: 130 }, undefined],
])('the HTTP status of %o is %s', (fields, status) => {
  expect(httpStatus({ type: 'Any', message: 'm', ...fields })).toBe(status);
});
