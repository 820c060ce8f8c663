/** "explain src/a.ts", "what does main.py do?", "outline README.md", "explain the docs folder". */
import { type Clause, meaningOf } from '../clause.js';
import { defineFamily } from '../intent.js';
import { isHere, looksLikeFolder, looksLikePath, pathOf } from '../words.js';

interface ExplainDetails {
  path: string;
}

const ABOUT =
  /^(?:explain|what (?:is|are|does)|how does)(?: (?:file|module|script|folder|code (?:in|of)|structure of|contents? of|purpose of))? (\S+)(?: (?:file|module|script|folder|package))?(?: (?:do|does|doing|for|about|works?|contain))?$/i;
const WHAT_IT_DOES = /^what (?:file )?(\S+) (?:does|is(?: for| about)?)$/i;
const FOLDER = / (?:folder|package)\b/i;

function match(clause: Clause): ExplainDetails | undefined {
  const captured = (ABOUT.exec(clause.plain) ?? WHAT_IT_DOES.exec(clause.plain))?.[1];
  if (captured === undefined || (isHere(captured) && clause.previous?.path === undefined)) return undefined;
  const isPlace = looksLikePath(clause, captured) || looksLikeFolder(clause, captured);
  if (!isPlace && !FOLDER.test(clause.plain)) return undefined;
  const path = pathOf(clause, captured);
  return /\s/.test(path) && !meaningOf(clause, captured).includes('/') ? undefined : { path };
}

export const explainFamily = defineFamily<ExplainDetails>({
  kind: 'explain',
  match,
  async steps({ path }) {
    const { explainPath } = await import('../explain-path.js');
    return explainPath(path);
  },
  path: (details) => details.path,
});
