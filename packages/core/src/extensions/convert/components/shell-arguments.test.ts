import { describe, expect, it } from 'vitest';
import { commandPrompt } from './command-prompt.js';
import { outsideQuotes } from './shell-arguments.js';

describe('arguments in a command line', () => {
  it.each([
    ['gh pr view {{args}}', 'gh pr view {{args}}'],
    ['gh pr view "{{args}}"', 'gh pr view {{args}}'],
    ["gh pr view '{{args}}' --json x", 'gh pr view {{args}} --json x'],
    ['git commit -m "fix: {{args}} now"', 'git commit -m "fix: "{{args}}" now"'],
    ['bash -c \'bash "x.sh" {{args}}\'', 'bash -c \'bash "x.sh" \'{{args}}'],
    ['echo "$(find . -name "{{args}}")"', 'echo "$(find . -name {{args}})"'],
    ['echo \\"{{args}}', 'echo \\"{{args}}'],
    ['echo "a" "{{args}}" ""', 'echo "a" {{args}} ""'],
    ['echo "{{args}}{{args}}"', 'echo {{args}}{{args}}'],
    ['echo "\\"{{args}}\\""', 'echo "\\""{{args}}"\\""'],
    ['echo "$( (a) "{{args}}" )"', 'echo "$( (a) {{args}} )"'],
    ['echo "(" "{{args}}"', 'echo "(" {{args}}'],
    ["echo $'it\\'s {{args}}!'", "echo $'it\\'s '{{args}}$'!'"],
    ['# it\'s\necho "{{args}}"', "# it's\necho {{args}}"],
    ['echo "fix #{{args}}"', 'echo "fix #"{{args}}'],
  ])('stand outside quotes, since the program quotes them itself: %s', (command, expected) => {
    expect(outsideQuotes(command)).toBe(expected);
  });

  it.each([
    'echo `echo {{args}}`',
    'cat <<END\n{{args}}\nEND',
    'echo a # {{args}}',
    'echo $"{{args}}"',
    'echo ${{args}}',
    'echo "${x:-{{args}}}"',
    'echo "${x:-${y} {{args}}}"',
    'echo $(( {{args}} + 1 ))',
    'echo $[ {{args}} + 1 ]',
  ])('stay with the model where no quotes protect them: %s', (command) => {
    expect(outsideQuotes(command)).toBeUndefined();
  });

  it('are named as a loss: they are one word', () => {
    const { prompt, losses } = commandPrompt('See !`git log --grep "$ARGUMENTS"`');
    expect(prompt).toBe('See !{git log --grep {{args}}}');
    expect(losses).toEqual([expect.stringContaining('one quoted word')]);
    expect(commandPrompt('Say $ARGUMENTS and !`git log`').losses).toEqual([]);
  });
});
