import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTraceFolder } from '../../platform/storage/trace-folder.js';
import type { ContextManagerOptions } from '../context-service.js';
import { createContextManager } from '../create-context-manager.js';
import {
  chatter,
  DEFAULT_LIMITS,
  input,
  managerOptions,
  prompt,
  ScriptedUtility,
  snapshot,
} from '../manager.test-helper.js';
import { ContextTrace } from './context-trace.js';

let temp: ReturnType<typeof tempDir>;
beforeEach(() => {
  temp = tempDir();
});
afterEach(() => temp.cleanup());

const TIME = Date.UTC(2026, 10, 16, 12);
const lines = () => readFileSync(join(temp.path, 'trace.log'), 'utf8').trimEnd().split('\n');
const detailsOf = (line = '') => JSON.parse(line.slice(line.indexOf('| Details: ') + 11));

function trace(): ContextTrace {
  return new ContextTrace({
    folder: openTraceFolder(temp.path),
    redact: (text) => text.replaceAll('geheim', '[REDACTED]'),
    now: () => TIME,
    processId: 7,
  });
}

const REQUEST = { model: 'm', promptId: 'p1', isSent: true };

describe('a trace of the context', () => {
  it('has a line for each request, with the turns as they are sent', () => {
    trace().rendered({ ...REQUEST, messages: [prompt('Hello'), prompt('Again')] });
    const [line] = lines();
    expect(line).toMatch(/^\[2026-11-16T12:00:00\.000Z\] \[Render\] Render Context for LLM \| Details: \{/);
    expect(detailsOf(line)).toEqual({
      ...REQUEST,
      renderedContext: [
        { id: expect.stringMatching(/^turn_/), content: { role: 'user', parts: [{ text: 'Hello' }] } },
        { id: expect.stringMatching(/^turn_/), content: { role: 'user', parts: [{ text: 'Again' }] } },
      ],
    });
  });

  it('gives a turn the same id in another process', () => {
    trace().rendered({ ...REQUEST, messages: [prompt('Hello')] });
    trace().rendered({ ...REQUEST, messages: [prompt('Hello'), prompt('More')] });
    const [first, second] = lines().map((line) => detailsOf(line).renderedContext);
    expect(second[0].id).toBe(first[0].id);
    expect(second[1].id).not.toBe(first[0].id);
  });

  it('moves long values to files, and secrets are masked in both', () => {
    const traced = trace();
    traced.rendered({ ...REQUEST, messages: [prompt(`geheim ${'x'.repeat(2_000)}`)] });
    traced.rendered({ ...REQUEST, model: 'geheim', messages: [prompt(`geheim ${'y'.repeat(2_000)}`)] });
    const assets = lines().map((line) => detailsOf(line).renderedContext.$asset);
    expect(readdirSync(join(temp.path, 'assets')).sort()).toEqual([...assets].sort());
    expect(new Set(assets).size).toBe(2);
    const text = readFileSync(join(temp.path, 'assets', assets[1]), 'utf8');
    expect(JSON.parse(text)[0].content.parts[0].text).toMatch(/^\[REDACTED\] yyy/);
    expect(lines().join()).not.toContain('geheim');
  });

  it('never stops the work: a folder that cannot be written to is given up', () => {
    writeFileSync(join(temp.path, 'assets'), 'a file in its place');
    trace().rendered({ ...REQUEST, messages: [prompt('Hello')] });
    expect(existsSync(join(temp.path, 'trace.log'))).toBe(false);
  });
});

describe('a conversation that is compressed before a request', () => {
  it.each([undefined, 'stressTest'] as const)('is traced with the numbers (profile %s)', async (profile) => {
    const utility = new ScriptedUtility([snapshot('The goal.')]);
    const overrides: Partial<ContextManagerOptions> = { trace: trace(), contextWindow: () => 20_000 };
    const options = managerOptions(utility, temp.path, overrides);
    const manager = await createContextManager(options, profile, DEFAULT_LIMITS);
    await manager.prepare(input(chatter(40)));
    manager.dispose?.();
    const actions = lines().map((line) => line.replace(/^\[.*?\] \[.*?\] | \| .*/g, ''));
    expect(actions).toEqual([
      'Hitting Synchronous Pressure Barrier',
      'GC Triggered.',
      'Render Context for LLM',
    ]);
    expect(detailsOf(lines()[0])).toMatchObject({ historyTokens: expect.any(Number), window: 20_000 });
    const { turns, originalTokens, newTokens } = detailsOf(lines()[1]);
    expect(turns).toBeGreaterThan(0);
    expect(newTokens).toBeLessThan(originalTokens);
  });
});
