/** The id of an extension: it stays the same when the extension is installed again from the same place. */
import type { ExtensionInstallMetadata } from '../types.js';

export function extensionId(
  metadata: Pick<ExtensionInstallMetadata, 'source' | 'type'> | undefined,
  name: string,
): string {
  if (!metadata) return sha256(name);
  const isRemote = metadata.type === 'git' || metadata.type === 'github-release';
  const repository = isRemote ? gitHubRepository(metadata.source) : undefined;
  return sha256(repository ? `https://github.com/${repository}` : metadata.source);
}

const GITHUB =
  /^(?:(?:https?|ssh|git):\/\/(?:[^@/]*@)?(?:www\.)?github\.com(?::\d+)?\/|(?:[^@/]*@)?github\.com:|github:)(.+)$/i;

/** `owner/repo`, if the source is on GitHub. */
function gitHubRepository(source: string): string | undefined {
  const [owner, repository] = GITHUB.exec(source.trim())?.[1]?.split('/') ?? [];
  const name = repository?.replace(/[?#].*$/, '').replace(/\.git$/, '');
  return owner && name ? `${owner}/${name}` : undefined;
}

/** Only an extension that has changed needs it; for tens of them the native function is worth its loading. */
function sha256(text: string): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
}
