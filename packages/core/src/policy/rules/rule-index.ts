/** Finds the rule that decides a call: the first match, from the highest priority down. */
import { PolicyDecision } from '../../protocol/confirmation.js';
import { isAlwaysRule, isNarrowed, type PolicyRule } from './rule.js';
import {
  type CallFacts,
  isShellRule,
  matchesArguments,
  matchesIdentity,
  matchesState,
} from './rule-match.js';

const MAX_VIEWS = 500;

/** Session state that decides which rules are in force. */
export interface RuleFilter {
  trusted: boolean;
  disableAlwaysAllow: boolean;
}

/** All rules that can apply to one tool in one session state, the highest priority first. */
export interface RuleView {
  rules: readonly PolicyRule[];
  /** Some rule restricts commands; then a command that cannot be parsed is never allowed automatically. */
  restrictsCommands: boolean;
  /** Rules with command prefixes, by the first word of the prefix. */
  byWord: ReadonlyMap<string, readonly PolicyRule[]>;
  others: readonly PolicyRule[];
  rank: ReadonlyMap<PolicyRule, number>;
}

export class RuleIndex {
  private sorted: readonly PolicyRule[] = [];
  private readonly views = new Map<string, RuleView>();

  /** @param rules in loading order: of rules with equal priority the earlier wins */
  replace(rules: readonly PolicyRule[]): void {
    this.sorted = [...rules].sort((a, b) => b.priority - a.priority);
    this.views.clear();
  }

  all(filter: RuleFilter): PolicyRule[] {
    return this.sorted.filter((rule) => isInForce(rule, filter));
  }

  view(call: CallFacts, filter: RuleFilter): RuleView {
    const { toolName, serverName = '', isAgentServer = false, agentName = '', mode, interactive } = call;
    const key = [
      toolName,
      serverName,
      isAgentServer,
      agentName,
      mode,
      interactive,
      filter.trusted,
      filter.disableAlwaysAllow,
    ].join('\0');
    const known = this.views.get(key);
    if (known) return known;
    // Tool names come from the model, so their number is unlimited.
    if (this.views.size >= MAX_VIEWS) this.views.clear();
    const view = viewOf(this.sorted.filter((rule) => applies(rule, call, filter)));
    this.views.set(key, view);
    return view;
  }

  /** Asks the rules of a call in order until one has an answer. Without a view: most tools are only declared. */
  firstAnswer<T>(
    call: CallFacts,
    filter: RuleFilter,
    answerOf: (rule: PolicyRule) => T | undefined,
  ): T | undefined {
    for (const rule of this.sorted) {
      const answer = applies(rule, call, filter) ? answerOf(rule) : undefined;
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  find(
    call: CallFacts,
    filter: RuleFilter,
    isCandidate: (rule: PolicyRule) => boolean = () => true,
  ): PolicyRule | undefined {
    const best = this.strongest(call, filter, isCandidate);
    if (!best?.isStopgap) return best;
    const other = this.strongest(call, filter, (rule) => !rule.isStopgap && isCandidate(rule));
    return other?.decision === PolicyDecision.DENY ? other : best;
  }

  private strongest(
    call: CallFacts,
    filter: RuleFilter,
    isCandidate: (rule: PolicyRule) => boolean,
  ): PolicyRule | undefined {
    const { byWord, others, rank } = this.view(call, filter);
    const matches = (rule: PolicyRule) => isCandidate(rule) && matchesArguments(rule, call);
    let best = others.find(matches);
    if (byWord.size === 0) return best;
    for (const word of firstWords(call)) {
      const found = byWord.get(word)?.find(matches);
      if (found && (!best || rankOf(rank, found) < rankOf(rank, best))) best = found;
    }
    return best;
  }
}

function applies(rule: PolicyRule, call: CallFacts, filter: RuleFilter): boolean {
  return isInForce(rule, filter) && matchesIdentity(rule, call) && matchesState(rule, call);
}

function viewOf(rules: readonly PolicyRule[]): RuleView {
  const byWord = new Map<string, PolicyRule[]>();
  for (const rule of rules) {
    for (const word of new Set(rule.commandPrefixes?.map(firstWord))) {
      byWord.set(word, [...(byWord.get(word) ?? []), rule]);
    }
  }
  return {
    rules,
    byWord,
    others: rules.filter(({ commandPrefixes }) => !commandPrefixes),
    rank: new Map(rules.map((rule, index) => [rule, index])),
    restrictsCommands: restrictionsAbove(rules).some(
      (rule) => isShellRule(rule) || rule.argsPattern !== undefined || rule.tier !== 'default',
    ),
  };
}

/** A rule below one that allows every call never decides. */
function restrictionsAbove(rules: readonly PolicyRule[]): PolicyRule[] {
  const end = rules.findIndex((rule) => rule.decision === PolicyDecision.ALLOW && !isNarrowed(rule));
  return rules
    .slice(0, end < 0 ? rules.length : end)
    .filter(({ decision }) => decision !== PolicyDecision.ALLOW);
}

function rankOf(rank: ReadonlyMap<PolicyRule, number>, rule: PolicyRule): number {
  return rank.get(rule) ?? Number.MAX_SAFE_INTEGER;
}

function firstWords({ commandTexts, allowTexts }: CallFacts): Set<string> {
  return new Set([...commandTexts, ...allowTexts].map(firstWord));
}

function firstWord(text: string): string {
  const end = text.search(/\s/);
  return end < 0 ? text : text.slice(0, end);
}

/** In an untrusted folder only built-in rules can allow a call. */
function isInForce(rule: PolicyRule, { trusted, disableAlwaysAllow }: RuleFilter): boolean {
  if (!trusted && rule.decision === PolicyDecision.ALLOW && rule.tier !== 'default') return false;
  return !(disableAlwaysAllow && rule.tier !== 'default' && isAlwaysRule(rule));
}
