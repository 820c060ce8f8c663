/** Snapshots of all that each model family reads about the built-in tools, so that a review shows every changed word. */
import { makeBus } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { FunctionDeclaration } from '../protocol/tool-declaration.js';
import { BUILTIN_TOOLS, registerBuiltinTools, type ToolHost, type ToolSelection } from './catalog.js';
import { CompleteTaskTool } from './complete-task/complete-task.js';
import { RecallTurnTool } from './recall-turn/recall-turn.js';
import { SearchToolsTool } from './search-tools/search-tools.js';
import { ToolRegistry } from './tool-registry.js';

const SELECTION = { useWriteTodos: true, planEnabled: true, topicNarration: true, taskTracker: false };
const bus = makeBus();

/** The part of a session's host that decides which tools are declared, and how. */
function hostWith({
  approvalMode = ApprovalMode.DEFAULT,
  hasBackground = false,
  isSandboxed = false,
  isDirectWebFetch = false,
  skills = [] as string[],
  agents = [] as string[],
  hasResources = false,
} = {}): ToolHost {
  return {
    isInteractive: () => true,
    getApprovalMode: () => approvalMode,
    getShellExecutionService: () => ({ hasBackground: () => hasBackground }),
    getToolSandbox: () => (isSandboxed ? {} : undefined),
    isDirectWebFetch: () => isDirectWebFetch,
    getSkillActivation: () => ({ listed: () => skills.map((name) => ({ name })) }),
    getAgentCaller: () => ({ names: () => agents }),
    getMcpResources: () => (hasResources ? { list: () => [{}] } : undefined),
  } as ToolHost;
}

function declared(
  host: ToolHost,
  modelId: string,
  selection: Partial<ToolSelection> = {},
): FunctionDeclaration[] {
  const registry = new ToolRegistry({ isAlwaysDenied: () => false });
  registerBuiltinTools(registry, host, bus, { ...SELECTION, ...selection });
  return registry.getFunctionDeclarations(modelId);
}

/** One line per parameter, so that a difference is as small as the change. */
function page(declarations: readonly FunctionDeclaration[]): string {
  return declarations
    .map(({ name, description, parametersJsonSchema: { properties = {}, ...rest } }) =>
      [
        `## ${name}\n${description}\n`,
        ...Object.entries(properties).map(
          ([parameter, schema]) => `- ${parameter}: ${JSON.stringify(schema)}`,
        ),
        `- ${JSON.stringify(rest)}\n`,
      ].join('\n'),
    )
    .join('\n');
}

describe('the declarations of tools', () => {
  it.each([
    ['gemini-3', 'gemini-3-pro-preview'],
    ['gemini-2', 'gemini-2.5-pro'],
    ['other-providers', 'openai/gpt-5'],
  ])('match the snapshot of the model family %s', async (family, model) => {
    await expect(page(declared(hostWith(), model))).toMatchFileSnapshot(`./__snapshots__/${family}.md`);
  });

  it.each([
    ['special-situations', 'gemini-2.5-pro'],
    ['special-situations-gemini-3', 'gemini-3-pro-preview'],
  ])('match the snapshot for tools that only some sessions have: %s', async (file, model) => {
    const situation = {
      approvalMode: ApprovalMode.PLAN,
      hasBackground: true,
      isSandboxed: true,
      isDirectWebFetch: true,
      skills: ['code-reviewer', 'skill-creator'],
      agents: ['helper'],
      hasResources: true,
    };
    const everything = BUILTIN_TOOLS.map(({ name }) => name);
    const usual = new Set(declared(hostWith(), model).map((tool) => JSON.stringify(tool)));
    const special = declared(hostWith(situation), model, {
      coreTools: everything,
      taskTracker: true,
    });
    const others = [
      new RecallTurnTool({ hasArchive: () => true, recall: () => undefined, listTurns: () => [] }, bus),
      new SearchToolsTool({ getDeferredTools: () => [], fetch: () => [] }, bus),
      new CompleteTaskTool({ output: undefined, complete: async () => undefined }, bus),
    ];
    const unusual = special.filter((tool) => !usual.has(JSON.stringify(tool)));
    await expect(page([...unusual, ...others.map((tool) => tool.getSchema(model))])).toMatchFileSnapshot(
      `./__snapshots__/${file}.md`,
    );
  });

  it('differ between the families in words only, and are shorter for Gemini 3', () => {
    const [older, newer] = ['gemini-2.5-pro', 'gemini-3-pro-preview'].map((model) =>
      declared(hostWith(), model, { coreTools: BUILTIN_TOOLS.map(({ name }) => name) }),
    );
    expect(newer?.map(withoutWords)).toEqual(older?.map(withoutWords));
    expect(page(newer ?? []).length).toBeLessThan(page(older ?? []).length * 0.9);
  });
});

function withoutWords(declaration: FunctionDeclaration): unknown {
  const isText = (key: string, value: unknown) => key === 'description' && typeof value === 'string';
  return JSON.parse(
    JSON.stringify(declaration, (key, value: unknown) => (isText(key, value) ? undefined : value)),
  );
}
