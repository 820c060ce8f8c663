/** Reads `trustedFolders.json` (folder -> level). It decides what may run, so nothing in it is guessed. */
import { isAbsolute, join } from 'node:path';
import { FatalConfigError, messageOf } from '../../base/errors.js';
import { JsoncError } from '../../base/jsonc.js';
import { geminiHome } from '../../platform/environment.js';
import type { FileVersion } from '../../platform/files/safe-read.js';
import { clip } from '../key-path.js';
import { parseSettings } from '../reading/parse.js';
import { placesOf } from '../reading/position.js';
import { readSettingsText } from '../reading/read-file.js';
import type { FileProblem } from '../types.js';

const TRUST_LEVELS = ['TRUST_FOLDER', 'TRUST_PARENT', 'DO_NOT_TRUST'] as const;
export type TrustLevel = (typeof TRUST_LEVELS)[number];

export interface TrustRule {
  /** As written: absolute, not resolved. */
  path: string;
  level: TrustLevel;
}

export interface TrustedFoldersFile {
  rules: TrustRule[];
  problems: FileProblem[];
  /** Without the byte order mark. */
  text: string;
  version: FileVersion | 'absent';
}

export function trustedFoldersPath(env: NodeJS.ProcessEnv): string {
  return env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] || join(geminiHome(env), '.gemini', 'trustedFolders.json');
}

/** Never throws: errors are among the problems, as `fatal` when the rules are unreliable. */
export function readTrustedFolders(path: string): TrustedFoldersFile {
  const { text, version = 'absent', failure, isUtf8 } = readSettingsText(path);
  const problems: FileProblem[] = [];
  const report: Report = (severity, message, place = {}) =>
    problems.push({ severity, file: path, message, hint: HINT, ...place });
  if (failure) report('fatal', failure);
  else if (!isUtf8) report('fatal', 'the file is not UTF-8.');
  const rules = problems.length > 0 ? [] : rulesIn(text, report);
  return { rules, problems, text, version };
}

/** Fatal problems end the program: an unreadable rule may be one that forbids. */
export function requireNoFatalProblems(path: string, problems: readonly FileProblem[]): void {
  const fatal = problems.filter(({ severity }) => severity === 'fatal');
  if (fatal.length === 0) return;
  const lines = fatal.map(({ line, message }) => (line === undefined ? message : `line ${line}: ${message}`));
  throw new FatalConfigError(`Error in ${path}: ${lines.join(' ')}\n${HINT}`);
}

type Report = (severity: FileProblem['severity'], message: string, place?: Partial<FileProblem>) => void;

const ALLOWED = TRUST_LEVELS.join(', ');
const HINT =
  `Please fix the file: each entry is an absolute folder path with one of ${ALLOWED}. ` +
  'It is left as it is until then.';

function rulesIn(text: string, report: Report): TrustRule[] {
  let root: Record<string, unknown>;
  try {
    const parsed = parseSettings(text);
    root = parsed.root;
    for (const { path, message, offset } of parsed.findings) {
      const [place] = placesOf(text, [offset ?? path]);
      report('warning', `${clip(path.join('.'), 200)}: ${message}.`, place);
    }
  } catch (error) {
    const place = error instanceof JsoncError ? { line: error.line, column: error.column } : {};
    report('fatal', `${messageOf(error)}.`, place);
    return [];
  }
  return Object.entries(root).flatMap(([folder, level]) => {
    const named = `"${clip(folder, 200)}"`;
    const place = () => ({ ...placesOf(text, [[folder]])[0], keyPath: folder });
    if (!isTrustLevel(level)) {
      const given = clip(JSON.stringify(level));
      report('fatal', `${named} has ${given}, which is not a level; allowed are ${ALLOWED}.`, place());
      return [];
    }
    // A relative path would match any working directory.
    if (isAbsolute(folder)) return [{ path: folder, level }];
    report('warning', `${named} is not an absolute path; the rule is ignored.`, place());
    return [];
  });
}

function isTrustLevel(value: unknown): value is TrustLevel {
  return TRUST_LEVELS.some((level) => level === value);
}
