/** Vocabulary shared by the intents: what looks like a path, a folder, a name in code. */
import { type Clause, isQuoted, meaningOf } from './clause.js';

/** Extensions that make a bare `name.ext` a file rather than code such as `console.log`. */
const FILE_EXTENSIONS = new Set(
  (
    'ts tsx mts cts js jsx mjs cjs json jsonc json5 md mdx txt rst py pyi ipynb rs go java kt kts scala c h cc cpp cxx ' +
    'hpp cs fs rb php swift sh bash zsh ps1 bat toml yaml yml xml html htm css scss less svg sql csv tsv ini cfg conf ' +
    'lock gradle vue svelte lua pl r jl ex exs erl hs clj dart zig nix tf proto graphql png jpg jpeg gif webp pdf'
  ).split(' '),
);

const FILE_NAMES =
  /^(?:readme|license|licence|copying|notice|authors|changelog|contributing|code_of_conduct|security|makefile|dockerfile|gemfile|rakefile|procfile|justfile|jenkinsfile|vagrantfile|cmakelists\.txt)$/i;

const FOLDER_NAMES = new Set(
  (
    'src lib libs app apps docs doc test tests spec specs packages crates cmd internal pkg bin scripts examples example ' +
    'tools config public static assets include server client api components modules services integration-tests perf bench'
  ).split(' '),
);

const PRONOUN = /^(?:it|that|this|this one|that file|this file|the file|the same file)$/i;

/** Text typed for a path, cleaned: quotes, a leading `@`, a closing slash or `/**`, "it" resolved. */
export function pathOf(clause: Clause, captured: string): string {
  const plain = meaningOf(clause, captured).trim();
  if (PRONOUN.test(plain) && clause.previous?.path) return clause.previous.path;
  const path = plain
    .replace(/^@(?=.)/, '')
    .replace(/\/\*\*$/, '')
    .replace(/^\.\/(?=.)/, '');
  return path.length > 1 ? path.replace(/\/+$/, '') : path;
}

/** A quoted word counts as a path only if it looks like one. */
export function looksLikePath(clause: Clause, captured: string): boolean {
  const typed = meaningOf(clause, captured).trim();
  if (PRONOUN.test(typed)) return clause.previous?.path !== undefined;
  if (typed === '' || typed.includes('://') || /[\n\t]/.test(typed)) return false;
  if (typed.startsWith('@') && typed.length > 1) return true;
  return (
    isFileName(isQuoted(captured) ? typed.replaceAll(' ', '_') : typed) ||
    (/[/\\]/.test(typed) && !/\s/.test(typed) && !/^\/.*\/[a-z]*$/.test(typed))
  );
}

export function isFileName(word: string): boolean {
  const name = word.split('/').at(-1) ?? '';
  const extension = /^[^\s]*?[^.\s]\.([a-z][a-z0-9]{0,7})$/i.exec(name)?.[1];
  return (
    FILE_NAMES.test(name) ||
    /^\.[a-z][\w.-]+$/i.test(name) ||
    FILE_EXTENSIONS.has(extension?.toLowerCase() ?? '')
  );
}

/** `name.ext` of any kind, where only a file can be meant. */
export function hasExtension(clause: Clause, captured: string): boolean {
  const typed = meaningOf(clause, captured).trim();
  return /^[\w@~./ -]*[\w-]\.[a-z][a-z0-9]{0,7}$/i.test(typed) && !isCodeName(clause, captured);
}

export function looksLikeFolder(clause: Clause, captured: string): boolean {
  const typed = meaningOf(clause, captured).trim();
  if (typed.endsWith('/') || typed === '.' || typed === '..' || HERE.test(typed)) return true;
  if (FOLDER_NAMES.has(typed.toLowerCase())) return true;
  return looksLikePath(clause, captured) && !isFileName(typed);
}

const HERE =
  /^(?:here|this|current|the current|(?:this|the|my|our)?\s*(?:current |root |top(?:-level)? |whole |entire )?(?:project|repo|repository|code ?base|code|source(?: code)?|workspace|folder|directory|root|files?))$/i;

/** The folder meant: the project itself for "here", "this folder", "the project". */
export function folderOf(clause: Clause, captured: string | undefined): string {
  if (captured === undefined) return '.';
  const typed = meaningOf(clause, captured).trim();
  if (!isQuoted(captured) && HERE.test(typed)) return '.';
  return pathOf(clause, captured) || '.';
}

export function isHere(captured: string): boolean {
  return (
    !isQuoted(captured) && (/^(?:everywhere|all files|the files)$/i.test(captured) || HERE.test(captured))
  );
}

/** The folder a search is limited to; nothing for the whole project. */
export function placeOf(clause: Clause, captured: string | undefined): { under?: string } {
  return captured === undefined || isHere(captured) ? {} : { under: folderOf(clause, captured) };
}

const NAME = /^[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*(?:\(\))?$/;

/** The name in `foo`, `foo()`, `Type.foo`, `module::foo`. */
export function symbolOf(clause: Clause, captured: string): string | undefined {
  const typed = meaningOf(clause, captured).trim();
  if (!NAME.test(typed)) return undefined;
  return typed
    .replace(/\(\)$/, '')
    .split(/\.|::|#|->/)
    .at(-1);
}

/** A name that does not occur in prose: quoted, called, camelCase, snake_case or qualified. */
export function isCodeName(clause: Clause, captured: string): boolean {
  const typed = meaningOf(clause, captured).trim();
  if (!NAME.test(typed)) return false;
  return isQuoted(captured) || /\(\)$|_|::|[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|^[A-Z][a-z]+[A-Z]/.test(typed);
}

const LANGUAGE_EXTENSIONS: Record<string, string> = {
  typescript: '{ts,tsx,mts,cts}',
  javascript: '{js,jsx,mjs,cjs}',
  python: 'py',
  rust: 'rs',
  go: 'go',
  golang: 'go',
  java: 'java',
  kotlin: '{kt,kts}',
  c: '{c,h}',
  'c++': '{cc,cpp,cxx,h,hpp}',
  'c#': 'cs',
  ruby: 'rb',
  php: 'php',
  swift: 'swift',
  markdown: '{md,mdx}',
  yaml: '{yaml,yml}',
  shell: '{sh,bash,zsh}',
  html: '{html,htm}',
};

/** `*.ts`, `.ts`, `ts` or `TypeScript` as a pattern over file names. */
export function filePattern(clause: Clause, captured: string): string | undefined {
  const typed = meaningOf(clause, captured).trim();
  if (/[*?{]/.test(typed)) return typed;
  const language = LANGUAGE_EXTENSIONS[typed.toLowerCase()];
  if (language) return `*.${language}`;
  if (/^tests?$/i.test(typed)) return '*{.test.*,.spec.*,_test.*,test_*.py}';
  const extension = /^\.?([a-z][a-z0-9]{0,7})$/i.exec(typed)?.[1]?.toLowerCase();
  return extension && (typed.startsWith('.') || FILE_EXTENSIONS.has(extension))
    ? `*.${extension}`
    : undefined;
}

/** Tests come after the code they test. */
export function isTestFile(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|spec)\/|[._](?:test|spec)\.|(?:^|\/)test_/.test(path);
}
