import { expect, it } from 'vitest';
import { bareCommand } from './attributes.js';

it.each([
  ['check.sh', 'check.sh'],
  ['/usr/local/bin/check.sh --token abc', 'check.sh'],
  ['"/opt/my hooks/check.sh" secret', 'check.sh'],
  ["'C:\\hooks\\check.cmd' secret", 'check.cmd'],
  ['API_KEY=abc DEBUG=1 node hook.js', 'node'],
  ['API_KEY=abc', 'unknown-command'],
  ['', 'unknown-command'],
  ['   ', 'unknown-command'],
  ['/', 'unknown-command'],
])('shows the hook %j as %s', (command, shown) => {
  expect(bareCommand(command)).toBe(shown);
});
