import { describe, expect, it } from 'vitest';
import { parseIntents } from './intents.js';

type Expected = [kind: string, details: object];

function read(prompt: string, earlier: string[] = []): Expected[] {
  return parseIntents(prompt, earlier).intents.map(({ kind, details }) => [kind, details]);
}

const OVERVIEW: Expected = ['overview', { focus: 'project' }];
const USAGE: Expected = ['overview', { focus: 'usage' }];
const NEEDS_MODEL: Expected = ['help', { topic: 'needs_model' }];
const TEST: Expected = ['task', { task: 'test' }];

function created(path: string, content: string, more: object = {}): Expected {
  return ['create', { path, content, overwrite: false, unquoted: false, ...more }];
}

function edited(from: string, to: string, path: string | undefined, more: object = {}): Expected {
  return ['edit', { from, to, ...(path && { path }), all: false, isRename: false, ...more }];
}

const SINGLE: Record<string, [prompt: string, expected: Expected][]> = {
  'an overview': [
    ['what does this project do?', OVERVIEW],
    ['What is this project about', OVERVIEW],
    ["what's this repo?", OVERVIEW],
    ['Hello! Could you please explain this codebase to me?', OVERVIEW],
    ['give me a short overview', OVERVIEW],
    ['overview of the repo', OVERVIEW],
    ['summarize this repository', OVERVIEW],
    ['how is the project structured?', OVERVIEW],
    ['project structure', OVERVIEW],
    ['where do I start?', OVERVIEW],
    ['what is this?', OVERVIEW],
    ['tell me what this project does', OVERVIEW],
    ["I'd like to know what this app does", OVERVIEW],
    ['what languages does this project use?', OVERVIEW],
    ['what does this project do and how do I run it?', OVERVIEW],
    ['how do I run the tests?', USAGE],
    ['explain how to run the tests', USAGE],
    ['how to build and run it', USAGE],
    ['how do I build and run the tests?', USAGE],
    ['run the app', USAGE],
  ],
  'tests and tasks': [
    ['run the tests', TEST],
    ['please run all the unit tests', TEST],
    ['do the tests pass?', TEST],
    ['check if the tests pass', TEST],
    ['run the tests again', TEST],
    ['test the project', TEST],
    ['run the tests in packages/core', ['task', { task: 'test', path: 'packages/core' }]],
    ['run the tests in src/a.test.ts', ['task', { task: 'test', path: 'src/a.test.ts' }]],
    ['build the project', ['task', { task: 'build' }]],
    ['run the linter', ['task', { task: 'lint' }]],
    ['run the type checker', ['task', { task: 'typecheck' }]],
    ['install the dependencies', ['task', { task: 'install' }]],
  ],
  'a command': [
    ['run npm test', ['run', { command: 'npm test' }]],
    ['run `npm run build`', ['run', { command: 'npm run build' }]],
    ['execute ls -la src', ['run', { command: 'ls -la src' }]],
    ['run the command git status please', ['run', { command: 'git status' }]],
    ['run git commit -m "a; then b"', ['run', { command: 'git commit -m "a; then b"' }]],
    ['run make && make test', ['run', { command: 'make && make test' }]],
    ['run cd src; ls', ['run', { command: 'cd src; ls' }]],
    ['run script.py', ['run', { command: 'python3 script.py' }]],
    ['$ ls -la', ['run', { command: 'ls -la' }]],
    ['git log --oneline -5', ['run', { command: 'git log --oneline -5' }]],
    ['show me the git status', ['run', { command: 'git status' }]],
    ['grep -rn foo src', ['run', { command: 'grep -rn foo src' }]],
    ['run ls and tell me what you see', ['run', { command: 'ls' }]],
    ['run npm test and show me the output', ['run', { command: 'npm test' }]],
    ['npm test, and then tell me whether it passes', ['run', { command: 'npm test' }]],
    ['run echo "this and that"', ['run', { command: 'echo "this and that"' }]],
  ],
  'a listing': [
    ['list files', ['list', { path: '.' }]],
    ['ls src', ['list', { path: 'src' }]],
    ['list the files in src', ['list', { path: 'src' }]],
    ['what files are in src?', ['list', { path: 'src' }]],
    ['what is in the docs folder', ['list', { path: 'docs' }]],
    ['show me the files in this folder', ['list', { path: '.' }]],
    ['please list the directory packages', ['list', { path: 'packages' }]],
    ["what's here?", ['list', { path: '.' }]],
  ],
  files: [
    ['list all .ts files', ['find_files', { pattern: '**/*.ts' }]],
    ['find all *.py files in src', ['find_files', { pattern: '**/*.py', under: 'src' }]],
    ['find all python files', ['find_files', { pattern: '**/*.py' }]],
    [
      'list TypeScript files under packages',
      ['find_files', { pattern: '**/*.{ts,tsx,mts,cts}', under: 'packages' }],
    ],
    ['find files named config', ['find_files', { pattern: '**/*config*' }]],
    ['where is package.json?', ['find_files', { pattern: '**/package.json', maybeText: 'package.json' }]],
  ],
  'a file': [
    ['show README', ['read', { path: 'README' }]],
    ['cat package.json', ['read', { path: 'package.json' }]],
    ['print the contents of src/a.ts', ['read', { path: 'src/a.ts' }]],
    ['show data.xyz', ['read', { path: 'data.xyz' }]],
    ['show "my notes.txt"', ['read', { path: 'my notes.txt' }]],
    ['read @src/a.ts', ['read', { path: 'src/a.ts' }]],
    ["what's in package.json?", ['read', { path: 'package.json' }]],
    ['show lines 10 to 20 of src/a.ts', ['read', { path: 'src/a.ts', from: 10, to: 20 }]],
    ['show src/a.ts lines 5-3', ['read', { path: 'src/a.ts', from: 3, to: 5 }]],
    ['show src/a.ts:12', ['read', { path: 'src/a.ts', from: 4, to: 20 }]],
    ['first 20 lines of a.txt', ['read', { path: 'a.txt', from: 1, to: 20 }]],
    ['tail -20 log.txt', ['read', { path: 'log.txt', last: 20 }]],
  ],
  'an explanation': [
    ['explain @src/a.ts', ['explain', { path: 'src/a.ts' }]],
    ['what does src/a.ts do?', ['explain', { path: 'src/a.ts' }]],
    ['describe what src/a.ts does', ['explain', { path: 'src/a.ts' }]],
    ['what is the purpose of src/a.ts', ['explain', { path: 'src/a.ts' }]],
    ['summarize README.md', ['explain', { path: 'README.md' }]],
    ['explain the packages/core folder', ['explain', { path: 'packages/core' }]],
    ['explain @packages/**', ['explain', { path: 'packages' }]],
  ],
  text: [
    ['find TODO', ['search', { text: 'TODO' }]],
    ['list all TODOs', ['search', { text: 'TODO' }]],
    ['are there any TODO comments?', ['search', { text: 'TODO' }]],
    ['search for "hello world" in the docs folder', ['search', { text: 'hello world', under: 'docs' }]],
    ['could you find "foo" under packages/core please?', ['search', { text: 'foo', under: 'packages/core' }]],
    ['grep for foo in *.ts files', ['search', { text: 'foo', include: '*.ts' }]],
    ['search src for foo', ['search', { text: 'foo', under: 'src' }]],
    ['search the code for foo', ['search', { text: 'foo' }]],
    ['where is foo used?', ['search', { text: 'foo' }]],
    ['who calls runLoop?', ['search', { text: 'runLoop' }]],
    ['which files mention timeout?', ['search', { text: 'timeout' }]],
    ['find all files containing TODO', ['search', { text: 'TODO' }]],
    ['find console.log', ['search', { text: 'console.log' }]],
    ['find every occurrence of foo in the project', ['search', { text: 'foo' }]],
    ['find over the moon', ['search', { text: 'over the moon' }]],
    ['find the regex /fo+/', ['search', { text: 'fo+', regex: true }]],
    ['where is GEMINI_API_KEY used?', ['search', { text: 'GEMINI_API_KEY' }]],
  ],
  'a definition': [
    ['where is parseArgs defined?', ['definition', { name: 'parseArgs' }]],
    ['Can you tell me where the Guide class is defined?', ['definition', { name: 'Guide' }]],
    ['go to definition of foo', ['definition', { name: 'foo' }]],
    ['show me the class Turn', ['definition', { name: 'Turn' }]],
    ['where is the main function?', ['definition', { name: 'main' }]],
    ['what does `run` do', ['definition', { name: 'run' }]],
    ['explain parseArgs', ['definition', { name: 'parseArgs' }]],
    ['find function foo in src', ['definition', { name: 'foo', under: 'src' }]],
    ['where is Config.getToolRegistry implemented?', ['definition', { name: 'getToolRegistry' }]],
  ],
  'a new file': [
    ['create notes.txt with hello', created('notes.txt', 'hello\n', { unquoted: true })],
    ['create a file notes.txt with the content "a b"', created('notes.txt', 'a b\n')],
    [
      'create a new file called n.txt containing salt and pepper.',
      created('n.txt', 'salt and pepper.\n', { unquoted: true }),
    ],
    ['create an empty file a.txt', created('a.txt', '')],
    ['write "hi there" to notes.txt', created('notes.txt', 'hi there\n')],
    ['save “x” as a.txt', created('a.txt', 'x\n')],
    ['make a file b.md that says hello', created('b.md', 'hello\n', { unquoted: true })],
    ['create hello.py with `print("hi")`', created('hello.py', 'print("hi")\n')],
    ['create the file "my notes.txt" with "a b"', created('my notes.txt', 'a b\n')],
    ['create a.ts with:\n\n```ts\nconst a = 1;\n\nrun();\n```', created('a.ts', 'const a = 1;\n\nrun();\n')],
    [
      'create a.txt with content:\nrun the tests\nlist "files"',
      created('a.txt', 'run the tests\nlist "files"\n'),
    ],
    ['overwrite a.txt with "x"', created('a.txt', 'x\n', { overwrite: true })],
  ],
  'a change': [
    ['replace foo with bar in src/a.ts', edited('foo', 'bar', 'src/a.ts')],
    ['replace "foo bar" with \'baz\' in src/a.ts', edited('foo bar', 'baz', 'src/a.ts')],
    ['replace all foo with bar in a.ts', edited('foo', 'bar', 'a.ts', { all: true })],
    ['replace every occurrence of foo by bar in a.ts', edited('foo', 'bar', 'a.ts', { all: true })],
    ['change the word foo to bar in a.ts everywhere', edited('foo', 'bar', 'a.ts', { all: true })],
    ['replace a with b in c in d.txt', edited('a', 'b in c', 'd.txt')],
    ['replace "x" with "" in a.ts', edited('x', '', 'a.ts')],
    ['rename the function foo to bar in a.ts', edited('foo', 'bar', 'a.ts', { all: true, isRename: true })],
    ['in src/a.ts, replace foo with bar', edited('foo', 'bar', 'src/a.ts')],
    ['replace foo in src/a.ts with bar', edited('foo', 'bar', 'src/a.ts')],
    ['replace all "foo" in a.ts by "bar baz"', edited('foo', 'bar baz', 'a.ts', { all: true })],
    ['rename foo in a.ts to bar', edited('foo', 'bar', 'a.ts', { all: true, isRename: true })],
    ['rename foo to bar', edited('foo', 'bar', undefined, { all: true, isRename: true })],
  ],
  'a topic': [
    ['how does the scheduler work?', ['topic', { topic: 'scheduler' }]],
    ['where is the config file?', ['topic', { topic: 'config' }]],
  ],
  help: [
    ['what can you do?', ['help', { topic: 'capabilities' }]],
    ['help', ['help', { topic: 'capabilities' }]],
    ['', ['help', { topic: 'capabilities' }]],
    ['hello there!', ['help', { topic: 'greeting' }]],
    ['thanks!', ['help', { topic: 'thanks' }]],
    ['are you an AI?', ['help', { topic: 'identity' }]],
    ['how do I connect a model?', ['help', { topic: 'connect' }]],
    ['how do I get an API key?', ['help', { topic: 'connect' }]],
    ['write me a poem', NEEDS_MODEL],
    ['what is the capital of France?', NEEDS_MODEL],
    ['fix the bug in src/a.ts', NEEDS_MODEL],
    ['find bugs in my code', NEEDS_MODEL],
    ['run a marathon', NEEDS_MODEL],
    ['delete a.txt', NEEDS_MODEL],
  ],
};

describe('one request', () => {
  for (const [group, rows] of Object.entries(SINGLE)) {
    it.each(rows)(`asks for ${group}: %s`, (prompt, expected) => {
      expect(read(prompt)).toEqual([expected]);
    });
  }
});

describe('several steps in one request', () => {
  it.each<[string, string[]]>([
    ['find TODO and then show src/a.ts', ['search', 'read']],
    ['find TODO, show src/a.ts and run the tests', ['search', 'read', 'task']],
    ['1. find TODO\n2. run the tests', ['search', 'task']],
    ['Find TODO. Then list src. Finally run npm test.', ['search', 'list', 'run']],
    ['show package.json; list src', ['read', 'list']],
    ['show package.json and README.md', ['read', 'read']],
    ['replace `a` with `b` in x.ts and run the tests', ['edit', 'task']],
    ['create a.txt with "a", create b.txt with "b", then list files', ['create', 'create', 'list']],
  ])('are split: %s', (prompt, kinds) => {
    expect(read(prompt).map(([kind]) => kind)).toEqual(kinds);
  });

  it('take "it" for the file or the text of the step before', () => {
    expect(read('create notes.txt with hello, then replace hello with bye in it and show it')).toEqual([
      created('notes.txt', 'hello\n', { unquoted: true }),
      edited('hello', 'bye', 'notes.txt'),
      ['read', { path: 'notes.txt' }],
    ]);
    expect(read('find foo and replace it with bar in a.ts')[1]).toEqual(edited('foo', 'bar', 'a.ts'));
    expect(read('create go.sh with "ls", then run it')[1]).toEqual(['run', { command: 'bash go.sh' }]);
  });

  it('take "this" for the file of the prompt before', () => {
    expect(read('explain this', ['show src/a.ts'])).toEqual([['explain', { path: 'src/a.ts' }]]);
  });

  it('name clauses that match no rule and do the rest', () => {
    const { intents, notUnderstood } = parseIntents('My project is broken. Run the tests.');
    expect(intents.map(({ kind }) => kind)).toEqual(['task']);
    expect(notUnderstood).toEqual(['My project is broken']);
  });
});

describe('the guide', () => {
  it.each([
    'if the tests pass, create a.txt with hello',
    "don't run the tests",
    'never run `rm x`',
    'run the tests and if they fail run `rm x`',
    'run `make`-like things when the build is done',
    'why should I run the tests?',
    'run rm notes.txt and frobnicate the rest',
    "run rm notes.txt? no, don't",
    'create hello.py with a hello world program',
    'create todo.md with some ideas',
    'create b.txt with the content of a.txt',
    'create a README',
    'replace hello in notes.txt by something nicer',
    'change the title in README.md to something better',
  ])('does nothing for: %s', (prompt) => {
    expect(read(prompt)).toEqual([NEEDS_MODEL]);
  });

  it('ignores text piped in before the request', () => {
    expect(read('run `rm -rf x`\ncreate evil.sh with "x"\n\nwhat does this project do?')).toEqual([OVERVIEW]);
    expect(read('TypeError: x is undefined\n\nexplain this')).toEqual([NEEDS_MODEL]);
  });

  it('reads hostile prompts quickly', () => {
    const prompts = [
      'x '.repeat(4_000_000),
      `find ${'`a, '.repeat(600)}`,
      `replace ${'a with b in '.repeat(150)}`,
      `${'then and '.repeat(220)}run`,
      `${'"'.repeat(99_999)}\n\nfind TODO`,
    ];
    for (const prompt of prompts) expect(() => read(prompt)).not.toThrow();
  });
});
