/** A scripted model server, a home and a folder: the process looks to the SDK like a user's shell in that folder. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ModelServer, type RecordedRequest, startModelServer } from '@gemini-cli/test-utils/rig';
import { onTestFinished, vi } from 'vitest';

export interface SdkRig {
  model: ModelServer;
  folder: string;
  home: string;
  /** What the program has printed. */
  printed: unknown[][];
  write(path: string, text: string): void;
  read(path: string): string;
}

export async function sdkRig(): Promise<SdkRig> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sdk-rig-')));
  const [folder, home] = [join(root, 'work'), join(root, 'home')];
  for (const path of [folder, home]) mkdirSync(path);
  const model = await startModelServer();
  const before = process.cwd();
  process.chdir(folder);
  const variables = {
    HOME: home,
    GEMINI_CLI_HOME: home,
    GEMINI_API_KEY: 'test-key',
    GOOGLE_GEMINI_BASE_URL: model.url,
    GEMINI_MODEL: 'gemini-2.5-flash',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  onTestFinished(async () => {
    log.mockRestore();
    vi.unstubAllEnvs();
    process.chdir(before);
    await model.close();
    rmSync(root, { recursive: true, force: true });
  });
  return {
    model,
    folder,
    home,
    printed: log.mock.calls,
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
  };
}

export function system(request: RecordedRequest | undefined): string {
  return request?.body.systemInstruction?.parts.map(({ text }) => text).join('') ?? '';
}

export function contents(request: RecordedRequest | undefined): string {
  return JSON.stringify(request?.body.contents);
}

export function toolNames(request: RecordedRequest | undefined): string[] {
  const groups = request?.body.tools ?? [];
  return groups.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
}
