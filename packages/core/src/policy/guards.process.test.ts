/** Guards that cannot act: they ask or refuse, and are named. They never fail open. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { PolicyEngine } from './policy-engine.js';
import { policyLab } from './policy-lab.test-helper.js';
import { describeProblem } from './rules/rule.js';

let lab: ReturnType<typeof policyLab>;
beforeEach(() => {
  lab = policyLab();
});
afterEach(() => lab.folder.cleanup());

const YOLO = { approvalMode: ApprovalMode.YOLO };
const write = (engine: PolicyEngine) =>
  engine.evaluate({ name: 'write_file', args: { file_path: 'a', content: '' } });

/** The engine in yolo mode, and every line that a start with these rules tells the user. */
async function start(rules: string) {
  lab.write('home/.gemini/policies/rules.toml', rules);
  const engine = lab.make(YOLO);
  const loaded = await engine.reload();
  return { engine, lines: [...(loaded?.warnings ?? []), ...(loaded?.problems ?? []).map(describeProblem)] };
}
describe('a safety checker that cannot be run', () => {
  const external = (name: string) =>
    `[[safety_checker]]\ntoolName = "write_file"\n[safety_checker.checker]\ntype = "external"\nname = "${name}"\n`;
  const path = (name: string) => join(lab.globalDir, 'checkers', name);
  const program = (name: string, mode = 0o755) => {
    mkdirSync(join(lab.globalDir, 'checkers'), { recursive: true });
    writeFileSync(path(name), `#!/bin/sh\necho '{"decision":"allow"}'\n`);
    chmodSync(path(name), mode);
  };
  it('is not reported any more when it can be run', async () => {
    program('mine');
    const { engine, lines } = await start(external('mine'));
    expect(await write(engine)).toBe('allow');
    expect(lines).toEqual([]);
  });
});
