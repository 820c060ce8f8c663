import { chmodSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { callTool, runTools, testRig } from '../test-utils.js';

it('calls without side effects run in parallel', async () => {
  const rig = await testRig();
  // A ripgrep that ends only when a second one has started, or fails after three seconds.
  const marks = rig.writeHome('marks/none', '').replace(/none$/, '');
  const script = [
    '#!/bin/bash',
    `: > "${marks}$$"`,
    `for i in {1..150}; do set -- "${marks}"*; [ $# -ge 3 ] && exit 1; sleep 0.02; done`,
    'echo "nobody came" >&2; exit 2',
  ];
  const rg = rig.writeHome('bin/rg', `${script.join('\n')}\n`);
  chmodSync(rg, 0o755);
  rig.model.replies([callTool('grep_search', { pattern: 'a' }), callTool('grep_search', { pattern: 'b' })]);
  rig.model.otherwise(() => [{ do: 'parts', parts: [{ text: 'done' }] }]);
  const path = `${rg.replace(/\/rg$/, '')}:${process.env['PATH']}`;
  const run = await rig.cli('-p', 'x', '-o', 'stream-json', { env: { PATH: path } });
  const results = run.events().filter(({ type }) => type === 'tool_result');
  expect(results.map((result) => result['status'])).toEqual(['success', 'success']);
  expect(readdirSync(marks)).toHaveLength(3);
});

it('two changes never overlap', async () => {
  const rig = await testRig();
  const command = 'mkdir busy || echo overlap >> log; sleep 0.2; rmdir busy';
  const { answers } = await runTools(rig, [
    callTool('run_shell_command', { command }),
    callTool('write_file', { file_path: 'log', content: 'written\n' }),
    callTool('run_shell_command', { command }),
  ]);
  expect(answers.map(({ response }) => response.error)).toEqual([undefined, undefined, undefined]);
  expect(rig.read('log')).toBe('written\n');
});
