import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../protocol/messages.js';
import type { GenerateRequest } from '../content-generator.js';
import { OfflineGuide } from './guide.js';

const READING = ['list_directory', 'read_file', 'glob', 'grep_search'];
const ALL = [...READING, 'write_file', 'replace', 'run_shell_command'];
const SIGNATURE = '\n\n*Offline guide: built-in rules, no language model.*\n';

/** What the tools would answer, by call: `name first-argument`. Functions see how often they were asked. */
type Answers = Record<string, string | { error: string }>;

function request(messages: Message[], tools = ALL): GenerateRequest {
  const declared = tools.map((name) => ({ name, description: '', parametersJsonSchema: {} }));
  return { model: 'offline', messages, tools: declared, role: 'main', promptId: 'p' };
}

function prompt(text: string): Message {
  return { role: 'user', origin: 'prompt', parts: [{ text }] };
}

async function turn(messages: Message[], tools?: string[]): Promise<Part[]> {
  const response = await new OfflineGuide().generateContent(
    request(messages, tools),
    new AbortController().signal,
  );
  return response.candidates?.[0]?.content?.parts ?? [];
}

/** Runs the loop: the guide against scripted results. Returns the calls made, turn by turn, and the answer. */
async function converse(text: string, answers: Answers, tools = ALL) {
  const messages = [prompt(text)];
  const turns: string[][] = [];
  for (let n = 0; n < 12; n++) {
    const parts = await turn(messages, tools);
    messages.push({ role: 'model', origin: 'model', parts });
    const calls = parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : []));
    if (calls.length === 0) {
      const answer = parts[0]?.text ?? '';
      expect(answer.endsWith(SIGNATURE)).toBe(true);
      expect(answer.split('no language model.').length - 1).toBe(1);
      return { turns, answer: answer.slice(0, -SIGNATURE.length), messages };
    }
    const names = calls.map(({ name, args }) => `${name} ${Object.values(args)[0]}`);
    turns.push(names);
    const responses = calls.map(({ name }, index) => {
      const found = answers[names[index] ?? ''] ?? { error: `no answer for ${names[index]}` };
      return { functionResponse: { name, response: typeof found === 'string' ? { output: found } : found } };
    });
    messages.push({ role: 'user', origin: 'tool_response', parts: responses });
  }
  throw new Error('the guide does not come to an end');
}

function listing(directory: string, ...entries: string[]): string {
  const lines = entries.map((name) =>
    name.endsWith('/') ? `[DIR] ${name.slice(0, -1)}` : `${name} (10 bytes)`,
  );
  return [`Directory listing for ${directory}:`, ...lines].join('\n');
}

function hits(path: string, ...lines: string[]): string {
  return `Found ${lines.length} matches for pattern "x" in path ".":\n---\nFile: ${path}\n${lines.join('\n')}\n---`;
}

function shell(output: string, ...facts: string[]): string {
  return `<untrusted_context>\n${[`Output: ${output}`, ...facts, 'Process Group PGID: 7'].join('\n')}\n</untrusted_context>`;
}

describe('an overview', () => {
  it('of a Rust workspace reads independent things in one turn', async () => {
    const { turns, answer } = await converse('what does this project do?', {
      'list_directory .': listing(
        '/w/grain',
        '.git/',
        'crates/',
        'src/',
        'target/',
        'Cargo.toml',
        'README.md',
      ),
      'read_file Cargo.toml':
        '[package]\nname = "grain"\nedition = "2021"\n[workspace]\nmembers = ["crates/*"]\n',
      'read_file README.md': '# Grain\n\nCounts grains of sand quickly. It is small.\n\n## Usage\n',
      'list_directory crates': listing('/w/grain/crates', 'core/'),
      'list_directory src': listing('/w/grain/src', 'main.rs'),
      'list_directory crates/core': listing('/w/grain/crates/core', 'src/', 'Cargo.toml'),
      'read_file crates/core/Cargo.toml': '[package]\nname = "core"\ndescription = "The counting itself"\n',
    });
    expect(turns).toEqual([
      ['list_directory .'],
      ['read_file Cargo.toml', 'read_file README.md', 'list_directory crates', 'list_directory src'],
      ['list_directory crates/core'],
      ['read_file crates/core/Cargo.toml'],
    ]);
    expect(answer).toBe(
      [
        '## grain',
        '',
        'From `README.md`:',
        '',
        '> Counts grains of sand quickly. It is small.',
        '',
        '**Language and tools:** Rust edition 2021, Cargo workspace',
        '',
        '**Commands** (from `Cargo.toml`)',
        '',
        '- `cargo build`: build',
        '- `cargo test`: run the tests',
        '- `cargo clippy`: check the style',
        '',
        '**Main folders**',
        '',
        '- `crates/core/`: The counting itself (`Cargo.toml`)',
        '- `src/`: source code (guessed from the name); holds `main.rs`',
        '',
        '**Where to start:** `README.md`, `src/main.rs`; for example `explain src/main.rs`.',
      ].join('\n'),
    );
  });

  it('of an empty folder says that it is empty', async () => {
    const { turns, answer } = await converse('what is this?', {
      'list_directory .': 'Directory /w is empty.',
    });
    expect(turns).toEqual([['list_directory .']]);
    expect(answer).toMatch(/^This folder is empty\./);
  });

  it('says what it does not know', async () => {
    const { answer } = await converse('what does this project do?', {
      'list_directory .': listing('/w/plain', 'photos/', 'a.txt', 'b.txt'),
      'list_directory photos': { error: 'EACCES: permission denied' },
    });
    expect(answer).toContain(
      'No README or manifest says what this is. It holds 1 folder and 2 files (2 .txt).',
    );
  });
});

describe('searching with the guide', () => {
  it('tries other capitals only when there is no match', async () => {
    const { turns, answer } = await converse('find Todo in src', {
      'grep_search Todo': hits('src/a.ts', 'L3: // Todo: x'),
    });
    expect(turns).toEqual([['grep_search Todo']]);
    expect(answer).toBe('1 matching line in 1 file for `Todo` in `src`:\n\n```\nsrc/a.ts:3: // Todo: x\n```');
    const none = await converse('find Todo', {
      'grep_search Todo': 'No matches found for pattern "Todo" in path ".".',
    });
    expect(none.turns).toEqual([['grep_search Todo'], ['grep_search Todo']]);
    expect(none.answer).toContain('No match for `Todo`.');
  });

  it('says when there is more, and shows every file', async () => {
    const many = Array.from({ length: 60 }, (_, n) => `L${n + 1}: x`);
    const text = `${hits('a.ts', ...many).replace('":', '" (results limited to 61 matches for performance):')}\nFile: b.ts\nL1: x\n---`;
    const { answer } = await converse('find x', { 'grep_search x': text });
    expect(answer).toMatch(
      /^61 matching lines in 2 files for `x` \(the search stopped there; there may be more\)/,
    );
    expect(answer).toContain('a.ts: … 52 more\nb.ts:1: x');
  });

  it('shows a definition with the lines around it, code before tests', async () => {
    const { turns, answer } = await converse('where is run defined?', {
      'grep_search \\b(function\\*?|class|interface|type|enum|const|let|var|val|defp?|fn|fun|func|struct|trait|union|mod|module|namespace|object|record|protocol|typedef|macro_rules!|sub|defmodule|defmacro|static|final)\\s+(\\([^)]*\\)\\s*|[A-Za-z_]\\w*\\.|mut\\s+)?run\\b|#\\s*define\\s+run\\b': `${hits('a.test.ts', 'L1: function run() {')}\nFile: src/a.ts\nL8- /** Runs. */\nL9: export function run() {\nL10-   go();\nL11- }\n---`,
    });
    expect(turns).toHaveLength(1);
    expect(answer).toBe(
      '2 possible definitions of `run`:\n\n`src/a.ts:9`\n\n```ts\n/** Runs. */\nexport function run() {\n  go();\n}\n```\n\n`a.test.ts:1`\n\n```ts\nfunction run() {\n```',
    );
  });
});

describe('changing files with the guide', () => {
  const root = { 'list_directory .': listing('/w', 'a.ts') };

  it('reports several occurrences instead of choosing one', async () => {
    const { turns, answer } = await converse('replace foo with bar in a.ts', {
      ...root,
      'grep_search foo': hits('a.ts', 'L1: foo(foo)', 'L5: // foo'),
    });
    expect(turns.flat()).not.toContain('replace a.ts');
    expect(answer).toContain(
      '`foo` occurs 3 times in `a.ts`, so nothing was changed:\n\n```\n1: foo(foo)\n5: // foo\n```',
    );
  });

  it('changes all of them when asked to, and one otherwise', async () => {
    const all = await converse('replace all foo with bar in a.ts', {
      ...root,
      'grep_search foo': hits('a.ts', 'L1: foo(foo)'),
      'replace a.ts': 'Successfully modified file: /w/a.ts (2 replacements).\n\nUpdated part:\nbar(bar)',
    });
    expect(all.answer).toBe('Replaced `foo` with `bar` in `a.ts`: 2 replacements.');
    const calls = all.messages.flatMap(({ parts }) => parts.map(({ functionCall }) => functionCall));
    expect(calls.find((call) => call?.name === 'replace')?.args).toMatchObject({
      file_path: 'a.ts',
      old_string: 'foo',
      new_string: 'bar',
      allow_multiple: true,
    });
    const one = await converse('replace foo with bar in a.ts', {
      ...root,
      'grep_search foo': hits('a.ts', 'L1: foo'),
      'replace a.ts': 'Successfully modified file: /w/a.ts (1 replacements).',
    });
    expect(one.answer).toBe('Replaced `foo` with `bar` in `a.ts`: 1 replacement.');
  });

  it('does not rename parts of longer words', async () => {
    const { answer } = await converse('rename foo to bar in a.ts', {
      ...root,
      'grep_search foo': hits('a.ts', 'L1: foo', 'L2: foobar'),
    });
    expect(answer).toContain(
      'is also part of longer words in `a.ts`, which a rename would break, so nothing was changed',
    );
  });

  it('does not overwrite a file it was asked to create', async () => {
    const { turns, answer } = await converse('create a.ts with "x"', root);
    expect(turns).toEqual([['list_directory .']]);
    expect(answer).toBe(
      '`a.ts` exists already, so I did not touch it. To replace its whole content, say `overwrite a.ts with "x"`.',
    );
  });

  it('stops before the next change when one failed, but still reads', async () => {
    const { turns, answer } = await converse(
      'create a.ts with "x", then show a.ts, then run `make`, then list files',
      {
        ...root,
        'read_file a.ts': 'old\n',
      },
    );
    expect(turns.flat()).not.toContain('run_shell_command make');
    expect(answer).toContain('```ts\nold\n```');
    expect(answer).toContain('The next 2 steps were not started, because the step before did not succeed.');
  });

  it('uses one result for the next step', async () => {
    const created = 'Successfully created file: /w/notes.txt.\n\nContent:\nhello\n';
    const messages = [prompt('create notes.txt with hello, then run `cat notes.txt`')];
    const seen: string[] = [];
    const results = [{ output: listing('/w', 'a.ts') }, { output: created }, { output: shell('hello') }];
    for (const response of results) {
      const [part] = await turn(messages);
      const call = part?.functionCall;
      seen.push(`${call?.name} ${JSON.stringify(call?.args)}`);
      messages.push({
        role: 'model',
        origin: 'model',
        parts: [{ functionCall: { id: `c${seen.length}`, name: call?.name ?? '', args: call?.args ?? {} } }],
      });
      messages.push({
        role: 'user',
        origin: 'tool_response',
        parts: [{ functionResponse: { id: `c${seen.length}`, name: call?.name ?? '', response } }],
      });
    }
    expect(seen).toEqual([
      'list_directory {"dir_path":".","file_filtering_options":{"respect_git_ignore":false,"respect_gemini_ignore":false}}',
      'write_file {"file_path":"notes.txt","content":"hello\\n"}',
      'run_shell_command {"command":"cat notes.txt"}',
    ]);
    const [answer] = await turn(messages);
    expect(answer?.text).toBe(
      '**Step 1**\n\nCreated `notes.txt` with 1 line:\n\n```txt\nhello\n```\n\n**Step 2**\n\n`cat notes.txt` succeeded (exit code 0). Its output:\n\n```\nhello\n```' +
        SIGNATURE,
    );
  });
});

describe('running commands with the guide', () => {
  it('finds the test command, and reports the exit code and the last lines', async () => {
    const output = Array.from({ length: 80 }, (_, n) => `line ${n + 1}`).join('\n');
    const { turns, answer } = await converse('run the tests', {
      'list_directory .': listing('/w', 'package.json', 'pnpm-lock.yaml'),
      'read_file package.json': '{"scripts":{"test":"vitest"}}',
      'run_shell_command pnpm test': shell(output, 'Exit Code: 2'),
    });
    expect(turns.at(-1)).toEqual(['run_shell_command pnpm test']);
    expect(answer).toMatch(/^`pnpm test` \*\*failed\*\* with exit code 2\. Its output:/);
    expect(answer).toContain('… 30 lines left out …');
    expect(answer.endsWith('line 80\n```')).toBe(true);
  });

  it('says plainly that a command could not run, was denied or was cancelled', async () => {
    const denied = await converse('run `x`', {
      'run_shell_command x': { error: 'Tool execution denied by policy. Tool: run_shell_command.' },
    });
    expect(denied.answer).toBe(
      'Running `x` did not work: Tool execution denied by policy. Tool: run_shell_command. The approval mode or a policy rule decides about that.',
    );
    const cancelled = await converse('run `x`, then run `y`', {
      'run_shell_command x': { error: '[Operation Cancelled] The user said no.' },
    });
    expect(cancelled.answer).toBe('Cancelled: The user said no.');
    const killed = await converse('run `x`', { 'run_shell_command x': shell('(empty)', 'Signal: SIGKILL') });
    expect(killed.answer).toBe('`x` was ended by signal SIGKILL.');
  });
});

describe('the guide without some tools', () => {
  it.each([
    ['create a.txt with "x"', '--approval-mode auto_edit'],
    ['run `ls`', '--approval-mode yolo'],
  ])('names the flag and calls nothing: %s', async (text, flag) => {
    const { turns, answer } = await converse(text, {}, READING);
    expect(turns).toEqual([]);
    expect(answer).toContain(`\`${flag}\``);
  });

  it('still finds out what it would run or change', async () => {
    const test = await converse(
      'run the tests',
      { 'list_directory .': listing('/w', 'go.mod'), 'read_file go.mod': 'module x' },
      READING,
    );
    expect(test.answer).toContain('The command would be `go test ./...`.');
    const edit = await converse(
      'replace foo with bar in a.ts',
      { 'list_directory .': listing('/w', 'a.ts'), 'grep_search foo': hits('a.ts', 'L1: foo') },
      READING,
    );
    expect(edit.answer).toMatch(/^`a\.ts` was not changed\..*--approval-mode auto_edit/);
  });

  it('says so when even reading is disabled', async () => {
    const { turns, answer } = await converse('find TODO', {}, []);
    expect(turns).toEqual([]);
    expect(answer).toBe('The tool `grep_search` is switched off in this session, so I cannot do that.');
  });
});

describe('the guide about itself', () => {
  it('does not pretend to be a model, and says how to get one', async () => {
    const { turns, answer } = await converse('write me a poem', {});
    expect(turns).toEqual([]);
    expect(answer).toMatch(/^I have no rule for that; it needs a language model\./);
    expect(answer).toContain('GEMINI_API_KEY');
    expect(answer).toContain('what does this project do?');
  });

  it('shows text with backticks in a longer fence', async () => {
    const { answer } = await converse('show a.md', {
      'list_directory .': listing('/w', 'a.md'),
      'read_file a.md': '````\n```\n````\n',
    });
    expect(answer).toBe('`a.md`:\n\n`````markdown\n````\n```\n````\n`````');
  });
});
