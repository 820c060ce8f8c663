import type { Config } from '@gemini-cli/core';
import { expect, it } from 'vitest';
import { accountFacts } from './session-facts.js';

it.each([
  [{}, { account: 'ada@example.com', tier: 'Free' }],
  [{ ui: { showUserIdentity: false } }, { tier: 'Free' }],
])('with the settings %j the account is shown as %j', (settings, expected) => {
  const config: Pick<Config, 'getGoogleAccount'> = {
    getGoogleAccount: () => ({ email: 'ada@example.com', tier: 'Free' }),
  };
  expect(accountFacts(config, settings)).toEqual(expected);
  expect(accountFacts(undefined, settings)).toEqual({});
});
