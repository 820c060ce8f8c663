import { describe, expect, it } from 'vitest';
import { ApprovalMode } from '../protocol/confirmation.js';
import { SystemPromptSource } from './override.js';
import type { PromptSituation } from './situation.js';

const READING = ['list_directory', 'read_file', 'grep_search', 'glob'];
const ALL = [
  ...READING,
  'replace',
  'write_file',
  'run_shell_command',
  'list_background_processes',
  'read_background_output',
  'web_fetch',
  'google_web_search',
  'save_memory',
];
const INTERACTIVE = [...ALL, 'ask_user', 'enter_plan_mode', 'update_topic', 'activate_skill', 'invoke_agent'];

const headless: PromptSituation = {
  interactive: false,
  approvalMode: ApprovalMode.YOLO,
  model: 'gemini-3.8-flash',
  toolNames: ALL,
  sandbox: 'none',
  isGitRepository: true,
};
const interactive: PromptSituation = {
  ...headless,
  interactive: true,
  approvalMode: ApprovalMode.DEFAULT,
  toolNames: INTERACTIVE,
};
const everything: PromptSituation = {
  ...interactive,
  approvalMode: ApprovalMode.YOLO,
  toolNames: [...INTERACTIVE, 'tracker_create_task'],
  subAgents: [{ name: 'investigator', description: 'Answers questions about a large code base.' }],
  skills: [
    {
      name: 'release',
      description: 'Makes a release </skill>.',
      location: '/home/me/skills/release/SKILL.md',
    },
  ],
  sandbox: 'docker',
  instructions: 'Be an expert on boats.',
  memory:
    '--- Context from: /home/me/.gemini/GEMINI.md ---\nUse tabs.\n--- End of Context from: /home/me/.gemini/GEMINI.md ---',
  activeTopic: 'Mending the pump',
};
const planning: PromptSituation = {
  ...interactive,
  approvalMode: ApprovalMode.PLAN,
  toolNames: [...READING, 'write_file', 'exit_plan_mode', 'ask_user'],
  plansDirectory: '/tmp/project/session/plans',
};

const prompts = new SystemPromptSource({
  env: {},
  projectDir: '',
  homeDir: '',
  isTrusted: () => true,
  notice: (text) => expect.fail(text),
});
const bytes = (situation: PromptSituation) => Buffer.byteLength(prompts.compose(situation));

describe('the system prompt', () => {
  it.each<[string, PromptSituation]>([
    ['headless-yolo', headless],
    ['headless-default', { ...headless, approvalMode: ApprovalMode.DEFAULT, toolNames: READING }],
    ['interactive-default', interactive],
    ['interactive-auto-edit', { ...interactive, approvalMode: ApprovalMode.AUTO_EDIT }],
    ['interactive-everything', everything],
    ['plan-interactive', planning],
    ['plan-headless', { ...headless, approvalMode: ApprovalMode.PLAN, toolNames: READING }],
    ['short', { ...headless, model: 'gemini-2.5-flash', toolNames: [...ALL, 'write_todos'] }],
    ['nothing-known', { interactive: false, approvalMode: ApprovalMode.DEFAULT }],
  ])('matches its snapshot: %s', async (name, situation) => {
    await expect(`${prompts.compose(situation)}\n`).toMatchFileSnapshot(`./__snapshots__/${name}.md`);
  });

  it('stays small', () => {
    expect(bytes(headless)).toBeLessThan(4500);
    expect(bytes(interactive)).toBeLessThan(5500);
    expect(bytes({ ...interactive, approvalMode: ApprovalMode.YOLO })).toBeLessThan(5500);
    expect(bytes(planning)).toBeLessThan(5500);
    const toolNames = Array.from({ length: 150 }, (_, index) => `mcp_server_tool_${index}`);
    const withServers = { ...planning, toolNames: [...(planning.toolNames ?? []), ...toolNames] };
    expect(bytes(withServers)).toBe(bytes(planning));
  });

  it.each([
    'gemini-2.5-flash',
    'gemini-3.5-flash-lite',
    'gemma-4-27b',
    'openai/gpt-5-mini',
    'ollama/qwen3:8b',
  ])('is shorter for %s', (model) => {
    expect(bytes({ ...headless, model })).toBeLessThan(bytes(headless) * 0.75);
  });

  it('names only tools that are declared', () => {
    const known =
      /`(replace|write_file|run_shell_command|write_todos|ask_user|save_memory|update_topic|exit_plan_mode|invoke_agent|activate_skill)`/g;
    const prompt = prompts.compose({ ...everything, toolNames: READING });
    expect(prompt.match(known)).toBeNull();
  });

  it('is the same every time', () => {
    expect(prompts.compose(everything)).toBe(prompts.compose({ ...everything }));
  });

  it('leaves no condition and no placeholder in the text', () => {
    for (const situation of [headless, interactive, everything, planning]) {
      expect(prompts.compose(situation)).not.toMatch(/^\{|\$\{/m);
    }
  });

  it('does not mistake a tool for a state of the session', () => {
    const toolNames = [...ALL, 'interactive', 'plan', 'skills', 'repository'];
    expect(prompts.compose({ ...headless, toolNames })).toBe(prompts.compose(headless));
  });

  it('puts instructions before memory, and the topic last', () => {
    const prompt = prompts.compose(everything);
    const places = [
      'Keep going until',
      'Be an expert on boats.',
      'Use tabs.',
      'Active topic: Mending the pump',
    ];
    const positions = places.map((text) => prompt.indexOf(text));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(positions[0]).toBeGreaterThan(0);
    expect(prompt.endsWith('Active topic: Mending the pump')).toBe(true);
  });

  it('escapes descriptions so that they stay inside their list', () => {
    expect(prompts.compose(everything)).toContain('Makes a release &lt;/skill&gt;.');
  });
});

describe('the GEMINI_PROMPT switches', () => {
  it.each([
    ['PREAMBLE', everything, 'You are'],
    ['COREMANDATES', everything, '# Rules'],
    ['AGENTCONTEXTS', everything, '# Sub-agents'],
    ['AGENTSKILLS', everything, '# Skills'],
    ['HOOKCONTEXT', everything, '<hook_context>'],
    ['PRIMARYWORKFLOWS', everything, '# Way of working'],
    ['PLANNINGWORKFLOW', planning, '# Plan mode'],
    ['TASKTRACKER', everything, '# Tasks'],
    ['OPERATIONALGUIDELINES', everything, '# Manner'],
    ['SANDBOX', everything, 'sandbox (docker)'],
    ['INTERACTIVEYOLOMODE', everything, '# Autonomous mode'],
    ['GIT', everything, '# Git'],
    ['FINALREMINDER', everything, 'Keep going until'],
  ] as const)('GEMINI_PROMPT_%s leaves its section out', (key, situation, mark) => {
    const withSwitch = (value: string) =>
      prompts.compose({ ...situation, env: { [`GEMINI_PROMPT_${key}`]: value } });
    expect(withSwitch('1')).toContain(mark);
    expect(withSwitch('')).toContain(mark);
    expect(withSwitch('0')).not.toContain(mark);
    expect(withSwitch('False')).not.toContain(mark);
  });

  it('leaves out what does not apply', () => {
    const prompt = prompts.compose({
      ...headless,
      isGitRepository: false,
      hooks: false,
      sandbox: undefined,
    });
    for (const mark of [
      '# Git',
      '<hook_context>',
      'sandbox',
      '# Skills',
      '# Sub-agents',
      '# Tasks',
      '/help',
    ]) {
      expect(prompt).not.toContain(mark);
    }
  });

  it('leaves out the advice on output when it is disabled', () => {
    expect(prompts.compose(headless)).toContain('Keep output small');
    expect(prompts.compose({ ...headless, shellOutputEfficiency: false })).not.toContain('Keep output small');
  });
});
