/** Where an extension comes from, read from what the user wrote. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { realPathOf } from '../../platform/files/real-path.js';
import { ExtensionInstallError } from './error.js';
import { type GithubRepository, githubRepository } from './github/repository.js';

export type ParsedSource =
  | {
      kind: 'git';
      /** What is recorded. */
      source: string;
      github?: GithubRepository;
    }
  | { kind: 'local'; source: string; isArchive: boolean };

const REPOSITORY = /^(?:git@|(?:https?|ssh|sso|file):\/\/)/i;
const SHORT = /^(github|gitlab):(?:\/\/)?([\w.-]+(?:\/[\w.-]+)+)$/i;
const OWNER_AND_NAME = /^[\w-][\w.-]*\/[\w-][\w.-]*$/;

/** @throws ExtensionInstallError when it is neither an address nor a path that exists */
export function parseSource(written: string, { cwd, home }: { cwd: string; home: string }): ParsedSource {
  const text = written.trim();
  if (text === '' || text.startsWith('-') || /[\0-\x1f]/.test(text))
    throw new ExtensionInstallError(`Not a source: "${written}". Give a URL, a folder or owner/repository.`);
  const [, host, path] = SHORT.exec(text) ?? [];
  if (host && path) return repository(`https://${host.toLowerCase()}.com/${path}`);
  if (REPOSITORY.test(text)) return repository(text);
  const local = resolve(
    cwd,
    text.replace(/^~(?=$|[/\\])/, () => home),
  );
  const stats = statSync(local, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return { kind: 'local', source: realPathOf(local), isArchive: false };
  if (stats?.isFile() && isArchive(local))
    return { kind: 'local', source: realPathOf(local), isArchive: true };
  if (stats) throw new ExtensionInstallError(`${local} is not a folder, a .zip or a .tar.gz archive.`);
  if (OWNER_AND_NAME.test(text)) return repository(`https://github.com/${text}`);
  throw new ExtensionInstallError(`There is no such folder: ${local}`);
}

export function isArchive(name: string): boolean {
  return /\.(?:zip|tar\.gz|tgz)$/i.test(name);
}

function repository(source: string): ParsedSource {
  const github = githubRepository(source);
  return { kind: 'git', source, ...(github && { github }) };
}
