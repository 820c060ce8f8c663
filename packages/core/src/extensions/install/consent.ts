/** Says everything that an extension brings, for the user to agree to. Text of the extension is shown without control characters. */
import { relative } from 'node:path';
import { visibleName } from '../../base/visible-text.js';
import { hooksFromExtension } from '../../hooks/sources/extension-files.js';
import type { McpServerFields } from '../../mcp/config.js';
import { namesIn } from '../../platform/files/try-read.js';
import { describeCapabilities } from '../capabilities/describe.js';
import { carriedFiles } from '../load/carried-files.js';
import { pathVariables } from '../manifest/variables.js';
import type { ExtensionManifest, ExtensionSetting } from '../types.js';
import { commandNames, describedAgents, describedSkills } from './carried-parts.js';

export interface ConsentSubject {
  manifest: ExtensionManifest;
  /** Where its files are now. */
  dir: string;
  /** Where they will be: what `${extensionPath}` means. */
  extensionPath: string;
  workspacePath: string;
}

/** Everything but the line that names the extension: two versions with the same text need one consent. */
export async function consentBody(subject: ConsentSubject): Promise<string> {
  const { manifest, dir } = subject;
  const carried = carriedFiles(dir, manifest);
  const servers = Object.entries(manifest.mcpServers ?? {});
  const skills = await describedSkills(dir, carried.skillFolders);
  const hooks = await hookLines(subject);
  const policies = carried.policiesFolder ? namesIn(carried.policiesFolder).filter(isToml) : [];
  const commands = carried.commandsFolder ? commandNames(carried.commandsFolder) : [];
  const runsPrograms = servers.length > 0 || hooks.length > 0 || manifest.capabilities !== undefined;
  const groups = [
    list('MCP servers that it starts:', servers.map(serverLine)),
    list(
      'Context files that it adds to every conversation:',
      carried.contextFiles.map((file) => relative(dir, file)),
    ),
    list('Tools that it hides from the model:', manifest.excludeTools ?? []),
    list('Hooks, programs that run at events:', hooks),
    list('Slash commands:', commands),
    list('Agents:', await describedAgents(dir, carried.agents)),
    list(`Policy files, which can only restrict (${policies.length}):`, policies),
    list('Settings that it asks for:', (manifest.settings ?? []).map(settingLine)),
    list('Themes:', (manifest.themes ?? []).length > 0 ? [`${manifest.themes?.length} of them`] : []),
    list('Folder for plans:', manifest.plan?.directory ? [manifest.plan.directory] : []),
    list('Agent skills:', skills),
    list(
      'Rights of its hooks and MCP servers:',
      runsPrograms ? describeCapabilities(manifest.capabilities) : [],
    ),
  ];
  const warnings = [
    'Extensions come from third parties. They can change what the model does and run programs on this machine; ' +
      'Google and the authors of this program have not reviewed them. Install only what you trust.',
    ...(skills.length > 0
      ? ['Skills give the model instructions and scripts of the author. Read them before you agree.']
      : []),
  ];
  return [...groups.flat(), ...warnings].join('\n');
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `  * ${visibleName(item)}`)];
}

function serverLine([name, server]: readonly [string, McpServerFields]): string {
  const { command, args = [], cwd, env, url, httpUrl, tcp, headers = {}, oauth } = server;
  if (command === undefined) {
    // With their values: a header may name any variable of the user's environment.
    const sent = Object.entries(headers).map(([key, value]) => `${key}: ${value}`);
    const { authorizationUrl, tokenUrl, registrationUrl, issuer, scopes = [], audiences = [] } = oauth ?? {};
    const signIn = [authorizationUrl, tokenUrl, registrationUrl, issuer].filter((address) => address);
    const asked = [scopes, audiences].flat();
    const notes = [
      ...(sent.length > 0 ? [`sends ${sent.join(', ')}`] : []),
      ...(signIn.length > 0 ? [`signs in at ${signIn.join(' and ')}`] : []),
      ...(asked.length > 0 ? [`asks for ${asked.join(', ')}`] : []),
    ];
    const note = notes.length > 0 ? ` (${notes.join('; ')})` : '';
    return `${name} (remote): ${httpUrl ?? url ?? tcp ?? 'no address'}${note}`;
  }
  const notes = [
    ...(cwd === undefined ? [] : [`in ${cwd}`]),
    ...(env && Object.keys(env).length > 0
      ? [
          `with ${Object.entries(env)
            .map(([key, value]) => `${key}=${value}`)
            .join(' ')}`,
        ]
      : []),
  ];
  const note = notes.length > 0 ? ` (${notes.join(', ')})` : '';
  return `${name} (local): ${[command, ...args].join(' ')}${note}`;
}

async function hookLines({ manifest, dir, extensionPath, workspacePath }: ConsentSubject): Promise<string[]> {
  const variables = pathVariables({ extensionPath, workspacePath });
  const { definitions, problems = [] } = await hooksFromExtension({ dir, name: manifest.name, variables });
  const lines = definitions.flatMap(({ eventName, matcher, hooks }) =>
    hooks.map((hook) => {
      const tools = matcher ? ` (${matcher})` : '';
      return `${eventName}${tools}: ${'command' in hook ? hook.command : hook.name}`;
    }),
  );
  return [...lines, ...problems.map(({ message }) => `not used: ${message.replaceAll(dir, extensionPath)}`)];
}

/** With its default, which may be the address of a server or a program. */
function settingLine(setting: ExtensionSetting): string {
  const { name, envVar, sensitive, description } = setting;
  const fallback = setting.default === undefined ? '' : `, default ${setting.default}`;
  const about = description ? `: ${description}` : '';
  return `${name} (${envVar}${sensitive ? ', secret' : ''}${fallback})${about}`;
}

function isToml(name: string): boolean {
  return name.endsWith('.toml');
}
