/** Converts a plugin that was read into the files of an extension, or of the home folder. Touches no file. */
import { posix } from 'node:path';
import { transformBody } from '../../agents/definition/fix/transform-body.js';
import { convertAgents } from './components/agents.js';
import { convertCommands } from './components/commands.js';
import { convertHooks } from './components/hooks.js';
import { manifestText, versionOf } from './components/manifest.js';
import { convertServers } from './components/mcp-servers.js';
import { withFolders } from './components/moved-paths.js';
import { convertSkills, type NamedSkill, nameSkills, skillName } from './components/skills.js';
import { convertUserConfig } from './components/user-config.js';
import { settingVariables, type VariableContext } from './components/variables.js';
import { type Places, placesOf, pluginText } from './places.js';
import type {
  ConvertedPlugin,
  ConvertOptions,
  ConvertTarget,
  OutputFile,
  ReadPlugin,
  ReportRow,
} from './types.js';

export async function convertPlugin(
  plugin: ReadPlugin,
  options: ConvertOptions,
  target: ConvertTarget,
): Promise<ConvertedPlugin> {
  const { name } = plugin;
  const rows: ReportRow[] = [...plugin.rows];
  const files = new Map<string, OutputFile>();
  const put = (path: string, text: string) =>
    files.set(path, { bytes: Buffer.from(text), isExecutable: false });

  const skills = await nameSkills(plugin.skills, options, plugin.writtenName);
  rows.push(...skills.rows);
  const asSkills = skills.named.filter(({ isCommand }) => !isCommand);
  const skillNames = new Set(asSkills.map((skill) => skill.name));
  const moved = new Map(
    skills.named
      .filter(({ skill }) => skill.folder !== '')
      .map((one) => [one.skill.folder, `${one.isCommand ? 'resources' : 'skills'}/${one.name}`]),
  );
  const rootSkill = rootSkillOf(plugin, skills.named);
  const places = placesOf(target, name, moved, rootSkill?.isAll ? `skills/${rootSkill.name}` : undefined);

  const config = convertUserConfig(plugin.userConfig, name);
  rows.push(...(places.isHome ? homeSettings(config.rows) : config.rows));
  const variables = (text: string) => settingVariables(text, config.variables);
  const context: VariableContext = {
    root: places.root,
    pluginPath: places.pluginPath,
    workspace: places.workspace,
    settings: config.variables,
  };
  const scripts = plugin.scriptsOfClaude;
  const serverContext = {
    variables: context,
    environment: {
      ...(scripts.some(({ readsRoot }) => readsRoot) && { CLAUDE_PLUGIN_ROOT: places.root }),
      ...(scripts.some(({ readsProject }) => readsProject) &&
        !places.isHome && { CLAUDE_PROJECT_DIR: places.workspace }),
    },
    isOwnFile: (path: string) => plugin.paths.has(posix.normalize(path)),
  };
  const servers = convertServers(plugin.mcpServers, serverContext);
  rows.push(...servers.rows);
  const called = new Set([...skillNames, ...asSkills.map(skillName)]);
  const staysPut = !places.isHome && [...moved].every(([from, to]) => from === to);
  const movedPaths = staysPut
    ? undefined
    : {
        paths: withFolders(plugin.paths),
        outputPath: places.outputPath,
        pluginPath: places.pluginPath,
        skills: [...moved.keys()].sort((a, b) => b.length - a.length),
        commands: new Set(
          skills.named.filter(({ isCommand }) => isCommand).map(({ skill }) => skill.skillFile),
        ),
      };
  const extension = {
    name,
    skills: called,
    servers: servers.names,
    ...(movedPaths && { moved: movedPaths }),
  };
  const textOf = (file: string) => pluginText(plugin, extension, places, file);

  const converted = await convertSkills(skills.named, {
    textOf,
    variables,
    settings: config.variables,
    skillFolder: places.skillFolder,
    resourceFolder: (skill) => `${places.root}/resources/${skill}`,
    filePath: places.filePath,
    pluginPath: places.pluginPath,
    others: new Set(plugin.others.map(({ path }) => path)),
  });
  rows.push(...converted.rows);
  for (const [path, file] of converted.files) files.set(path, file);

  const commands = await convertCommands([...plugin.commands, ...converted.commands], {
    textOf,
    variables,
    settings: config.variables,
    ...(target.kind === 'home' && { outside: target.dir }),
    skills: skillNames,
  });
  rows.push(...commands.rows);
  for (const [path, text] of commands.files) put(`commands/${path}`, text);

  const agents = await convertAgents(plugin.agents, {
    pluginName: name,
    options,
    servers: servers.names,
    serverContext,
    textOf,
  });
  rows.push(...agents.rows);
  for (const [path, text] of agents.files) put(`agents/${path}`, text);

  const hooks = hooksOf(plugin, options, places, () =>
    convertHooks(plugin.hooks, {
      variables: { ...context, workspace: '${GEMINI_PROJECT_DIR}' },
      servers: servers.names,
      scriptsOfClaude: scripts,
    }),
  );
  rows.push(...hooks.rows);
  if (hooks.hooks) put('hooks/hooks.json', `${JSON.stringify({ hooks: hooks.hooks }, null, 2)}\n`);

  if (plugin.context) {
    const path = places.filePath('GEMINI.md');
    put(path, transformBody(plugin.context.text, textOf('GEMINI.md')));
    rows.push({ action: 'converted', kind: 'context', source: plugin.context.path, target: path });
    if (places.isHome)
      rows.push({
        action: 'warned',
        kind: 'context',
        source: plugin.context.path,
        reason: 'it is not loaded from there: add it to your own GEMINI.md',
      });
  }
  copyOthers(plugin, places, rootSkill, files, rows);

  const version = versionOf(plugin.version, rows);
  if (!places.isHome) {
    const parts = {
      name,
      version,
      hasContext: plugin.context !== undefined,
      mcpServers: servers.servers,
      settings: config.settings,
    };
    put('gemini-extension.json', manifestText(plugin, parts));
  }
  return {
    name,
    version,
    files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
    skills: [...skillNames].sort(),
    mcpServers: servers.servers,
    settings: config.settings,
    rows,
  };
}

function homeSettings(rows: readonly ReportRow[]): ReportRow[] {
  return rows.map(({ kind, source, target }) => ({
    action: 'warned',
    kind,
    source,
    reason: `there are no settings outside of extensions: set the variable ${target?.replace('settings: ', '') ?? ''} yourself`,
  }));
}

function hooksOf(
  { hooks }: ReadPlugin,
  options: ConvertOptions,
  { isHome }: Places,
  convert: () => ReturnType<typeof convertHooks>,
): ReturnType<typeof convertHooks> {
  if (!isHome && options.hooks !== false) return convert();
  const reason = isHome
    ? 'hooks differ between the programs and are never written to the home folder; convert the plugin to an extension'
    : 'left out by --no-hooks';
  return {
    rows: hooks.map(({ source }) => ({
      action: isHome ? 'warned' : 'skipped',
      kind: 'hook',
      source,
      reason,
    })),
  };
}

interface RootSkill {
  name: string;
  /** All files of the plugin belong to it: no program of the plugin uses them. */
  isAll: boolean;
}

function rootSkillOf({ hooks, mcpServers }: ReadPlugin, named: readonly NamedSkill[]): RootSkill | undefined {
  const found = named.find(({ skill, isCommand }) => skill.folder === '' && !isCommand);
  return found && { name: found.name, isAll: hooks.length === 0 && mcpServers.length === 0 };
}

/** Scripts and assets, at the same paths. */
function copyOthers(
  plugin: ReadPlugin,
  places: Places,
  rootSkill: RootSkill | undefined,
  files: Map<string, OutputFile>,
  rows: ReportRow[],
): void {
  const targets = (path: string): string[] => [
    ...(rootSkill?.isAll ? [] : [places.filePath(path)]),
    ...(rootSkill === undefined ? [] : [`skills/${rootSkill.name}/${path}`]),
  ];
  for (const other of plugin.others)
    for (const target of targets(other.path)) {
      if (files.has(target)) continue;
      if ('leadsTo' in other) {
        const linkTo = posix.relative(posix.dirname(other.path), other.leadsTo);
        files.set(target, { linkTo });
      } else files.set(target, { copyOf: other.absolute, isExecutable: other.isExecutable });
      rows.push({ action: 'copied', kind: 'file', source: other.path, target });
    }
}
