/** How demanding a prompt is, by its form. Pure, and far below a millisecond. */
import { ApprovalMode } from '../../protocol/confirmation.js';
import type { Part } from '../../protocol/messages.js';
import type { RoutingContext } from './strategy.js';

export interface Assessment {
  isComplex: boolean;
  /** The signs that were found. */
  reasons: string[];
}

const COMPLEX_FROM = 50;
/** How much is read at either end of a long prompt: the request is there, pasted text in the middle. */
const WINDOW_CHARS = 2_000;
const FAILED_TURNS = 2;
const MANY_STEPS = 4;
const MANY_FILES = 4;
const LONG_PROMPT_CHARS = 1_500;
const SHORT_PROMPT_CHARS = 200;

const LIST_ITEM = /^[ \t]*(?:\d{1,2}[.)]|[-*•])[ \t]+\S/gm;
const SEQUENCE = /\b(?:then|after that|afterwards|finally|next,|dann|danach|puis|luego|después)(?!\w)/gi;
const FILE =
  /(?<![\w./\\-])[\w./\\-]{0,120}[\w-]\.(?:[cm]?[jt]sx?|py|rs|go|java|kts?|swift|rb|php|cs|cpp|cc|c|h|hpp|md|json|ya?ml|toml|sql|html|s?css|sh|vue|svelte|xml|gradle|tf|proto)\b|@[\w./-]{2,120}/g;
const WHY =
  /\b(?:why|figure out|find out|investigate|diagnose|debug|track down|no idea|don't know|warum|pourquoi|por qué)(?!\w)|为什么/i;
const TROUBLE =
  /\b(?:fail|crash|hang|leak|slow|wrong|broke|error|bug|exception|segfault|stuck|freez|sometimes|random|regress|fehl|falla|erreur)|报错|失败/i;
const HARD_TROUBLE =
  /\b(?:root cause|race condition|dead-?lock|memory leak|intermittent|flaky|heisenbug|only in production)/i;
const STACK_TRACE = /^[ \t]+at .{1,200}:\d+|^Traceback \(most recent call last\)|^panic: /m;
const ARCHITECTURE =
  /\b(?:re-?)?(?:architect|arquitet|arquitect|architekt)|\b(?:redesign|restructur|overhaul|migrat(?:e|ion)|trade-?offs?\b|strateg|from scratch|design (?:a|an|the|of|for|doc)|best (?:way|approach) to|how should (?:we|i)\b|pros and cons)|архитект|架构/i;
const REWORK = /\brefa[ck]?t?or|\brewrite\b|重构|рефактор/i;
const WIDE =
  /\b(?:all|every|each|entire|whole|across|throughout)\b[^.\n]{0,40}\b(?:files?|code ?base|repo(?:sitory)?|project|modules?|packages?|usages?|callers?|calls|tests?|components?|services?|classes|endpoints?)\b|\beverywhere\b/i;
const CHANGE =
  /\b(?:change|rename|replace|convert|migrate|update|rewrite|add|remove|delete|port|fix|apply|refactor|upgrade|adapt)\b/i;
const OPERATION =
  /^\s*(?:(?:please|can you|could you|now)\s+)*(?:run|show|list|read|print|open|display|count|cat|git|npm|commit|push|pull|format|lint|search|find|grep|what(?:'s| is| are| does)|where|who|when|which|explain|summari[sz]e|install|start|stop|check|rename the (?:file|variable|function))\b/i;
const CONTINUATION =
  /^\s*(?:yes|yep|ok(?:ay)?|sure|go on|go ahead|continue|proceed|do (?:it|that|so)|next|again|try again|weiter|ja|sí|oui)\b/i;
const CONTINUATION_CHARS = 40;

export function assess(
  context: Pick<RoutingContext, 'parts' | 'history' | 'approvalMode' | 'failedTurns'>,
): Assessment {
  if (context.failedTurns >= FAILED_TURNS) {
    return { isComplex: true, reasons: [`the last ${context.failedTurns} turns failed`] };
  }
  if (context.approvalMode === ApprovalMode.PLAN) return { isComplex: true, reasons: ['plan mode'] };
  return assessText(wishIn(context));
}

/** The prompt; for "go on" the one before it. */
function wishIn({ parts, history }: Pick<RoutingContext, 'parts' | 'history'>): string {
  const text = firstText(parts);
  if (text.length > CONTINUATION_CHARS || !CONTINUATION.test(text)) return text;
  const before = history.findLast(({ origin, parts: old }) => {
    const said = origin === 'prompt' ? firstText(old) : '';
    return said.length > CONTINUATION_CHARS || (said !== '' && !CONTINUATION.test(said));
  });
  return before ? firstText(before.parts) : text;
}

/** Attached files follow in separate parts; their words are not the user's. */
function firstText(parts: readonly Part[]): string {
  return parts.find((part) => part.text && !part.thought)?.text ?? '';
}

function assessText(whole: string): Assessment {
  const text =
    whole.length > 2 * WINDOW_CHARS
      ? `${whole.slice(0, WINDOW_CHARS)}\n${whole.slice(-WINDOW_CHARS)}`
      : whole;
  const steps = Math.max(count(text, LIST_ITEM), count(text, SEQUENCE) + 1);
  const files = new Set(text.match(FILE) ?? []).size;
  const isDebugging = HARD_TROUBLE.test(text) || (WHY.test(text) && TROUBLE.test(text));
  const signs: [applies: boolean, weight: number, reason: string][] = [
    [isDebugging, 50, 'trouble of unknown cause'],
    [steps >= MANY_STEPS, 50, `${steps} steps`],
    [WIDE.test(text) && CHANGE.test(text), 50, 'a change in many places'],
    [ARCHITECTURE.test(text), 50, 'a question of design'],
    [files >= MANY_FILES, 40, `${files} files`],
    [files > 1 && files < MANY_FILES, 15, `${files} files`],
    [REWORK.test(text), 30, 'rework'],
    [STACK_TRACE.test(text), 20, 'a stack trace'],
    [steps > 1 && steps < MANY_STEPS, 10, `${steps} steps`],
    [whole.length > LONG_PROMPT_CHARS, 10, 'a long prompt'],
  ];
  // A plain task or lookup stays simple, however it is phrased.
  const isOperation = whole.length < SHORT_PROMPT_CHARS && OPERATION.test(whole);
  const isSimple = isOperation && !isDebugging && steps < MANY_STEPS;
  const found = signs.filter(([applies]) => applies);
  const score = found.reduce((sum, [, weight]) => sum + weight, 0);
  if (isSimple) return { isComplex: false, reasons: ['a simple operation'] };
  return { isComplex: score >= COMPLEX_FROM, reasons: found.map(([, , reason]) => reason) };
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
