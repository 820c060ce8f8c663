import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeModel, GeminiCliAgent, tool, z } from '../index.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sdk-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('an agent', () => {
  it('answers, with a tool of the program', async () => {
    const model = fakeModel([{ calls: [{ name: 'add', args: { a: 23, b: 79 } }] }, 'It is 102.']);
    const add = tool(
      { name: 'add', description: 'adds', inputSchema: z.object({ a: z.number(), b: z.number() }) },
      ({ a, b }) => ({ result: a + b }),
    );
    await using agent = new GeminiCliAgent({
      cwd: folder,
      trust: true,
      env: { HOME: folder, PATH: process.env['PATH'] },
      instructions: 'Talk like a pirate.',
      tools: [add],
      fakeResponses: model,
    });
    const result = await agent.send('what is 23 + 79?');
    expect(result.text).toBe('It is 102.');
    expect(model.requests[0]?.systemInstruction).toContain('Talk like a pirate.');
    expect(JSON.stringify(model.requests[1]?.contents.at(-1))).toContain('102');
    expect(result.finishReason).toBe('stop');
  });
});
