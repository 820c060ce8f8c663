import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { curate } from '../../context/curate/curate.js';
import type { Message, Part } from '../../protocol/messages.js';
import { seeded, type TestSessions, testSessions } from '../sessions.test-helper.js';
import { toRecords } from '../to-records.js';
import { toMessages } from './convert.js';
import { readSession } from './read-session.js';

const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);

describe('recording, reading and converting', () => {
  let sessions: TestSessions;
  beforeEach(() => {
    sessions = testSessions();
  });
  afterEach(() => sessions.cleanup());

  it.each(SEEDS)('returns the same conversation (seed %i)', (seed) => {
    const random = seeded(seed);
    const conversation = someConversation(random);
    const service = sessions.service();
    let id = 0;
    for (const message of conversation) {
      const { role, origin, parts } = message;
      if (role === 'model') service.recordAnswer({ parts, ...(origin !== 'model' && { origin }) });
      else if (origin === 'tool_response') recordResponses(parts);
      else service.recordUser(parts, origin === 'prompt' ? {} : { origin });
      // Notes for the reader change nothing.
      if (random() < 0.2) service.recordNote('info', `note ${id++}`);
    }
    service.close();
    const record = readSession(service.conversationFile ?? '');
    expect(toMessages(record)).toEqual(conversation);
    expect(curate(toMessages(record))).toEqual(curate(conversation));

    // The same when all of it is written at once, as after a compression.
    const again = sessions.service({ sessionId: 'second' });
    again.recordUser('to be replaced');
    again.replaceHistory(toRecords(conversation, { timestamp: 't', newId: () => `id-${id++}` }));
    again.close();
    expect(toMessages(readSession(again.conversationFile ?? ''))).toEqual(conversation);

    function recordResponses(parts: readonly Part[]): void {
      let result: Part[] = [];
      for (const part of parts) {
        if (part.functionResponse) result = [];
        result.push(part);
        const callId = result[0]?.functionResponse?.id ?? '';
        service.recordToolCalls([{ id: callId, status: 'success', result: [...result] }]);
      }
    }
  });
});

/** Prompts, answers with text, calls and signatures in any order, responses with pictures, summaries, corrections. */
function someConversation(random: () => number): Message[] {
  const pick = <T>(...list: T[]) => list[Math.floor(random() * list.length)] as T;
  const words = () =>
    Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
      pick('let', 'é', '漢字', '"q"', '\\n', '\u2028', '🧑‍💻', 'line\nbreak', '{"id":"x"}'),
    ).join(' ');
  const conversation: Message[] = [];
  let calls = 0;
  const turns = 1 + Math.floor(random() * 8);
  for (let turn = 0; turn < turns; turn++) {
    const origin =
      turn === 0 ? 'prompt' : pick('prompt', 'prompt', 'prompt', 'summary', 'correction', 'reminder');
    const picture: Part[] = random() < 0.2 ? [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] : [];
    conversation.push({ role: 'user', origin, parts: [{ text: `say ${words()}` }, ...picture] });
    for (let step = Math.floor(random() * 3); step >= 0; step--) {
      const parts: Part[] = [];
      const ids: string[] = [];
      for (let count = 1 + Math.floor(random() * 4); count > 0; count--) {
        const signature = random() < 0.3 ? { thoughtSignature: `sig${random()}` } : {};
        if (random() < 0.5) parts.push({ text: words(), ...signature });
        else {
          const id = `call_${++calls}`;
          ids.push(id);
          parts.push({
            functionCall: { id, name: 'tool', args: { text: words(), n: [1, null, { deep: true }] } },
            ...signature,
          });
        }
      }
      conversation.push({ role: 'model', origin: 'model', parts });
      if (ids.length === 0) break;
      const responses = ids.flatMap((id): Part[] => [
        {
          functionResponse: {
            id,
            name: 'tool',
            response: random() < 0.2 ? { error: words() } : { output: words() },
          },
        },
        ...(random() < 0.2 ? [{ inlineData: { mimeType: 'image/png', data: 'BBBB' } }] : []),
      ]);
      conversation.push({ role: 'user', origin: 'tool_response', parts: responses });
    }
  }
  return conversation;
}
