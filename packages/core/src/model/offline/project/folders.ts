/** What a folder is likely for, by its name alone; said as a guess. */

const GUESSES: [RegExp, string][] = [
  [/^(?:src|source|sources)$/, 'source code'],
  [/^(?:lib|libs|library)$/, 'library code'],
  [/^(?:app|apps|application)$/, 'the application'],
  [/^(?:packages|crates|modules|workspaces)$/, 'packages of this project'],
  [/^(?:test|tests|__tests__|spec|specs|testing)$/, 'tests'],
  [/^(?:integration-tests?|e2e|integration)$/, 'tests of the whole program'],
  [/^(?:test-utils|testutils|fixtures|testdata)$/, 'helpers and data for tests'],
  [/^(?:docs?|documentation)$/, 'documentation'],
  [/^(?:examples?|samples?|demos?)$/, 'examples'],
  [/^(?:scripts?|tools?|hack|ci)$/, 'scripts for development'],
  [/^(?:bench|benches|benchmarks?|perf)$/, 'performance measurements'],
  [/^cmd$/, 'commands (Go programs)'],
  [/^internal$/, 'internal packages'],
  [/^pkg$/, 'packages for use by others'],
  [/^(?:bin|cli)$/, 'command-line programs'],
  [/^(?:server|backend|api)$/, 'server side'],
  [/^(?:client|frontend|web|www|ui)$/, 'client side'],
  [/^(?:components|pages|views|routes)$/, 'user interface'],
  [/^(?:public|static|assets|images|img|media)$/, 'static files'],
  [/^(?:config|configs|conf|settings|etc)$/, 'configuration'],
  [/^(?:schemas?|proto|protos|migrations|db|sql)$/, 'data definitions'],
  [/^(?:data|datasets?)$/, 'data'],
  [/^(?:include|headers)$/, 'header files'],
  [/^(?:notebooks?)$/, 'notebooks'],
  [/^(?:deploy|deployment|infra|terraform|k8s|docker|charts)$/, 'deployment'],
];

/** Built, fetched or private: nothing to read there. */
const UNINTERESTING =
  /^(?:\..*|node_modules|dist|build|out|target|coverage|vendor|venv|env|__pycache__|tmp|temp|logs?|bower_components|.*\.egg-info)$/;

/** Folders whose children are packages of their own. */
const CONTAINERS = /^(?:packages|crates|apps|libs|modules|services|plugins|cmd|workspaces)$/;

export function guessFolder(name: string): string | undefined {
  return GUESSES.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1];
}

export function isInteresting(folder: string): boolean {
  return !UNINTERESTING.test(folder);
}

export function holdsPackages(folder: string): boolean {
  return CONTAINERS.test(folder);
}

const LANGUAGE_BY_EXTENSION: Record<string, string> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  js: 'JavaScript',
  mjs: 'JavaScript',
  py: 'Python',
  rs: 'Rust',
  go: 'Go',
  java: 'Java',
  kt: 'Kotlin',
  c: 'C',
  cc: 'C++',
  cpp: 'C++',
  cs: 'C#',
  rb: 'Ruby',
  php: 'PHP',
  swift: 'Swift',
  sh: 'Shell',
  lua: 'Lua',
  ipynb: 'Jupyter notebooks',
  tex: 'LaTeX',
  html: 'HTML',
};

/** Languages of the files seen, the most frequent first. */
export function languagesOf(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const language = LANGUAGE_BY_EXTENSION[/\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? ''];
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([language]) => language);
}
