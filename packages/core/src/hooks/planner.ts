/** Chooses the hooks of one event: which match, in which order, side by side or one after the other. */
import { exactMatcher, type Matcher, toolMatcher } from './matcher.js';
import { type HookRegistry, type HookRegistryEntry, hookIdentity } from './registry.js';
import { HookEventName } from './types.js';

export interface HookPlan {
  entries: readonly HookRegistryEntry[];
  sequential: boolean;
}

/** What matchers are compared with. */
export interface HookSubject {
  /** Names of the tool, or the source, reason or trigger. Absent: every hook of the event matches. */
  names?: readonly string[];
  /** PreCompress: the conversation is really compressed, not only checked. */
  isCompressing?: boolean;
}

export interface PlannerOptions {
  registry: HookRegistry;
  /** False: this hook must not run here. */
  mayRun?: (entry: HookRegistryEntry) => boolean;
  /** The matcher of this hook takes too long, so it counts as a match. */
  onSlowMatcher?: (entry: HookRegistryEntry) => void;
}

const TOOL_EVENTS: ReadonlySet<HookEventName> = new Set([HookEventName.BeforeTool, HookEventName.AfterTool]);
const EXACT_EVENTS: ReadonlySet<HookEventName> = new Set([
  HookEventName.SessionStart,
  HookEventName.SessionEnd,
  HookEventName.PreCompress,
]);
/** Different tool names of one session; a server could offer any number. */
const MAX_PLANS = 1000;

interface Candidate {
  entry: HookRegistryEntry;
  matches: Matcher;
}

export class HookPlanner {
  private readonly candidates = new Map<HookEventName, readonly Candidate[]>();
  /** Made before, by event and subject: nothing is matched twice. */
  private readonly plans = new Map<string, HookPlan | undefined>();

  constructor(private readonly options: PlannerOptions) {
    options.registry.onChange(() => {
      this.candidates.clear();
      this.plans.clear();
    });
  }

  has(event: HookEventName): boolean {
    return this.candidatesOf(event).length > 0;
  }

  /** Undefined: no hook is for this. */
  plan(event: HookEventName, subject: HookSubject = {}): HookPlan | undefined {
    const candidates = this.candidatesOf(event);
    if (candidates.length === 0) return undefined;
    const key = `${event}\n${subject.isCompressing ?? ''}\n${subject.names?.join('\n') ?? ''}`;
    const known = this.plans.get(key);
    if (known || this.plans.has(key)) return known;
    if (this.plans.size >= MAX_PLANS) this.plans.clear();
    const plan = planFor(candidates, event, subject);
    this.plans.set(key, plan);
    return plan;
  }

  private candidatesOf(event: HookEventName): readonly Candidate[] {
    let candidates = this.candidates.get(event);
    if (!candidates) {
      const { registry, mayRun = () => true } = this.options;
      const entries = registry.getHooksForEvent(event).filter(mayRun);
      candidates = entries.map((entry) => ({ entry, matches: this.matcherOf(entry) }));
      this.candidates.set(event, candidates);
    }
    return candidates;
  }

  private matcherOf(entry: HookRegistryEntry): Matcher {
    const { eventName, matcher } = entry;
    if (TOOL_EVENTS.has(eventName)) {
      return toolMatcher(matcher, () => this.options.onSlowMatcher?.(entry));
    }
    return EXACT_EVENTS.has(eventName) ? exactMatcher(matcher) : () => true;
  }
}

function planFor(
  candidates: readonly Candidate[],
  event: HookEventName,
  { names, isCompressing = false }: HookSubject,
): HookPlan | undefined {
  const seen = new Set<string>();
  const entries: HookRegistryEntry[] = [];
  for (const { entry, matches } of candidates) {
    const isOtherCheck =
      event === HookEventName.PreCompress && (entry.onlyWhenCompressing ?? false) !== isCompressing;
    if (isOtherCheck || (names && !matches(names))) continue;
    const identity = hookIdentity(entry.config);
    // Two functions of a program may have the same name.
    if (entry.config.type === 'command' && seen.has(identity)) continue;
    seen.add(identity);
    entries.push(entry);
  }
  return entries.length > 0
    ? { entries, sequential: entries.some(({ sequential }) => sequential) }
    : undefined;
}
