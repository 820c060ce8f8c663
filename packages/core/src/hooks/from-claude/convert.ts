/** Converts hooks of Claude Code into definitions of ours. */
import { isObject } from '../../base/objects.js';
import { type ConvertedMatchers, matchesAll, toolMatcher, valueMatcher } from './matcher.js';

export interface ConvertedHook {
  type: 'command';
  command: string;
  timeout?: number;
}

export interface ConvertedDefinition {
  matcher?: string;
  hooks: ConvertedHook[];
}

export interface ConvertedHooks {
  hooks: Record<string, ConvertedDefinition[]>;
  /** What was left out or changed its meaning, as lines for the user. */
  warnings: string[];
}

type MatcherOf = (matcher: string) => ConvertedMatchers;

const ALL: MatcherOf = () => ({ matchers: [undefined], lost: [] });
const sources: MatcherOf = (matcher) => valueMatcher(matcher, ['startup', 'resume', 'clear']);
const reasons: MatcherOf = (matcher) =>
  valueMatcher(matcher, ['clear', 'logout', 'prompt_input_exit', 'other']);
const triggers: MatcherOf = (matcher) => valueMatcher(matcher, ['manual', 'auto']);
/** Ours has no matcher: it happens for permission requests only. */
const notifications: MatcherOf = (matcher) => {
  const { matchers, lost } = valueMatcher(matcher, ['permission_prompt']);
  return { matchers: matchers.map(() => undefined), lost };
};

const EVENTS: Readonly<Record<string, readonly [event: string, matcher: MatcherOf]>> = {
  PreToolUse: ['BeforeTool', toolMatcher],
  PostToolUse: ['AfterTool', toolMatcher],
  UserPromptSubmit: ['BeforeAgent', ALL],
  Stop: ['AfterAgent', ALL],
  SubagentStop: ['AfterAgent', ALL],
  SubAgentStop: ['AfterAgent', ALL],
  SessionStart: ['SessionStart', sources],
  SessionEnd: ['SessionEnd', reasons],
  Notification: ['Notification', notifications],
  PreCompact: ['PreCompress', triggers],
};

/** Our name of an event of Claude Code; undefined: there is none. */
export function eventFromClaude(name: string): string | undefined {
  return Object.hasOwn(EVENTS, name) ? EVENTS[name]?.[0] : undefined;
}

/** @param hooks the value of `hooks` in a settings file of Claude Code, not checked */
export function hooksFromClaude(hooks: unknown): ConvertedHooks {
  const result: ConvertedHooks = { hooks: {}, warnings: [] };
  if (!isObject(hooks)) return result;
  for (const [claudeEvent, definitions] of Object.entries(hooks)) {
    const known = Object.hasOwn(EVENTS, claudeEvent) ? EVENTS[claudeEvent] : undefined;
    if (!known) {
      result.warnings.push(`${claudeEvent}: there is no such event here; skipped.`);
      continue;
    }
    if (!Array.isArray(definitions)) {
      result.warnings.push(`${claudeEvent}: must be a list; skipped.`);
      continue;
    }
    const [event, matcherOf] = known;
    const warn = (text: string) => void result.warnings.push(`${claudeEvent}: ${text}`);
    const converted = definitions.flatMap((definition) => convertDefinition(definition, matcherOf, warn));
    if (converted.length > 0) result.hooks[event] = [...(result.hooks[event] ?? []), ...converted];
  }
  return result;
}

type Warn = (text: string) => void;

function convertDefinition(definition: unknown, matcherOf: MatcherOf, warn: Warn): ConvertedDefinition[] {
  if (!isObject(definition) || !Array.isArray(definition['hooks'])) {
    warn('a definition without a list "hooks" was skipped.');
    return [];
  }
  const hooks = definition['hooks'].flatMap((hook) => convertHook(hook, warn));
  if (hooks.length === 0) return [];
  const written = typeof definition['matcher'] === 'string' ? definition['matcher'] : undefined;
  if (written === undefined || matchesAll(written)) return [{ hooks }];
  const { matchers, lost } = matcherOf(written);
  if (matchers.length === 0) {
    warn(`matcher "${written}" has no equivalent; skipped.`);
    return [];
  }
  if (lost.length > 0) warn(`nothing here is called ${lost.join(', ')} (matcher "${written}").`);
  return matchers.map((matcher) => ({ ...(matcher !== undefined && { matcher }), hooks }));
}

function convertHook(hook: unknown, warn: Warn): ConvertedHook[] {
  if (!isObject(hook) || hook['type'] !== 'command') {
    const type = isObject(hook) ? String(hook['type']) : typeof hook;
    warn(`only hooks of type "command" can run here; one of type "${type}" was skipped.`);
    return [];
  }
  const { command, timeout } = hook;
  if (typeof command !== 'string' || command.trim() === '') {
    warn('a hook without a command was skipped.');
    return [];
  }
  return [{ type: 'command', command: withOurVariable(command), ...milliseconds(timeout, warn) }];
}

export function withOurVariable(command: string): string {
  return command.replace(/\$(\{?)CLAUDE_PROJECT_DIR\b/g, '$$$1GEMINI_PROJECT_DIR');
}

/** Claude Code counts seconds; many files have milliseconds by mistake. */
const SURELY_MILLISECONDS = 1000;

/** A timeout of Claude Code in our unit. */
export function milliseconds(timeout: unknown, warn: Warn): { timeout?: number } {
  if (typeof timeout !== 'number' || !Number.isFinite(timeout) || timeout <= 0) return {};
  if (timeout < SURELY_MILLISECONDS) return { timeout: Math.round(timeout * 1000) };
  warn(`a timeout of ${timeout} was taken for milliseconds.`);
  return { timeout };
}
