/** What stands in for rules, checkers and files that cannot be read: calls that they might have held back ask. */
import { canonicalToolName, REPLACE, WRITE_FILE } from '../../protocol/tool-names.js';
import type { PolicyProblem, SafetyChecker } from '../rules/rule.js';

/** @param table of the policy file, as far as it makes sense */
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
      // It may have been meant for anything: only what never needs a question goes on.
      ...(!toolNames && { sparesBuiltIn: true }),
    },
  };
}

/** For a file whose rules cannot be read. */
export function lostFile({ file }: PolicyProblem): SafetyChecker {
  const reason = `The rules in ${file} are not known, since it cannot be read.`;
  return {
    toolNames: ['*'],
    priority: 0,
    source: file,
    checker: { type: 'unusable', name: 'lost-file', reason, sparesBuiltIn: true },
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
