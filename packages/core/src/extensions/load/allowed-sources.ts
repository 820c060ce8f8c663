/** Which sources the settings allow; asked when an extension is installed and whenever it is loaded. */
import type { ExtensionInstallMetadata } from '../types.js';

export interface SourceRules {
  /** `security.allowedExtensions`: regular expressions; if there are any, a source must match one. */
  allowedExtensions?: readonly string[];
  /** `security.blockGitExtensions`. */
  blockGitExtensions?: boolean;
}

/** Why the source is refused, as the end of a sentence about the extension; undefined: it is allowed. */
export function sourceRefusal(
  { source, type }: Pick<ExtensionInstallMetadata, 'source' | 'type'>,
  { allowedExtensions = [], blockGitExtensions }: SourceRules,
): string | undefined {
  if (allowedExtensions.length > 0) {
    const isAllowed = allowedExtensions.some((pattern) => matchesSource(pattern, source));
    return isAllowed ? undefined : `its source ${source} is not in security.allowedExtensions`;
  }
  const isRemote = type === 'git' || type === 'github-release';
  return isRemote && blockGitExtensions
    ? 'extensions from git repositories are disabled by security.blockGitExtensions'
    : undefined;
}

/** A pattern for a URL must match all of it: "https://good.example/" must not allow "https://bad.example/?https://good.example/". */
function matchesSource(pattern: string, source: string): boolean {
  try {
    const isUrl = /^(?:[a-z][a-z0-9+.-]*:|[^/\\]+@)/i.test(source) && !/^[a-z]:[\\/]/i.test(source);
    return new RegExp(isUrl ? `^(?:${pattern})$` : pattern).test(source);
  } catch {
    return false; // not a regular expression: it allows nothing
  }
}
