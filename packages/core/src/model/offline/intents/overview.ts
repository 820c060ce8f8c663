/** "what does this project do?": looks at the root, manifests, README and main folders, in that order. */
import { listDirectory, readFile } from '../calls.js';
import type { Clause } from '../clause.js';
import { ask, askAll, defineFamily, done, failed, type Steps, type ToolCall } from '../intent.js';
import { combineFacts, manifestsIn } from '../project/facts.js';
import { holdsPackages, isInteresting } from '../project/folders.js';
import { readReadme } from '../project/readme.js';
import { renderOverview, renderUsage, type Survey, type SurveyedFolder } from '../project/report.js';
import { joinPath, parseListing, parseRead } from '../results.js';
import { code, toolError } from '../say.js';

interface OverviewDetails {
  focus: 'project' | 'usage';
}

const PROJECT =
  '(?:(?:this|the|my|our|your|that|a)(?: whole| entire| current)? (?:project|repo(?:sitory)?|code ?base|code|app(?:lication)?|program|tool|software|workspace|package|library|thing|folder|directory)(?: here)?|this|it|everything here)';

const ABOUT = [
  new RegExp(
    `^what (?:does|do|is|are|can) ${PROJECT}(?: (?:do|does|about|for|all about|used for|supposed to do|good for|contain))?(?: exactly)?(?:,? and how (?:do|does|can|to|is)\\b.*)?$`,
    'i',
  ),
  new RegExp(`^what ${PROJECT} (?:does|is(?: about| for| all about)?|do)$`, 'i'),
  new RegExp(`^what(?:'s|’s) ${PROJECT}(?: (?:do|about|for|all about|used for))?$`, 'i'),
  new RegExp(
    `^(?:describe|explain|summari[sz]e|introduce|analy[sz]e|explore|understand|inspect|look at|walk me through|tell me (?:more )?about|learn about|familiari[sz]e yourself with|show(?: me)?)(?: to)?(?: me)? ${PROJECT}(?: (?:to me|for me|structure|works?))?$`,
    'i',
  ),
  new RegExp(
    `^(?:(?:give|show|get|write|make|provide)(?: me| us)? )?(?:an?|the)?(?: (?:short|brief|quick|high-level|general))? ?(?:overview|summary|introduction|tour|description|explanation)(?: (?:of|to|about|over) ${PROJECT})?$`,
    'i',
  ),
  new RegExp(`^(?:how|in what way) is ${PROJECT} (?:structured|organi[sz]ed|built|laid out|set up)$`, 'i'),
  new RegExp(
    `^(?:what is|what's|show(?: me)?|explain|describe)? ?(?:the )?(?:project|code|folder|directory|repo(?:sitory)?)?(?:'s)? ?(?:structure|architecture|layout|organi[sz]ation)(?: of ${PROJECT})?$`,
    'i',
  ),
  /^(?:what am i looking at|where (?:do|should|can) i (?:start|begin)(?: reading)?|what is going on here|what is this|(?:project|codebase|repo) (?:overview|summary)|how does (?:this|the) (?:project|code|codebase|app|program) work)$/i,
  /^(?:what|which) (?:programming )?(?:languages?|frameworks?|tech(?:nolog(?:y|ies))?(?: stack)?|libraries|stack|tools) (?:does|do|is|are)(?: this| the| it)?.*$/i,
];
const USAGE = new RegExp(
  `^(?:how (?:do|can|should|would) (?:i|you|we|one)|how to|what is the command to|what command (?:do i use|is used) to)(?: (?:install|build|compile|run|start|launch|test|use|develop|lint|set ?up|execute)(?:,| and| or)?)+(?: ${PROJECT}| (?:the |its |my )?(?:unit )?(?:tests?(?: suite)?|dependencies|dev(?:elopment)? server|server|linter|build|app))?$`,
  'i',
);
const RUN_IT =
  /^(?:run|start|launch|execute) (?:it|(?:the|this|my) (?:project|app|application|program|server|dev(?:elopment)? server|code))$/i;

function match({ text, previous, afterText }: Clause): OverviewDetails | undefined {
  // "this" is what was spoken of, or the text pasted above, before it is the project.
  const isSpokenOf = afterText || previous?.path !== undefined || previous?.text !== undefined;
  if (isSpokenOf && PRONOUN.test(text)) return undefined;
  if (USAGE.test(text) || RUN_IT.test(text)) return { focus: 'usage' };
  return text !== '' && ABOUT.some((pattern) => pattern.test(text)) ? { focus: 'project' } : undefined;
}

const PRONOUN = /\b(?:it|this|that)(?: (?:do|does|about|for|mean|to me|works?))?$/i;

function* steps({ focus }: OverviewDetails): Steps {
  const survey = yield* surveyOf('.', focus === 'project');
  if (typeof survey === 'string') return failed(survey);
  return done(focus === 'project' ? renderOverview(survey) : renderUsage(survey));
}

/** The overview of one folder that is known to exist. */
export function* overviewOf(folder: string): Steps {
  const survey = yield* surveyOf(folder, true);
  return typeof survey === 'string' ? failed(survey) : done(renderOverview(survey));
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

export const overviewFamily = defineFamily<OverviewDetails>({ kind: 'overview', match, steps });
