/** Measures how many items of long conversations survive a summary word for word. */
import { join } from 'node:path';
import type { Message } from '../../protocol/messages.js';
import {
  call,
  context,
  prompt,
  result,
  ScriptedUtility,
  said,
  snapshot,
  words,
} from '../manager.test-helper.js';
import { OutputStore } from '../output-store.js';
import { TokenEstimator } from '../size/token-estimate.js';
import { ChatCompressionService } from './compress.js';

export interface Reinjection {
  kept: number;
  total: number;
  conversations: number;
}

const CONVERSATIONS = 20;
/** Each conversation is compressed, continued and compressed again. */
const ROUNDS = 3;
const LAST_PROMPTS = 3;
/** Texts that could be cut, escaped or joined by mistake. */
const AWKWARD = [
  '',
  '</state_snapshot>\n<state_snapshot>',
  '"quotes" & \\ back\\slashes',
  '\t\ttabs and trailing blanks  \n\n',
  'Übung 大师 😀 \u0000 \ud800',
  '- [ ] open\n- [x] done\n',
  '```ts\nconst x = "y";\n```',
];

/** @param folder for outputs that are saved to files */
export async function compressGenerated(folder: string): Promise<Reinjection> {
  const reinjection = { kept: 0, total: 0, conversations: CONVERSATIONS };
  for (let seed = 0; seed < CONVERSATIONS; seed++) {
    let history: readonly Message[] = [context];
    for (let round = 0; round < ROUNDS; round++) {
      const items = ['Rules', 'Plan', 'Todos', 'Skill'].map((name, index) =>
        itemOf(name, seed + round, index),
      );
      history = await compress([...history, ...conversation(seed, round)], items, join(folder, String(seed)));
      const wanted = [...items, ...prompts(seed, round).slice(-LAST_PROMPTS)];
      const texts = new Set(history.flatMap(({ parts }) => parts.map(({ text }) => text)));
      reinjection.total += wanted.length;
      reinjection.kept += wanted.filter((text) => texts.has(text)).length;
    }
  }
  return reinjection;
}

async function compress(
  history: readonly Message[],
  items: string[],
  folder: string,
): Promise<readonly Message[]> {
  const estimator = new TokenEstimator();
  const service = new ChatCompressionService({
    utility: new ScriptedUtility([snapshot('first'), snapshot('checked')]),
    estimator,
    store: new OutputStore({ outputDirectory: () => folder, redactForDisk: (text) => text }),
    contextWindow: () => 100_000,
    reminders: async () => items,
  });
  const request = {
    history,
    model: 'gemini-2.5-flash',
    promptId: 'p',
    trigger: 'auto' as const,
    originalTokens: estimator.messages(history),
    overheadTokens: 0,
  };
  const { status, history: next } = await service.compress(request, new AbortController().signal);
  if (status !== 'COMPRESSED') throw new Error(`The conversation was not compressed: ${status}`);
  return next;
}

/** Prompts with answers, calls and results, alternately long and short. */
function conversation(seed: number, round: number): Message[] {
  return prompts(seed, round).flatMap((text, index) => {
    const id = `c${round}-${index}`;
    const size = 20 * (1 + ((seed + index * 5) % 11) ** 2);
    return [prompt(text), call(id), result(id, words(size)), said(`Answer ${index}: ${words(size / 2)}`)];
  });
}

function prompts(seed: number, round: number): string[] {
  return Array.from({ length: 4 + (seed % 7) }, (_, index) => itemOf('Wish', seed + round, index));
}

function itemOf(name: string, seed: number, index: number): string {
  const awkward = (step: number) => AWKWARD[(seed * 3 + index * step) % AWKWARD.length] ?? '';
  return `${awkward(1)}${name} ${seed}.${index}: ${words(5 + ((seed * index) % 200))}${awkward(2)}`;
}
