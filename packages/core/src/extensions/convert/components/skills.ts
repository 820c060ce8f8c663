/** Skills of a plugin: folders are copied, texts are adapted; skills that only the user starts become commands. */
import { basename, dirname } from 'node:path';
import { type PluginText, transformBody } from '../../../agents/definition/fix/transform-body.js';
import { type FrontMatter, parseFrontMatter, textField } from '../../../base/front-matter.js';
import { MAX_SKILL_BYTES } from '../../../skills/read-header.js';
import { componentName, freeName } from '../names.js';
import type { ConvertOptions, OutputFile, ReportRow, SourceCommand, SourceSkill } from '../types.js';
import { argumentNames, LIMIT, LIMIT_IS_LOST } from './commands.js';
import { withSkillFolder } from './moved-paths.js';
import { adjustLinks } from './skill-links.js';
import { notInserted, notSuppliedInText } from './variables.js';

export interface NamedSkill {
  skill: SourceSkill;
  /** Of its folder in the result. */
  name: string;
  /** In its header, without the name of the plugin before it. */
  written?: string;
  header: FrontMatter;
  /** `disable-model-invocation`: it becomes a command. */
  isCommand: boolean;
}

export interface SkillContext {
  textOf: (file: string) => PluginText;
  variables: (text: string) => string;
  settings: ReadonlyMap<string, string>;
  /** The place of a skill's folder, or of the files of a skill that became a command. */
  skillFolder: (name: string) => string;
  resourceFolder: (name: string) => string;
  /** The path in the result of a file that belongs to no component. */
  filePath: (path: string) => string;
  /** The whole path here of a path below the plugin's folder. */
  pluginPath: (rest: string) => string;
  /** Files of the plugin that belong to no component. */
  others: ReadonlySet<string>;
}

export interface ConvertedSkills {
  files: Map<string, OutputFile>;
  /** Skills that became commands. */
  commands: SourceCommand[];
  rows: ReportRow[];
}

/** Names, exclusions and collisions, before any text is changed: texts refer to these names. */
export async function nameSkills(
  skills: readonly SourceSkill[],
  { excludeSkills = [] }: ConvertOptions,
  pluginName = '',
): Promise<{ named: NamedSkill[]; rows: ReportRow[] }> {
  const rows: ReportRow[] = [];
  const named: NamedSkill[] = [];
  const taken = new Set<string>();
  for (const skill of skills) {
    const source = skill.skillFile;
    const text = skill.texts.get(skill.skillFile);
    const skip = (reason: string) => rows.push({ action: 'skipped', kind: 'skill', source, reason });
    if (text === undefined) {
      skip('larger than 1 MB, or not a text');
      continue;
    }
    if (Buffer.byteLength(text) > MAX_SKILL_BYTES) {
      skip(`larger than ${MAX_SKILL_BYTES / 1024} KB`);
      continue;
    }
    const header = await parseFrontMatter(text);
    const whole = textField(header, 'name');
    const written = whole?.startsWith(`${pluginName}:`) ? whole.slice(pluginName.length + 1) : whole;
    const ofHeader = skill.folder === '' ? componentName(written ?? '') : '';
    const own = ofHeader || componentName(skill.name) || componentName(written ?? '') || 'skill';
    if ([skill.name, own, written].some((name) => name !== undefined && excludeSkills.includes(name))) {
      skip('excluded by --exclude-skill');
      continue;
    }
    const platforms = platformsOf(header);
    if (platforms && !platforms.some((name) => ['gemini', 'gemini-cli', 'all', '*'].includes(name))) {
      skip(`it is for other programs only: ${platforms.join(', ').slice(0, 100)}`);
      continue;
    }
    const parent = componentName(basename(dirname(skill.folder)));
    const name = freeName(taken, [own, `${parent}-${own}`]);
    taken.add(name);
    if (name !== own)
      rows.push({
        action: 'warned',
        kind: 'skill',
        source,
        target: `skills/${name}`,
        reason: `another skill is called "${own}"`,
      });
    else if (componentName(skill.name) === '' && skill.folder !== '')
      rows.push({
        action: 'warned',
        kind: 'skill',
        source,
        target: `skills/${name}`,
        reason: `names have letters a-z, digits, "_" and "-" here: "${(written ?? skill.name).slice(0, 60)}" is called ${name}`,
      });
    const isCommand = isOn(header.data['disable-model-invocation']);
    named.push({ skill, name, ...(written !== undefined && { written }), header, isCommand });
  }
  return { named, rows };
}

/** As Claude Code reads switches. */
function isOn(value: unknown): boolean {
  return /^(?:true|yes|on|1)$/i.test(String(value).trim());
}

function isOff(value: unknown): boolean {
  return /^(?:false|no|off|0)$/i.test(String(value).trim());
}

function platformsOf({ data }: FrontMatter): string[] | undefined {
  const value = data['platforms'] ?? data['ce_platforms'];
  if (value === undefined || value === null) return undefined;
  const items = Array.isArray(value) ? value : String(value).split(',');
  return items.map((item) => String(item).trim().toLowerCase()).filter((item) => item !== '');
}

export async function convertSkills(
  named: readonly NamedSkill[],
  context: SkillContext,
): Promise<ConvertedSkills> {
  const result: ConvertedSkills = { files: new Map(), commands: [], rows: [] };
  const losesTools: string[] = [];
  for (const one of named) {
    if (Object.hasOwn(one.header.data, 'allowed-tools')) losesTools.push(one.name);
    if (one.isCommand) toCommand(one, context, result);
    else await toSkill(one, context, result);
  }
  if (losesTools.length > 0) {
    const reason = `allowed-tools is dropped: tools ask as usual (${losesTools.join(', ').slice(0, 200)})`;
    result.rows.push({ action: 'warned', kind: 'skill', source: 'skills', reason });
  }
  return result;
}

const KEPT = ['name', 'description', 'license', 'compatibility', 'metadata', 'user-invocable'];
const SILENT = new Set([
  ...KEPT,
  'allowed-tools',
  LIMIT,
  'disable-model-invocation',
  'platforms',
  'ce_platforms',
  'when_to_use',
]);

async function toSkill(
  one: NamedSkill,
  context: SkillContext,
  { files, rows }: ConvertedSkills,
): Promise<void> {
  const { skill, name, header } = one;
  const target = `skills/${name}/SKILL.md`;
  const warn = (reason: string) =>
    rows.push({ action: 'warned', kind: 'skill', source: skill.skillFile, target, reason });
  rows.push({ action: 'converted', kind: 'skill', source: skill.skillFile, target });
  if (header.problem) warn(header.problem);
  const original = skill.texts.get(skill.skillFile) ?? '';
  const fields: Record<string, unknown> = { name: skillName(one), description: descriptionOf(one) };
  for (const key of KEPT.slice(2)) if (Object.hasOwn(header.data, key)) fields[key] = header.data[key];
  if (isOff(fields['user-invocable'])) fields['user-invocable'] = false;
  const dropped = Object.keys(header.data).filter((key) => !SILENT.has(key));
  if (Object.hasOwn(header.data, LIMIT)) warn(LIMIT_IS_LOST);
  if (dropped.length > 0) warn(`dropped ${dropped.map((key) => key.slice(0, 40)).join(', ')}`);
  if (writtenDescription(header) === undefined)
    warn('it has no description: the first line of its text is used');
  if (/(?<=^|\s)!`[^`]+`|^[ \t>]*(?:`{3,}|~{3,})!/m.test(header.body))
    warn('commands in its text (!`…`) are not run; the model reads them as text');
  if ((writtenDescription(header) ?? '').length > MAX_DESCRIPTION)
    warn(`its description is cut to ${MAX_DESCRIPTION} characters`);
  const folder = context.skillFolder(name);
  const adapt = (text: string, file: string) =>
    withSkillFolder(
      context.variables(transformBody(text, context.textOf(file))),
      skill.folder,
      folder,
      context.pluginPath,
    );
  if (usesPlaces(header)) warn('single arguments ($1, $2, …) are not replaced in skills');
  for (const loss of notInserted(header.body, context.settings)) warn(loss);
  const ours = adapt(header.body, skill.skillFile);
  for (const loss of notSuppliedInText(ours)) warn(loss);
  const body = ours.replace(ARGUMENTS, "the user's arguments");
  files.set(target, { bytes: Buffer.from(await withHeader(fields, body, original)), isExecutable: false });
  for (const file of skill.files) {
    if (file.path === skill.skillFile) continue;
    const below = skill.folder === '' ? file.path : file.path.slice(skill.folder.length + 1);
    const text = skill.texts.get(file.path);
    const { isExecutable } = file;
    const path = `skills/${name}/${below}`;
    const adapted = text === undefined ? undefined : adapt(text, file.path);
    files.set(
      path,
      adapted === undefined || adapted === text
        ? { copyOf: file.absolute, isExecutable }
        : { bytes: Buffer.from(adapted), isExecutable },
    );
    rows.push({
      action: adapted === text || adapted === undefined ? 'copied' : 'converted',
      kind: 'file',
      source: file.path,
      target: path,
    });
  }
}

function usesPlaces({ data, body }: FrontMatter): boolean {
  const names = argumentNames(data['arguments']).filter((name) => name !== undefined);
  return (
    /(?<![\w$\\{])\$[01](?![\w}]|[.,]\d)|\$ARGUMENTS\[\d/.test(body) ||
    names.some((name) => new RegExp(`(?<![\\w$\\\\{])\\$${name}\\b`).test(body))
  );
}

const ARGUMENTS = /(?<!\\)\$(?:ARGUMENTS\b|\{ARGUMENTS\})(?:\[\d\])?/g;

/** Its other files go to a folder of their own, which no loader of skills looks into. */
function toCommand(
  { skill, name, header }: NamedSkill,
  context: SkillContext,
  result: ConvertedSkills,
): void {
  const { files, rows, commands } = result;
  const others = skill.files.filter(({ path }) => path !== skill.skillFile);
  const below = new Map(
    others.map((file) => [skill.folder === '' ? file.path : file.path.slice(skill.folder.length + 1), file]),
  );
  const isRoot = skill.folder === '';
  const folder = isRoot ? context.pluginPath('') : context.resourceFolder(name);
  const linked = adjustLinks(header.body, isRoot ? context.others : new Set(below.keys()), folder);
  const adjusted = withSkillFolder(linked, skill.folder, folder, context.pluginPath);
  const whole = skill.texts.get(skill.skillFile) ?? '';
  const text = whole.slice(0, whole.length - header.body.length) + adjusted;
  const reason = 'only the user starts it (disable-model-invocation), so it is a command';
  rows.push({
    action: 'warned',
    kind: 'skill',
    source: skill.skillFile,
    target: `commands/${name}.toml`,
    reason,
  });
  commands.push({ path: skill.skillFile, text: withoutSwitches(text), name });
  for (const [path, file] of below) {
    const target = context.filePath(`resources/${name}/${path}`);
    const original = skill.texts.get(file.path);
    const adapted =
      original === undefined
        ? undefined
        : context.variables(transformBody(original, context.textOf(file.path)));
    const { isExecutable } = file;
    files.set(
      target,
      adapted === undefined || adapted === original
        ? { copyOf: file.absolute, isExecutable }
        : { bytes: Buffer.from(adapted), isExecutable },
    );
    rows.push({
      action: adapted === original || adapted === undefined ? 'copied' : 'converted',
      kind: 'file',
      source: file.path,
      target,
    });
  }
}

/** They have done their work; the command would list them as dropped. */
function withoutSwitches(text: string): string {
  return text.replace(
    /^(?:disable-model-invocation|user-invocable|allowed-tools|platforms|ce_platforms):[^\n]*\n(?:[ \t]+[^\n]*\n|-[ \t][^\n]*\n)*/gm,
    '',
  );
}

/** What the skill is called, where its folder may have another name. */
export function skillName({ name, written, skill }: NamedSkill): string {
  const own = componentName(skill.name);
  // A skill that got another folder gets another name, too.
  return written !== undefined && name === own ? componentName(written) || name : name;
}

const MAX_DESCRIPTION = 1024;

/** Claude Code lists both together. */
function writtenDescription(header: FrontMatter): string | undefined {
  const texts = ['description', 'when_to_use'].flatMap((key) => textField(header, key) ?? []);
  const [first = '', ...more] = texts;
  const whole = [/[.!?:;]$/.test(first) || more.length === 0 ? first : `${first}.`, ...more].join(' ');
  return texts.length > 0 ? whole.replace(/\s+/g, ' ').trim() : undefined;
}

function descriptionOf({ name, header }: NamedSkill): string {
  const written = writtenDescription(header);
  if (written !== undefined) return written.slice(0, MAX_DESCRIPTION).trim();
  const line = header.body.split('\n').find((text) => /\w/.test(text)) ?? '';
  return (
    line
      .replace(/^[#>*\s-]+/, '')
      .trim()
      .slice(0, MAX_DESCRIPTION) || name
  );
}

async function withHeader(fields: Record<string, unknown>, body: string, original: string): Promise<string> {
  const { CORE_SCHEMA, dump } = await import('js-yaml');
  const end = /^[^\n]*\r\n/.test(original) ? '\r\n' : '\n';
  const header = `---\n${dump(fields, { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true })}---\n`;
  return header.replaceAll('\n', end) + body;
}
