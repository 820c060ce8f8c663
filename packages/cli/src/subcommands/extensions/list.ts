/** `gemini extensions list [-o text|json]`. */
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import {
  type GeminiCLIExtension,
  loadExtensionFiles,
  type McpServerFields,
  Redactor,
  type ResolvedExtensionSetting,
  setting,
  UserError,
} from '@gemini-cli/core';
import { oneLine } from '../../output/output.js';
import type { Subcommand } from '../subcommand.js';
import { type OpenedExtensions, openExtensions } from './open.js';
import { plainArguments, readingArguments } from './reading-arguments.js';

const list: Subcommand = async (args, io) => {
  const { values } = readingArguments('list [--output-format text|json]', () =>
    parseArgs({
      args: plainArguments(args),
      options: {
        'output-format': { type: 'string', short: 'o', default: 'text' },
        debug: { type: 'boolean', short: 'd' },
      },
    }),
  );
  const format = values['output-format'];
  if (format !== 'text' && format !== 'json')
    throw new UserError(`gemini extensions list: --output-format is text or json, not "${oneLine(format)}".`);
  const opened = await openExtensions(io);
  const listed = await describe(opened);
  const redactor = new Redactor();
  redactor.addEnvironment(io.env);
  if (format === 'json') io.stdout(`${JSON.stringify(redactor.redactValue(listed), null, 2)}\n`);
  else io.stdout(listed.length === 0 ? 'No extensions installed.\n' : `${listed.map(block).join('\n\n')}\n`);
  opened.memory?.keep();
  return 0;
};

export default list;

type Listed = Awaited<ReturnType<typeof describe>>[number];

async function describe({ folder, globalDir, extensions }: OpenedExtensions) {
  const { isEnabled, readEnablement, settingValues } = await loadExtensionFiles();
  const rules = readEnablement(globalDir);
  const { home, variables } = folder.environment;
  const readsSettings = setting(folder.settings.merged, 'experimental.extensionConfig');
  const sources = { globalDir, workspacePath: folder.cwd, isTrusted: folder.trust.trusted, variables };
  const valuesOf = async (extension: GeminiCLIExtension): Promise<readonly ResolvedExtensionSetting[]> => {
    const { resolvedSettings, settings = [] } = extension;
    if (resolvedSettings || settings.length === 0 || !readsSettings) return resolvedSettings ?? settings;
    return settingValues(extension, sources);
  };
  const listed = extensions.map(async (extension) => ({
    ...published(extension),
    enabled: {
      user: isEnabled(rules, extension.name, home),
      workspace: isEnabled(rules, extension.name, folder.cwd),
    },
    settings: (await valuesOf(extension)).map(shownSetting),
  }));
  return Promise.all(listed);
}

function published(extension: GeminiCLIExtension) {
  const { name, version, description, isActive, path, id, installMetadata } = extension;
  const { mcpServers, contextFiles, excludeTools, skills, agents } = extension;
  return {
    name,
    version,
    ...(description !== undefined && { description }),
    isActive,
    path,
    id,
    ...(installMetadata && { installMetadata }),
    contextFiles,
    mcpServers: Object.fromEntries(
      Object.entries(mcpServers ?? {}).map(([server, fields]) => [server, shownServer(fields)]),
    ),
    excludeTools: excludeTools ?? [],
    skills: skills ?? [],
    agents: agents ?? [],
  };
}

/** As in the manifest; what is written out in variables, headers and for signing in may be a secret. */
function shownServer(fields: McpServerFields): McpServerFields {
  const masked = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, /^\$\{?\w+\}?$/.test(value) ? value : '***']),
    );
  const { env, headers, oauth } = fields;
  return {
    ...fields,
    ...(env && { env: masked(env) }),
    ...(headers && { headers: masked(headers) }),
    ...(oauth?.clientSecret !== undefined && {
      oauth: { ...oauth, ...masked({ clientSecret: oauth.clientSecret }) },
    }),
  };
}

/** The value of a sensitive setting is never shown. */
function shownSetting({ name, envVar, sensitive, value, from, place }: ResolvedExtensionSetting) {
  return {
    name,
    envVar,
    sensitive: sensitive === true,
    ...(value !== undefined && { value: sensitive ? '***' : value }),
    ...(from && { from }),
    ...(place && { place }),
  };
}

function block(extension: Listed): string {
  const { name, version, isActive, id, path, installMetadata: origin, enabled } = extension;
  const lines = [
    `${isActive ? '✓' : '✗'} ${name} (${version})`,
    ` ID: ${id}`,
    ` name: ${createHash('sha256').update(name).digest('hex')}`,
    ` Path: ${path}`,
    ...(origin ? [` Source: ${origin.source} (Type: ${origin.type})`] : []),
    ...(origin?.ref ? [` Ref: ${origin.ref}`] : []),
    ...(origin?.releaseTag ? [` Release tag: ${origin.releaseTag}`] : []),
    ` Enabled (User): ${enabled.user}`,
    ` Enabled (Workspace): ${enabled.workspace}`,
    ...group('Context files', extension.contextFiles),
    ...group('MCP servers', Object.keys(extension.mcpServers)),
    ...group('Excluded tools', extension.excludeTools),
    ...group('Agent skills', extension.skills),
    ...group('Agents', extension.agents),
    ...group('Settings', extension.settings.map(settingLine)),
  ];
  return lines.map(shown).join('\n');
}

/** Without control characters; the indentation stays. */
function shown(line: string): string {
  return `${/^ */.exec(line)?.[0]}${oneLine(line)}`;
}

function group(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [` ${title}:`, ...entries.map((entry) => `  ${entry}`)];
}

function settingLine({ name, value, from, place }: ReturnType<typeof shownSetting>): string {
  if (value === undefined) return `${name}: not set`;
  const origin = [from, place].filter(Boolean).join(', ');
  return `${name}: ${value}${origin ? ` (${origin})` : ''}`;
}
