import { describe, expect, it } from 'vitest';
import { runCommand } from '../run-command.js';
import { testContext } from '../testing/context.test-helper.js';
import { McpPromptLoader, type ServerPrompt } from './mcp-prompt.js';

async function load(prompt: Partial<ServerPrompt> = {}) {
  const asked: unknown[] = [];
  const source = {
    prompts: (): ServerPrompt[] => [
      {
        server: 'srv',
        name: 'review code',
        description: 'Reviews\u001b[2J',
        arguments: [
          { name: 'file', required: true },
          { name: 'style', description: 'How' },
        ],
        get: async (values) => {
          asked.push(values);
          return 'the prompt';
        },
        ...prompt,
      },
    ],
  };
  const commands = await new McpPromptLoader(source).loadCommands();
  const run = async (line: string) => (await runCommand(line, commands, testContext())).result;
  return { asked, commands, run };
}

describe('an MCP prompt', () => {
  it('becomes a command with arguments by name or in order', async () => {
    const { asked, run } = await load();
    expect(await run('/review-code --style="say \\"no\\"" a.ts')).toEqual({
      type: 'submit_prompt',
      content: 'the prompt',
      display: '/review-code --style="say \\"no\\"" a.ts',
      typed: '/review-code --style="say \\"no\\"" a.ts',
    });
    await run("/review-code a.ts 'two words'");
    expect(asked).toEqual([
      { style: 'say "no"', file: 'a.ts' },
      { file: 'a.ts', style: 'two words' },
    ]);
  });

  it('reports missing or wrong arguments without asking the server', async () => {
    const { asked, run } = await load();
    for (const [line, problem] of [
      ['/review-code', 'missing: --file="…"'],
      ['/review-code --nope=1', 'missing: --file="…"'],
      ['/review-code a b c', 'more values than arguments'],
    ] as const)
      expect(await run(line)).toMatchObject({
        messageType: 'error',
        content: expect.stringContaining(problem),
      });
    expect(asked).toEqual([]);
  });

  it('takes a whole sentence if it has one argument', async () => {
    const { asked, run } = await load({ arguments: [{ name: 'text' }] });
    await run('/review-code why is this slow');
    expect(asked).toEqual([{ text: 'why is this slow' }]);
  });

  it('shows its usage and completes its arguments', async () => {
    const { commands, run } = await load();
    expect(commands[0]).toMatchObject({
      namespace: 'srv',
      description: 'Reviews\\u{1B}[2J',
      autoExecute: false,
    });
    expect(await run('/review-code help')).toMatchObject({
      content: expect.stringMatching(/^Arguments of \/review-code, .*\n {2}--file="…" {3}\(required\)/),
    });
    expect(await commands[0]?.completion?.(testContext(), '--file="x" --s')).toEqual([
      '--file="x" --style="',
    ]);
    expect(await commands[0]?.completion?.(testContext(), '--file="x" --f')).toEqual([]);
  });
});
