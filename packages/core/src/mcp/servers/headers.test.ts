import { expect, it } from 'vitest';
import { headerProblem, serverHeaders } from './environment.js';

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

it('a header that names a secret or a variable that is not set is explained', () => {
  const problem = (value: string, lists = {}) =>
    headerProblem({ name: 's', config: { headers: { Authorization: value } } }, { PAT: TOKEN }, lists);
  expect(problem('Bearer $PAT')).toBe(
    'its header "Authorization" names $PAT, which may be a secret: list it in security.environmentVariableRedaction.allowed.',
  );
  expect(problem('Bearer ${UNSET}')).toBe('its header "Authorization" names $UNSET, which is not set.');
  expect(problem('Bearer $PAT', { allowed: ['PAT'] })).toBeUndefined();
  expect(problem('Bearer ${UNSET:-none} $1')).toBeUndefined();
});
