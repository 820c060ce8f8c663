/** Tests that commands on the inbox of auto memory are recognised. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApprovalMode, PolicyDecision } from '../../protocol/confirmation.js';
import { policyLab } from '../policy-lab.test-helper.js';
import { tempFolder } from '../temp-folder.test-helper.js';
import { namesMemoryInbox } from './memory-inbox.js';
import { parseCommand } from './parse.js';

const folder = tempFolder();
const home = join(folder.path, 'home');
const root = join(home, 'work');
const temporary = join(home, '.gemini/tmp/work');
const context = { cwd: root, workspaces: [root], home, env: { HOME: home, D: `${temporary}/memory` } };
beforeAll(() => {
  mkdirSync(join(temporary, 'memory/.inbox/private'), { recursive: true });
  mkdirSync(root);
  symlinkSync(join(temporary, 'memory/.inbox'), join(root, 'harmless'));
});
afterAll(() => folder.cleanup());

async function names(command: string): Promise<boolean> {
  const parsed = await parseCommand(command);
  if (!parsed) throw new Error(`unreadable: ${command}`);
  return namesMemoryInbox(parsed, context);
}

describe('namesMemoryInbox', () => {
  it.each([
    `echo evil > ${temporary}/memory/.inbox/private/extraction.patch`,
    'echo evil > ~/.gemini/tmp/work/memory/.inbox/global/extraction.patch',
    'cp x "$HOME/.gemini/tmp/work/memory/.inbox/private/"',
    'cd ~/.gemini/tmp/work/memory && echo evil >> .inbox/private/x.patch',
    'cd ~/.gemini/tmp/work && tee memory/.inbox/private/x.patch',
    'touch ~/.gemini/tmp/work/memory/.INBOX/x',
    'touch ~/.gemini/tmp/work/memory/.inb*/x',
    'touch ~/.gemini/tmp/*/memory/.inbo?/x',
    'touch ~/.gemini/tmp/work/chats/../memory/.inbox/x',
    'touch "$D/.inbox/x"',
    'X=~/.gemini/tmp/work; touch $X/memory/.inbox/x',
    'echo evil > harmless/private/extraction.patch',
    `dd if=x of=${temporary}/memory/.inbox/private/a.patch`,
    'bash -c "echo evil > ~/.gemini/tmp/work/memory/.inbox/private/a.patch"',
    'cat ~/.gemini/tmp/work/memory/.inbox/private/extraction.patch',
  ])('is true for %s', async (command) => expect(await names(command)).toBe(true));

  it.each([
    'ls ~/.gemini/tmp/work/memory',
    'ls ~/.gemini/tmp/work/memory/*',
    'echo note >> ~/.gemini/tmp/work/memory/MEMORY.md',
    'touch memory/.inbox',
    'mkdir -p mail/.inbox/new',
    'grep -r inbox src',
    'echo "memory/.inbox" > notes.txt',
  ])('is false for %s', async (command) => expect(await names(command)).toBe(false));
});

it('a command on the inbox is refused in every mode, whatever is allowed', async () => {
  const { folder: lab, home: labHome, make } = policyLab();
  vi.stubEnv('GEMINI_CLI_HOME', labHome);
  try {
    for (const approvalMode of [ApprovalMode.DEFAULT, ApprovalMode.AUTO_EDIT, ApprovalMode.YOLO]) {
      const engine = make({ approvalMode, allowedTools: ['run_shell_command'] });
      const command = 'touch ~/.gemini/tmp/p/memory/.inbox/x';
      const { decision, reason } = await engine.check({ name: 'run_shell_command', args: { command } });
      expect(decision).toBe(PolicyDecision.DENY);
      expect(reason).toContain('inbox');
    }
  } finally {
    vi.unstubAllEnvs();
    lab.cleanup();
  }
});
