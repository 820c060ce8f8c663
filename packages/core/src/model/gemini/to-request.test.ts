import { describe, expect, it } from 'vitest';
import type { Message } from '../../protocol/messages.js';
import type { GenerateRequest } from '../content-generator.js';
import { RequestWriter } from './to-request.js';

const prompt = (text: string): Message => ({ role: 'user', origin: 'prompt', parts: [{ text }] });
const call = (name: string, signature?: string): Message => ({
  role: 'model',
  origin: 'model',
  parts: [{ functionCall: { id: name, name, args: {} }, ...(signature && { thoughtSignature: signature }) }],
});
const response = (name: string, output = 'x'): Message => ({
  role: 'user',
  origin: 'tool_response',
  parts: [{ functionResponse: { id: name, name, response: { output } } }],
});
const bodyOf = (
  messages: Message[],
  model = 'gemini-2.5-pro',
  writer = new RequestWriter(),
  more: Partial<GenerateRequest> = {},
) =>
  JSON.parse(
    Buffer.concat(writer.write({ model, messages, role: 'main', promptId: 'p', ...more })).toString(),
  );
const contentsOf = (...args: Parameters<typeof bodyOf>) => bodyOf(...args).contents;

describe('RequestWriter', () => {
  it('drops a part that was only the thought signature of another service', () => {
    const parts = [{ text: 'yes' }, { text: '', thoughtSignature: 'c2ln' }];
    const messages: Message[] = [prompt('hi'), { role: 'model', origin: 'model', parts }];
    expect(contentsOf(messages).at(-1).parts).toEqual(parts);
    const elsewhere = new RequestWriter('vertex');
    expect(contentsOf(messages, 'm', elsewhere).at(-1).parts).toEqual([{ text: 'yes' }]);
  });

  it.each(['gemini-2.5-pro', 'gemini-3-pro'])(
    'names media that %s does not take instead of sending them',
    (model) => {
      const zip = { inlineData: { mimeType: 'application/gzip', data: 'H4sIAAAA' } };
      const png = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
      const answer: Message = {
        role: 'user',
        origin: 'tool_response',
        parts: [{ functionResponse: { id: 't', name: 't', response: { output: 'x' }, parts: [zip, png] } }],
      };
      const sent = JSON.stringify(contentsOf([{ ...prompt(''), parts: [zip] }, answer], model));
      expect(sent).not.toContain('H4sIAAAA');
      const note = Buffer.from('[application/gzip: not sent, models do not take it]').toString('base64');
      expect(sent.split(`"text/plain","data":"${note}"`)).toHaveLength(3);
      expect(sent).toContain('iVBORw0KGgo=');
    },
  );

  it('joins neighbours of one role and leaves thoughts out', () => {
    const context: Message = { role: 'user', origin: 'context', parts: [{ text: 'ctx' }] };
    const answer: Message = {
      role: 'model',
      origin: 'model',
      parts: [
        { text: 'hm', thought: true },
        { text: 'yes', thoughtSignature: 'sig' },
      ],
    };
    expect(contentsOf([context, prompt('hi'), answer])).toEqual([
      { role: 'user', parts: [{ text: 'ctx' }, { text: 'hi' }] },
      { role: 'model', parts: [{ text: 'yes', thoughtSignature: 'sig' }] },
    ]);
  });

  it("writes the server's tools beside ours, and whether a call is required", () => {
    const tools = [{ name: 't', description: 'd', parametersJsonSchema: {} }];
    const write = (more: Partial<GenerateRequest>) => bodyOf([], 'm', new RequestWriter(), more);
    expect(write({ serverTools: ['googleSearch', 'urlContext'] })).toEqual({
      contents: [],
      tools: [{ googleSearch: {} }, { urlContext: {} }],
    });
    expect(write({ tools, serverTools: ['googleSearch'] }).tools).toEqual([
      { functionDeclarations: tools },
      { googleSearch: {} },
    ]);
    const configOf = (mode: 'AUTO' | 'ANY' | 'NONE') =>
      write({ tools, toolChoice: { mode, allowedFunctionNames: ['t'] } }).toolConfig;
    expect(configOf('ANY')).toEqual({ functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['t'] } });
    expect(configOf('AUTO')).toEqual({ functionCallingConfig: { mode: 'AUTO' } });
    expect(configOf('NONE')).toEqual({ functionCallingConfig: { mode: 'NONE' } });
    expect(write({ toolChoice: { mode: 'ANY' } })).toEqual({ contents: [] });
  });

  it('writes instructions, tools and settings only if there are any', () => {
    expect(bodyOf([prompt('a')])).toEqual({ contents: [{ role: 'user', parts: [{ text: 'a' }] }] });
    const tools = [{ name: 't', description: 'd', parametersJsonSchema: {} }];
    const full = bodyOf([], 'm', new RequestWriter(), {
      systemInstruction: 's',
      tools,
      settings: { topK: 1 },
    });
    expect(full).toEqual({
      contents: [],
      systemInstruction: { parts: [{ text: 's' }] },
      tools: [{ functionDeclarations: tools }],
      generationConfig: { topK: 1 },
    });
  });

  it('gives the first unsigned call of each turn a placeholder signature', () => {
    const history = [prompt('a'), call('new'), response('new'), call('ok', 'sig')];
    const signatures = contentsOf(history, 'gemini-3-pro-preview').flatMap((content: Message) =>
      content.parts.filter((part) => part.functionCall).map((part) => part.thoughtSignature),
    );
    expect(signatures).toEqual(['skip_thought_signature_validator', 'sig']);
  });

  it('does not send the signatures of other providers', () => {
    const history = [prompt('a'), call('f', 'anthropic:abc'), response('f')];
    const parts = contentsOf(history)[1].parts;
    expect(parts[0].thoughtSignature).toBe('skip_thought_signature_validator');
  });

  it('places media inside the response for Gemini 3 and beside it for older models', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'AA==' } };
    const bare = { id: '1', name: 'read_file', response: { output: 'x' } };
    const message: Message = {
      role: 'user',
      origin: 'tool_response',
      parts: [{ functionResponse: { ...bare, parts: [image] } }],
    };
    const writer = new RequestWriter();
    expect(contentsOf([message], 'gemini-3-pro-preview', writer)[0].parts).toEqual(message.parts);
    expect(contentsOf([message], 'gemini-2.5-pro', writer)[0].parts).toEqual([
      { functionResponse: bare },
      image,
    ]);
  });

  it('does not change a body in flight when another conversation begins', () => {
    const writer = new RequestWriter();
    const body = (text: string) =>
      writer.write({ model: 'm', messages: [prompt(text)], role: 'main', promptId: 'p' });
    const first = body('the first conversation');
    const before = Buffer.concat(first).toString();
    body('another one altogether');
    expect(Buffer.concat(first).toString()).toBe(before);
  });

  it('writes a growing, shrinking and changing history like a new one each time', {
    timeout: 30_000,
  }, () => {
    const writer = new RequestWriter();
    const long = '€'.repeat(50_000);
    const histories: Message[][] = [];
    let history = [prompt('start')];
    for (let turn = 0; turn < 20; turn++) {
      history = [...history, call(`c${turn}`), response(`c${turn}`, turn % 5 === 0 ? long : 'ok')];
      histories.push(history);
      if (turn % 4 === 0) histories.push([...history, prompt('same role as before')]);
      if (turn % 7 === 0) histories.push(history.slice(0, -2), history.with(0, prompt('another start')));
    }
    for (const messages of histories) {
      expect(contentsOf(messages, 'm', writer)).toEqual(contentsOf(messages, 'm'));
    }
  });
});
