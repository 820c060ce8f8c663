/** Hook functions of a program beside configured hooks. */
import { describe, expect, it } from 'vitest';
import type { HookPorts, ToolScene } from '../agent/hook-ports.js';
import { MAIN_AGENT } from '../protocol/agent-events.js';
import { lookedUp, mergePorts } from './merge-hook-ports.js';

const scene = { agent: MAIN_AGENT, signal: new AbortController().signal };
const call = { callId: '1', name: 'work', args: { a: 1 }, promptId: 'p' };
const tool: ToolScene = { ...scene, call };

describe('mergePorts', () => {
  it('has a function only while one of the two has it', async () => {
    const second: HookPorts = {};
    const merged = mergePorts({ beforeTool: async () => ({ ask: 'first' }) }, second);
    expect([merged.afterTool, merged.notification]).toEqual([undefined, undefined]);
    expect(await merged.beforeTool?.(tool)).toEqual({ ask: 'first' });
    second.afterTool = async () => ({ deny: 'second' });
    expect(merged.afterTool).toBe(second.afterTool);
  });

  it('lets the second see and add to the changes of the first', async () => {
    const seen: unknown[] = [];
    const merged = mergePorts(
      { beforeTool: async () => ({ args: { a: 2, b: 2 } }), beforeAgent: async () => ({ context: 'x' }) },
      {
        beforeTool: async (input) => {
          seen.push(input.call.args);
          return { args: { b: 3 } };
        },
        beforeAgent: async () => ({ context: 'y' }),
      },
    );
    expect(await merged.beforeTool?.(tool)).toEqual({ args: { a: 2, b: 3 } });
    expect(seen).toEqual([{ a: 2, b: 2 }]);
    expect(call.args).toEqual({ a: 1 });
    expect(await merged.beforeAgent?.({ ...scene, prompt: [] })).toEqual({ context: 'x\ny' });
  });

  it('does not ask the second after a refusal or a stop', async () => {
    let asked = 0;
    const second: HookPorts = { beforeTool: async () => void asked++, afterTool: async () => void asked++ };
    const merged = mergePorts(
      { beforeTool: async () => ({ deny: 'no' }), afterTool: async () => ({ stop: 'end' }) },
      second,
    );
    expect(await merged.beforeTool?.(tool)).toEqual({ deny: 'no' });
    const result = { llmContent: '', returnDisplay: '' };
    expect(await merged.afterTool?.({ ...tool, result })).toEqual({ stop: 'end' });
    expect(asked).toBe(0);
  });

  it('tells both what they can only watch', async () => {
    const told: string[] = [];
    const watching = (name: string): HookPorts => ({
      sessionEnd: async ({ reason }) => void told.push(`${name} ${reason}`),
      preCompress: async ({ trigger }) => void told.push(`${name} ${trigger}`),
    });
    const merged = mergePorts(watching('a'), watching('b'));
    await merged.sessionEnd?.({ ...scene, reason: 'exit' });
    await merged.preCompress?.({ ...scene, trigger: 'auto', isCompressing: false });
    expect(told).toEqual(['a exit', 'b exit', 'a auto', 'b auto']);
  });
});

it('lookedUp asks again each time', () => {
  let isOn = false;
  const beforeTool = async () => undefined;
  const ports = lookedUp((port) =>
    isOn && port === 'beforeTool' ? ({ beforeTool } as HookPorts)[port] : undefined,
  );
  expect(ports.beforeTool).toBeUndefined();
  isOn = true;
  expect(ports.beforeTool).toBe(beforeTool);
});
