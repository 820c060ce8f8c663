/** Outlines a file without guessing its meaning. */
import { readFile } from './calls.js';
import { ask, done, failed, type Steps } from './intent.js';
import { locate } from './locate.js';
import { outlineOf } from './outline.js';
import { answerOverview } from './project/survey.js';
import { parseRead } from './results.js';
import {
  block,
  bullets,
  code,
  count,
  firstOf,
  isMedia,
  languageOf,
  quote,
  shorten,
  toolError,
} from './say.js';

/** Outlines a file, or looks at a folder as at a project. */
export function* explainPath(named: string): Steps {
  const place = yield* locate(named);
  if (place.kind === 'unclear') return failed(place.problem);
  if (place.kind === 'folder') return yield* answerOverview(place.path, 'project');
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
    const list = items.map((item) => `line ${item.line}: ${code(shorten(item.label, 100))}`);
    parts.push(`**Its ${itemsAre}:**\n\n${bullets(firstOf(list, MAX_ITEMS))}`);
  }
  if (!opening && items.length === 0) {
    parts.push(`Its first lines:\n\n${block(lines.slice(0, 12).join('\n'), languageOf(path))}`);
  }
  const end = Math.min(length, 60);
  parts.push(
    `This is only its outline; a language model could explain it. To read it: ${code(`show lines 1-${end} of ${path}`)}.`,
  );
  return parts.join('\n\n');
}
