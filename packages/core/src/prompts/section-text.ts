/**
 * Makes the text of a section out of its Markdown file. A line may begin with conditions: `{a}` stays if a
 * holds, `{a|b}` if one of them does, `{!a}` if a does not; with several in a row all must be met. A plain
 * word is the name of a declared tool, a word with `@` a state of the session. `${name}` is replaced by a value.
 */

export interface SectionFacts {
  holds: ReadonlySet<string>;
  values: Readonly<Record<string, string>>;
}

const CONDITION = /^\{([^{}]+)\} ?/;

export function fillSection(markdown: string, facts: SectionFacts): string {
  return markdown
    .split(/\r?\n/)
    .flatMap((line) => textIfMet(line, facts) ?? [])
    .join('\n')
    .trim()
    .replace(/\$\{(\w+)\}/g, (whole, name: string) => facts.values[name] ?? whole);
}

export function isMet(condition: string, { holds }: SectionFacts): boolean {
  return condition
    .split('|')
    .some((word) => (word.startsWith('!') ? !holds.has(word.slice(1)) : holds.has(word)));
}

function textIfMet(line: string, facts: SectionFacts): string | undefined {
  let rest = line;
  for (let found = CONDITION.exec(rest); found; found = CONDITION.exec(rest)) {
    if (!isMet(found[1] ?? '', facts)) return undefined;
    rest = rest.slice(found[0].length);
  }
  return rest;
}
