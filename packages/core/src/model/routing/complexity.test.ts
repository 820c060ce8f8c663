import { describe, expect, it } from 'vitest';
import { ApprovalMode } from '../../protocol/confirmation.js';
import type { Message } from '../../protocol/messages.js';
import { assess } from './complexity.js';

const said = (text: string): Message => ({ role: 'user', origin: 'prompt', parts: [{ text }] });
const look = (text: string, rest: Partial<Parameters<typeof assess>[0]> = {}) =>
  assess({ parts: [{ text }], history: [], approvalMode: ApprovalMode.DEFAULT, failedTurns: 0, ...rest });

const ERROR_TRACE = 'Error: x\n    at run (/srv/app/index.js:10:5)\n    at main (/srv/app/main.js:2:1)';

describe('a prompt for the fast model', () => {
  it.each([
    'hi',
    '',
    'run the tests',
    'please list all files of the project',
    'what is the architecture of this project?',
    'Explain the strategy pattern in src/a.ts',
    'git commit with a good message',
    'rename the variable x to count in src/loop.ts',
    'Fix the typo in README.md',
    'add a parameter "limit" to readLines in src/io.ts and pass it on in src/main.ts',
    'fix this error:\nTypeError: x is undefined',
    'write a function that adds two numbers, then a test for it',
    'refactor this function to use async/await',
    'why is the sky blue?',
    'run all tests and tell me which error comes first',
  ])('is simple: %s', (text) => {
    expect(look(text)).toMatchObject({ isComplex: false });
  });
});

describe('a prompt for the strong model', () => {
  it.each([
    ['1. add a table\n2. write the query\n3. add the route\n4. write tests', '4 steps'],
    ['read the file, then parse it, then store it, then write a report, finally mail it', '5 steps'],
    ['Find the root cause of the failing build', 'trouble of unknown cause'],
    ['find out why the server crashes after an hour', 'trouble of unknown cause'],
    ['The test is flaky, please look into it', 'trouble of unknown cause'],
    ['I have no idea what is wrong here, it sometimes hangs', 'trouble of unknown cause'],
    ['rename getUser to fetchUser in all files', 'a change in many places'],
    ['Replace every usage of moment across the whole codebase', 'a change in many places'],
    ['design a plugin system for this editor', 'a question of design'],
    ['How should we structure the storage? What are the trade-offs?', 'a question of design'],
    ['migrate the app from Express to Fastify', 'a question of design'],
    ['Entwirf eine neue Architektur für den Parser', 'a question of design'],
    ['refactor a.ts and b.ts and c.ts and d.ts', '4 files'],
    ['请重新设计这个项目的架构', 'a question of design'],
  ])('is complex: %s', (text, reason) => {
    const { isComplex, reasons } = look(text);
    expect(isComplex).toBe(true);
    expect(reasons).toContain(reason);
  });
});

describe('the complexity of a prompt', () => {
  it('rises in plan mode and after failed turns', () => {
    expect(look('hi', { approvalMode: ApprovalMode.PLAN }).isComplex).toBe(true);
    expect(look('hi', { failedTurns: 1 }).isComplex).toBe(false);
    expect(look('hi', { failedTurns: 2 })).toEqual({ isComplex: true, reasons: ['the last 2 turns failed'] });
  });

  it('of "go on" is that of the prompt before', () => {
    const history = [
      said('design a plugin system for this editor'),
      { role: 'model' as const, origin: 'model' as const, parts: [{ text: 'Shall I?' }] },
      said('ok'),
    ];
    expect(look('yes, go ahead', { history }).isComplex).toBe(true);
    expect(look('yes, go ahead').isComplex).toBe(false);
    expect(look('yes, but first run the tests and show me the output of each', { history }).isComplex).toBe(
      false,
    );
  });

  it('ignores the content of attached files', () => {
    const parts = [
      { text: 'what does @doc.md say?' },
      { text: 'architecture, migration, root cause of all files' },
    ];
    expect(look('', { parts }).isComplex).toBe(false);
  });

  it('rises with a stack trace and a question, not with a trace alone', () => {
    expect(look(ERROR_TRACE).isComplex).toBe(false);
    expect(look(`why does this fail?\n${ERROR_TRACE}`).isComplex).toBe(true);
  });

  it('is computed for prompts of any size and kind', () => {
    const odd = [
      'a'.repeat(1_000_000),
      '@'.repeat(5_000),
      `${'x.'.repeat(3_000)}`,
      '- '.repeat(5_000),
      '\n '.repeat(5_000),
    ];
    for (const text of odd) expect(look(text).isComplex).toBe(false);
    expect(look(`why does it crash?\n${'log line\n'.repeat(100_000)}`).isComplex).toBe(true);
    expect(
      assess({ parts: [], history: [], approvalMode: ApprovalMode.YOLO, failedTurns: 0 }).isComplex,
    ).toBe(false);
  });
});
