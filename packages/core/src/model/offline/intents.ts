/** Prompt -> intents. Pure: no files, no tools, the same answer every time. */
import {
  addLiteral,
  asTyped,
  type Clause,
  type ClauseContext,
  isOnlyLiteral,
  makeClause,
  type ProtectedText,
  protect,
} from './clause.js';
import type { Intent } from './intent.js';
import { helpIntent, isSmallTalk } from './intents/help.js';
import { FAMILIES } from './intents/table.js';

export interface ParsedPrompt {
  /** Never empty: with nothing recognised it is the help intent. */
  intents: Intent[];
  notUnderstood: string[];
}

/** Only the end of a long prompt is read; pasted data is before it. */
const MAX_PROMPT = 100_000;
/** Longer requests match no rule, quoted passages not counted; trying would waste time. */
const MAX_REQUEST = 2000;

export function parseIntents(prompt: string, earlierPrompts: readonly string[] = []): ParsedPrompt {
  const earlier = earlierPrompts.at(-1);
  const before = earlier === undefined ? undefined : readSteps(earlier, undefined).intents.at(-1);
  const { intents, notUnderstood } = readSteps(prompt, before);
  if (intents.length > 0) return { intents, notUnderstood };
  return {
    intents: [helpIntent(prompt, notUnderstood.length > 0)],
    notUnderstood: [],
  };
}

function readSteps(prompt: string, before: Intent | undefined): ParsedPrompt {
  const guarded = protect(prompt.slice(-MAX_PROMPT));
  const { text, afterText } = requestIn(guarded);
  const context = { literals: guarded.literals, afterText };
  const intents: Intent[] = [];
  const notUnderstood: string[] = [];
  for (const piece of splitClauses(text, context, before)) {
    const clause = makeClause(piece, context, intents.at(-1) ?? before);
    const intent = recognise(clause);
    if (intent) intents.push(intent);
    else if (!isSmallTalk(clause.text)) notUnderstood.push(asTyped(guarded.literals, clause.full));
  }
  return { intents, notUnderstood };
}

function recognise(clause: Clause): Intent | undefined {
  if (clause.text === '' || clause.text.length > MAX_REQUEST || isConditional(clause.text)) return undefined;
  for (const family of FAMILIES) {
    const intent = family.recognise(clause);
    if (intent) return intent;
  }
  return undefined;
}

/**
 * Piped data is before the request, separated by a blank line; only the last paragraph is followed.
 * A code block alone belongs to the paragraph before it.
 */
function requestIn(guarded: ProtectedText): { text: string; afterText: boolean } {
  const paragraphs = guarded.text.split(/\n[ \t]*\n/).filter((paragraph) => paragraph.trim() !== '');
  const last = paragraphs.pop() ?? '';
  const text = isOnlyLiteral(last) && paragraphs.length > 0 ? `${paragraphs.pop()} ${last.trim()}` : last;
  return { text: withContentProtected(text, guarded), afterText: paragraphs.length > 0 };
}

const STRONG = /[,;.]?\s+(?:and\s+)?(?:then|after(?:wards| that)|next|finally)\b[,:]?\s+/;
const SEPARATOR = new RegExp(
  `(${STRONG.source}|\\s*\\n\\s*|;\\s+|\\.\\s+|,\\s+(?:and\\s+)?|\\s+and\\s+)`,
  'i',
);
const STRONG_ONLY = new RegExp(`^(?:${STRONG.source}|\\s*\\n\\s*)$`, 'i');

/** A separator ends a clause only if another request follows. */
function splitClauses(text: string, context: ClauseContext, before: Intent | undefined): string[] {
  const pieces = text.length > MAX_REQUEST ? [text] : withoutListMarks(text).split(SEPARATOR);
  const clauses: string[] = [];
  let current = pieces[0] ?? '';
  let previous = before;
  for (let index = 1; index + 1 < pieces.length; index += 2) {
    const separator = pieces[index] ?? '';
    const next = pieces[index + 1] ?? '';
    const intent = recognise(makeClause(current, context, previous));
    const following = recognise(makeClause(next, context, intent ?? previous));
    const unfinished = isConditional(current.trim()) || (!intent && OPENING.test(current.trim()));
    if (
      unfinished ||
      !following ||
      intent?.keeps(separator) ||
      isOneQuestion(current, separator, following)
    ) {
      current += separator + next;
      continue;
    }
    clauses.push(current);
    previous = intent ?? previous;
    current = next;
  }
  return [...clauses, current].filter((clause) => clause.trim() !== '');
}

/** "create x with:" and lines below: all of them are the content. */
function withContentProtected(text: string, { literals }: ProtectedText): string {
  const found = /^([^\n]*\b(?:create|write|make|save|overwrite)\b[^\n]*:)[ \t]*\n([\s\S]+)$/i.exec(text);
  if (!found?.[1] || !found[2] || isOnlyLiteral(found[2])) return text;
  const content = asTyped(literals, found[2]);
  return `${found[1]} ${addLiteral(literals, content, content)}`;
}

function withoutListMarks(text: string): string {
  return text.replace(/^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+/gm, '');
}

/** "how do I build and run the tests": a question to its end; nothing in it is to be done. */
function isOneQuestion(current: string, separator: string, following: Intent): boolean {
  if (STRONG_ONLY.test(separator) || !/^(?:how|what|why|which)\b/i.test(current.trim())) return false;
  return following.mutates || following.kind === 'overview';
}

/** "in src/a.ts, …": belongs to what follows. */
const OPENING = /^(?:in|inside|under|within|from|for)\b/i;

/** Rules cannot judge a condition, so nothing that depends on it is done. */
function isConditional(text: string): boolean {
  return /^(?:if|unless|when|whenever|once|until|before|after|only if|in case|don'?t|do not|never)\b/i.test(
    text,
  );
}
