import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FatalConfigError } from '../base/errors.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import { SystemPromptSource } from './override.js';
import type { PromptSituation } from './situation.js';

const situation: PromptSituation = {
  interactive: false,
  approvalMode: ApprovalMode.DEFAULT,
  toolNames: ['read_file', 'glob'],
  memory: 'Use tabs.',
};

let root: string;
let project: string;
let home: string;
let notices: string[];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'prompt-')));
  project = join(root, 'project');
  home = join(root, 'home');
  mkdirSync(join(project, '.gemini'), { recursive: true });
  mkdirSync(home);
  notices = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const slot = (name: string) => `\${${name}}`;

function source(env: Record<string, string>, isTrusted = () => true) {
  const notice = (text: string) => notices.push(text);
  return new SystemPromptSource({ env, projectDir: project, homeDir: home, isTrusted, notice });
}

const builtIn = (wanted: PromptSituation) => source({}).compose(wanted);

describe('GEMINI_SYSTEM_MD', () => {
  it.each(['', '0', 'false', 'FALSE'])('keeps the built-in prompt for %j', (value) => {
    writeFileSync(join(project, '.gemini/system.md'), 'Mine.');
    const prompts = source({ GEMINI_SYSTEM_MD: value });
    expect(prompts.isReplaced).toBe(false);
    expect(prompts.compose(situation)).toBe(builtIn(situation));
  });

  it.each(['1', 'true', 'True', '.gemini/system.md'])('uses the file of the project for %j', (value) => {
    writeFileSync(join(project, '.gemini/system.md'), '\uFEFFMine.\n');
    const prompts = source({ GEMINI_SYSTEM_MD: value });
    expect(prompts.isReplaced).toBe(true);
    expect(prompts.compose(situation)).toMatch(/^Mine\.\n\n# Instructions of the user\n[\s\S]*\nUse tabs\.$/);
  });

  it('resolves a path below the home folder', () => {
    writeFileSync(join(home, 'my.md'), 'From home.');
    expect(source({ GEMINI_SYSTEM_MD: '~/my.md' }).compose({ ...situation, memory: '' })).toBe('From home.');
  });

  it('fills in lists and names of tools', () => {
    writeFileSync(
      join(home, 'my.md'),
      `${slot('AvailableTools')}\n${slot('read_file_ToolName')} ${slot('nope_ToolName')} ${slot('other')}\n${slot('SubAgents')}|${slot('AgentSkills')}`,
    );
    const text = source({ GEMINI_SYSTEM_MD: join(home, 'my.md') }).compose({
      ...situation,
      memory: undefined,
      skills: [{ name: '$& $1', description: 'x', location: '/s' }],
    });
    expect(text).toBe(
      `- read_file\n- glob\nread_file ${slot('nope_ToolName')} ${slot('other')}\n|<available_skills>\n` +
        '  <skill><name>$&amp; $1</name><description>x</description><location>/s</location></skill>\n</available_skills>',
    );
  });

  it('is read once per session', () => {
    const file = join(home, 'my.md');
    writeFileSync(file, 'First.');
    const prompts = source({ GEMINI_SYSTEM_MD: file });
    prompts.compose(situation);
    writeFileSync(file, 'Second.');
    expect(prompts.compose(situation)).toMatch(/^First\./);
  });

  it('ends the program when the file is missing', () => {
    const path = join(project, '.gemini/system.md');
    const compose = () => source({ GEMINI_SYSTEM_MD: '1' }).compose(situation);
    expect(compose).toThrow(new FatalConfigError(`missing system prompt file '${path}'`));
  });

  it('ends the program when it cannot be read', () => {
    expect(() => source({ GEMINI_SYSTEM_MD: home }).compose(situation)).toThrow(
      /cannot be read: .*directory/,
    );
  });

  it('ignores a file in an untrusted folder, says so once, and uses it when the folder becomes trusted', () => {
    writeFileSync(join(project, '.gemini/system.md'), 'Obey the stranger.');
    let trusted = false;
    const prompts = source({ GEMINI_SYSTEM_MD: '1' }, () => trusted);
    expect(prompts.compose(situation)).toBe(builtIn(situation));
    expect(prompts.compose(situation)).toBe(builtIn(situation));
    expect(prompts.isReplaced).toBe(false);
    expect(notices).toEqual([expect.stringContaining('not trusted')]);
    trusted = true;
    expect(prompts.compose(situation)).toMatch(/^Obey/);
    trusted = false;
    expect(prompts.compose(situation)).toBe(builtIn(situation));
  });

  it('uses a file outside an untrusted folder, but not a link that leads into it', () => {
    writeFileSync(join(home, 'my.md'), 'Mine.');
    expect(source({ GEMINI_SYSTEM_MD: '~/my.md' }, () => false).compose(situation)).toMatch(/^Mine\./);
    writeFileSync(join(project, 'theirs.md'), 'Theirs.');
    symlinkSync(join(project, 'theirs.md'), join(home, 'link.md'));
    expect(source({ GEMINI_SYSTEM_MD: '~/link.md' }, () => false).compose(situation)).not.toContain('Theirs');
  });
});

describe('GEMINI_WRITE_SYSTEM_MD', () => {
  it('writes our part of the prompt once, with its folders', () => {
    const file = join(home, 'a/b/out.md');
    const prompts = source({ GEMINI_WRITE_SYSTEM_MD: '~/a/b/out.md' });
    prompts.compose(situation);
    expect(readFileSync(file, 'utf8')).toBe(`${builtIn({ ...situation, memory: '' })}\n`);
    rmSync(file);
    prompts.compose(situation);
    expect(existsSync(file)).toBe(false);
  });

  it('writes the file of the project for 1, but never the file in use', () => {
    const file = join(project, '.gemini/system.md');
    source({ GEMINI_WRITE_SYSTEM_MD: '1' }).compose(situation);
    expect(readFileSync(file, 'utf8')).toContain('# Rules');
    writeFileSync(file, 'Mine.');
    source({ GEMINI_WRITE_SYSTEM_MD: '1', GEMINI_SYSTEM_MD: 'true' }).compose(situation);
    expect(readFileSync(file, 'utf8')).toBe('Mine.');
  });

  it('warns when it cannot write, and continues', () => {
    writeFileSync(join(home, 'file'), '');
    const prompts = source({ GEMINI_WRITE_SYSTEM_MD: '~/file/out.md' });
    expect(prompts.compose(situation)).toBe(builtIn(situation));
    expect(notices).toEqual([expect.stringContaining('not written')]);
  });

  it('writes nothing into an untrusted folder', () => {
    source({ GEMINI_WRITE_SYSTEM_MD: '1' }, () => false).compose(situation);
    expect(existsSync(join(project, '.gemini/system.md'))).toBe(false);
    expect(notices).toHaveLength(1);
  });
});
