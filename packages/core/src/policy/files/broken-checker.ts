/** Replacements for rules, checkers and files that cannot be read: calls they might have restricted ask the user. */
import { canonicalToolName, REPLACE, WRITE_FILE } from '../../protocol/tool-names.js';
import type { PolicyProblem, SafetyChecker } from '../rules/rule.js';

/** @param table of the policy file; may be anything */
export function brokenChecker(table: unknown, source: string, problem: string): SafetyChecker {
  const toolNames = namesIn(table);
  return {
    toolNames: toolNames ?? ['*'],
    priority: 0,
    source,
    checker: {
      type: 'unusable',
      name: 'broken',
      reason: `A rule or safety checker in ${source} is broken: ${problem}`,
      // It may be meant for any tool, so only calls that the built-in policy always allows still run.
      ...(!toolNames && { exemptsBuiltIn: true }),
    },
  };
}

/** For a file whose rules cannot be read. */
export function unreadableFileChecker({ file }: PolicyProblem): SafetyChecker {
  const reason = `${file} cannot be read, so its rules are unknown.`;
  return {
    toolNames: ['*'],
    priority: 0,
    source: file,
    checker: { type: 'unusable', name: 'lost-file', reason, exemptsBuiltIn: true },
  };
}

function namesIn(table: unknown): string[] | undefined {
  if (typeof table !== 'object' || table === null) return undefined;
  const { toolName, validator } = table as { toolName?: unknown; validator?: unknown };
  if (validator !== undefined) return [WRITE_FILE, REPLACE];
  const names = Array.isArray(toolName) ? toolName : [toolName];
  const isReadable =
    names.length > 0 && names.every((name) => typeof name === 'string' && name.trim() !== '');
  return isReadable ? names.map(canonicalToolName) : undefined;
}
