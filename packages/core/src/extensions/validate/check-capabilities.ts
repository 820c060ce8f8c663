/** Declared rights: keys and entries that would give less than the author meant. */
import { isAbsolute } from 'node:path';
import { nearestNames } from '../../base/nearest.js';
import { isObject } from '../../base/objects.js';
import type { CheckedExtension } from './checked-extension.js';

const HOST = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d+)?$/i;

export function checkCapabilities({ manifest, raw, warn }: CheckedExtension): void {
  const { capabilities } = manifest;
  if (!capabilities) return;
  const written = raw['capabilities'];
  unknownKeys(written, ['files', 'network', 'executables'], 'capabilities', warn);
  if (isObject(written)) unknownKeys(written['files'], ['read', 'write'], 'capabilities.files', warn);
  for (const kind of ['read', 'write'] as const)
    for (const [index, path] of capabilities.files[kind].entries())
      if (!isAbsolute(path) && !/^(?:\$|~[\\/]|~$)/.test(path))
        warn(
          `capabilities.files.${kind}[${index}]`,
          `"${path}" is relative. Begin it with \${extensionPath}, \${workspacePath} or ~/.`,
        );
  for (const [index, host] of capabilities.network.entries())
    if (!HOST.test(host) && !host.startsWith('$'))
      warn(`capabilities.network[${index}]`, `"${host}" is not a host name. Write it like api.example.com.`);
  for (const [index, program] of capabilities.executables.entries())
    if (/\s/.test(program) && !isAbsolute(program))
      warn(`capabilities.executables[${index}]`, `"${program}" is a command line. Name the program alone.`);
}

function unknownKeys(
  value: unknown,
  known: readonly string[],
  key: string,
  warn: CheckedExtension['warn'],
): void {
  if (!isObject(value)) return;
  for (const name of Object.keys(value).filter((item) => !known.includes(item))) {
    const [near] = nearestNames(name, known, 1, 3);
    warn(
      `${key}.${name}`,
      `gives no right. ${near ? `Did you mean "${near}"?` : `Known: ${known.join(', ')}.`}`,
    );
  }
}
