/** Composes the instructions that go before every conversation. */
import {
  GLOB,
  GREP_SEARCH,
  LIST_DIRECTORY,
  READ_FILE,
  REPLACE,
  RUN_SHELL_COMMAND,
  WRITE_FILE,
} from '../protocol/tool-names.js';
import { listSkills, listSubAgents } from './prompt-lists.js';
import { fillSection, isMet, type SectionFacts } from './section-text.js';
import final from './sections/final.md';
import git from './sections/git.md';
import guidelines from './sections/guidelines.md';
import guidelinesShort from './sections/guidelines-short.md';
import hookContext from './sections/hook-context.md';
import interactiveYolo from './sections/interactive-yolo.md';
import mandates from './sections/mandates.md';
import mandatesShort from './sections/mandates-short.md';
import memoryIntroduction from './sections/memory.md';
import plan from './sections/plan.md';
import preamble from './sections/preamble.md';
import sandbox from './sections/sandbox.md';
import skills from './sections/skills.md';
import subAgents from './sections/sub-agents.md';
import taskTracker from './sections/task-tracker.md';
import workflow from './sections/workflow.md';
import workflowShort from './sections/workflow-short.md';
import type { PromptSituation } from './situation.js';

interface Section {
  /** `GEMINI_PROMPT_<KEY>=0` leaves it out. */
  key: string;
  text: string;
  /** For small, older and other models. */
  short?: string;
  /** Conditions (see section-text.ts) that must all be met for the section to appear. */
  needs?: readonly string[];
}

/** In the order the model reads them. */
const SECTIONS: readonly Section[] = [
  { key: 'PREAMBLE', text: preamble },
  { key: 'COREMANDATES', text: mandates, short: mandatesShort },
  { key: 'AGENTCONTEXTS', text: subAgents, needs: ['invoke_agent', '@subAgents'] },
  { key: 'AGENTSKILLS', text: skills, needs: ['activate_skill', '@skills'] },
  { key: 'HOOKCONTEXT', text: hookContext, needs: ['@hooks'] },
  { key: 'PRIMARYWORKFLOWS', text: workflow, short: workflowShort, needs: ['!@plan'] },
  { key: 'PLANNINGWORKFLOW', text: plan, needs: ['@plan'] },
  { key: 'TASKTRACKER', text: taskTracker, needs: ['tracker_create_task'] },
  { key: 'OPERATIONALGUIDELINES', text: guidelines, short: guidelinesShort },
  { key: 'SANDBOX', text: sandbox, needs: ['@sandboxKnown', RUN_SHELL_COMMAND] },
  { key: 'INTERACTIVEYOLOMODE', text: interactiveYolo, needs: ['@interactive', '@yolo'] },
  { key: 'GIT', text: git, needs: ['@repository', RUN_SHELL_COMMAND] },
  { key: 'FINALREMINDER', text: final },
];

const USUAL_TOOLS = [LIST_DIRECTORY, READ_FILE, GREP_SEARCH, GLOB, REPLACE, WRITE_FILE, RUN_SHELL_COMMAND];

/**
 * The built-in part, without the user's instructions. Stable for a session and mode, so that the prompt cache works:
 * nothing here may change with time.
 */
export function composeSections(situation: PromptSituation): string {
  const facts = factsOf(situation);
  const isShort = prefersShortPrompt(situation.model);
  return SECTIONS.filter(
    ({ key, needs = [] }) => isOn(key, situation.env) && needs.every((condition) => isMet(condition, facts)),
  )
    .map(({ text, short }) => fillSection((isShort && short) || text, facts))
    .filter(Boolean)
    .join('\n\n');
}

/** Appends the user's instructions to the built-in prompt or its replacement; what changes most often comes last. */
export function appendContext(prompt: string, situation: PromptSituation): string {
  const { instructions, memory, activeTopic } = situation;
  const fromUser = [instructions, memory].map((text) => text?.trim()).filter(Boolean);
  return [
    prompt,
    ...(fromUser.length > 0 ? [memoryIntroduction.trim(), ...fromUser] : []),
    ...(activeTopic?.trim() ? [`Active topic: ${activeTopic.trim()}`] : []),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function factsOf(situation: PromptSituation): SectionFacts {
  const { interactive, approvalMode, plansDirectory, toolNames = USUAL_TOOLS } = situation;
  const agentList = listSubAgents(situation.subAgents ?? []);
  const skillList = listSkills(situation.skills ?? []);
  const states: Record<string, boolean> = {
    interactive,
    headless: !interactive,
    [approvalMode]: true,
    plansDirectory: Boolean(plansDirectory),
    subAgents: agentList !== '',
    skills: skillList !== '',
    hooks: situation.hooks !== false,
    sandboxKnown: situation.sandbox !== undefined,
    sandbox: situation.sandbox !== undefined && situation.sandbox !== 'none',
    repository: situation.isGitRepository === true,
    shellOutputEfficiency: situation.shellOutputEfficiency !== false,
  };
  return {
    holds: new Set([
      ...toolNames,
      ...Object.keys(states).flatMap((name) => (states[name] ? [`@${name}`] : [])),
    ]),
    values: {
      // MCP servers may add hundreds; those are only declared.
      toolNames: toolNames.filter((name) => !/^(?:mcp|discovered_tool)_/.test(name)).join(', '),
      plansDirectory: plansDirectory ?? '',
      sandbox: situation.sandbox ?? '',
      subAgents: agentList,
      skills: skillList,
    },
  };
}

function isOn(key: string, env: PromptSituation['env'] = {}): boolean {
  return !['0', 'false'].includes(env[`GEMINI_PROMPT_${key}`]?.trim().toLowerCase() ?? '');
}

/** Small and older models follow few rules better than many; so do most that run on one's own machine. */
function prefersShortPrompt(model: string | undefined): boolean {
  return (
    model !== undefined &&
    /^gemini-[12]|^gemma|^(ollama|lmstudio|llamacpp|vllm)\/|\b(lite|mini|nano|haiku)\b/.test(model)
  );
}
