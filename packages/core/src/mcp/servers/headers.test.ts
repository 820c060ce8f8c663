import { expect, it } from 'vitest';
import { serverHeaders } from './environment.js';

const TOKEN = `github_pat_${'a'.repeat(82)}`;
const server = { name: 's', config: { headers: { Authorization: 'Bearer $PAT', 'X-User': '$USER' } } };

it('a token in a header is sent when its variable is listed as allowed, and only then', () => {
  const variables = { PAT: TOKEN, USER: 'ada' };
  expect(serverHeaders(server, variables, {})).toEqual({ Authorization: 'Bearer $PAT', 'X-User': 'ada' });
  expect(serverHeaders(server, variables, { allowed: ['pat'] })).toEqual({
    Authorization: `Bearer ${TOKEN}`,
    'X-User': 'ada',
  });
});
