/** Real commands, a real session, a scripted model for the conversation and the summaries. */
import { apiError, callTool, createTestConfig, startModelServer, text } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConfigParameters } from '../engine/parameters.js';

const LONG = 'for i in $(seq 1 400); do echo "line $i of a long build log"; done; exit 3';

/** What the model reads as the result of the command, and the requests for summaries. */
async function outputOf(
  command: string,
  parameters: Partial<ConfigParameters>,
  summary: 'works' | 'fails' = 'works',
) {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const summaries: string[] = [];
  const config = await createTestConfig(parameters, { model });
  let isFirst = true;
  model.otherwise(({ body }) => {
    const sent = JSON.stringify(body);
    if (sent.includes('You shorten the output of a tool')) {
      summaries.push(sent);
      return summary === 'works' ? [text('400 lines, then exit code 3.')] : [apiError(400, 'no')];
    }
    if (!isFirst) return [text('Done.')];
    isFirst = false;
    return [callTool('run_shell_command', { command })];
  });
  for await (const _ of config.getSession().send('build it'));
  const parts = config
    .getGeminiClient()
    .getChat()
    .getHistory()
    .flatMap(({ parts }) => parts);
  const response = parts.find((part) => part.functionResponse)?.functionResponse?.response;
  return { output: String(response?.['output']), summaries };
}

describe('model.summarizeToolOutput', () => {
  it('replaces output over the budget with a summary, still marked as untrusted', async () => {
    const budgets = { run_shell_command: { tokenBudget: 100 } };
    const { output, summaries } = await outputOf(LONG, { summarizeToolOutput: budgets });
    expect(output).toMatch(
      /^Summary of \d+ characters of output:\n<untrusted_context>\n400 lines, then exit code 3\.\n/,
    );
    expect(summaries).toHaveLength(1);
    expect(summaries[0]).toContain('line 400 of a long build log');
    expect(summaries[0]).toContain('At most 100 tokens.');
  });

  it('names the file with the whole output when that was truncated', async () => {
    const { output } = await outputOf(LONG, {
      summarizeToolOutput: { run_shell_command: { tokenBudget: 100 } },
      truncateToolOutputThreshold: 2000,
    });
    expect(output).toMatch(/The full output is saved in .*run_shell_command_.*\.txt\.$/);
  });

  it.each([
    ['the output fits the budget', 'echo short', { run_shell_command: { tokenBudget: 100 } }],
    ['the budget is the default of 2000', 'seq 1 50', { run_shell_command: {} }],
    ['another tool is named', LONG, { read_file: { tokenBudget: 1 } }],
    ['nothing is set', LONG, undefined],
  ])('leaves the output alone when %s', async (_when, command, summarizeToolOutput) => {
    const { output, summaries } = await outputOf(command, summarizeToolOutput ? { summarizeToolOutput } : {});
    expect(output).toContain('Output: ');
    expect(summaries).toEqual([]);
  });

  it('keeps the output when no summary comes', async () => {
    const budgets = { run_shell_command: { tokenBudget: 100 } };
    const { output } = await outputOf(LONG, { summarizeToolOutput: budgets }, 'fails');
    expect(output).toContain('line 400 of a long build log');
    expect(output).toContain('Exit Code: 3');
  });
});
