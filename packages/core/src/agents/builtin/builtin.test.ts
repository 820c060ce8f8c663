import { describe, expect, it } from 'vitest';
import { noTelemetry } from '../../telemetry/record.js';
import type { BrowserAgentHost, BrowserAgentSettings } from '../browser/host.js';
import type { LocalAgentDefinition } from '../types.js';
import type { BuiltinAgentHost } from './host.js';
import { builtinAgents } from './index.js';

const NEVER = new AbortController().signal;

const SETTINGS: BrowserAgentSettings = {
  sessionMode: 'persistent',
  headless: false,
  allowedDomains: ['github.com', '*.google.com', 'localhost'],
  disableUserInput: true,
  maxActionsPerTask: 100,
  confirmSensitiveActions: false,
  blockFileUploads: false,
};

function hostWith(
  mainModel = 'gemini-3-pro-preview',
  browser: Partial<BrowserAgentHost> = {},
): BuiltinAgentHost {
  return {
    mainModel: () => mainModel,
    modelFor: (name) => (mainModel.includes('/') ? mainModel : name),
    mainPrompt: () => 'The main prompt.',
    browser: {
      settings: () => SETTINGS,
      environment: { variables: {}, cwd: '/w', home: '/h' },
      globalDir: '/h/.gemini',
      sandbox: 'none',
      uploadPath: (path) => path,
      recorder: noTelemetry,
      now: () => 0,
      ...browser,
    },
  };
}

/** All that a model reads about an agent and what bounds it, as a page for review. */
async function pageOf(agent: LocalAgentDefinition): Promise<string> {
  const { promptConfig, outputConfig } = (await agent.load?.({}, NEVER)) ?? {};
  return [
    `# ${agent.name}\n${agent.description}`,
    `## Input\n${JSON.stringify(agent.inputConfig.inputSchema, null, 2)}`,
    `## Prompt\n${promptConfig?.systemPrompt}`,
    `## First message\n${promptConfig?.query}`,
    `## Output: ${outputConfig?.outputName}\n${outputConfig?.description}\n${JSON.stringify(outputConfig?.schema, null, 2)}`,
  ].join('\n\n');
}

function agentNamed(name: string, host = hostWith()): LocalAgentDefinition {
  const agent = builtinAgents(host).find((entry) => entry.name === name);
  if (!agent) throw new Error(`There is no agent ${name}.`);
  return agent;
}

describe('the built-in agents', () => {
  it('have the limits, models and tools of the specification', () => {
    const facts = builtinAgents(hostWith()).map(
      ({ name, experimental, modelConfig, runConfig, toolConfig }) => ({
        name,
        ...(experimental && { experimental }),
        model: modelConfig.model,
        temperature: modelConfig.settings?.temperature,
        ...runConfig,
        tools: toolConfig?.tools,
      }),
    );
    expect(facts).toEqual([
      {
        name: 'codebase_investigator',
        model: 'gemini-3-flash-preview',
        temperature: 0.1,
        maxTurns: 50,
        maxTimeMinutes: 10,
        tools: ['list_directory', 'read_file', 'glob', 'grep_search'],
      },
      {
        name: 'cli_help',
        model: 'flash',
        temperature: 0.1,
        maxTurns: 10,
        maxTimeMinutes: 3,
        tools: ['get_internal_docs'],
      },
      {
        name: 'generalist',
        model: 'inherit',
        temperature: undefined,
        maxTurns: 20,
        maxTimeMinutes: 10,
        tools: undefined,
      },
      {
        name: 'browser_agent',
        experimental: true,
        model: 'flash',
        temperature: 0.1,
        maxTurns: 50,
        maxTimeMinutes: 10,
        tools: [],
      },
    ]);
  });

  it.each([
    ['gemini-3-pro-preview', 'gemini-3-flash-preview', { thinkingLevel: 'HIGH' }],
    ['gemini-2.5-flash', 'gemini-2.5-pro', { thinkingBudget: -1 }],
    ['vertex/gemini-2.5-pro', 'vertex/gemini-2.5-pro', { thinkingBudget: -1 }],
    ['openai/gpt-5', 'openai/gpt-5', { thinkingLevel: 'HIGH' }],
  ])('the investigator of %s uses %s', (main, model, thinking) => {
    const { modelConfig } = agentNamed('codebase_investigator', hostWith(main));
    expect(modelConfig.model).toBe(model);
    expect(modelConfig.settings?.thinkingConfig).toEqual({ includeThoughts: true, ...thinking });
  });

  it.each(['codebase_investigator', 'cli_help', 'generalist', 'browser_agent'])(
    'the words of %s match their snapshot',
    async (name) => {
      await expect(await pageOf(agentNamed(name))).toMatchFileSnapshot(`__snapshots__/${name}.md`);
    },
  );

  it('tell the browser agent about screenshots only where it can have them analysed', async () => {
    const visual = { settings: () => ({ ...SETTINGS, visualModel: 'gemini-x' }) };
    const prompt = async (browser: Partial<BrowserAgentHost>) =>
      (await agentNamed('browser_agent', hostWith('m', browser)).load?.({}, NEVER))?.promptConfig
        ?.systemPrompt;
    expect(await prompt(visual)).not.toContain('analyze_screenshot');
    expect(await prompt({ look: async () => '' })).not.toContain('analyze_screenshot');
    expect(await prompt({ ...visual, look: async () => '' })).toContain('analyze_screenshot');
  });

  it('report to their caller in words', async () => {
    const textOf = async (name: string, output: unknown) =>
      (await agentNamed(name).load?.({}, NEVER))?.processOutput?.(output);
    expect(await textOf('cli_help', { answer: 'Use /theme.', sources: ['themes.md'] })).toBe(
      'Use /theme.\n\nSources:\n- themes.md',
    );
    expect(await textOf('cli_help', { answer: 'Not documented.', sources: [] })).toBe('Not documented.');
    expect(await textOf('generalist', { response: 'Done.' })).toBe('Done.');
    expect(await textOf('browser_agent', { success: false, summary: 'No such page.' })).toBe(
      'The task was not done. No such page.',
    );
    const report = { SummaryOfFindings: 'x', ExplorationTrace: [], RelevantLocations: [] };
    expect(JSON.parse((await textOf('codebase_investigator', report)) ?? '')).toEqual(report);
  });
});
