/** Judges a shell command by its parts: every command in it alone, the strictest answer wins. */
import { basename, normalize } from 'node:path';
import { ApprovalMode, PolicyDecision } from '../protocol/confirmation.js';
import { allow, ask, deny, type PolicyVerdict, strictest, verdictOf } from './decision.js';
import { hasPattern, type PolicyRule } from './rules/rule.js';
import type { RuleFilter, RuleIndex } from './rules/rule-index.js';
import { type CallFacts, hasPrefix, isShellRule } from './rules/rule-match.js';
import { isNamedBy } from './rules/rule-names.js';
import { stableJson } from './rules/stable-json.js';
import { isHarmlessAssignment } from './shell/assignments.js';
import { catastropheIn } from './shell/catastrophic.js';
import { dangersIn } from './shell/dangerous.js';
import { isClosed } from './shell/expressions.js';
import { familyOf } from './shell/family.js';
import { isKnownSafe } from './shell/known-safe.js';
import { namesMemoryInbox } from './shell/memory-inbox.js';
import { commandsIn, commandsMentionedBy, optionsHandedOn, textsHandedOn } from './shell/mentions.js';
import { parseCommand } from './shell/parse.js';
import { isInWorkspace } from './shell/readable-path.js';
import { runsUnseenScript } from './shell/script-file.js';
import { type Places, placesOf, type Surroundings, walkWord } from './shell/surroundings.js';
import type { Assignment, ParsedCommand, SimpleCommand, Word } from './shell/types.js';
import { isUnaskedRedirection } from './shell/unasked-redirection.js';

export interface ShellCall {
  command: string;
  args: Readonly<Record<string, unknown>>;
  /** Without the command texts, which are made here. */
  facts: Omit<CallFacts, 'commandTexts' | 'allowTexts' | 'argsJson'>;
  filter: RuleFilter;
  around: Surroundings;
}

export async function judgeShell(call: ShellCall, index: RuleIndex): Promise<PolicyVerdict> {
  const parsed = await parseCommand(call.command, call.around.env['PATH']);
  return parsed ? new ShellJudge(call, parsed, index).judge() : judgeUnreadable(call, index);
}

/** Nobody knows what it runs: deny rules still deny, everything else asks, in every mode. */
function judgeUnreadable(call: ShellCall, index: RuleIndex): PolicyVerdict {
  const facts = factsFor(call, call.command, [call.command, ...looseTexts(call.command)], []);
  const isDeny = ({ decision }: PolicyRule) => decision === PolicyDecision.DENY;
  const narrowed = index.find(facts, call.filter, (rule) => isDeny(rule) && hasPattern(rule));
  if (narrowed) return verdictOf(narrowed);
  const rule = index.find(facts, call.filter);
  if (rule && isDeny(rule)) return verdictOf(rule);
  return ask('This command cannot be read with certainty, so what it would run is not known.', rule);
}

/** What restrictions are compared with: the whole, its parts, and all of it when it cannot be read. */
export async function commandTextsIn(command: string, path?: string): Promise<string[]> {
  const parsed = await parseCommand(command, path);
  return [command.trim(), ...(parsed ? parsed.commands.flatMap(textsOf) : looseTexts(command))];
}

/**
 * Spellings of one command: as it is, and by its name alone, for `/usr/bin/curl` is `curl` to a rule that forbids it; so is
 * `CURL` on a disk that does not tell them apart.
 */
function textsOf({ text, words, alternatives }: SimpleCommand): string[] {
  return [text, ...[words, ...alternatives].flatMap(spellingsOf)];
}

function spellingsOf([first, ...rest]: readonly Word[]): string[] {
  if (!first) return [];
  const name = first.literal ? basename(first.text) : first.text;
  const values = rest.map((word) => ` ${word.text}`).join('');
  return [...new Set([name, name.toLowerCase(), first.text])].map((spelling) => spelling + values);
}

/** Every place of the text where a command might begin. */
function looseTexts(command: string): string[] {
  const plain = command.replace(/\\\n/g, '').replace(/[\\"'`]/g, '');
  const starts = [...plain.matchAll(/[\w./~][\w./~-]*/g)].slice(0, 2000);
  return starts.map((match) => plain.slice(match.index, match.index + 300).replace(/[;&|(){}<>]/g, ' '));
}

function factsFor(call: ShellCall, command: string, commandTexts: string[], allowTexts: string[]): CallFacts {
  let json: string | undefined;
  return {
    ...call.facts,
    commandTexts,
    allowTexts,
    argsJson: () => {
      json ??= stableJson({ ...call.args, command });
      return json;
    },
  };
}

class ShellJudge {
  private readonly whole: string;
  private readonly places: Places;
  /** An "always" answer to exactly this text: the user saw all of it. */
  private readonly exactRule: PolicyRule | undefined;
  private readonly wholeFacts: CallFacts;
  /** Variables of the call itself. */
  private readonly environment: readonly Assignment[];
  /** Some part is allowed by a rule, an answer or a mode of the user: then the line runs as they said. */
  private isAllowedByUser = false;
  /** We let a redirection write, as an edit. */
  private writes = false;

  constructor(
    private readonly call: ShellCall,
    private readonly parsed: ParsedCommand,
    private readonly index: RuleIndex,
  ) {
    this.whole = call.command.trim();
    this.environment = Object.entries(call.args['environment'] ?? {}).map(([name, value]) => ({
      name,
      value: String(value),
      literal: true,
    }));
    this.places = placesOf(parsed, call.around, this.environment);
    const isSingle = parsed.commands.length === 1;
    this.wholeFacts = factsFor(call, call.command, [this.whole], isSingle ? [this.whole] : []);
    const exactFacts = { ...this.wholeFacts, allowTexts: [this.whole] };
    this.exactRule = index.find(
      exactFacts,
      call.filter,
      ({ decision, commandExact, commandPrefixes }) =>
        decision === PolicyDecision.ALLOW &&
        (commandExact === this.whole || Boolean(commandPrefixes?.includes(this.whole))),
    );
  }

  judge(): PolicyVerdict {
    const verdicts = [...this.wholeVerdict(), ...this.parsed.commands.map((part) => this.judgePart(part))];
    const result = strictest(verdicts) ?? ask();
    if (result.decision === PolicyDecision.DENY) return result;
    if (namesMemoryInbox(this.parsed, this.call.around, this.places))
      return deny('The inbox of auto memory is for the user to review; commands may not touch it.');
    const catastrophe = catastropheIn(this.parsed, this.call.around, this.places);
    if (catastrophe) return ask(`This may destroy what cannot be restored: ${catastrophe}`);
    if (result.decision !== PolicyDecision.ALLOW) return result;
    if (this.needsRule() && result.rule?.decision !== PolicyDecision.ALLOW)
      return ask(undefined, result.rule);
    if (this.hasOutsidePermissions()) return ask('It asks for access outside of the workspace.');
    return this.isAllowedByUser
      ? result
      : { ...result, containment: this.writes ? 'workspace' : 'read-only' };
  }

  /** Where the user cannot be asked, not even `A=1` runs without a rule. */
  private needsRule(): boolean {
    const { interactive, mode } = this.call.facts;
    return !interactive && mode !== ApprovalMode.YOLO && this.parsed.commands.every(({ words }) => !words[0]);
  }

  /** The rule for the whole text counts where it is about this text and restricts. */
  private wholeVerdict(): PolicyVerdict[] {
    const isMeant = ({ commandExact }: PolicyRule) => commandExact === undefined;
    const rule = this.index.find(this.wholeFacts, this.call.filter, isMeant);
    return rule && hasPattern(rule) && rule.decision !== PolicyDecision.ALLOW ? [verdictOf(rule)] : [];
  }

  private judgePart(part: SimpleCommand): PolicyVerdict {
    const facts = this.factsOf(part);
    const rule = this.index.find(facts, this.call.filter, (item) => this.mayApply(item, part));
    const verdict = this.decide(part, rule, facts);
    if (verdict.decision === PolicyDecision.ASK_USER && this.isCoveredExactly(rule)) {
      this.isAllowedByUser = true;
      return allow(this.exactRule);
    }
    return verdict;
  }

  private decide(part: SimpleCommand, rule: PolicyRule | undefined, facts: CallFacts): PolicyVerdict {
    const isYolo = this.call.facts.mode === ApprovalMode.YOLO;
    const base = rule ? verdictOf(rule) : isYolo ? allow() : ask();
    if (base.decision === PolicyDecision.DENY && !isDefaultForParts(rule, part)) return base;
    if (isDefaultForParts(rule, part)) return this.withRedirection(part, allow(rule), rule);
    this.isAllowedByUser ||= base.decision === PolicyDecision.ALLOW;
    const isPlain = !rule || !hasPattern(rule);
    if (base.decision === PolicyDecision.ALLOW && this.mentionsRestricted(part, rule, facts))
      return ask('It may start a command that your rules restrict.', rule);
    if (isYolo && base.decision === PolicyDecision.ALLOW) return this.inYolo(part, base, facts);
    if (base.decision === PolicyDecision.ALLOW) {
      if (this.changesWhatRuns(part))
        return ask('A variable in front of the command changes what runs.', rule);
      if (!this.call.filter.trusted && isGit(part))
        return ask('Git in an untrusted folder may run its programs.', rule);
      const danger = dangersIn(part, optionsHandedOn(this.parsed, this.environment)).find(
        (item) => !isNamedBy(rule, part, item),
      );
      if (danger)
        return ask(`"${danger.written}" may start programs, write elsewhere or remove files.`, rule);
      return this.withRedirection(part, base, rule);
    }
    // Where the user cannot be asked, only a rule lets a command run.
    const { interactive } = this.call.facts;
    const mayUpgrade =
      isPlain && (!rule || rule.tier === 'default') && this.call.filter.trusted && interactive;
    const { around } = this.call;
    const isSafe = () => isKnownSafe(part, around, this.places, this.parsed.assignments);
    if (mayUpgrade && !this.changesWhatRuns(part) && isSafe()) {
      return this.withRedirection(part, allow(rule), rule);
    }
    return base;
  }

  /** Everything runs, unless somebody restricted commands and this one does not show what it runs. */
  private inYolo(part: SimpleCommand, base: PolicyVerdict, facts: CallFacts): PolicyVerdict {
    if (!this.index.view(facts, this.call.filter).restrictsCommands) return base;
    const { around } = this.call;
    const hides = part.dynamic || this.changesWhatRuns(part) || runsUnseenScript(part, around, this.places);
    if (!hides) return base;
    return ask('What it runs cannot be compared with your rules.', base.rule);
  }

  /** A restricted command stands among the words of a program that may start it, and the rule does not say so itself. */
  private mentionsRestricted(part: SimpleCommand, rule: PolicyRule | undefined, facts: CallFacts): boolean {
    if (!this.index.view(facts, this.call.filter).restrictsCommands) return false;
    const isRestriction = (item: PolicyRule) => item.decision !== PolicyDecision.ALLOW && isShellRule(item);
    const restricted = (commandTexts: string[]) =>
      commandTexts.length > 0
        ? this.index.find({ ...facts, commandTexts, allowTexts: [] }, this.call.filter, isRestriction)
        : undefined;
    const own = rule?.commandPrefixes?.filter((prefix) => hasPrefix(part.text, prefix)) ?? [];
    const mentioned = commandsMentionedBy(part, textsHandedOn(this.parsed, this.environment));
    if (mentioned !== undefined && !restricted(mentioned)) return false;
    return !own.some((prefix) => restricted(commandsIn(prefix)));
  }

  /** Allow rules need to see the command; in yolo mode they do not. */
  private mayApply(rule: PolicyRule, part: SimpleCommand): boolean {
    if (rule.decision !== PolicyDecision.ALLOW) return true;
    // An answer to one line says nothing of its parts: in another line they may get other input or run elsewhere.
    if (rule.commandExact !== undefined) return false;
    if (rule.isAnswer && isBroaderThanAnswer(rule, part)) return false;
    if (!part.dynamic) return true;
    return this.call.facts.mode === ApprovalMode.YOLO && !hasPattern(rule);
  }

  private factsOf(part: SimpleCommand): CallFacts {
    const isSingle = this.parsed.commands.length === 1 && part.assignments.length === 0;
    const allowTexts = isSingle && part.redirections.length === 0 ? [part.text, this.whole] : [part.text];
    return factsFor(this.call, part.text, textsOf(part), allowTexts);
  }

  /** The answer covers what was asked for by weaker rules, and no rule about this very command. */
  private isCoveredExactly(rule: PolicyRule | undefined): boolean {
    // It was an answer to this text, not to variables that come with another call.
    if (!this.exactRule || !this.environment.every(isHarmlessAssignment)) return false;
    return (
      !rule || (rule.priority <= this.exactRule.priority && !(hasPattern(rule) && rule !== this.exactRule))
    );
  }

  private changesWhatRuns(part: SimpleCommand): boolean {
    const all = [...part.assignments, ...this.parsed.assignments, ...this.environment];
    const { expressions } = this.parsed;
    return !all.every(isHarmlessAssignment) || !expressions.every((text) => isClosed(text, all));
  }

  private withRedirection(
    part: SimpleCommand,
    verdict: PolicyVerdict,
    rule: PolicyRule | undefined,
  ): PolicyVerdict {
    const open = part.redirections.filter(({ target }) => !(target?.literal && target.text === '/dev/null'));
    // Older versions kept answers with every redirection allowed: they hold for files of the workspace.
    const isBound = rule?.isAnswer === true;
    if (
      verdict.decision !== PolicyDecision.ALLOW ||
      open.length === 0 ||
      (rule?.allowRedirection && !isBound)
    )
      return verdict;
    const { mode } = this.call.facts;
    if (mode === ApprovalMode.YOLO) return verdict;
    const { around } = this.call;
    const writesFile = open.some(({ kind }) => kind === 'output');
    const isUnasked = open.every((item) => isUnaskedRedirection(item, around, this.places, writesFile));
    const mayEdit = mode === ApprovalMode.AUTO_EDIT || rule?.allowRedirection;
    if (mayEdit && isUnasked) {
      this.writes ||= writesFile;
      return verdict;
    }
    return ask('It reads or writes files by redirection.', rule);
  }

  private hasOutsidePermissions(): boolean {
    const wanted = this.call.args['additional_permissions'];
    if (typeof wanted !== 'object' || wanted === null) return false;
    const files = (wanted as { fileSystem?: { read?: unknown; write?: unknown } }).fileSystem;
    const paths = [files?.read, files?.write].flatMap((list) => (Array.isArray(list) ? list : []));
    return paths.some((path) => {
      if (typeof path !== 'string') return true;
      const { around } = this.call;
      const { bases, walker } = this.places;
      // The sandbox may read it by its text, the kernel follows links first.
      const isInsideAs = (text: string) =>
        walkWord({ text, tilde: text.startsWith('~') }, bases.slice(0, 1), around, walker)?.every(
          (item) => item.certainty === 'certain' && isInWorkspace(item.path, around),
        );
      return !isInsideAs(path) || !isInsideAs(normalize(path));
    });
  }
}

/** What only starts the next part, or starts nothing, is judged by that part; rules about all commands hit it there. */
function isDefaultForParts(rule: PolicyRule | undefined, part: SimpleCommand): boolean {
  if (rule && hasPattern(rule)) return false;
  if (part.words.length === 0) {
    // `> file` empties it: a rule that asks for every command asks for this.
    const isAsked = rule?.decision === PolicyDecision.ASK_USER && rule.tier !== 'default';
    if (isAsked && part.redirections.length > 0) return false;
    return rule?.decision !== PolicyDecision.DENY && part.assignments.every(isHarmlessAssignment);
  }
  return part.transparent && !part.dynamic && part.assignments.every(isHarmlessAssignment);
}

/** `python a.py` was answered with "always": that is no answer to `python a.py --delete`, nor `git add` to `git config`. */
function isBroaderThanAnswer({ commandPrefixes = [] }: PolicyRule, { text, words }: SimpleCommand): boolean {
  const own = commandPrefixes.filter((prefix) => hasPrefix(text, prefix));
  if (own.length === 0) return false;
  const family = familyOf(words);
  return own.every((prefix) => prefix !== text && (family === undefined || !hasPrefix(prefix, family)));
}

function isGit(part: SimpleCommand): boolean {
  return basename(part.name) === 'git';
}
