/** MCP servers: how each is reached, where its program is found, and files of the extension that it names. */
import { isAbsolute, join } from 'node:path';
import { isObject } from '../../base/objects.js';
import type { McpServerFields } from '../../mcp/config.js';
import { isInside } from '../../platform/files/real-path.js';
import { tryStat } from '../../platform/files/try-read.js';
import { type ExtensionProblem, MANIFEST_FILE } from '../types.js';
import type { CheckedExtension } from './checked-extension.js';

export function checkServers({ dir, manifest, raw, warn, add }: CheckedExtension): void {
  const file = join(dir, MANIFEST_FILE);
  const warnAuthor = (kind: ExtensionProblem['kind'] & string, key: string, message: string) =>
    add({ level: 'warning', message: `${key} ${message}`, file, key, kind });
  for (const [name, server] of Object.entries(manifest.mcpServers ?? {})) {
    const key = `mcpServers.${name}`;
    const { command, cwd, args = [], url, httpUrl, tcp } = server;
    if (!command && !url && !httpUrl && !tcp)
      warn(key, 'says neither how to start the server nor where it is. Add command, httpUrl or url.');
    if (isRelativeCommand(command) && cwd === undefined)
      warn(
        `${key}.command`,
        `"${command}" is looked up in the user's folder. Write \${extensionPath}/… or add "cwd": "\${extensionPath}".`,
      );
    for (const [index, text] of [command, ...args].entries())
      if (isMissingFile(text, dir))
        warnAuthor(
          'missing-file',
          index === 0 ? `${key}.command` : `${key}.args[${index - 1}]`,
          `names ${text}, which does not exist. Build it, or put it into the release archive.`,
        );
    if (trustIn(raw, name))
      warn(`${key}.trust`, 'has no effect: only users decide whom they trust. Remove it.');
    shadowedSettings(server, manifest.settings ?? []).forEach((variable) => {
      warnAuthor(
        'hidden-setting',
        `${key}.env.${variable}`,
        `hides the setting of the same name: its value never reaches the server. Write "$${variable}", or remove it.`,
      );
    });
  }
}

function isRelativeCommand(command: string | undefined): command is string {
  return (
    command !== undefined &&
    /[\\/]/.test(command) &&
    !isAbsolute(command) &&
    !/^(?:\$|[a-zA-Z]:)/.test(command)
  );
}

/** Only whole arguments that became a path of the extension. */
function isMissingFile(text: string | undefined, dir: string): boolean {
  return (
    text !== undefined && isAbsolute(text) && isInside(text, dir) && !text.includes('$') && !tryStat(text)
  );
}

function trustIn(raw: CheckedExtension['raw'], name: string): boolean {
  const servers = raw['mcpServers'];
  const server = isObject(servers) ? servers[name] : undefined;
  return isObject(server) && server['trust'] !== undefined;
}

/** A text that names the variable itself passes its value on and hides nothing. */
function shadowedSettings({ env = {} }: McpServerFields, settings: readonly { envVar: string }[]): string[] {
  return settings
    .map(({ envVar }) => envVar)
    .filter((name) => {
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      return (
        value !== undefined && !new RegExp(`\\$(?:${name}\\b|\\{(?:env:)?${name}[:}])`).test(String(value))
      );
    });
}
