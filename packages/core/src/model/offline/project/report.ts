/** The answer about a project. Every statement names its source. */
import { joinPath, type Listing } from '../results.js';
import { bullets, code, count, firstOf, quote, shorten } from '../say.js';
import { combineFacts, commandFor, type ProjectFacts } from './facts.js';
import { guessFolder, languagesOf } from './folders.js';
import { firstSentence, type Readme, readReadme } from './readme.js';
import type { Task } from './types.js';

export interface SurveyedFolder {
  /** Relative to the surveyed folder. */
  path: string;
  listing?: Listing;
  /** Its own manifest or README. */
  says?: { file: string; content: string };
}

export interface Survey {
  folder: string;
  root: Listing;
  facts: ProjectFacts;
  readme?: Readme & { file: string };
  folders: SurveyedFolder[];
}

export function renderOverview(survey: Survey): string {
  if (isEmpty(survey.root)) return emptyFolder(survey);
  const parts = [
    introduction(survey),
    languageLine(survey),
    commandList(survey),
    folderList(survey),
    whereToStart(survey),
  ];
  return parts.filter((part) => part !== undefined).join('\n\n');
}

/** Only how to install, run and test. */
export function renderUsage(survey: Survey): string {
  if (isEmpty(survey.root)) return emptyFolder(survey);
  const commands = commandList(survey);
  const sections =
    survey.readme?.headings.filter((heading) =>
      /install|usage|start|build|run|develop|test|contribut/i.test(heading),
    ) ?? [];
  const more =
    survey.readme && sections.length > 0
      ? `${code(survey.readme.file)} has more under ${sections
          .slice(0, 6)
          .map((heading) => `"${heading}"`)
          .join(', ')}.`
      : undefined;
  if (!commands && !more) {
    return 'I found no manifest with commands here (`package.json`, `pyproject.toml`, `Cargo.toml`, `go.mod`, `Makefile` …).';
  }
  return [commands, more].filter((part) => part !== undefined).join('\n\n');
}

function isEmpty(root: Listing): boolean {
  return root.files.length === 0 && root.folders.filter((name) => name !== '.git').length === 0;
}

function emptyFolder({ folder, root }: Survey): string {
  const hidden =
    root.ignored > 0 ? ` apart from ${count(root.ignored, 'ignored entry', 'ignored entries')}` : '';
  if (folder !== '.') return `${code(folder)} is empty${hidden}.`;
  return `This folder is empty${hidden}. You could start with ${code('create README.md with "# My project"')}, or start me in another folder.`;
}

function introduction({ folder, root, facts, readme }: Survey): string {
  const folderName = root.directory.split(/[/\\]/).filter(Boolean).at(-1) ?? folder;
  const title = `## ${facts.name ?? readme?.title ?? folderName}`;
  if (readme?.opening)
    return `${title}\n\nFrom ${code(joinPath(folder, readme.file))}:\n\n${quote(readme.opening)}`;
  if (facts.description)
    return `${title}\n\nFrom ${code(joinPath(folder, facts.description.from))}:\n\n${quote(facts.description.text)}`;
  const kinds = fileKinds(root.files);
  const holds = `It holds ${count(root.folders.length, 'folder')} and ${count(root.files.length, 'file')}${kinds ? ` (${kinds})` : ''}.`;
  return `${title}\n\nNo README or manifest says what this is. ${holds}`;
}

function languageLine({ root, facts, folders }: Survey): string | undefined {
  const seen = languagesOf(
    [root, ...folders.map(({ listing }) => listing)].flatMap((listing) => listing?.files ?? []),
  );
  // A workspace package inherits TypeScript from the root, so its own manifest may not list it.
  const declared = facts.languages.map((name) =>
    name === 'JavaScript' && seen.includes('TypeScript') ? 'TypeScript' : name,
  );
  const languages = declared.length > 0 ? declared : seen.slice(0, 3);
  const named = languages.filter((name) => !facts.tools.some((tool) => tool.startsWith(`${name} `)));
  const all = [...new Set([...named, ...facts.tools])].slice(0, 12);
  return all.length > 0 ? `**Language and tools:** ${all.join(', ')}` : undefined;
}

const TASKS: [Task, string][] = [
  ['install', 'install the dependencies'],
  ['build', 'build'],
  ['run', 'run it'],
  ['test', 'run the tests'],
  ['lint', 'check the style'],
  ['typecheck', 'check the types'],
];

/** One command per task: the first manifest that has one. */
function commandList({ folder, facts }: Survey): string | undefined {
  // An install command alone says nothing about a part of a project.
  if (folder !== '.' && facts.commands.every(({ task }) => task === 'install')) return undefined;
  const lines = TASKS.flatMap(([task, words]) => {
    const found = commandFor(facts, task);
    return found ? [`${code(found.command)}: ${words}`] : [];
  });
  if (lines.length === 0) return undefined;
  return `**Commands** (from ${facts.manifests.map(code).join(', ')})\n\n${bullets(lines)}`;
}

const MAX_LISTED = 14;

function folderList(survey: Survey): string | undefined {
  const packageParents = new Set(
    survey.folders.filter(({ path }) => path.includes('/')).map(({ path }) => path.split('/')[0]),
  );
  const lines = survey.folders
    .filter(({ path }) => !packageParents.has(path))
    .sort(
      (a, b) =>
        Number(b.path.includes('/')) - Number(a.path.includes('/')) ||
        weight(a) - weight(b) ||
        (a.path < b.path ? -1 : 1),
    )
    .map((entry) => `${code(`${joinPath(survey.folder, entry.path)}/`)}: ${describe(entry)}`);
  if (lines.length === 0) return undefined;
  return `**Main folders**\n\n${bullets(firstOf(lines, MAX_LISTED))}`;
}

/** Code before everything else. */
function weight({ path }: SurveyedFolder): number {
  const name = path.split('/').at(-1) ?? path;
  return /^(?:src|lib|app|cmd|internal|pkg)$/.test(name) ? 0 : 1;
}

function describe({ path, listing, says }: SurveyedFolder): string {
  const own = says && listing ? ownWords(says, listing) : undefined;
  if (own) return `${shorten(own, 160)} (${code(says?.file ?? '')})`;
  const guess = guessFolder(path.split('/').at(-1) ?? path);
  const names = [...(listing?.folders ?? []).map((name) => `${name}/`), ...(listing?.files ?? [])];
  const shown = names.slice(0, 4).map(code).join(', ');
  const holds =
    names.length === 0 ? 'empty' : `holds ${shown}${names.length > 4 ? ` and ${names.length - 4} more` : ''}`;
  return guess ? `${guess} (guessed from the name); ${holds}` : holds;
}

function ownWords(says: { file: string; content: string }, listing: Listing): string | undefined {
  if (/^readme/i.test(says.file)) {
    const { opening } = readReadme(says.content);
    return opening ? firstSentence(opening) : undefined;
  }
  return combineFacts([says], listing).description?.text;
}

const ENTRY =
  /^(?:index|main|app|cli|server|lib|mod|__main__|entry)\.(?:tsx?|m?js|py|rs|go|java|kt|rb|c|cc|cpp|cs|php)$/;

function whereToStart({ folder, root, facts, readme, folders }: Survey): string | undefined {
  const documents = [...(readme ? [readme.file] : []), ...docsToRead(root, folders)];
  const programs = [...facts.entries, ...entryFiles(root, folders)];
  const sources = folders
    .filter(({ listing }) => listing?.folders.includes('src'))
    .map(({ path }) => `${path}/src/`);
  const all = [
    ...new Set([...documents.slice(0, 3), ...programs, ...(programs.length > 0 ? [] : sources)]),
  ].slice(0, 6);
  if (all.length === 0) return undefined;
  const example = programs[0] ?? documents[1] ?? documents[0] ?? sources[0];
  const paths = all.map((path) => code(joinPath(folder, path))).join(', ');
  return `**Where to start:** ${paths}${example ? `; for example ${code(`explain ${joinPath(folder, example)}`)}` : ''}.`;
}

function docsToRead(root: Listing, folders: readonly SurveyedFolder[]): string[] {
  const docs = folders.find(({ path }) => /^docs?$/i.test(path));
  const inDocs = (docs?.listing?.files ?? []).filter((name) =>
    /^(?:readme|index|architecture|overview|getting-started)\.\w+$/i.test(name),
  );
  const atRoot = root.files.filter((name) => /^(?:architecture|design|contributing)\.\w+$/i.test(name));
  return [...inDocs.map((name) => joinPath(docs?.path ?? '', name)), ...atRoot];
}

function entryFiles(root: Listing, folders: readonly SurveyedFolder[]): string[] {
  return [{ path: '', listing: root }, ...folders].flatMap(({ path, listing }) =>
    (listing?.files ?? []).filter((name) => ENTRY.test(name)).map((name) => joinPath(path, name)),
  );
}

function fileKinds(files: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const file of files) {
    const extension = /\.\w+$/.exec(file)?.[0].toLowerCase() ?? 'no extension';
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  const most = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 4);
  return most.map(([extension, n]) => `${n} ${extension}`).join(', ');
}
