/** What one line in the tool catalog brings, shown with a tool that no other file mentions. */
import { makeBus } from '@gemini-cli/test-utils';
import { afterAll, describe, expect, it } from 'vitest';
import { policyListsFrom } from '../engine/compose-policy.js';
import type { ConfigParameters } from '../engine/parameters.js';
import { processEnvironment } from '../platform/environment.js';
import { PolicyEngine } from '../policy/policy-engine.js';
import { policyLab } from '../policy/policy-lab.test-helper.js';
import { ApprovalMode, PolicyDecision } from '../protocol/confirmation.js';
import { withDefaults } from '../settings/schema/parameters.js';
import { BUILTIN_TOOLS, type BuiltinTool, registerBuiltinTools, type ToolHost } from '../tools/catalog.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import {
  BaseDeclarativeTool,
  BaseToolInvocation,
  Kind,
  type ToolInvocation,
  type ToolResult,
} from '../tools/tools.js';

class CountWordsTool extends BaseDeclarativeTool<object, ToolResult> {
  static readonly Name = 'count_words';

  constructor(bus = makeBus()) {
    super(CountWordsTool.Name, 'CountWords', 'Counts words.', Kind.Read, { type: 'object' }, bus);
  }

  protected createInvocation(params: object): ToolInvocation<object, ToolResult> {
    return new CountWordsInvocation(params, this.messageBus, this.name, this.displayName);
  }
}

class CountWordsInvocation extends BaseToolInvocation<object, ToolResult> {
  getDescription(): string {
    return 'Counting words';
  }

  protected async run(): Promise<ToolResult> {
    return { llmContent: '2', returnDisplay: '2' };
  }
}

/** The one line. */
const LINE: BuiltinTool = {
  name: CountWordsTool.Name,
  className: 'CountWordsTool',
  create: (_host, bus) => new CountWordsTool(bus),
};
/** Tools that are declared only in some situations would need a whole host. */
const TOOLS = [...BUILTIN_TOOLS.filter(({ worksWith }) => !worksWith), LINE];
const NAME = LINE.name;
const CLASS = LINE.className;

const lab = policyLab();
afterAll(() => lab.folder.cleanup());

function session(parameters: Partial<ConfigParameters> = {}) {
  const policy = lab.make(policyListsFrom(parameters as ConfigParameters, TOOLS));
  const registry = new ToolRegistry(policy);
  const host = { isInteractive: () => true } as ToolHost;
  registerBuiltinTools(registry, host, makeBus(), withDefaults(parameters), TOOLS);
  const decide = (name = NAME) => policy.evaluate({ name, args: {} });
  return { policy, registry, decide, declared: () => registry.getCallableToolNames() };
}

describe('a tool with one line in the catalog', () => {
  it('is declared, and asks before it runs although no rule names it', async () => {
    const { decide, registry } = session();
    expect(registry.getTool(NAME)).toBeInstanceOf(CountWordsTool);
    expect(await decide()).toBe(PolicyDecision.ASK_USER);
  });

  it('is refused and not declared where no user can answer', async () => {
    const policy = new PolicyEngine({
      environment: processEnvironment(),
      approvalMode: ApprovalMode.DEFAULT,
      interactive: false,
      kindOf: () => undefined,
    });
    expect(await policy.evaluate({ name: NAME, args: {} })).toBe(PolicyDecision.DENY);
    expect(policy.isAlwaysDenied(NAME)).toBe(true);
  });

  it.each([NAME, CLASS, `${CLASS}(x)`])('is the only one left with tools.core: ["%s"]', async (entry) => {
    const { registry } = session({ coreTools: [entry] });
    expect(registry.getAllToolNames()).toEqual([NAME]);
  });

  it.each([NAME, CLASS])('may run with tools.core or tools.allowed: ["%s"]', async (entry) => {
    expect(await session({ coreTools: [entry] }).decide()).toBe(PolicyDecision.ALLOW);
    expect(await session({ coreTools: [entry] }).decide('glob')).toBe(PolicyDecision.DENY);
    expect(await session({ allowedTools: [entry] }).decide()).toBe(PolicyDecision.ALLOW);
  });

  it.each([NAME, CLASS])('is hidden and refused with tools.exclude: ["%s"]', async (entry) => {
    const { decide, declared } = session({ excludeTools: [entry], allowedTools: [NAME] });
    expect(await decide()).toBe(PolicyDecision.DENY);
    expect(declared()).not.toContain(NAME);
    expect(declared()).toContain('glob');
  });

  it('is suggested for a misspelt call', () => {
    expect(session().registry.describeMissing('countwords')).toContain(`"${NAME}"`);
  });

  it('is a valid name in policy files, and the suggestion for a misspelt one', async () => {
    const warningsFor = async (name: string) => {
      const engine = lab.make({
        files: {
          'home/.gemini/policies/rules.toml': `[[rule]]\ntoolName = "${name}"\ndecision = "deny"\npriority = 1\n`,
        },
        sourcesWith: { toolNames: TOOLS.map((tool) => tool.name) },
      });
      return (await engine.reload())?.problems.map(({ message }) => message);
    };
    expect(await warningsFor(NAME)).toEqual([]);
    expect(await warningsFor('count_word')).toEqual([
      `There is no tool "count_word". Did you mean "${NAME}"?`,
    ]);
  });
});

describe('names in lists of the settings', () => {
  it.each<[string, string]>([
    ['ShellTool(git status)', 'run_shell_command(git status)'],
    [' EditTool ', 'replace'],
    ['RipGrepTool', 'grep_search'],
    ['LSTool', 'list_directory'],
    ['search_file_content', 'grep_search'],
    ['read_file', 'read_file'],
    ['mcp_s_UnknownTool', 'mcp_s_UnknownTool'],
  ])('%s means %s', (entry, meant) => {
    expect(policyListsFrom({ excludeTools: [entry] } as ConfigParameters).excludedTools).toEqual([meant]);
  });

  it('register the tool that an older spelling in tools.core means', () => {
    const { registry } = session({ coreTools: ['search_file_content'] });
    expect(registry.getAllToolNames()).toEqual(['grep_search']);
  });
});

describe('a tool that a setting enables or disables', () => {
  it('leaves out update_topic without general.topicUpdateNarration, even if tools.core names it', () => {
    expect(session().registry.getAllToolNames()).toContain('update_topic');
    expect(session({ topicNarration: false }).registry.getAllToolNames()).not.toContain('update_topic');
    expect(
      session({ topicNarration: false, coreTools: ['update_topic'] }).registry.getAllToolNames(),
    ).toEqual([]);
  });

  it('has the tools of the tracker in place of the todo list with experimental.taskTracker', () => {
    const tracker = (names: string[]) => names.filter((name) => name.startsWith('tracker_'));
    const off = session().registry.getAllToolNames();
    expect(tracker(off)).toEqual([]);
    expect(off).toContain('write_todos');
    const on = session({ taskTracker: true }).registry.getAllToolNames();
    expect(tracker(on)).toHaveLength(6);
    expect(on).not.toContain('write_todos');
  });
});
