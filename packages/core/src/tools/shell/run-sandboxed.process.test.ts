import { join } from 'node:path';
import { makeBus, makeHost, tempDir } from '@gemini-cli/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import type { ToolSandbox } from '../../platform/sandbox/tool-sandbox.js';
import { ShellExecutionService } from '../../platform/shell/shell-service.js';
import { DEFAULT_SHELL_SETTINGS } from '../../platform/shell/shell-settings.test-helper.js';
import { ShellTool } from './shell.js';

/** Starts what it is told, in turn, in place of the command; then the command itself. */
function runWith(...instead: string[]) {
  const folder = tempDir();
  onTestFinished(() => folder.cleanup());
  const service = new ShellExecutionService({
    logDirectory: join(folder.path, '.logs'),
    variables: process.env,
  });
  const cleanups: string[] = [];
  const sandbox: ToolSandbox = {
    offers: async () => [],
    missing: async () => undefined,
    needsUpFront: async () => undefined,
    needsAfter: async () => undefined,
    grant: async () => {},
    wrapProcess: () => Promise.reject(new Error('not used here')),
    wrapHelper: () => Promise.reject(new Error('not used here')),
    isolate: () => async (invocation) => {
      const script = instead.shift();
      const [command, args] = script
        ? ['/bin/sh', ['-c', script]]
        : [invocation.command, [...invocation.args]];
      return {
        command,
        args,
        env: { PATH: process.env['PATH'] ?? '' },
        cleanup: async () => {
          cleanups.push(script ?? 'the command');
        },
      };
    },
  };
  const host = {
    ...makeHost(folder.path),
    getShellSettings: () => DEFAULT_SHELL_SETTINGS,
    getShellExecutionService: () => service,
    getDebugMode: () => false,
    isTrustedFolder: () => true,
    getToolSandbox: () => sandbox,
  };
  const invocation = new ShellTool(host, makeBus()).build({ command: 'echo real' });
  return { cleanups, result: invocation.execute(new AbortController().signal) };
}

it('tries again when the sandbox missed a file that went away, and clears up behind each attempt', async () => {
  const vanished = `echo "bwrap: Can't create file at /var/x.sock: Read-only file system"; exit 1`;
  const { result, cleanups } = runWith(vanished, vanished);
  expect((await result).llmContent).toContain('Output: real\n');
  expect(cleanups).toEqual([vanished, vanished, 'the command']);
});

it('does not repeat what has run', async () => {
  const spoken = `echo begun; echo "bwrap: Can't create file at /var/x.sock: Read-only file system"; exit 1`;
  const { result, cleanups } = runWith(spoken);
  expect((await result).llmContent).toContain('begun');
  expect(cleanups).toEqual([spoken]);
});
