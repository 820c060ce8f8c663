import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { headerIdentity, queryNote, startNotices, tipsFor } from './start-notices.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'start-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const usual = { ui: {}, env: {}, depth: 'truecolor', platform: 'linux', release: '6.1.0' } as const;

describe('The sign-in in the header', () => {
  const env = { GEMINI_API_KEY: 'k' };

  it('is the chosen one, else the one that the environment asks for', () => {
    expect(headerIdentity({ security: { auth: { selectedType: 'vertex-ai' } } }, 'auto', env)).toBe(
      'vertex-ai',
    );
    expect(headerIdentity({}, 'auto', env)).toBe('gemini-api-key');
    expect(headerIdentity({}, 'auto', {})).toBeUndefined();
  });

  it('is absent for models that do not use it, and when the user does not want it on the screen', () => {
    for (const model of ['openai/gpt-5', 'offline']) expect(headerIdentity({}, model, env)).toBeUndefined();
    expect(headerIdentity({ ui: { showUserIdentity: false } }, 'auto', env)).toBeUndefined();
  });
});

describe('Start notices', () => {
  it('warn about the home directory, also through a link, and the root, not about a project', () => {
    const link = `${home}-link`;
    symlinkSync(home, link);
    const project = join(home, 'project');
    mkdirSync(project);
    expect(startNotices({ ...usual, cwd: link, home })[0]).toContain('home directory');
    rmSync(link);
    expect(startNotices({ ...usual, cwd: '/', home })[0]).toContain('root');
    expect(startNotices({ ...usual, cwd: project, home })).toEqual([]);
    expect(startNotices({ ...usual, cwd: home, home, ui: { showHomeDirectoryWarning: false } })).toEqual([]);
  });

  it('warn about the limits of the terminal unless the user disabled that', () => {
    const poor = { ...usual, cwd: '/w', home, depth: 'ansi16' } as const;
    expect(startNotices(poor)).toHaveLength(1);
    expect(startNotices({ ...poor, ui: { showCompatibilityWarnings: false } })).toEqual([]);
    expect(
      startNotices({ ...usual, cwd: '/w', home, platform: 'win32', release: '10.0.19045' }),
    ).toHaveLength(1);
    expect(startNotices({ ...usual, cwd: '/w', home, platform: 'win32', release: '10.0.22631' })).toEqual([]);
  });
});

describe('Tips', () => {
  it('are shown for ten sessions; the one about the context file only if there is none', () => {
    expect(tipsFor({}, home, 0)).toHaveLength(4);
    expect(tipsFor({}, home, 9)).toHaveLength(4);
    expect(tipsFor({}, home, 10)).toEqual([]);
    expect(tipsFor({ ui: { hideTips: true } }, home, 0)).toEqual([]);
    writeFileSync(join(home, 'AGENTS.md'), 'x');
    expect(tipsFor({ context: { fileName: ['AGENTS.md'] } }, home, 0)).toHaveLength(3);
  });
});

it('words on the command line show a hint about -p', () => {
  expect(queryNote([])).toBeUndefined();
  expect(queryNote(['hi'])).toContain('-p');
});
