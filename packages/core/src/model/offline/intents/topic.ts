/** "how does the scheduler work?": not to be explained by rules, but the places can be named. */
import { escapeRegex } from '../../../base/escape-regex.js';
import { glob, grep } from '../calls.js';
import { type Clause, meaningOf } from '../clause.js';
import { askAll, defineFamily, done, type Steps } from '../intent.js';
import { escapeGlob } from '../locate.js';
import { parseGlob, parseGrep } from '../results.js';
import { bullets, code, firstOf, HOW_TO_CONNECT } from '../say.js';
import { isTestFile } from '../words.js';

interface TopicDetails {
  topic: string;
}

const TOPIC =
  /^(?:how (?:does|do|is|are)|explain(?: how)?|where (?:is|are)|what handles|where do (?:we|you|i) (?:handle|do)) ([\w-]+(?: [\w-]+)?)(?: (?:files?|code|logic|stuff|part|system))?(?: (?:works?|implemented|handled|done|lives?|located|happens?|configured|organi[sz]ed|in this project))*$/i;
const STOP =
  /\b(?:this|that|here|you|i|me|we|they|it|life|time|weather|today|love|world|of|to|a|an|is|are|am|feel|much|many)\b/i;

function match(clause: Clause): TopicDetails | undefined {
  const captured = TOPIC.exec(clause.plain)?.[1]?.replace(
    / (?:works?|files?|code|implemented|handled)$/i,
    '',
  );
  if (captured === undefined || captured.length < 3 || STOP.test(captured)) return undefined;
  return { topic: meaningOf(clause, captured).toLowerCase() };
}

const MAX_FILES = 12;

function* steps({ topic }: TopicDetails): Steps {
  const words = topic.split(/[\s-]+/);
  const [named, mentioned] = yield* askAll([
    glob(`**/*${words.map(escapeGlob).join('*')}*`),
    grep(words.map(escapeRegex).join('[ _-]?'), { regex: true }),
  ]);
  const files = codeFirst(named?.ok ? parseGlob(named.text) : []);
  const hits = mentioned?.ok ? parseGrep(mentioned.text) : undefined;
  if (files.length === 0 && (!hits || hits.matches === 0)) {
    return done(
      `That needs a language model: I work by rules, and nothing in this project mentions ${code(topic)}.\n\n${HOW_TO_CONNECT}`,
    );
  }
  const parts = ['Explaining how something works needs a language model. I can say where to look:'];
  if (files.length > 0)
    parts.push(`**Files named like ${code(topic)}**\n\n${bullets(firstOf(files.map(code), MAX_FILES))}`);
  const most = [...(hits?.files ?? [])]
    .sort((a, b) => b.lines.length - a.lines.length)
    .map((file) => file.path)
    .filter((path) => !files.includes(path));
  if (most.length > 0) parts.push(`**Files that mention it most**\n\n${bullets(most.slice(0, 8).map(code))}`);
  const first = files[0] ?? most[0];
  if (first) parts.push(`Next: ${code(`explain ${first}`)}.`);
  return done(parts.join('\n\n'));
}

function codeFirst(files: readonly string[]): string[] {
  return [...files].sort((a, b) => Number(isTestFile(a)) - Number(isTestFile(b)));
}

export const topicFamily = defineFamily<TopicDetails>({ kind: 'topic', match, steps });
