import { describe, expect, it } from 'vitest';
import type { UtilityModel, UtilityRequest } from '../../model/utility/utility-model.js';
import { type Message, textOf } from '../../protocol/messages.js';
import { noTelemetry } from '../../telemetry/record.js';
import { NextSpeakerCheck, nextSpeaker } from './next-speaker.js';

const signal = new AbortController().signal;
const call = { promptId: 'p', model: 'gemini-3.8-flash', signal };
const prompt: Message = { role: 'user', origin: 'prompt', parts: [{ text: 'fix it' }] };
const said = (text: string): Message => ({ role: 'model', origin: 'model', parts: [{ text }] });
const toolCall: Message = {
  role: 'model',
  origin: 'model',
  parts: [{ functionCall: { name: 'glob', args: {} } }],
};
const toolResponse: Message = {
  role: 'user',
  origin: 'tool_response',
  parts: [{ functionResponse: { name: 'glob', response: { output: '' } } }],
};

function utilityThatSays(...answers: (string | Error)[]) {
  const requests: UtilityRequest[] = [];
  const utility: UtilityModel = {
    generateText: () => Promise.reject(new Error('not asked for')),
    generateJson: async (request) => {
      requests.push(request);
      const next = answers.shift() ?? new Error('no answer');
      if (next instanceof Error) throw next;
      return { reasoning: 'because', next_speaker: next };
    },
  };
  return { utility, requests };
}

describe('nextSpeaker', () => {
  it.each([
    ['nothing was said yet', [], undefined],
    ['the user spoke last', [prompt], undefined],
    ['a call is open', [prompt, toolCall], undefined],
    ['the model said nothing to its results', [prompt, toolCall, toolResponse], 'model'],
    ['the model said nothing at all', [prompt, said('  ')], 'model'],
  ])('decides without a model call when %s', async (_name, history, speaker) => {
    const { utility, requests } = utilityThatSays();
    expect(await nextSpeaker(history, utility, call)).toBe(speaker);
    expect(requests).toHaveLength(0);
  });

  it('asks a model about everything else', async () => {
    const { utility, requests } = utilityThatSays('model', 'user');
    const history = [prompt, said('Now I will run the tests.')];
    expect(await nextSpeaker(history, utility, call)).toBe('model');
    expect(await nextSpeaker(history, utility, call)).toBe('user');
    expect(requests[0]).toMatchObject({
      alias: 'next-speaker-checker',
      role: 'utility_next_speaker',
      mainModel: 'gemini-3.8-flash',
    });
    expect(textOf(requests[0]?.messages[0]?.parts ?? [])).toContain(
      '[AGENT SAYS]\nNow I will run the tests.',
    );
  });

  it('returns undefined when the model call fails', async () => {
    const { utility } = utilityThatSays(new Error('busy'));
    expect(await nextSpeaker([prompt, said('Done.')], utility, call)).toBeUndefined();
  });
});

describe('NextSpeakerCheck', () => {
  it('lets the model continue, or leaves the turn to the user', async () => {
    const check = new NextSpeakerCheck(utilityThatSays('model', 'user').utility, noTelemetry);
    const history = [prompt, said('Next I will look.')];
    const next = await check.after(history, call);
    expect(next?.message).toMatchObject({ origin: 'correction', parts: [{ text: 'Please continue.' }] });
    expect(await check.after(history, call)).toBeUndefined();
  });

  it('asks a silent model once per prompt', async () => {
    const check = new NextSpeakerCheck(utilityThatSays().utility, noTelemetry);
    const history = [prompt, toolCall, toolResponse];
    for (let count = 0; count < 2; count++) {
      check.opening([]);
      expect(await check.after(history, call)).toBeDefined();
      expect(await check.after(history, call)).toBeUndefined();
    }
  });
});
