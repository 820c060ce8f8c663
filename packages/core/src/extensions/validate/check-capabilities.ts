/** Declared rights: keys and entries that would give less than the author meant. */
import { isAbsolute } from 'node:path';
import { nearestNames } from '../../base/nearest.js';
import { isObject } from '../../base/objects.js';
import { checkCapabilities as checkRights } from '../capabilities/check.js';
import type { CheckedExtension } from './checked-extension.js';

export function checkCapabilities({ manifest, raw, warn }: CheckedExtension): void {
  const { capabilities } = manifest;
  if (!capabilities) return;
  const written = raw['capabilities'];
  unknownKeys(written, ['files', 'network', 'executables'], 'capabilities', warn);
  if (isObject(written)) unknownKeys(written['files'], ['read', 'write'], 'capabilities.files', warn);
  const problems = checkRights(capabilities);
  for (const { key = '', message } of problems) warn(key, message);
  const isTold = (key: string) => problems.some((problem) => problem.key === key);
  for (const kind of ['read', 'write'] as const)
    for (const [index, path] of capabilities.files[kind].entries()) {
      const key = `capabilities.files.${kind}[${index}]`;
      if (!isTold(key) && !isAbsolute(path) && !/^(?:\$|~[\\/]|~$)/.test(path))
        warn(key, `"${path}" is relative. Begin it with \${extensionPath}, \${workspacePath} or ~/.`);
    }
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
