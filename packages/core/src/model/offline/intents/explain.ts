/** "explain src/a.ts", "what does main.py do?", "outline README.md", "explain the docs folder". */
import { readFile } from '../calls.js';
import { type Clause, meaningOf } from '../clause.js';
import { ask, defineFamily, done, failed, type Steps } from '../intent.js';
import { locate, notFound, severalFiles } from '../locate.js';
import { outlineOf } from '../outline.js';
import { parseRead } from '../results.js';
import { block, bullets, code, count, languageOf, quote, shorten, toolError } from '../say.js';
import { isHere, looksLikeFolder, looksLikePath, pathOf } from '../words.js';
import { overviewOf } from './overview.js';
import { isMedia } from './read.js';

interface ExplainDetails {
  path: string;
}

const ABOUT = new RegExp(
  '^(?:explain|describe|summari[sz]e|outline|analy[sz]e|understand|walk me through|tell me (?:more )?about|' +
    '(?:(?:give|show|get)(?: me)? )?(?:an?|the)? ?(?:summary|outline|overview|explanation|structure|description) (?:of|for)|' +
    "what(?:'s|’s| is| are| does)|what is the purpose of|how does|document)" +
    '(?: to me)?(?: the| my)?(?: (?:file|module|script|folder|directory|code in|code of|structure of|contents? of|purpose of))? (\\S+)' +
    '(?: (?:file|module|script|folder|directory|package))?(?: (?:do|does|doing|for|about|work|works|contain))?(?: to me)?$',
  'i',
);
const WHAT_IT_DOES = /^what (?:the )?(?:file )?(\S+) (?:does|is(?: for| about)?)$/i;
const FOLDER = / (?:folder|directory|package)\b/i;

function match(clause: Clause): ExplainDetails | undefined {
  const captured = (ABOUT.exec(clause.text) ?? WHAT_IT_DOES.exec(clause.text))?.[1];
  if (captured === undefined || isHere(captured)) return undefined;
  const isPlace = looksLikePath(clause, captured) || looksLikeFolder(clause, captured);
  if (!isPlace && !FOLDER.test(clause.text)) return undefined;
  const path = pathOf(clause, captured);
  return /\s/.test(path) && !meaningOf(clause, captured).includes('/') ? undefined : { path };
}

function* steps({ path: named }: ExplainDetails): Steps {
  const place = yield* locate(named);
  if (place.kind === 'unknown') return failed(notFound(named));
  if (place.kind === 'several') return failed(severalFiles(named, place.paths));
  if (place.kind === 'folder') return yield* overviewOf(place.path);
  const { path } = place;
  if (isMedia(path)) return failed(`${code(path)} is not a text file; I cannot look into it.`);
  const outcome = yield* ask(readFile(path));
  if (!outcome.ok) return failed(toolError(`Reading ${code(path)}`, outcome));
  if (outcome.text.startsWith('Cannot display content of binary file')) return failed(outcome.text);
  return done(render(path, outcome.text));
}

const MAX_ITEMS = 40;
const MAX_IMPORTS = 12;

function render(path: string, text: string): string {
  const { content, total } = parseRead(text);
  if (content.trim() === '') return `${code(path)} is empty.`;
  const lines = content.replace(/\n$/, '').split('\n');
  const { opening, imports, items, itemsAre } = outlineOf(path, lines);
  const length = total ?? lines.length;
  const partly =
    total !== undefined && total > lines.length ? ` (the first ${lines.length} are outlined)` : '';
  const parts = [`${code(path)} has ${count(length, 'line')}${partly}.`];
  if (opening) parts.push(`It opens with:\n\n${quote(shorten(opening, 600))}`);
  if (imports.length > 0) {
    const shown = imports.slice(0, MAX_IMPORTS).map(code).join(', ');
    const more = imports.length > MAX_IMPORTS ? ` and ${imports.length - MAX_IMPORTS} more` : '';
    parts.push(`**Uses:** ${shown}${more}`);
  }
  if (items.length > 0) {
    const list = bullets(
      items.slice(0, MAX_ITEMS).map((item) => `line ${item.line}: ${code(shorten(item.label, 100))}`),
    );
    const more = items.length > MAX_ITEMS ? `\n- … and ${items.length - MAX_ITEMS} more` : '';
    parts.push(`**Its ${itemsAre}:**\n\n${list}${more}`);
  }
  if (!opening && items.length === 0) {
    parts.push(`Its first lines:\n\n${block(lines.slice(0, 12).join('\n'), languageOf(path))}`);
  }
  const end = Math.min(length, 60);
  parts.push(
    `That is its structure; what it means, a language model could explain. To read it: ${code(`show lines 1-${end} of ${path}`)}.`,
  );
  return parts.join('\n\n');
}

export const explainFamily = defineFamily<ExplainDetails>({
  kind: 'explain',
  match,
  steps,
  path: (details) => details.path,
});
