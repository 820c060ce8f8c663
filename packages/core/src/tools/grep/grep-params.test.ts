import { join } from 'node:path';
import { makeBus, makeHost } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stableJson } from '../../policy/rules/stable-json.js';
import { MessageBusType, PolicyDecision, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import { ToolErrorType } from '../tool-error.js';
import { GrepTool } from './grep.js';
import { SearchFixture } from './search-fixture.test-helper.js';

let at: SearchFixture;
beforeEach(() => {
  at = new SearchFixture();
});
afterEach(() => at.cleanup());

describe('parameters', () => {
  it('are checked before anything runs', () => {
    const build = (args: unknown) => () => at.build(true, args as Record<string, unknown>);
    expect(build({})).toThrow("params must have required property 'pattern'");
    expect(build({ pattern: '' })).toThrow('params.pattern must be non-empty');
    expect(build({ pattern: 'x', context: -1 })).toThrow('params.context must be >= 0');
    expect(build({ pattern: 'x', total_max_matches: 0 })).toThrow('params.total_max_matches must be >= 1');
    expect(build({ pattern: 'x', respect_git_ignore: 'no' })).toThrow(
      'params.respect_git_ignore must be a boolean, got string',
    );
    expect(build({ pattern: 'x', dir_path: 'gone' })).toThrow(
      `Search path does not exist: ${join(at.root, 'gone')}`,
    );
    expect(build({ pattern: 'x', dir_path: '../..' })).toThrow('Path not in workspace');
    expect(build({ pattern: 'x', path: '/etc/passwd' })).toThrow('Path not in workspace');
    expect(build(null)).toThrow('params must be an object, got null');
    expect(build({ pattern: 'x', dir_path: '' })).not.toThrow();
  });

  it('describe the search', () => {
    const invocation = at.build(true, { pattern: 'a"b.*', include: '*.ts', path: '.' });
    expect(invocation.params).toEqual({ pattern: 'a"b.*', include_pattern: '*.ts', dir_path: '.' });
    expect(invocation.getDescription()).toBe("'a\"b.*' in *.ts within .");
    expect(invocation.toolLocations()).toEqual([{ path: at.root }]);
  });

  it('narrow an "always" answer to exactly this pattern', async () => {
    const bus = makeBus(PolicyDecision.ASK_USER);
    const rules: string[] = [];
    bus.subscribe(MessageBusType.UPDATE_POLICY, (update) => rules.push(update.argsPattern ?? ''));
    const tool = new GrepTool({ ...makeHost(at.root), getUseRipgrep: () => true }, bus);
    const details = await tool.build({ pattern: 'a"b.*' }).shouldConfirmExecute(new AbortController().signal);
    if (!details) throw new Error('The user should have been asked.');
    await details.onConfirm(ToolConfirmationOutcome.ProceedAlways);
    const rule = new RegExp(rules[0] ?? '');
    expect(rule.test(stableJson({ dir_path: '.', pattern: 'a"b.*' }))).toBe(true);
    expect(rule.test(stableJson({ pattern: 'a"b.' }))).toBe(false);
    expect(rule.test(stableJson({ dir_path: '"pattern":"a"b.*"', pattern: 'x' }))).toBe(false);
  });

  it('fail clearly when the path is deleted after the check', async () => {
    at.write('sub/a.txt');
    const invocation = at.build(true, { pattern: 'hit', dir_path: 'sub/a.txt' });
    at.cleanup();
    const result = await invocation.execute({ abortSignal: new AbortController().signal });
    expect(result.error?.type).toBe(ToolErrorType.SEARCH_PATH_NOT_FOUND);
  });

  it('are declared in few words', () => {
    expect(JSON.stringify(at.tool(true).schema).length).toBeLessThan(1300);
  });
});
