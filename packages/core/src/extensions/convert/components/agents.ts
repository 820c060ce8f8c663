/** Agents of a plugin as agent files of this program: flat, with our names of tools. Rights never grow. */
import { basename, dirname } from 'node:path';
import { isClaudeModel } from '../../../agents/definition/claude-format.js';
import { readBrokenHeader } from '../../../agents/definition/fix/broken-header.js';
import { fixLocalFields } from '../../../agents/definition/fix/fix-local.js';
import type { FixNotes } from '../../../agents/definition/fix/fix-notes.js';
import { type PluginText, transformBody } from '../../../agents/definition/fix/transform-body.js';
import { kindOf, parseAgentFile, problemText } from '../../../agents/definition/parse-agent-file.js';
import { isBuiltinTool, splitTools } from '../../../agents/definition/tool-entries.js';
import { isObject } from '../../../base/objects.js';
import { CLAUDE_TOOL_NAMES } from '../../../protocol/claude-tool-names.js';
import { componentName, freeName } from '../names.js';
import { MAX_TEXT_BYTES } from '../read/read-texts.js';
import type { ConvertOptions, ReportRow, SourceText } from '../types.js';
import { type ServerNames, withServerNames } from './mcp-names.js';
import { convertServer, type ServerContext } from './mcp-servers.js';
import { notSuppliedInText } from './variables.js';

/** The names of `agents/builtin/`; a file of that name would never be used. */
const BUILTIN_AGENTS: ReadonlySet<string> = new Set([
  'browser_agent',
  'cli_help',
  'codebase_investigator',
  'generalist',
]);
const TOOL_KEYS = ['tools', 'allowed-tools', 'allowedTools', 'allowed_tools', 'disallowedTools'];
const KNOWN_MODEL = /^(?:inherit|gemini-|gemma-|auto|pro$|flash)|\//;
/** What an agent of Claude Code may use in plan mode. */
const READING_TOOLS = [
  'read_file',
  'read_many_files',
  'glob',
  'grep_search',
  'list_directory',
  'web_fetch',
  'google_web_search',
  'write_todos',
];
const CALLS_AGENTS = /^(?:Task|Agent|invoke_agent)(?:\(|$)/;

export interface AgentContext {
  pluginName: string;
  options: ConvertOptions;
  servers: ServerNames;
  serverContext: ServerContext;
  textOf: (file: string) => PluginText;
}

export interface ConvertedAgents {
  /** By name of the file in `agents/`. */
  files: Map<string, string>;
  rows: ReportRow[];
}

export async function convertAgents(
  agents: readonly SourceText[],
  context: AgentContext,
): Promise<ConvertedAgents> {
  const result: ConvertedAgents = { files: new Map(), rows: [] };
  const taken = new Set<string>();
  for (const agent of agents) {
    const { name, text, changes, losses, problem } = await convertAgent(agent, taken, context);
    const source = agent.path;
    if (problem !== undefined) {
      result.rows.push({ action: 'skipped', kind: 'agent', source, reason: problem });
      continue;
    }
    taken.add(name);
    const target = `agents/${name}.md`;
    result.files.set(`${name}.md`, text);
    const reason = changes.join(' ');
    result.rows.push({ action: 'converted', kind: 'agent', source, target, ...(reason && { reason }) });
    for (const loss of losses)
      result.rows.push({ action: 'warned', kind: 'agent', source, target, reason: loss });
  }
  return result;
}

interface ConvertedAgent extends FixNotes {
  name: string;
  text: string;
  problem?: string;
}

async function convertAgent(
  { path, text }: SourceText,
  taken: ReadonlySet<string>,
  context: AgentContext,
): Promise<ConvertedAgent> {
  const header = await readBrokenHeader(text);
  const notes: FixNotes = { changes: [], losses: [...header.changes] };
  const failed = (problem: string): ConvertedAgent => ({ name: '', text: '', ...notes, problem });
  if (header.list || kindOf(header.data) === 'remote')
    return failed('agents on other servers are not part of plugins');
  const given = withKnownSpelling(header.data);
  const data = prepare(given, context, notes);
  const body = transformBody(header.body, context.textOf(path));
  notes.losses.push(...notSuppliedInText(body).map((loss) => `${loss}.`));
  const fields = fixLocalFields(data, { body: header.body, fileName: basename(path, '.md') }, notes);
  if (header.losesTools && fields['tools'] === undefined) {
    fields['tools'] = [];
    notes.losses.push('The agent has no tools: its list of tools is outside the header.');
  }
  if (context.options.inheritTools && Array.isArray(fields['tools']) && fields['tools'].length === 0) {
    delete fields['tools'];
    notes.losses.push('The agent has all tools of the session (--inherit-tools).');
  }
  // Last, so that --inherit-tools gives it no tools that write.
  if (given['permissionMode'] === 'plan') {
    fields['tools'] = readingTools(fields['tools']);
    notes.losses.push('It was limited by permissionMode plan: only tools that read are kept.');
  }
  const name = chooseName(String(fields['name']), path, taken, context, notes);
  const description = String(fields['description']);
  const written = await write(
    { ...fields, name, description },
    body.trim() === '' ? `\n${description}\n` : body,
    text,
  );
  if (Buffer.byteLength(written) > MAX_TEXT_BYTES) return failed('it becomes larger than 1 MB');
  const { problem } = await parseAgentFile(written, { kind: 'extension', file: path });
  return problem
    ? failed(problemText(problem).split('\n').slice(1, 3).join(' ').trim())
    : { name, text: written, ...notes };
}

const FIELDS = ['name', 'description', 'model', ...TOOL_KEYS, 'permissionMode', 'maxTurns'];

/** `Tools:` limits the agent as its author meant it. */
function withKnownSpelling(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(given).map(([key, value]) => {
    const known = FIELDS.find((field) => field.toLowerCase() === key.toLowerCase());
    return [known === undefined || Object.hasOwn(given, known) ? key : known, value] as const;
  });
  return Object.fromEntries(entries);
}

/** Brings fields of Claude Code into a form that the fix of agent files knows. */
function prepare(
  given: Readonly<Record<string, unknown>>,
  context: AgentContext,
  notes: FixNotes,
): Record<string, unknown> {
  const { options, servers } = context;
  const data: Record<string, unknown> = { ...given };
  for (const key of ['disallowed-tools', 'disallowed_tools']) {
    if (data[key] !== undefined) data['disallowedTools'] ??= data[key];
    delete data[key];
  }
  for (const key of TOOL_KEYS) {
    const value = data[key];
    const entries = typeof value === 'string' ? toolsIn(value) : Array.isArray(value) ? value : undefined;
    if (!entries) continue;
    const texts = entries.filter((entry) => typeof entry === 'string');
    if (key !== 'disallowedTools' && texts.some((entry) => CALLS_AGENTS.test(entry)))
      notes.losses.push('Agents cannot call agents here: Task is removed from its tools.');
    data[key] = texts.map((entry) => withServerNames(entry, servers));
  }
  const { model } = data;
  if (typeof model === 'string' && options.modelMap && Object.hasOwn(options.modelMap, model))
    data['model'] = options.modelMap[model];
  else if (model !== undefined && !isClaudeModel(model) && !KNOWN_MODEL.test(String(model)))
    notes.losses.push(
      `The model ${String(model).slice(0, 60)} is unknown here: the agent uses the model of the session.`,
    );
  if (data['permissionMode'] === 'dontAsk')
    notes.losses.push('permissionMode dontAsk refused what needs permission; here you are asked instead.');
  for (const key of ['mcpServers', 'mcp_servers']) {
    if (data[key] === undefined) continue;
    data[key] = ownServers(data[key], context, notes);
    if (data[key] === undefined) delete data[key];
  }
  return data;
}

/** Some write spaces instead of commas. Only names that are known are told apart so. */
function toolsIn(text: string): string[] {
  const words = text.trim().split(/\s+(?![^(]*\))/);
  const isKnown = (word: string) => {
    const name = word.replace(/\(.*/, '');
    return Object.hasOwn(CLAUDE_TOOL_NAMES, name) || name.startsWith('mcp__');
  };
  return words.length > 1 && words.every(isKnown) ? words : splitTools(text);
}

function readingTools(tools: unknown): string[] {
  const given = Array.isArray(tools) && !tools.includes('*') ? tools : READING_TOOLS;
  return READING_TOOLS.filter((name) => given.includes(name));
}

/** Claude Code also takes names of servers, which are there anyway. */
function ownServers(value: unknown, { serverContext }: AgentContext, notes: FixNotes): unknown {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const names = items.filter((item) => typeof item === 'string');
  if (names.length > 0)
    notes.losses.push(
      `mcpServers names ${names.join(', ').slice(0, 100)}: servers of the session are there anyway.`,
    );
  const maps = items.filter(isObject);
  const converted = maps
    .flatMap((map) => Object.entries(map))
    .flatMap(([name, server]) => {
      const { fields, losses, problem } = convertServer(server, serverContext);
      notes.losses.push(...losses.map((loss) => `mcpServers.${name}: ${loss}.`));
      if (problem !== undefined) notes.losses.push(`mcpServers.${name}: ${problem}.`);
      if (!fields) return [];
      const { oauth, ...kept } = fields;
      if (oauth !== undefined)
        notes.losses.push(`mcpServers.${name}: oauth is not kept for servers of agents.`);
      return [[name, kept] as const];
    });
  return converted.length > 0 ? Object.fromEntries(converted) : undefined;
}

/** References to a renamed agent stay as they are. */
function chooseName(
  wanted: string,
  path: string,
  taken: ReadonlySet<string>,
  { pluginName }: AgentContext,
  notes: FixNotes,
): string {
  const isReserved =
    BUILTIN_AGENTS.has(wanted) || BUILTIN_AGENTS.has(wanted.replaceAll('-', '_')) || isBuiltinTool(wanted);
  const plain = isReserved ? `${pluginName}-${wanted}` : wanted;
  const parent = componentName(basename(dirname(path)));
  const name = freeName(taken, [plain, `${parent}-${plain}`]);
  if (isReserved) notes.losses.push(`"${wanted}" is the name of a built-in agent: it is called ${name}.`);
  else if (name !== plain)
    notes.losses.push(
      `Another agent is called "${plain}": this one is ${name}; texts that name it are not changed.`,
    );
  return name;
}

async function write(fields: unknown, body: string, original: string): Promise<string> {
  const { CORE_SCHEMA, dump } = await import('js-yaml');
  const end = /^[^\n]*\r\n/.test(original) ? '\r\n' : '\n';
  const header = `---\n${dump(fields, { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true })}---\n`;
  return header.replaceAll('\n', end) + body;
}
