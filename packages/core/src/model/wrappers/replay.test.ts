import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Redactor } from '../../platform/redaction/redact.js';
import type { GenerateRequest, GenerateResponse } from '../content-generator.js';
import { RecordingGenerator } from './recording.js';
import { ReplayGenerator } from './replay.js';

const request: GenerateRequest = { model: 'm', messages: [], role: 'main', promptId: 'p' };
const signal = new AbortController().signal;
const answer: GenerateResponse = {
  candidates: [{ content: { parts: [{ text: 'hi' }] }, finishReason: 'STOP' }],
};
const streamed = JSON.stringify({ method: 'generateContentStream', response: [answer] });
const whole = JSON.stringify({ method: 'generateContent', response: answer });

describe('recorded responses', () => {
  let dir: ReturnType<typeof tempDir>;
  let file: string;
  beforeEach(() => {
    dir = tempDir();
    file = join(dir.path, 'responses.jsonl');
  });
  afterEach(() => dir.cleanup());

  const replay = (lines: string[], strict = true) => {
    writeFileSync(file, lines.join('\n'));
    return new ReplayGenerator(file, strict);
  };
  const stream = async (generator: ReplayGenerator | RecordingGenerator) => {
    const all: GenerateResponse[] = [];
    for await (const chunk of generator.generateContentStream(request, signal)) all.push(chunk);
    return all;
  };

  it('play in order, and a call of the wrong kind is an error and uses up its line', async () => {
    const generator = replay([streamed, '', whole, streamed]);
    expect(await stream(generator)).toEqual([answer]);
    await expect(stream(generator)).rejects.toThrow('is for generateContent');
    expect(await stream(generator)).toEqual([answer]);
    await expect(stream(generator)).rejects.toThrow(
      /^No more mock responses for generateContentStream, got request:/,
    );
  });

  it('give the next of the requested kind when not strict', async () => {
    const generator = replay([whole, streamed], false);
    expect(await stream(generator)).toEqual([answer]);
    expect(await generator.generateContent(request)).toEqual(answer);
  });

  it('are reported with file and line when unreadable', () => {
    expect(() => replay([streamed, '{oops'])).toThrow(`${file}:2`);
    expect(() => new ReplayGenerator(join(dir.path, 'none'), true)).toThrow('none');
  });

  it('may begin with a byte order mark', async () => {
    expect(await stream(replay([`\ufeff${streamed}`]))).toEqual([answer]);
  });

  it('cannot be recorded in an unwritable place, which is reported at the start', () => {
    const inner = replay([streamed]);
    expect(() => new RecordingGenerator(inner, join(dir.path, 'none', 'x.jsonl'))).toThrow('Cannot record');
  });

  it('can be recorded and played again', async () => {
    const recorded = join(dir.path, 'recorded.jsonl');
    const full: GenerateResponse = { ...answer, modelVersion: 'm-1', responseId: 'r' };
    const inner = replay([JSON.stringify({ method: 'generateContentStream', response: [full] })]);
    expect(await stream(new RecordingGenerator(inner, recorded))).toEqual([full]);
    expect(readFileSync(recorded, 'utf8')).toBe(`${streamed}\n`);
    expect(await stream(new ReplayGenerator(recorded, true))).toEqual([answer]);
  });

  it('are recorded without secrets, also those split across chunks, and the caller sees them whole', async () => {
    const recorded = join(dir.path, 'recorded.jsonl');
    const secret = 'c0rrect-h0rse-battery';
    const redactor = new Redactor();
    redactor.addSecret(secret);
    const chunk = (...parts: object[]) => ({ candidates: [{ content: { parts } }] });
    const chunks = [
      chunk({ text: 'key: c0rrect', thought: true }, { text: 'it is c0rr' }),
      chunk({ text: 'ect-h0rse-' }, { text: '-h0rse-battery.', thought: true }),
      chunk(
        { text: 'battery' },
        { functionCall: { name: 'f', args: { a: secret } }, thoughtSignature: 'sig' },
      ),
    ];
    const inner = replay([JSON.stringify({ method: 'generateContentStream', response: chunks })]);
    expect(await stream(new RecordingGenerator(inner, recorded, redactor))).toEqual(chunks);
    expect(JSON.parse(readFileSync(recorded, 'utf8')).response).toEqual([
      chunk({ text: 'key: ', thought: true }, { text: 'it is ' }),
      chunk({ text: '' }, { text: '[redacted].', thought: true }),
      chunk(
        { text: '[redacted]' },
        { functionCall: { name: 'f', args: { a: '[redacted]' } }, thoughtSignature: 'sig' },
      ),
    ]);
  });
});
