import { expect, it } from 'vitest';
import { itemsFromRecord } from './recorded-items.js';

it('a call that had not ended is shown as cancelled: nothing runs or waits for it any more', () => {
  const call = (callId: string, status: 'awaiting_approval' | 'executing' | 'error') => ({
    callId,
    name: 'replace',
    description: 'a.ts',
    status,
    resultDisplay: undefined,
  });
  const tools = [call('1', 'awaiting_approval'), call('2', 'executing'), call('3', 'error')];
  expect(itemsFromRecord([{ type: 'tool_group', tools }], () => 'Edit')).toMatchObject([
    { tools: [{ status: 'cancelled' }, { status: 'cancelled' }, { status: 'error', displayName: 'Edit' }] },
  ]);
});
