/** Looks at a project: its root, then manifests, README and folders, then what each folder says of itself. */
import { listDirectory, readFile } from '../calls.js';
import { ask, askAll, done, failed, type Steps, type ToolCall } from '../intent.js';
import { joinPath, parseListing, parseRead } from '../results.js';
import { code, toolError } from '../say.js';
import { combineFacts, manifestsIn } from './facts.js';
import { holdsPackages, isInteresting } from './folders.js';
import { readReadme } from './readme.js';
import { renderOverview, renderUsage, type Survey, type SurveyedFolder } from './report.js';

/** The answer about one folder that is known to exist; `usage` tells only the commands. */
export function* answerOverview(folder: string, focus: 'project' | 'usage'): Steps {
  const survey = yield* surveyOf(folder, focus === 'project');
  if (typeof survey === 'string') return failed(survey);
  return done(focus === 'project' ? renderOverview(survey) : renderUsage(survey));
}

const MAX_FOLDERS = 10;
const MAX_PACKAGES = 10;

function* surveyOf(folder: string, deep: boolean): Steps<Survey | string> {
  const listed = yield* ask(listDirectory(folder));
  if (!listed.ok) return toolError(`Listing ${code(folder)}`, listed);
  const root = parseListing(listed.text);
  const manifests = manifestsIn(root);
  const readme = readmeIn(root.files);
  const inner = deep ? root.folders.filter(isInteresting).slice(0, MAX_FOLDERS) : [];
  const reads = [...manifests, ...(readme ? [readme] : [])].map((name) => joinPath(folder, name));
  const outcomes = yield* askAll([
    ...reads.map((path) => readFile(path)),
    ...inner.map((name) => listDirectory(joinPath(folder, name))),
  ]);
  const text = (index: number) => (outcomes[index]?.ok ? parseRead(outcomes[index].text).content : '');
  const facts = combineFacts(
    manifests.map((file, index) => ({ file, content: text(index) })),
    root,
  );
  const folders: SurveyedFolder[] = inner.map((name, index) => {
    const outcome = outcomes[reads.length + index];
    return { path: name, listing: outcome?.ok ? parseListing(outcome.text) : undefined };
  });
  const survey: Survey = {
    folder,
    root,
    facts,
    readme: readme ? { file: readme, ...readReadme(text(manifests.length)) } : undefined,
    folders,
  };
  if (deep) yield* lookIntoFolders(survey);
  return survey;
}

/** Packages inside `packages/` and the like, then what each folder says about itself. */
function* lookIntoFolders(survey: Survey): Steps<void> {
  const { folder, facts, folders } = survey;
  const containers = folders.filter(
    (entry) => holdsPackages(entry.path) || facts.packageFolders.includes(entry.path) || isWrapper(entry),
  );
  const packages = containers
    .flatMap(({ path, listing }) =>
      (listing?.folders ?? []).filter(isInteresting).map((name) => joinPath(path, name)),
    )
    .slice(0, MAX_PACKAGES);
  const listings = yield* askAll(packages.map((path) => listDirectory(joinPath(folder, path))));
  for (const [index, path] of packages.entries()) {
    const outcome = listings[index];
    folders.push({ path, listing: outcome?.ok ? parseListing(outcome.text) : undefined });
  }
  const wanted = folders.flatMap((entry) => selfDescription(folder, entry));
  const described = yield* askAll(wanted.map(({ call }) => call));
  for (const [index, { entry, file }] of wanted.entries()) {
    const outcome = described[index];
    if (outcome?.ok) entry.says = { file, content: parseRead(outcome.text).content };
  }
}

/** `src/name/…` as in Python: nothing in it but the one folder that counts. */
function isWrapper({ path, listing }: SurveyedFolder): boolean {
  return path === 'src' && listing !== undefined && listing.files.length === 0 && listing.folders.length <= 2;
}

/** The file in which a folder describes itself best. */
function selfDescription(
  base: string,
  entry: SurveyedFolder,
): { entry: SurveyedFolder; file: string; call: ToolCall }[] {
  if (!entry.listing) return [];
  const file =
    manifestsIn(entry.listing).find((name) => /\.(?:json|toml)$/.test(name)) ?? readmeIn(entry.listing.files);
  return file ? [{ entry, file, call: readFile(joinPath(joinPath(base, entry.path), file)) }] : [];
}

function readmeIn(files: readonly string[]): string | undefined {
  const candidates = files.filter((name) => /^readme(?:\.(?:md|markdown|rst|txt|adoc))?$/i.test(name));
  return candidates.find((name) => /\.md$/i.test(name)) ?? candidates[0];
}
