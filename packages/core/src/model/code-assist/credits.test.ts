import { expect, it } from 'vitest';
import { CreditAccount, creditsIn } from './credits.js';

it.each([
  [[{ creditType: 'GOOGLE_ONE_AI', creditAmount: '120' }], 120],
  [
    [
      { creditType: 'GOOGLE_ONE_AI', creditAmount: 5 },
      { creditType: 'OTHER', creditAmount: '9' },
    ],
    5,
  ],
  [[], 0],
  ['nonsense', undefined],
  [undefined, undefined],
])('reads the credits of %j', (value, expected) => {
  expect(creditsIn(value)).toBe(expected);
});

it('spends credits always, never, or once the user agreed', () => {
  const typesOf = (account: CreditAccount) => account.enabledTypes();
  expect(typesOf(new CreditAccount(10, 'always'))).toEqual(['GOOGLE_ONE_AI']);
  const asked = new CreditAccount(10, 'ask');
  expect(typesOf(asked)).toEqual([]);
  asked.spend();
  expect(typesOf(asked)).toEqual(['GOOGLE_ONE_AI']);
  const never = new CreditAccount(10, 'never');
  never.spend();
  expect([typesOf(never), never.state()]).toEqual([[], undefined]);
});

it('follows the balance of the answers, and sends nothing once it is empty', () => {
  const notes: unknown[] = [];
  const account = new CreditAccount(10, 'always', (note) => notes.push(note));
  expect(account.state()).toBe('usable');
  account.note([{ creditType: 'GOOGLE_ONE_AI', creditAmount: '0' }]);
  expect([account.state(), account.enabledTypes()]).toEqual(['empty', []]);
  account.note(undefined);
  expect(notes).toEqual([{ type: 'credits_used', balance: 0, strategy: 'always' }]);
  expect(account.state()).toBe('empty');
});

it('knows nothing of credits that no server has named, until one refuses for lack of them', () => {
  const account = new CreditAccount(undefined, 'ask');
  expect(account.state()).toBeUndefined();
  account.usedUp();
  expect(account.state()).toBe('empty');
});
