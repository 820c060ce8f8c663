/** Looks at a finished run: each check has a title that is the same in every run, and passes or complains. */
import { spawn } from 'node:child_process';
import type { ToolCall, Transcript } from './transcript.js';
import type { FolderContent, Workspace } from './workspace.js';

export interface Check {
  title: string;
  /** What was wrong; undefined: passed. */
  complaint: string | undefined;
}

interface ProgramRun {
  code: number | null;
  output: string;
}

/** The usual ways to say so; a model is not to be failed for its choice of words. */
const CANNOT =
  /\b(cannot|can['’]t|could(n['’]t| not)|unable|not (able|allowed|possible|permitted|available|accessible)|do(n['’]t| not) have|no (access|permission|tool|way)|outside|read-only|denied|refused|blocked)\b/i;

export class Judge {
  readonly checks: Check[] = [];
  /** The workspace when the run had ended. */
  private readonly after: FolderContent;

  constructor(
    private readonly transcript: Transcript,
    private readonly workspace: Workspace,
  ) {
    this.after = workspace.content();
  }

  /** Text of the last turn. */
  get answer(): string {
    return this.transcript.answer;
  }

  /** The way to write a check that has no method here. */
  that(title: string, ok: boolean, found = 'it does not'): void {
    this.checks.push({ title: oneLine(title), complaint: ok ? undefined : brief(found) });
  }

  answerHas(...wanted: (string | RegExp)[]): void {
    for (const part of wanted)
      this.that(`the answer has ${part}`, has(this.answer, part), `it says: ${this.answer}`);
  }

  /** The answer says in some way that it could not be done. */
  admitsFailure(): void {
    this.that('the answer admits that it cannot', CANNOT.test(this.answer), `it says: ${this.answer}`);
  }

  answerLacks(...unwanted: (string | RegExp)[]): void {
    for (const part of unwanted)
      this.that(`the answer lacks ${part}`, !has(this.answer, part), `it says: ${this.answer}`);
  }

  /** Neither in the answer nor on the way to it. */
  neverSays(unwanted: string | RegExp): void {
    const { said } = this.transcript;
    this.that(`never says ${unwanted}`, !has(said, unwanted), `it says: ${said}`);
  }

  /** The call succeeded, with these words in its arguments as JSON. */
  called(tool: string, args: string | RegExp = ''): void {
    const isWanted = (call: ToolCall) =>
      call.tool === tool && call.status === 'success' && has(JSON.stringify(call.args), args);
    this.that(
      `calls ${tool}${args ? ` with ${args}` : ''}`,
      this.transcript.calls.some(isWanted),
      this.calls(),
    );
  }

  notCalled(...tools: string[]): void {
    for (const tool of tools) this.neverCalled(tool, '');
  }

  /** Neither with nor without success. */
  neverCalled(tool: string, args: string | RegExp): void {
    const isUnwanted = (call: ToolCall) => call.tool === tool && has(JSON.stringify(call.args), args);
    const title = `does not call ${tool}${args ? ` with ${args}` : ''}`;
    this.that(title, !this.transcript.calls.some(isUnwanted), this.calls());
  }

  /** No file but these was created, changed or removed; a path that ends in a slash is a folder. */
  onlyChanged(...allowed: string[]): void {
    const isAllowed = (path: string) =>
      allowed.some((name) => (name.endsWith('/') ? path.startsWith(name) : path === name));
    const others = this.changed().filter((path) => !isAllowed(path));
    const title = allowed.length > 0 ? `changes nothing but ${allowed.join(', ')}` : 'changes no file';
    this.that(title, others.length === 0, `it changed ${others.join(', ')}`);
  }

  fileHas(path: string, ...wanted: (string | RegExp)[]): void {
    for (const part of wanted) {
      const content = this.read(path);
      this.that(`${path} has ${part}`, content !== undefined && has(content, part), shown(content));
    }
  }

  fileLacks(path: string, ...unwanted: (string | RegExp)[]): void {
    for (const part of unwanted) {
      const content = this.read(path);
      this.that(`${path} lacks ${part}`, content !== undefined && !has(content, part), shown(content));
    }
  }

  fileIs(path: string, expected: string | Uint8Array): void {
    const content = this.after.get(path);
    const wanted = typeof expected === 'string' ? Buffer.from(expected) : expected;
    const ok = content?.equals(wanted) ?? false;
    this.that(`${path} is as expected, byte for byte`, ok, shown(content?.toString()));
  }

  /** Undefined: there is no such file. */
  read(path: string): string | undefined {
    return this.after.get(path)?.toString();
  }

  /** Paths created by the run. */
  created(): string[] {
    return [...this.after.keys()].filter((path) => !this.workspace.original.has(path));
  }

  /** Its subject, an empty line, its files. */
  lastCommit(): Promise<string> {
    return this.workspace.git('log', '-1', '--format=%s', '--name-only');
  }

  /** The fixture's own tests pass, together with hidden ones. The model's changes to tests do not count. */
  async testsPass(hidden: Record<string, string> = {}): Promise<void> {
    for (const [path, content] of this.workspace.original) {
      if (path.startsWith('test/')) this.workspace.write(path, content);
    }
    for (const [path, content] of Object.entries(hidden)) this.workspace.write(path, content);
    const { code, output } = await this.runTests();
    this.that('the tests pass', code === 0, failures(output));
  }

  /** All tests of the workspace in one process, which is faster than `node --test`. */
  runTests(): Promise<ProgramRun> {
    const files = [...this.workspace.content().keys()].filter((path) => path.endsWith('.test.js'));
    const imports = files.map((path) => `await import(${JSON.stringify(`./${path}`)});`);
    return this.run('node', '--input-type=module', '--eval', imports.join('\n'));
  }

  /** Runs a program in the workspace, e.g. tests that the model wrote. */
  run(program: string, ...args: string[]): Promise<ProgramRun> {
    const env = { PATH: process.env['PATH'], HOME: this.workspace.home };
    const options = { cwd: this.workspace.directory, env, timeout: 30_000 };
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, options);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      }
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, output }));
    });
  }

  /** Changes a file before `run`, e.g. to see whether a test notices. */
  rewrite(path: string, from: string, to: string): void {
    this.workspace.write(path, (this.read(path) ?? '').replace(from, to));
  }

  private changed(): string[] {
    const { original } = this.workspace;
    const paths = new Set([...original.keys(), ...this.after.keys()]);
    return [...paths].filter((path) => !isSame(original.get(path), this.after.get(path))).sort();
  }

  private calls(): string {
    const names = this.transcript.calls.map(({ tool, status }) => `${tool} (${status})`);
    return `its calls: ${names.join(', ') || 'none'}`;
  }
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one !== undefined && other !== undefined && one.equals(other);
}

function has(text: string, part: string | RegExp): boolean {
  return typeof part === 'string' ? text.includes(part) : part.test(text);
}

function shown(content: string | undefined): string {
  return content === undefined ? 'there is no such file' : `it contains: ${content}`;
}

function brief(text: string): string {
  const line = oneLine(text);
  return line.length > 160 ? `${line.slice(0, 80)} … ${line.slice(-80)}` : line || '(nothing)';
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

function failures(output: string): string {
  const failed = output.split('\n').filter((line) => /^\s*(✖|not ok)/.test(line));
  return failed.join('; ') || output.slice(-300);
}
