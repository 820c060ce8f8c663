/** Finds tools by words: plain text ranking over name, heading and description, the same every time. */
import type { AnyDeclarativeTool } from '../tools.js';

const NAMED = 1000;
const IN_NAME = 4;
const IN_DESCRIPTION = 1;
/** Words with a common beginning ("repo" and "repository"). */
const BEGINS_ALIKE = 0.5;
const SHORTEST_BEGINNING = 3;
/** Each query word is compared with all words of thousands of tools. */
const MAX_WORDS = 30;

const FILLERS = new Set(
  'a an and by for from in into is it of on or that the this to tool tools use with'.split(' '),
);

interface Searchable {
  tool: AnyDeclarativeTool;
  nameWords: ReadonlySet<string>;
  descriptionWords: ReadonlySet<string>;
}

/** Best first; tools that share no word with the query are left out. */
export function rankTools(query: string, tools: readonly AnyDeclarativeTool[]): AnyDeclarativeTool[] {
  const wanted = new Set(query.split(/[\s,;]+/));
  const words = [...new Set(wordsOf(query))].filter((word) => !FILLERS.has(word)).slice(0, MAX_WORDS);
  const items = tools.map(searchable);
  const rarities = words.map((word) => rarityOf(word, items));
  return items
    .map((item) => {
      const named = wanted.has(item.tool.name) ? NAMED : 0;
      const score = words.reduce((sum, word, index) => sum + (rarities[index] ?? 0) * hit(word, item), named);
      return { tool: item.tool, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || compare(a.tool.name, b.tool.name))
    .map(({ tool }) => tool);
}

function searchable(tool: AnyDeclarativeTool): Searchable {
  return {
    tool,
    nameWords: new Set(wordsOf(`${tool.name} ${tool.deferUnder ?? ''}`)),
    descriptionWords: new Set(wordsOf(tool.description)),
  };
}

/** A word that occurs in every tool does not tell them apart. */
function rarityOf(word: string, items: readonly Searchable[]): number {
  const count = items.filter((item) => hit(word, item) > 0).length;
  return count === 0 ? 0 : Math.log(1 + items.length / count);
}

function hit(word: string, { nameWords, descriptionWords }: Searchable): number {
  return IN_NAME * closeness(word, nameWords) + IN_DESCRIPTION * closeness(word, descriptionWords);
}

function closeness(word: string, among: ReadonlySet<string>): number {
  if (among.has(word)) return 1;
  for (const other of among) {
    const [short, long] = word.length < other.length ? [word, other] : [other, word];
    if (short.length >= SHORTEST_BEGINNING && long.startsWith(short)) return BEGINS_ALIKE;
  }
  return 0;
}

/** Lower case, `camelCase` and `snake_case` taken apart, a plural's "s" dropped. */
function wordsOf(text: string): string[] {
  const spread = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return (spread.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 ? word.replace(/s$/, '') : word,
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
