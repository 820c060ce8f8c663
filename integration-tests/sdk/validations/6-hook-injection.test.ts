/** Seed 002: "Test each type of hook and check that model api receives injected content." */
import { callTool, text } from '@gemini-cli/test-utils/rig';
import { type AnyHook, GeminiCliAgent, hook } from '@google/gemini-cli-sdk';
import { describe, expect, it } from 'vitest';
import { contents, sdkRig, system, toolNames } from '../sdk-rig.js';

const injecting: [string, AnyHook][] = [
  [
    'SessionStart',
    hook({ event: 'SessionStart', name: 'h' }, () => ({
      hookSpecificOutput: { additionalContext: 'INJECTED' },
    })),
  ],
  [
    'BeforeAgent',
    hook({ event: 'BeforeAgent', name: 'h' }, () => ({
      hookSpecificOutput: { additionalContext: 'INJECTED' },
    })),
  ],
  [
    'AfterTool',
    hook({ event: 'AfterTool', name: 'h' }, () => ({
      hookSpecificOutput: { additionalContext: 'INJECTED' },
    })),
  ],
  ['BeforeTool', hook({ event: 'BeforeTool', name: 'h' }, () => ({ decision: 'deny', reason: 'INJECTED' }))],
  [
    'AfterAgent',
    hook({ event: 'AfterAgent', name: 'h' }, ({ stopHookActive }) =>
      stopHookActive ? undefined : { decision: 'block', reason: 'INJECTED' },
    ),
  ],
  [
    'BeforeModel',
    hook({ event: 'BeforeModel', name: 'h' }, ({ llmRequest }) => ({
      hookSpecificOutput: {
        llmRequest: { messages: [...llmRequest.messages, { role: 'user', content: 'INJECTED' }] },
      },
    })),
  ],
  [
    'AfterModel',
    hook({ event: 'AfterModel', name: 'h' }, ({ llmResponse }) =>
      llmResponse.text
        ? {
            hookSpecificOutput: {
              llmResponse: { candidates: [{ content: { role: 'model', parts: ['INJECTED'] } }] },
            },
          }
        : undefined,
    ),
  ],
];

describe('what a hook adds reaches the model', () => {
  it.each(injecting)('%s', async (_event, injected) => {
    const { model, folder } = await sdkRig();
    model.replies([text('Let me see.'), callTool('list_directory', { dir_path: '.' })], [text('one')]);
    model.otherwise(() => [text('two')]);
    await using agent = new GeminiCliAgent({ cwd: folder, hooks: [injected] });
    await agent.send('go');
    const all = model.requests.map((request) => contents(request) + system(request)).join('\n');
    expect(all).toContain('INJECTED');
  });

  it('BeforeToolSelection', async () => {
    const { model, folder } = await sdkRig();
    model.replies([text('ok')]);
    const only = hook({ event: 'BeforeToolSelection', name: 'h' }, () => ({
      hookSpecificOutput: { toolConfig: { mode: 'AUTO', allowedFunctionNames: ['list_directory'] } },
    }));
    await using agent = new GeminiCliAgent({ cwd: folder, hooks: [only] });
    await agent.send('go');
    expect(toolNames(model.requests[0])).toEqual(['list_directory']);
  });

  it('PreCompress, Notification and SessionEnd only observe', async () => {
    const { model, folder } = await sdkRig();
    model.replies([callTool('write_file', { file_path: 'a.txt', content: 'x' })], [text('ok')]);
    const seen: string[] = [];
    const agent = new GeminiCliAgent({
      cwd: folder,
      onApproval: () => 'allow',
      hooks: [
        hook({ event: 'PreCompress', name: 'a' }, ({ trigger }) => void seen.push(trigger)),
        hook({ event: 'Notification', name: 'b' }, ({ message }) => void seen.push(typeof message)),
        hook({ event: 'SessionEnd', name: 'c' }, ({ reason }) => void seen.push(reason)),
      ],
    });
    await agent.send('go');
    await agent.dispose();
    expect(seen).toEqual(['auto', 'string', 'auto', 'exit']);
  });
});
