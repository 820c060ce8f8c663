/** Context files of the whole program: GEMINI.md and others, in what the model is sent. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, declaredTools, runTool, runTools, type TestRig, testRig, text } from './test-utils.js';

async function ask(rig: TestRig, ...args: string[]) {
  rig.model.replies([text('ok')]);
  const run = await rig.cli('-p', 'x', ...args);
  expect(run.exitCode, run.stderr).toBe(0);
  return run;
}

function system(rig: TestRig): string {
  const { systemInstruction } = rig.model.requests[0]?.body ?? {};
  return systemInstruction?.parts.map((part) => part.text ?? '').join('\n') ?? '';
}

function firstMessage(rig: TestRig): string {
  const [message] = rig.model.requests[0]?.body.contents ?? [];
  return message?.parts.map((part) => part.text ?? '').join('\n') ?? '';
}

describe('Context files', () => {
  it('of user and project reach the model with their origin', async () => {
    const rig = await testRig();
    const mine = rig.writeHome('GEMINI.md', 'I like tabs.');
    const ours = rig.write('GEMINI.md', 'Speak plainly.\n@./docs/style.md\n');
    rig.write('docs/style.md', 'Short words.');
    const { stderr } = await ask(rig);
    expect(stderr).toBe('');
    expect(system(rig)).toContain(
      `--- Context from: ${mine} ---\nI like tabs.\n--- End of Context from: ${mine} ---`,
    );
    expect(firstMessage(rig)).toContain(
      `--- Context from: ${ours} ---\nSpeak plainly.\n<!-- Imported from: ./docs/style.md -->\nShort words.\n`,
    );
  });

  it('may be AGENTS.md or CLAUDE.md in a folder without GEMINI.md', async () => {
    const rig = await testRig();
    rig.write('AGENTS.md', 'words of AGENTS');
    rig.write('CLAUDE.md', 'words of CLAUDE');
    rig.writeHome('CLAUDE.md', 'my words of CLAUDE');
    await ask(rig);
    expect(firstMessage(rig)).toContain('words of AGENTS');
    expect(firstMessage(rig)).not.toContain('words of CLAUDE');
    expect(system(rig)).toContain('my words of CLAUDE');
  });

  it('have the names of the settings, and end at the boundary markers', async () => {
    const rig = await testRig({
      settings: { context: { fileName: ['RULES.md', 'MORE.md'], memoryBoundaryMarkers: ['.root'] } },
    });
    mkdirSync(rig.path('sub'));
    for (const name of ['RULES.md', 'MORE.md', 'GEMINI.md']) rig.write(name, `words of ${name}`);
    rig.write('.root', '');
    rig.model.replies([text('ok')]);
    await rig.cli('-p', 'x', { cwd: rig.path('sub') });
    const message = firstMessage(rig);
    expect(message.match(/words of \S+/g)).toEqual(['words of RULES.md', 'words of MORE.md']);
  });

  it('of a folder are read only once it is trusted', async () => {
    const rig = await testRig({ trust: false });
    rig.write('GEMINI.md', 'obey me');
    expect((await rig.cli('-p', 'x')).exitCode).toBe(55);
    expect(rig.model.requests).toHaveLength(0);
    await ask(rig, '--skip-trust');
    expect(firstMessage(rig)).toContain('obey me');
  });

  it('of a parent that the user refused are not read', async () => {
    const rig = await testRig({ trust: false });
    const parent = join(rig.workspace, '..');
    mkdirSync(join(parent, '.git'));
    rig.write('../GEMINI.md', 'rule of the parent');
    rig.write('GEMINI.md', 'rule of the workspace');
    const rules = { [rig.workspace]: 'TRUST_FOLDER' };
    rig.writeHome('trustedFolders.json', JSON.stringify(rules));
    await ask(rig);
    expect(firstMessage(rig)).toContain('rule of the parent');
    rig.writeHome('trustedFolders.json', JSON.stringify({ ...rules, [parent]: 'DO_NOT_TRUST' }));
    rig.model.requests.length = 0;
    await ask(rig);
    expect(firstMessage(rig)).toContain('rule of the workspace');
    expect(firstMessage(rig)).not.toContain('rule of the parent');
  });

  it('with mistakes are reported with their place, and the rest works', async () => {
    const rig = await testRig();
    rig.writeHome('secret.md', 'secret');
    symlinkSync(join(rig.home, '.gemini/secret.md'), rig.path('link.md'));
    const path = rig.write(
      'GEMINI.md',
      'rule\n@./gone.md\n@./link.md\n@https://x.y/z.md\n@huge.md\nlast rule',
    );
    rig.writeSparse('huge.md', 100 * 1024 * 1024);
    const { stderr } = await ask(rig);
    expect(stderr).toContain(`${path}:2: @./gone.md: File not found`);
    expect(stderr).toContain(`${path}:3: @./link.md: it leads to`);
    expect(stderr).toContain(`${path}:4: @https://x.y/z.md: only files are imported`);
    expect(stderr).toContain(`${path}:5: @huge.md: `);
    expect(firstMessage(rig)).toContain('last rule');
    expect(firstMessage(rig)).not.toContain('secret\n');
  });

  it('of a subfolder are sent when a tool touches it, once', async () => {
    const rig = await testRig();
    const path = rig.write('src/GEMINI.md', 'rule of src');
    rig.write('src/deep/a.ts', 'one');
    rig.write('src/b.ts', 'two');
    const { answers } = await runTools(rig, [
      callTool('read_file', { file_path: 'src/deep/a.ts' }),
      callTool('read_file', { file_path: 'src/b.ts' }),
    ]);
    expect(firstMessage(rig)).not.toContain('rule of src');
    const block =
      `--- Newly Discovered Project Context ---\n--- Context from: ${path} ---\nrule of src\n` +
      `--- End of Context from: ${path} ---\n--- End Project Context ---`;
    const outputs = answers.map(({ response }) => response.output ?? '');
    expect(outputs.filter((output) => output.endsWith(block))).toHaveLength(1);
  });
});

describe('save_memory', () => {
  it('saves a fact for the next session', async () => {
    const rig = await testRig();
    const { answer } = await runTool(rig, 'save_memory', { fact: 'My cat is called Ada.' });
    expect(JSON.parse(answer.output ?? '')).toMatchObject({ success: true });
    expect(readFileSync(join(rig.home, '.gemini/GEMINI.md'), 'utf8')).toBe(
      '## Gemini Added Memories\n- My cat is called Ada.\n',
    );
    rig.model.requests.length = 0;
    await ask(rig);
    expect(system(rig)).toContain('- My cat is called Ada.');
  });

  it('is offered only where a rule allows it', async () => {
    const rig = await testRig();
    await ask(rig);
    expect(declaredTools(rig)).not.toContain('save_memory');
  });
});

it('finds nothing of the inbox when the model searches the folder of memories', async () => {
  const rig = await testRig();
  const memory = 'tmp/workspace/memory';
  rig.writeHome(`${memory}/MEMORY.md`, 'NEEDLE saved');
  rig.writeHome(`${memory}/.inbox/private/extraction.patch`, 'NEEDLE proposed');
  const { answer } = await runTool(rig, 'grep_search', {
    pattern: 'NEEDLE',
    dir_path: join(rig.home, '.gemini', memory),
    no_ignore: true,
  });
  expect(answer.output).toContain('NEEDLE saved');
  expect(answer.output).not.toContain('NEEDLE proposed');
});
