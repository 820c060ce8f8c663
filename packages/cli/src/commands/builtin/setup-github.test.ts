import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { GitService } from '../git-service.js';
import { testContext } from '../testing/context.test-helper.js';
import { WORKFLOWS } from './github-workflows.js';
import { setupGithub } from './setup-github.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'setup-github-'));
  mkdirSync(join(root, '.git'));
  mkdirSync(join(root, 'sub'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
});

const file = (name: string) => join(root, name);
const REVIEW = '.github/workflows/gemini-review.yml';

async function run(overwriteConfirmed: boolean, cwd = file('sub')) {
  const context = testContext({ cwd });
  const services = { ...context.services, git: new GitService(cwd) };
  return setupGithub({ ...context, services, overwriteConfirmed }, '');
}

it('asks, then writes the workflows of the repository and ignores the key file', async () => {
  writeFileSync(file('.gitignore'), 'dist');
  const question = await run(false);
  expect(question).toMatchObject({
    type: 'confirm_action',
    prompt: `In ${root}: Write .github/workflows/gemini-review.yml, .github/workflows/gemini-answer.yml; add gha-creds-*.json to .gitignore?`,
  });
  expect(existsSync(file('.github'))).toBe(false);
  expect(await run(true)).toMatchObject({ messageType: 'info' });
  expect(readFileSync(file(REVIEW), 'utf8')).toBe(WORKFLOWS['gemini-review.yml']);
  expect(readFileSync(file('.gitignore'), 'utf8')).toBe('dist\ngha-creds-*.json\n');
  expect(await run(false)).toMatchObject({ content: expect.stringContaining('nothing was changed') });
});

it('names a file that it would replace', async () => {
  mkdirSync(file('.github/workflows'), { recursive: true });
  writeFileSync(file(REVIEW), 'mine');
  expect(await run(false)).toMatchObject({ prompt: expect.stringContaining(`REPLACE your ${REVIEW}?`) });
  expect(readFileSync(file(REVIEW), 'utf8')).toBe('mine');
});

it('refuses links and folders outside of a repository', async () => {
  mkdirSync(file('elsewhere'));
  symlinkSync(file('elsewhere'), file('.github'));
  expect(await run(true)).toMatchObject({
    messageType: 'error',
    content: expect.stringContaining('is a link'),
  });
  rmSync(file('.git'), { recursive: true });
  expect(await run(true)).toMatchObject({ messageType: 'error' });
});

it.each(Object.entries(WORKFLOWS))(
  '%s is YAML that puts no text of strangers into a script',
  (_name, text) => {
    const { jobs } = load(text) as { jobs: Record<string, { steps: { run?: string }[] }> };
    const scripts = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    expect(scripts).toHaveLength(3);
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
    expect(text).not.toMatch(/yolo|auto_edit/);
  },
);
