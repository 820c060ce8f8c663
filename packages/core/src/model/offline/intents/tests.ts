/** "run the tests", "do the tests pass?", "build the project", "run the linter": the project's own commands. */
import type { Clause } from '../clause.js';
import { defineFamily } from '../intent.js';
import type { TaskDetails } from '../project/types.js';
import { isHere, looksLikeFolder, looksLikePath, pathOf } from '../words.js';

const AGAIN = '(?: (?:again|once more|now))?';
const OF_PLACE =
  '(?: (?:for|in|of|under|from) (?:file |folder |package )?(.+?)(?: (?:file|folder|package))?)?';

const PATTERNS: { task: TaskDetails['task']; pattern: RegExp }[] = [
  {
    task: 'test',
    pattern: new RegExp(
      `^run(?: (?:unit|integration|this project|project's|available|automated|complete))* tests?(?: suites?| cases?)?${OF_PLACE}${AGAIN}$`,
      'i',
    ),
  },
  { task: 'test', pattern: new RegExp(`^(?:test|check|verify) (?:this project|it)${AGAIN}$`, 'i') },
  {
    task: 'test',
    pattern:
      /^(?:(?:check|show|verify|find out|make sure) (?:if|that|whether) )?(?:do |are |does )?(?:unit )?tests? (?:suite )?(?:still )?(?:pass(?:es|ing)?|work(?:s|ing)?|green|succeed(?:s|ing)?|fail(?:s|ing)?)$/i,
  },
  {
    task: 'build',
    pattern: new RegExp(
      `^(?:(?:build|compile)(?: this project| it)?|run (?:build|compilation))${AGAIN}$`,
      'i',
    ),
  },
  {
    task: 'lint',
    pattern: new RegExp(
      `^(?:lint(?: this project| it)?|run (?:lint(?:er|ing)?|eslint|style checks?))${AGAIN}$`,
      'i',
    ),
  },
  {
    task: 'typecheck',
    pattern: new RegExp(
      `^(?:type-?check(?: this project| it)?|run type-? ?check(?:er|s|ing)?)${AGAIN}$`,
      'i',
    ),
  },
  { task: 'install', pattern: /^install(?: project'?s?)? (?:dependencies|deps|packages|requirements)$/i },
];

function match(clause: Clause): TaskDetails | undefined {
  for (const { task, pattern } of PATTERNS) {
    const found = pattern.exec(clause.plain);
    if (!found) continue;
    const captured = found[1];
    if (captured === undefined || isHere(captured) || /^this\b/i.test(captured)) return { task };
    const isPlace =
      looksLikePath(clause, captured) || looksLikeFolder(clause, captured) || !/\s/.test(captured);
    return isPlace ? { task, path: pathOf(clause, captured) } : undefined;
  }
  return undefined;
}

export const testsFamily = defineFamily<TaskDetails>({
  kind: 'task',
  match,
  async steps(details, tools) {
    const { runTask } = await import('../project/task.js');
    return runTask(details, tools);
  },
  mutates: true,
});
