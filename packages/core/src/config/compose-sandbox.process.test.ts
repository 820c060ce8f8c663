import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  callTool,
  createTestConfig,
  noticesTo,
  sendPrompt,
  startModelServer,
  text,
} from '@gemini-cli/test-utils';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { globalGeminiDir } from '../platform/storage/storage.js';
import { ApprovalMode, ToolConfirmationOutcome } from '../protocol/confirmation.js';
import type { Config } from './config.js';
import {
  answering,
  connectTo,
  expansionOf,
  invocationOf,
  localPort,
  outsideFolder,
  requireBubblewrap,
  run,
  sandboxedConfig,
  textOf,
} from './sandboxed-config.test-helper.js';

const { ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, Cancel } = ToolConfirmationOutcome;

vi.setConfig({ testTimeout: 30_000 });
beforeAll(requireBubblewrap);

const SAVING = { approvals: { allowsSaving: true } };

function grantsFile(): string {
  return join(globalGeminiDir(process.env), 'policies', 'sandbox.toml');
}

function writeGrants(text: string): void {
  mkdirSync(join(grantsFile(), '..'), { recursive: true });
  writeFileSync(grantsFile(), text);
}

/** To be read again as the sandbox stands now. */
function declaredParameters(config: Config): string[] {
  const schema = config.getToolRegistry().getTool('run_shell_command')?.schema.parametersJsonSchema;
  return Object.keys((schema as { properties: object }).properties);
}

describe('a command that needs more than its sandbox allows', () => {
  it('runs again when the user grants it', async () => {
    const config = await sandboxedConfig(SAVING);
    const outside = outsideFolder();
    const asked = answering(config, ProceedOnce);
    const result = await run(config, `echo new > ${outside}/file && echo written`);
    expect(result.llmContent).toContain('Output: written\n');
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('new\n');
    expect(asked).toMatchObject([
      {
        title: 'Sandbox Expansion Request',
        command: `echo new > ${outside}/file && echo written`,
        rootCommand: 'echo',
        additionalPermissions: { fileSystem: { write: [outside] } },
        offeredOutcomes: [ProceedOnce, ProceedAlways, ProceedAlwaysAndSave, Cancel],
      },
    ]);
    const again = await textOf(run(config, `echo new > ${outside}/file`));
    expect(again).toContain('The user did not allow it.');
    expect(asked).toHaveLength(2);
  });

  it('keeps its failure when the user refuses', async () => {
    const config = await sandboxedConfig();
    const outside = outsideFolder();
    const asked = answering(config, Cancel);
    const text = await textOf(run(config, `touch ${outside}/file`));
    expect(text).toContain('Read-only file system');
    expect(text).toContain(`refused what the command needs: writing ${outside}. The user did not allow it.`);
    expect(asked).toHaveLength(1);
    expect(existsSync(join(outside, 'file'))).toBe(false);
  });

  it('is explained where the user cannot be asked: headless, in yolo mode, or without overrides', async () => {
    const outside = outsideFolder();
    const command = `touch ${outside}/file`;
    const headless = await sandboxedConfig({ interactive: false });
    expect(await textOf(run(headless, command))).toMatch(/writing \/var\/tmp.*The user is not asked/s);

    const yolo = await sandboxedConfig({ approvalMode: ApprovalMode.YOLO });
    const askedInYolo = answering(yolo, ProceedOnce);
    expect(await textOf(run(yolo, command))).toMatch(/writing \/var\/tmp.*The user is not asked/s);

    const strict = await sandboxedConfig();
    writeGrants('[modes.default]\nallowOverrides = false\n');
    const askedInStrict = answering(strict, ProceedOnce);
    expect(await textOf(run(strict, command))).toMatch(/The user is not asked/);
    expect([...askedInYolo, ...askedInStrict]).toEqual([]);
    expect(existsSync(join(outside, 'file'))).toBe(false);
  });

  it('may be granted a missing protected path, and then creates it', async () => {
    const config = await sandboxedConfig();
    const settings = join(config.getTargetDir(), '.gemini', 'settings.json');
    const asked = answering(config, ProceedOnce);
    await run(config, `mkdir -p .gemini && touch ${settings}`);
    expect(asked[0]?.additionalPermissions).toEqual({
      fileSystem: { write: [join(config.getTargetDir(), '.gemini')] },
    });
    expect(existsSync(settings)).toBe(true);
  });

  it('causes no question when the failure is its own', async () => {
    const config = await sandboxedConfig();
    const asked = answering(config, ProceedOnce);
    await run(config, 'ls missing-file; exit 2');
    await run(config, `echo "/var/tmp: Read-only file system"`);
    expect(asked).toEqual([]);
  });
});

describe('a sandbox grant', () => {
  it('for the session holds for the same programs, and not for lines with others', async () => {
    const config = await sandboxedConfig();
    const outside = outsideFolder();
    const asked = answering(config, ProceedAlways);
    await run(config, `touch ${outside}/one`);
    expect(asked).toHaveLength(1);
    await run(config, `touch ${outside}/two`);
    expect(asked).toHaveLength(1);
    for (const line of [
      `touch ${outside}/three; rm ${outside}/one`,
      `PATH=.:$PATH touch ${outside}/three`,
      `./touch ${outside}/three || touch ${outside}/three`,
    ]) {
      await run(config, line);
    }
    await run(config, { command: `touch ${outside}/three`, environment: { LD_PRELOAD: './x.so' } });
    expect(asked).toHaveLength(5);
    expect(['one', 'two', 'three'].map((name) => existsSync(join(outside, name)))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('holds for later sessions when it is saved', async () => {
    const outside = outsideFolder();
    const first = await sandboxedConfig(SAVING);
    answering(first, ProceedAlwaysAndSave);
    await run(first, `touch ${outside}/one`);
    expect(readFileSync(grantsFile(), 'utf8')).toBe(
      `[commands."touch"]\nallowed_paths = ["${outside}"]\nallow_network = false\n`,
    );
    const text = readFileSync(grantsFile(), 'utf8');
    const second = await sandboxedConfig({ interactive: false });
    writeGrants(text);
    expect(await textOf(run(second, `touch ${outside}/two`))).toContain('(empty)');
    expect(existsSync(join(outside, 'two'))).toBe(true);
  });

  it('is neither offered nor accepted for longer in an untrusted folder', async () => {
    const config = await sandboxedConfig({ trusted: false, ...SAVING });
    const outside = outsideFolder();
    const asked = answering(config, ProceedAlwaysAndSave);
    await run(config, `touch ${outside}/one`);
    await run(config, `touch ${outside}/two`);
    expect(asked.map(({ offeredOutcomes }) => offeredOutcomes)).toEqual([
      [ProceedOnce, Cancel],
      [ProceedOnce, Cancel],
    ]);
    expect(existsSync(grantsFile())).toBe(false);
    expect([existsSync(join(outside, 'one')), existsSync(join(outside, 'two'))]).toEqual([true, false]);
  });
});

describe('a known need of a command', () => {
  it.each([
    ['npm install left-pad', true],
    ['cd sub && git fetch origin', true],
    ['curl https://example.com | head', true],
    ['npm test', undefined],
    ['git status', undefined],
  ])('is asked about before the run: %s', async (command, network) => {
    const config = await sandboxedConfig();
    answering(config);
    const details = await expansionOf(invocationOf(config, { command }));
    expect(details?.additionalPermissions.network).toBe(network);
  });

  it('is not asked about where the network is open, or no user can answer', async () => {
    const command = 'curl https://example.com';
    const open = await sandboxedConfig({ sandboxNetworkAccess: true });
    answering(open);
    expect(await expansionOf(invocationOf(open, { command }))).toBeUndefined();
    const yolo = await sandboxedConfig({ approvalMode: ApprovalMode.YOLO });
    answering(yolo);
    expect(await expansionOf(invocationOf(yolo, { command }))).toBeUndefined();
    const alone = await sandboxedConfig();
    expect(await expansionOf(invocationOf(alone, { command }))).toBeUndefined();
  });
});

describe('additional_permissions', () => {
  it('are declared only while commands are sandboxed', async () => {
    const config = await sandboxedConfig();
    expect(declaredParameters(config)).toContain('additional_permissions');
    expect(declaredParameters(await createTestConfig())).not.toContain('additional_permissions');
  });

  it("are granted by the user's answer, not by the call", async () => {
    const port = await localPort();
    const outside = outsideFolder();
    const config = await sandboxedConfig();
    answering(config);
    const params = {
      command: `${connectTo(port)}; echo x > ${outside}/file`,
      additional_permissions: { network: true, fileSystem: { write: [outside], read: ['/etc/hostname'] } },
    };
    const unanswered = await run(config, params);
    expect(unanswered.error).toMatchObject({ type: 'sandbox_expansion_required' });
    expect(unanswered.llmContent).toContain(`not granted (network access; writing ${outside})`);

    const invocation = invocationOf(config, params);
    const details = await expansionOf(invocation);
    expect(details?.additionalPermissions).toEqual({
      network: true,
      fileSystem: { read: [], write: [outside] },
    });
    await details?.onConfirm(ProceedOnce);
    const granted = await invocation.execute(new AbortController().signal);
    expect(granted.llmContent).toContain('welcome');
    expect(existsSync(join(outside, 'file'))).toBe(true);
  });

  it('are shown with their real target, and with the folder of a missing path', async () => {
    const config = await sandboxedConfig();
    answering(config);
    const outside = outsideFolder();
    symlinkSync(outside, join(config.getTargetDir(), 'harmless'));
    for (const path of ['harmless', 'harmless/new', join(outside, 'new/file')]) {
      const additional_permissions = { fileSystem: { write: [path] } };
      const details = await expansionOf(invocationOf(config, { command: 'true', additional_permissions }));
      expect(details?.additionalPermissions.fileSystem?.write, path).toEqual([outside]);
    }
  });

  it('need no question if they are granted already', async () => {
    const config = await sandboxedConfig({ approvalMode: ApprovalMode.YOLO });
    const params = {
      command: 'echo fine',
      additional_permissions: { network: true, fileSystem: { write: ['sub'], read: ['/usr'] } },
    };
    expect(await textOf(run(config, params))).toContain('fine');
    for (const write of ['.git/hooks', '.gemini', '~', '/etc']) {
      const refused = await run(config, {
        ...params,
        additional_permissions: { fileSystem: { write: [write] } },
      });
      expect(refused.error?.type, write).toBe('sandbox_expansion_required');
    }
  });
});

describe('a whole turn with a sandboxed command', () => {
  /** The model makes one call; returns what it is answered. */
  async function answerTo(outcome: ToolConfirmationOutcome, params: object): Promise<string> {
    const model = await startModelServer();
    onTestFinished(() => model.close());
    model.replies([callTool('run_shell_command', params)], [text('done')]);
    const parameters = { approvalMode: ApprovalMode.DEFAULT, interactive: true, toolSandboxing: true };
    const config = await createTestConfig(parameters, { model });
    const asked = answering(config, outcome);
    await sendPrompt(config, 'go on');
    expect(asked).toHaveLength(1);
    return JSON.stringify(model.requests.at(-1)?.body.contents.at(-1));
  }

  it('asks one question for the command and its needs, and runs it after an approval', async () => {
    const port = await localPort();
    const params = { command: connectTo(port), additional_permissions: { network: true } };
    expect(await answerTo(ProceedOnce, params)).toContain('welcome');
  });

  it('runs nothing after a refusal', async () => {
    const outside = outsideFolder();
    const command = `touch ${outside}/file`;
    const params = { command, additional_permissions: { fileSystem: { write: [outside] } } };
    expect(await answerTo(Cancel, params)).toContain('did not allow this call');
    expect(existsSync(join(outside, 'file'))).toBe(false);
  });
});

describe('sandbox.toml', () => {
  it('sets what the modes may do', async () => {
    const port = await localPort();
    const config = await sandboxedConfig();
    writeGrants('[modes.default]\nnetwork = true\nreadonly = true\n');
    const text = await textOf(run(config, `${connectTo(port)}; touch file`));
    expect(text).toMatch(/welcome.*Read-only file system/s);
  });

  it('is ignored with one warning when it is invalid', async () => {
    const notices: string[] = [];
    const config = await sandboxedConfig(noticesTo((message) => notices.push(message)));
    writeGrants('[modes.default]\nnetwork = "yes"\n');
    await run(config, 'true');
    await run(config, 'true');
    expect(notices).toEqual([expect.stringMatching(/sandbox\.toml is not used: .*must be true or false/)]);
  });
});
