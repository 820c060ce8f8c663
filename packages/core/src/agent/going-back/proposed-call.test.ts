import { describe, expect, it } from 'vitest';
import type { Content } from '../../protocol/messages.js';
import { proposable } from './proposed-call.js';

const prompt: Content = { role: 'user', parts: [{ text: 'go' }] };
const asks = (...calls: { name: string; args: Record<string, unknown>; id?: string }[]): Content => ({
  role: 'model',
  parts: calls.map((functionCall) => ({ functionCall })),
});
const newId = () => 'new-id';

describe('the call of a checkpoint', () => {
  it('is found among the open calls of the history, also with arguments that the engine consumed', () => {
    const history = [
      prompt,
      asks(
        { name: 'replace', args: { file: 'b' }, id: '1' },
        { name: 'replace', args: { file: 'a', wait: true }, id: '2' },
      ),
    ];
    expect(proposable(history, { name: 'replace', args: { file: 'a' } }, newId).call).toEqual({
      callId: '2',
      name: 'replace',
      args: { file: 'a' },
    });
  });

  it('is found by its name when its arguments were changed before it ran, and gets an id', () => {
    const history = [prompt, asks({ name: 'write', args: { content: 'x' } })];
    const { clientHistory, call } = proposable(history, { name: 'write', args: { content: 'y' } }, newId);
    expect(call?.callId).toBe('new-id');
    expect(clientHistory).toEqual([prompt, asks({ name: 'write', args: { content: 'y' }, id: 'new-id' })]);
    expect(history).toEqual([prompt, asks({ name: 'write', args: { content: 'x' } })]);
  });

  it('is put at the end of a history without it', () => {
    const toolCall = { name: 'write', args: {} };
    for (const history of [[prompt], [prompt, asks({ name: 'read', args: {} })]]) {
      const { clientHistory } = proposable(history, toolCall, newId);
      expect(clientHistory).toEqual([...history, asks({ ...toolCall, id: 'new-id' })]);
    }
  });

  it('is undefined when no tool was called', () => {
    expect(proposable([prompt], undefined, newId)).toEqual({ clientHistory: [prompt] });
  });
});
