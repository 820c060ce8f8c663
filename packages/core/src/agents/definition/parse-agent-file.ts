/** From the text of an agent file to definitions, or to everything that is wrong with it. */
import { type FrontMatter, parseFrontMatter } from '../../base/front-matter.js';
import { isObject } from '../../base/objects.js';
import type { AgentDefinition, AgentSource } from '../types.js';
import { hashOf } from './agent-hash.js';
import { isClaudeFormat, isClaudeModel } from './claude-format.js';
import { type FieldIssue, issueText } from './issue.js';
import { checkLocal, toLocalDefinition } from './local-fields.js';
import { checkRemote, toRemoteDefinition } from './remote-fields.js';

/** Why a file gave no agent. */
export interface AgentFileProblem {
  file: string;
  issues: (FieldIssue & { kind?: 'local' | 'remote' })[];
  /** Written for Claude Code: converting it helps. */
  isClaudeFormat: boolean;
  hasHeader: boolean;
}

export interface ParsedAgentFile {
  definitions: AgentDefinition[];
  problem?: AgentFileProblem;
  /** The agent works, but not all was understood. */
  warnings: string[];
}

export interface ParseOptions {
  /** Models that the settings name; Claude Code's names are replaced otherwise. */
  isKnownModel?: (model: string) => boolean;
}

/** @param source with the path of the file */
export async function parseAgentFile(
  text: string,
  source: AgentSource & { file: string },
  { isKnownModel = () => false }: ParseOptions = {},
): Promise<ParsedAgentFile> {
  const header = await readHeader(text);
  const { file } = source;
  const failed = (issues: AgentFileProblem['issues']): ParsedAgentFile => ({
    definitions: [],
    problem: { file, issues, isClaudeFormat: isClaudeFormat(header.data), hasHeader: header.hasHeader },
    warnings: [],
  });
  if (!header.hasHeader) return failed([missingHeader(header)]);
  if (header.list) {
    const issues = header.list.flatMap((item, index) => listIssues(item, index));
    if (issues.length > 0 || header.list.length === 0)
      return failed(issues.length > 0 ? issues : [EMPTY_LIST]);
    const definitions = header.list.filter(isObject).map((item) => toRemoteDefinition(item, source));
    return { definitions: definitions.map((one) => withHash(one, text)), warnings: [] };
  }
  const kind = kindOf(header.data);
  const issues = kind === 'remote' ? checkRemote(header.data) : checkLocal(header.data);
  if (issues.length > 0) {
    const unread = header.problem
      ? [{ field: '', message: header.problem, cure: 'Put texts with ": " in quotes.' }]
      : [];
    return failed([...unread, ...issues].map((issue) => ({ ...issue, kind })));
  }
  const warnings = header.problem ? [`${file}: ${header.problem}.`] : [];
  const data = { ...header.data };
  if (isClaudeModel(data['model']) && !isKnownModel(data['model'])) {
    warnings.push(`${file}: the model '${data['model']}' is Claude Code's; the agent uses the main model.`);
    data['model'] = 'inherit';
  }
  const definition =
    kind === 'remote' ? toRemoteDefinition(data, source) : toLocalDefinition(data, header.body, source);
  return { definitions: [withHash(definition, text)], warnings };
}

/** All mistakes, each with its cure. */
export function problemText({ file, issues }: AgentFileProblem): string {
  const lines = issues.flatMap((issue) => {
    const prefix = issue.kind ? `(${issue.kind === 'remote' ? 'Remote' : 'Local'} Agent) ` : '';
    return [`${prefix}${issueText(issue)}`, `    ${issue.cure}`];
  });
  const title =
    issues.length === 1 ? 'the definition is not valid.' : `the definition has ${issues.length} mistakes.`;
  return [
    `Failed to load agent from ${file}: ${title}`,
    ...lines.map((line) => `  ${line}`),
    `  ${fixHint(file)}`,
  ].join('\n');
}

function fixHint(file: string): string {
  return `To fix the file: gemini agents validate ${/^[\w./~-]+$/.test(file) ? file : JSON.stringify(file)} --fix`;
}

/** As parsed; numbers that were read line by line are texts until here. */
async function readHeader(text: string): Promise<FrontMatter> {
  const header = await parseFrontMatter(text);
  if (!header.problem) return header;
  const data = Object.entries(header.data).map(([key, value]) => [
    key,
    isNumeric(key, value) ? Number(value) : value,
  ]);
  return { ...header, data: Object.fromEntries(data) };
}

const NUMBERS = new Set(['temperature', 'max_turns', 'timeout_mins']);

function isNumeric(key: string, value: unknown): boolean {
  return NUMBERS.has(key) && typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
}

const CARD_KEYS = ['agent_card_url', 'agent_card_json', 'agentCardUrl', 'agentCardJson'];

/** The kind that the author meant, also where `kind` is missing. */
export function kindOf(data: Readonly<Record<string, unknown>>): 'local' | 'remote' {
  const isRemote = CARD_KEYS.some((key) => Object.hasOwn(data, key));
  return data['kind'] === 'remote' || (isRemote && data['kind'] !== 'local') ? 'remote' : 'local';
}

const EMPTY_LIST: FieldIssue = {
  field: '',
  message: 'The list of agents is empty',
  cure: 'Add an agent to it.',
};

function listIssues(item: unknown, index: number): AgentFileProblem['issues'] {
  if (isObject(item) && kindOf(item) === 'local') {
    const message = 'A list may contain remote agents only';
    return [
      {
        field: String(index),
        message,
        cure: 'Write each local agent into a file of its own.',
        kind: 'local',
      },
    ];
  }
  return checkRemote(item, String(index)).map((issue) => ({ ...issue, kind: 'remote' as const }));
}

function missingHeader({ problem }: FrontMatter): FieldIssue {
  if (problem)
    return {
      field: '',
      message: `Invalid front matter: ${problem}`,
      cure: 'Add a line "---" after the fields.',
    };
  return {
    field: '',
    message: 'Missing front matter: the file must begin with "---", fields such as name, and "---"',
    cure: 'Begin the file with: ---, name: my-agent, description: What it does, ---, each on its own line.',
  };
}

function withHash<T extends AgentDefinition>(definition: T, text: string): T {
  return {
    ...definition,
    source: { kind: 'program', ...definition.source, hash: hashOf(definition, text) },
  };
}
