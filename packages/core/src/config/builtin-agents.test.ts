/** The built-in agents from `invoke_agent` to their report, in a whole session with a scripted model. */
import { createTestConfig } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import type { ConfigParameters } from '../engine/parameters.js';
import type { GenerateRequest } from '../model/content-generator.js';
import { type FakeAnswer, FakeModel } from '../model/wrappers/fake.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import { answersTo, call, firstMessages, invoke } from './agents.test-helper.js';

/** @param script what the agent's model answers, in order */
async function run(agent: string, script: readonly FakeAnswer[], more: Partial<ConfigParameters> = {}) {
  const waiting = [...script];
  const main = [invoke(agent, 'Do it'), 'thanks'];
  const isAgent = ({ tools = [] }: GenerateRequest) => tools.some(({ name }) => name === 'complete_task');
  const answer = (request: GenerateRequest): FakeAnswer =>
    (isAgent(request) ? waiting : main).shift() ?? 'nothing more';
  const model = new FakeModel(Array.from({ length: 20 }, () => answer));
  const config = await createTestConfig({ model: 'gemini-2.5-flash', contentGenerator: model, ...more });
  for await (const _ of config.getSession().send('go'));
  return { answer: answersTo(config)[0] ?? '', requests: model.requests.filter(isAgent), model };
}

const toolsOf = (request: GenerateRequest | undefined) => request?.tools?.map(({ name }) => name).sort();
const lastAnswer = ({ messages }: GenerateRequest) => JSON.stringify(messages.at(-1)?.parts);

describe('the built-in agents', () => {
  it('are offered to the main model, except the experimental one', async () => {
    const { model } = await run('cli_help', [
      call('complete_task', { report: { answer: 'a', sources: [] } }),
    ]);
    const prompt = model.requests[0]?.systemInstruction ?? '';
    for (const name of ['codebase_investigator', 'cli_help', 'generalist']) expect(prompt).toContain(name);
    expect(prompt).not.toContain('browser_agent');
  });

  it('cli_help answers from the documentation and names its sources', async () => {
    const { answer, requests } = await run('cli_help', [
      call('get_internal_docs', {}),
      call('get_internal_docs', { path: 'themes.md' }),
      call('complete_task', { report: { answer: 'Use /theme.', sources: ['themes.md'] } }),
    ]);
    expect(toolsOf(requests[0])).toEqual(['complete_task', 'get_internal_docs']);
    expect(requests[0]?.model).toBe('gemini-3.8-flash');
    expect(requests[0]?.systemInstruction).toContain('Version: 0.0.0-test');
    expect(requests[0]?.systemInstruction).toMatch(/Today: \w{3} \w{3} \d\d \d{4}/);
    expect(firstMessages(requests[0]).at(-1)).toContain('<question>\nDo it\n</question>');
    expect(lastAnswer(requests[1] as GenerateRequest)).toContain('- themes.md');
    expect(lastAnswer(requests[2] as GenerateRequest)).toContain('# Themes');
    expect(answer).toContain('Result: Use /theme.\n\nSources:\n- themes.md');
  });

  it('codebase_investigator works in plan mode, only reads, and its report must be complete', async () => {
    const report = { SummaryOfFindings: 'Empty.', ExplorationTrace: ['Listed it.'], RelevantLocations: [] };
    const { answer, requests } = await run(
      'codebase_investigator',
      [
        call('list_directory', { dir_path: '.' }),
        call('write_file', { file_path: 'a', content: 'x' }),
        call('complete_task', { report: { SummaryOfFindings: 'Empty.' } }),
        call('complete_task', { report }),
      ],
      { approvalMode: ApprovalMode.PLAN },
    );
    expect(toolsOf(requests[0])).toEqual([
      'complete_task',
      'glob',
      'grep_search',
      'list_directory',
      'read_file',
    ]);
    expect(requests[0]?.model).toBe('gemini-2.5-pro');
    expect(lastAnswer(requests[2] as GenerateRequest)).toContain('not found');
    expect(lastAnswer(requests[3] as GenerateRequest)).toContain('ExplorationTrace');
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toEqual(report);
  });

  it('generalist has the prompt and the tools of the main agent, but asks no one', async () => {
    const { answer, requests, model } = await run('generalist', [
      call('complete_task', { result: { response: 'All done.' } }),
    ]);
    const [main] = model.requests;
    const beginning = main?.systemInstruction?.slice(0, 200);
    expect(requests[0]?.systemInstruction).toContain(beginning);
    expect(requests[0]?.systemInstruction).not.toContain('codebase_investigator');
    expect(requests[0]?.model).toBe('gemini-2.5-flash');
    const missing = toolsOf(main)?.filter((name) => !toolsOf(requests[0])?.includes(name));
    expect(missing).toEqual(
      ['enter_plan_mode', 'exit_plan_mode', 'invoke_agent', 'update_topic'].filter((name) =>
        toolsOf(main)?.includes(name),
      ),
    );
    expect(answer).toContain('Result: All done.');
  });
});
