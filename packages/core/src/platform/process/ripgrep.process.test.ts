import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { locateRipgrep, type RipgrepRequest, runRipgrep } from './ripgrep.js';

const BUNDLED = createRequire(import.meta.url).resolve(
  `@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`,
);

let dir: { path: string; cleanup: () => void };
beforeEach(() => {
  dir = tempDir();
});
afterEach(() => {
  vi.unstubAllEnvs();
  dir.cleanup();
});

function plant(folder: string, mode = 0o755): string {
  const bin = join(dir.path, folder);
  mkdirSync(bin, { recursive: true });
  chmodSync(bin, 0o755);
  const rg = join(bin, 'rg');
  writeFileSync(rg, '#!/bin/sh\necho planted\n');
  chmodSync(rg, mode);
  return bin;
}

function locateWithPath(...folders: string[]): string | undefined {
  vi.stubEnv('PATH', folders.join(delimiter));
  return locateRipgrep([join(dir.path, 'workspace')], process.env);
}

describe('locateRipgrep', () => {
  it('prefers the one on PATH', () => {
    expect(locateWithPath('/nonexistent', plant('bin'))).toBe(join(dir.path, 'bin/rg'));
  });

  it('uses the bundled one when PATH has none', () => {
    expect(locateWithPath('')).toBe(BUNDLED);
  });

  it('does not trust one in the workspace, by link or by a relative entry', () => {
    const inside = plant('workspace/node_modules/.bin');
    const linked = join(dir.path, 'linked');
    mkdirSync(linked);
    symlinkSync(join(inside, 'rg'), join(linked, 'rg'));
    expect(locateWithPath(inside, linked, 'bin', '.')).toBe(BUNDLED);
  });

  it('does not trust one that others may change', () => {
    const open = plant('open', 0o757);
    const inOpenFolder = plant('folder');
    chmodSync(inOpenFolder, 0o777);
    expect(locateWithPath(open, inOpenFolder)).toBe(BUNDLED);
  });

  it('skips files that are not executable', () => {
    const shut = plant('shut', 0o644);
    mkdirSync(join(dir.path, 'directory/rg'), { recursive: true });
    // Root may execute a file if any user may; 0644 is not executable.
    expect(locateWithPath(shut, join(dir.path, 'directory'))).toBe(BUNDLED);
  });

  it.each(['esm', 'cjs'] as const)('works from an %s bundle', async (format) => {
    const outfile = join(dir.path, 'dist', format === 'esm' ? 'bundle.mjs' : 'bundle.cjs');
    await build({
      stdin: {
        contents: `import { locateRipgrep } from './ripgrep.ts'; process.stdout.write(String(locateRipgrep([], process.env)));`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      platform: 'node',
      format,
      outfile,
      minify: true,
      logLevel: 'silent',
    });
    const modules = BUNDLED.slice(0, BUNDLED.indexOf('/@vscode/'));
    symlinkSync(modules, join(dir.path, 'node_modules'));
    expect(readFileSync(outfile, 'utf8')).toContain('ripgrep');
    const run = spawnSync(process.execPath, [outfile], { env: { PATH: '' }, encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(run.stdout).toBe(BUNDLED);
  });
});

describe('runRipgrep', () => {
  function request(extra: Partial<RipgrepRequest>): RipgrepRequest {
    return {
      binary: BUNDLED,
      args: ['--no-messages', 'x', '--', './'],
      cwd: dir.path,
      signal: new AbortController().signal,
      onOutput: () => true,
      ...extra,
    };
  }

  it('tells matches, no matches and errors apart', async () => {
    expect(await runRipgrep(request({}))).toEqual({ endedBy: 'exit', exitCode: 1, errors: '' });
    writeFileSync(join(dir.path, 'a'), 'x');
    expect(await runRipgrep(request({}))).toEqual({ endedBy: 'exit', exitCode: 0, errors: '' });
    const bad = await runRipgrep(request({ args: ['(', './'] }));
    expect(bad).toMatchObject({ endedBy: 'exit', exitCode: 2 });
    expect(bad.errors).toContain('unclosed group');
  });

  it('ends the process when the caller has enough', async () => {
    writeFileSync(join(dir.path, 'a'), 'x\n'.repeat(3_000_000));
    let chunks = 0;
    const outcome = await runRipgrep(
      request({
        onOutput: () => {
          chunks++;
          return false;
        },
      }),
    );
    expect(outcome.endedBy).toBe('enough');
    expect(chunks).toBe(1);
  });

  it('ends the process when aborted, also before it began', async () => {
    writeFileSync(join(dir.path, 'a'), 'x\n'.repeat(3_000_000));
    const controller = new AbortController();
    const outcome = await runRipgrep(
      request({
        signal: controller.signal,
        onOutput: () => {
          controller.abort();
          return true;
        },
      }),
    );
    expect(outcome.endedBy).toBe('abort');
    expect((await runRipgrep(request({ signal: AbortSignal.abort() }))).endedBy).toBe('abort');
  });

  it('rejects when the reader throws or the binary is missing', async () => {
    writeFileSync(join(dir.path, 'a'), 'x');
    const failing = request({
      onOutput: () => {
        throw new Error('no');
      },
    });
    await expect(runRipgrep(failing)).rejects.toThrow('no');
    await expect(runRipgrep(request({ binary: '/nonexistent/rg' }))).rejects.toThrow('ENOENT');
  });
});
