import { expect, it } from 'vitest';
import { hostsOf, isInContainer } from './hosts.js';

const OUTSIDE = 'host.docker.internal';

it('an editor is on this machine', () => {
  expect(hostsOf({}, false)).toEqual(['127.0.0.1']);
});

it('an editor may be outside of a container', () => {
  expect(hostsOf({}, true)).toEqual(['127.0.0.1', OUTSIDE]);
});

it.each(['SSH_CONNECTION', 'VSCODE_REMOTE_CONTAINERS_SESSION', 'REMOTE_CONTAINERS', 'CODESPACES'])(
  'with %s its part that we talk to runs in the container',
  (name) => {
    expect(hostsOf({ [name]: '1' }, true)).not.toContain(OUTSIDE);
  },
);

it('containers are known by their files', () => {
  expect(isInContainer((path) => path === '/.dockerenv')).toBe(true);
  expect(isInContainer(() => false)).toBe(false);
});
