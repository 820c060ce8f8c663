import { platform, release } from 'node:os';
import { describe, expect, it } from 'vitest';
import { describeSession } from './session-context.js';

const facts = {
  date: new Date(2026, 2, 5, 23, 59),
  projectTempDir: '/tmp/gemini/abc',
  directories: ['/project/app', '/project/lib'],
  tree: '/project/app\n└───src',
};

describe('the first message', () => {
  it('names the date, the system and the folders in one block', () => {
    expect(describeSession({ ...facts, memory: '\nUse tabs.\n' })).toBe(
      [
        '<session_context>',
        'Date: 2026-03-05',
        `Operating system: ${platform()} ${release()}`,
        'Temporary files: /tmp/gemini/abc',
        'Workspace directories:\n  - /project/app\n  - /project/lib',
        'Directory tree:\n/project/app\n└───src',
        'Instructions of this project:\nUse tabs.',
        '</session_context>',
      ].join('\n'),
    );
  });

  it('leaves out an empty tree and empty instructions', () => {
    const text = describeSession({ ...facts, tree: '', memory: ' ' });
    expect(text).not.toMatch(/tree|Instructions/);
  });
});
