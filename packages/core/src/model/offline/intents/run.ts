/** "run `git status`", "execute make", "run script.py", "git log -5". */
import { asTyped, type Clause, isQuoted, meaningOf } from '../clause.js';
import { defineFamily, type Steps, type Toolbox } from '../intent.js';
import { runAndReport } from '../run-command.js';

interface RunDetails {
  command: string;
}

const RUN =
  /^(?:run|execute|exec|launch)(?:(?: (?:the|this|a|my))?(?: (?:following|shell|terminal|bash))?(?: (?:command|script|program|file)):?)?\s+(\S[\s\S]*)$/i;
const DOLLAR = /^\$\s+(\S[\s\S]*)$/;
/** Commands so common that the bare line is clear. */
const BARE =
  /^(?:git (?:status|log|diff|branch|show|blame|remote|tag|stash list|fetch|pull)|(?:npm|pnpm|yarn) (?:install|ci|test|run|start|ls|outdated|audit)|npx|cargo (?:build|test|run|check|clippy|fmt)|go (?:build|test|run|vet) (?:\.|\w)|pytest|(?:grep|rg) -|make [\w-]+$|docker (?:ps|images|compose)|pwd$|whoami$|(?:node|python3?|npm|git|cargo|go) --?v(?:ersion)?$)/;
const GIT = /^(?:show|print|display|get)(?: me)?(?: the)? git (status|log|diff|branch)(?:es)?$/i;
/** "run the …", "run a …": words, not a command. */
const WORDS =
  /^(?:the|an?|my|our|all|it|them|this|that|these|some|every|through|into|out|away|on|over|with|tests?|everything|again)\b/i;
const CONDITION = /\s(?:if|unless|when|until|only if)\s+(?:the|it|that|this|there|everything|all|i|you)\b/i;
const ASIDE =
  /,?\s+(?:and|then|and then)\s+(?:tell|show|give|let)\s+(?:me|us)\s+(?:the|its|what|whether|if|how|know)\b.*$/i;
/** A sentence continues: the end of the command is unclear, and its words must not become arguments. */
const SENTENCE = /\s(?:and|but|then|because|so)\s|[?!]\s/i;

function match(clause: Clause): RunDetails | undefined {
  const typed = RUN.exec(clause.full)?.[1] ?? DOLLAR.exec(clause.full)?.[1];
  if (typed !== undefined) {
    if (isQuoted(typed.replace(/[.!]$/, '')))
      return { command: interpreted(meaningOf(clause, typed.replace(/[.!]$/, ''))) };
    const trimmed = withoutAsides(typed)
      .replace(/,?\s+(?:please|for me)[.!?]*$/i, '')
      .replace(/(?<=[\w'"])[.!?]$/, '');
    const { previous } = clause;
    if (/^(?:it|that|this)$/i.test(trimmed) && previous?.path) return { command: interpreted(previous.path) };
    if (WORDS.test(trimmed) || CONDITION.test(trimmed) || SENTENCE.test(trimmed)) return undefined;
    return { command: interpreted(asTyped(clause.literals, trimmed)) };
  }
  const git = GIT.exec(clause.text)?.[1]?.toLowerCase();
  if (git) return { command: git === 'log' ? 'git log --oneline -20' : `git ${git}` };
  const bare = withoutAsides(clause.full);
  if (!BARE.test(bare) || /\?$/.test(bare) || SENTENCE.test(bare)) return undefined;
  return { command: asTyped(clause.literals, bare) };
}

/** The output is always shown; asking for it is not a part of the command. */
function withoutAsides(typed: string): string {
  return typed.trim().replace(ASIDE, '');
}

/** A bare script file is run by its interpreter. */
function interpreted(command: string): string {
  const script = /^(?:\.\/)?([\w./-]+\.(py|sh|js|mjs|cjs|rb))$/.exec(command.trim());
  const interpreter = script?.[2] ? INTERPRETERS[script[2]] : undefined;
  return interpreter && script?.[1] ? `${interpreter} ${script[1]}` : command.trim();
}

const INTERPRETERS: Record<string, string> = {
  py: 'python3',
  sh: 'bash',
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  rb: 'ruby',
};

function* steps({ command }: RunDetails, tools: Toolbox): Steps {
  return yield* runAndReport(command, tools);
}

export const runFamily = defineFamily<RunDetails>({
  kind: 'run',
  match,
  steps,
  mutates: true,
  keeps: (_, separator) => separator.includes(';'),
});
