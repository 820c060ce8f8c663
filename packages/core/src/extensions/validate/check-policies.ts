/** Policies: mistakes in the files, and rules that an extension may not have. */
import { join } from 'node:path';
import { parsePolicyFile, readPolicyFiles } from '../../policy/files/toml-loader.js';
import { ApprovalMode, PolicyDecision } from '../../protocol/confirmation.js';
import { BUILTIN_TOOLS } from '../../tools/catalog.js';
import type { CheckedExtension } from './checked-extension.js';

export async function checkPolicies({ dir, add }: CheckedExtension): Promise<void> {
  const { files, problems } = readPolicyFiles([join(dir, 'policies')], 'extension');
  const toolNames = BUILTIN_TOOLS.map(({ name }) => name);
  const sets = await Promise.all(files.map((file) => parsePolicyFile(file, 'extension', { toolNames })));
  for (const { message, suggestion, file, line } of [...problems, ...sets.flatMap((set) => set.problems)])
    add({
      level: 'warning',
      message: [message, suggestion].filter(Boolean).join(' '),
      file,
      ...(line !== undefined && { line }),
    });
  for (const [index, { rules, checkers }] of sets.entries()) {
    const dropped = [...rules, ...checkers].filter(
      (item) =>
        ('decision' in item && item.decision === PolicyDecision.ALLOW) ||
        item.modes?.includes(ApprovalMode.YOLO),
    ).length;
    if (dropped > 0)
      add({
        level: 'warning',
        message: `${dropped === 1 ? 'One rule is' : `${dropped} rules are`} ignored: extensions can only deny or ask, and not in yolo mode. Write deny or ask_user.`,
        file: files[index]?.path ?? dir,
      });
  }
}
