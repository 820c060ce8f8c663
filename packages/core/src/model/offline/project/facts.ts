/** What the manifests of a folder say about the project in it. */
import { readFile } from '../calls.js';
import { askAll, type Steps } from '../intent.js';
import { joinPath, type Listing, parseRead } from '../results.js';
import { MANIFESTS } from './manifests.js';
import type { Command, ManifestContext, ManifestFacts, Task } from './types.js';

export interface ProjectFacts {
  name?: string;
  description?: { text: string; from: string };
  languages: string[];
  tools: string[];
  commands: Command[];
  entries: string[];
  packageFolders: string[];
  manifests: string[];
}

const MAX_MANIFESTS = 8;

/** Reads the manifests of a listed folder in one turn. */
export function* readFacts(listing: Listing, folder: string): Steps<ProjectFacts> {
  const present = manifestsIn(listing);
  const outcomes = yield* askAll(present.map((file) => readFile(joinPath(folder, file))));
  const contents = present.map((file, index) => {
    const outcome = outcomes[index];
    return { file, content: outcome?.ok ? parseRead(outcome.text).content : '' };
  });
  return combineFacts(contents, listing);
}

export function manifestsIn(listing: Listing): string[] {
  return MANIFESTS.flatMap(({ file }) => listing.files.filter((name) => file.test(name)).slice(0, 1)).slice(
    0,
    MAX_MANIFESTS,
  );
}

export function combineFacts(
  contents: readonly { file: string; content: string }[],
  listing: Listing,
): ProjectFacts {
  const facts: ProjectFacts = {
    languages: [],
    tools: [],
    commands: [],
    entries: [],
    packageFolders: [],
    manifests: [],
  };
  for (const { file, content } of contents) {
    const manifest = MANIFESTS.find((candidate) => candidate.file.test(file));
    if (!manifest) continue;
    const context: ManifestContext = {
      file,
      files: listing.files,
      folders: listing.folders,
      has: (name) => listing.files.includes(name),
    };
    merge(facts, file, manifest.read(content, context));
  }
  return facts;
}

/** The first manifest that has a command for the task; the standard library's test runner only for want of another. */
export function commandFor(facts: ProjectFacts, task: Task): Command | undefined {
  const fitting = facts.commands.filter((command) => command.task === task);
  return fitting.find(({ command }) => !command.includes('-m unittest')) ?? fitting[0];
}

/** The first manifest to say something wins; lists grow. */
function merge(facts: ProjectFacts, file: string, more: ManifestFacts): void {
  facts.manifests.push(file);
  facts.name ??= more.name;
  if (more.description) facts.description ??= { text: more.description, from: file };
  append(facts.languages, more.languages);
  append(facts.tools, more.tools);
  append(facts.entries, more.entries);
  append(facts.packageFolders, more.packageFolders);
  for (const command of more.commands ?? []) facts.commands.push({ ...command, from: file });
}

function append(list: string[], more: readonly string[] = []): void {
  for (const item of more) if (!list.includes(item)) list.push(item);
}
