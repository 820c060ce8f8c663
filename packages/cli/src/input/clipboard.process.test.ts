import { describe, expect, it } from 'vitest';
import { runTool } from './run-tool.js';

const MISSING = { code: undefined, stdout: Buffer.alloc(0), isMissing: true };

describe('runTool', () => {
  it('returns output and exit code', async () => {
    const result = await runTool(process.execPath, [
      '-e',
      'process.stdout.write("out"); process.exitCode = 3',
    ]);
    expect(result).toEqual({ code: 3, stdout: Buffer.from('out'), isMissing: false });
  });

  it('passes the input on', async () => {
    const program =
      'let n=0; process.stdin.on("data", (d) => { n += d.length }).on("end", () => process.exit(n === 70000 ? 0 : 1))';
    expect(await runTool(process.execPath, ['-e', program], Buffer.alloc(70_000))).toMatchObject({ code: 0 });
  });

  it('reports a missing program without throwing', async () => {
    expect(await runTool('no-such-program-here', [])).toEqual(MISSING);
  });
});
