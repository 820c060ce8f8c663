/** Reads one SKILL.md. Only its header is read; the body when it is first used. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { headOf } from '../base/cut-text.js';
import { codeOf, messageOf, UserError } from '../base/errors.js';
import { fillPlaceholders } from '../base/expand-variables.js';
import { type FrontMatter, parseFrontMatter, splitFrontMatter, textField } from '../base/front-matter.js';
import { isObject } from '../base/objects.js';
import { readFileBytes } from '../platform/files/safe-read.js';
import { MAX_SKILL_BYTES, readHeader } from './read-header.js';
import { cleanSkillName, isStandardName } from './skill-names.js';
import type { SkillDefinition, SkillProblem, SkillRoot } from './types.js';

export const SKILL_FILE = 'SKILL.md';
const MISSPELT = 'skill.md';
const MAX_DESCRIPTION = 1024;
const LONGEST_DESCRIPTION = 4096;
const MAX_COMPATIBILITY = 500;

/** What the header says. */
export type SkillHeader = Omit<
  SkillDefinition,
  'body' | 'source' | 'isBuiltin' | 'extensionName' | 'disabled'
>;

interface ReadSkill {
  skill?: SkillHeader;
  problems: SkillProblem[];
  /** Variables of the root were replaced in it. */
  hasVariables?: boolean;
}

/** With what the root says, and the instructions. */
export function skillOf(header: SkillHeader, root: SkillRoot): SkillDefinition {
  let body: string | undefined;
  return {
    ...header,
    get body() {
      body ??= fillPlaceholders(readBody(header.location), root.variables);
      return body;
    },
    source: root.source,
    ...(root.source === 'builtin' && { isBuiltin: true }),
    ...(root.extensionName !== undefined && { extensionName: root.extensionName }),
  };
}

/** Never throws. A missing file is not a problem: most folders are not skills. */
export async function readSkill(file: string, root: Pick<SkillRoot, 'variables'>): Promise<ReadSkill> {
  let text: string;
  try {
    text = readHeader(file);
  } catch (error) {
    return { problems: unreadable(file, error) };
  }
  const matter = await parseFrontMatter(text);
  const problems: SkillProblem[] = [];
  const warn = (message: string) => problems.push({ file, message, severity: 'warning' });
  const fail = (message: string): ReadSkill => ({ problems: [{ file, message, severity: 'error' }] });
  if (!matter.hasHeader)
    return fail(matter.problem ?? 'does not begin with a header between two lines of "---"');
  if (matter.problem) warn(matter.problem);
  let hasVariables = false;
  const fill = (value: string) => {
    const filled = fillPlaceholders(value, root.variables);
    hasVariables ||= filled !== value;
    return filled;
  };
  const description = textField(matter, 'description');
  if (!description) return fail('has no description in its header');
  const written = textField(matter, 'name');
  if (!written) warn(`has no name in its header; its folder's name is used`);
  const name = cleanSkillName(fill(written ?? basename(dirname(file))));
  if (!name) return fail('has a name that cannot be used. Use a-z, 0-9 and "-"');
  if (!isStandardName(name))
    warn(`has a name that other programs may refuse: use at most 64 of a-z, 0-9, "-"`);
  if (description.length > MAX_DESCRIPTION)
    warn(`has a description of more than ${MAX_DESCRIPTION} characters`);
  const details = detailsOf(matter);
  if ((details['compatibility']?.length ?? 0) > MAX_COMPATIBILITY)
    warn(`has a compatibility note of more than ${MAX_COMPATIBILITY} characters`);
  const skill: SkillHeader = {
    name,
    description: shortened(fill(description).replace(/\s+/g, ' ').trim()),
    location: file,
    ...(isSwitch(matter, 'user-invocable', 'false') && { userInvocable: false }),
    ...(isSwitch(matter, 'disable-model-invocation', 'true') && { disableModelInvocation: true }),
    ...(Object.keys(details).length > 0 && { details }),
  };
  return { skill, problems, hasVariables };
}

function readBody(file: string): string {
  const { header, body } = splitFrontMatter(
    readFileBytes(file, { limit: MAX_SKILL_BYTES }).bytes.toString('utf8'),
  );
  if (header === undefined) throw new UserError(`${file} has no header any more.`);
  return body.trim();
}

function unreadable(file: string, error: unknown): SkillProblem[] {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const misspelt = join(dirname(file), MISSPELT);
    if (code === 'ENOTDIR' || !existsSync(misspelt)) return [];
    return [{ file: misspelt, message: `must be called ${SKILL_FILE}`, severity: 'error' }];
  }
  const message = error instanceof UserError ? messageOf(error) : `cannot be read: ${messageOf(error)}`;
  return [{ file, message, severity: 'error' }];
}

/** Every request carries all descriptions. */
function shortened(description: string): string {
  if (description.length <= LONGEST_DESCRIPTION) return description;
  return `${headOf(description, LONGEST_DESCRIPTION)}…`;
}

function isSwitch(matter: FrontMatter, key: string, value: 'true' | 'false'): boolean {
  return textField(matter, key)?.toLowerCase() === value;
}

const DETAILS = ['license', 'compatibility', 'metadata', 'allowed-tools'];

function detailsOf({ data }: FrontMatter): Record<string, string> {
  const details: Record<string, string> = {};
  for (const key of DETAILS) {
    const text = Object.hasOwn(data, key) ? textOf(data[key]) : '';
    if (text !== '') details[key] = text;
  }
  return details;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ');
  if (isObject(value))
    return Object.entries(value)
      .map(([key, item]) => `${key}: ${textOf(item)}`)
      .join(', ');
  return value === null || value === undefined ? '' : String(value).replace(/\s+/g, ' ').trim();
}
