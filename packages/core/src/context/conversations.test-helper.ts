/** Generates random conversations from a seed: all kinds of parts, in and out of order, the same in every run. */
import type { Message, Part } from '../protocol/messages.js';

function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function randomConversation(seed: number, length: number): Message[] {
  const random = makeRandom(seed);
  return Array.from({ length }, () => randomMessage(random));
}

const WORDS = ['', 'yes', 'go on', '</state_snapshot>', 'Öl 油 😀', 'x'.repeat(300)];

function randomMessage(random: (below: number) => number): Message {
  const role = random(2) === 0 ? 'user' : 'model';
  const parts = Array.from({ length: random(4) }, () => randomPart(random));
  const origins =
    role === 'model' ? (['model'] as const) : (['prompt', 'tool_response', 'correction'] as const);
  return { role, origin: origins[random(origins.length)] ?? 'model', parts };
}

function randomPart(random: (below: number) => number): Part {
  const text = WORDS[random(WORDS.length)] ?? '';
  const id = random(3) === 0 ? undefined : `c${random(6)}`;
  switch (random(8)) {
    case 0:
      return { text, thought: true };
    case 1:
      return { functionCall: { id, name: 'read_file', args: { path: text } } };
    case 2:
      return { functionResponse: { id, name: 'read_file', response: { output: text } } };
    case 3:
      return { inlineData: { mimeType: 'image/png', data: text } };
    case 4:
      return { executableCode: { language: 'PYTHON', code: text } };
    case 5:
      return random(2) === 0 ? {} : { fileData: { mimeType: 'application/pdf', fileUri: text } };
    default:
      return { text, ...(random(3) === 0 && { thoughtSignature: 'c2ln' }) };
  }
}
