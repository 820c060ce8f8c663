/** Judges a shell command line: every command in it alone, the strictest verdict wins. */
import { basename, normalize } from 'node:path';
import { ApprovalMode, PolicyDecision } from '../protocol/confirmation.js';
import { allow, ask, deny, type PolicyVerdict, strictest, verdictOf } from './decision.js';
import { hasPattern, type PolicyRule } from './rules/rule.js';
import type { RuleFilter, RuleIndex } from './rules/rule-index.js';
import { type CallFacts, hasPrefix, isShellRule } from './rules/rule-match.js';
import { isNamedBy } from './rules/rule-names.js';
import { stableJson } from './rules/stable-json.js';
import { dangersIn } from './shell/dangerous.js';
import { familyOf } from './shell/family.js';
import { namesMemoryInbox } from './shell/memory-inbox.js';
import { commandsIn, commandsMentionedBy, expansionValuesIn, indirectInputsIn } from './shell/mentions.js';
import { runsUnseenScript } from './shell/nested/script-file.js';
import { parseCommand } from './shell/parse.js';
import { isInWorkspace } from './shell/paths/readable-path.js';
import {
  type ShellContext,
  type WorkingDirectories,
  walkWord,
  workingDirectoriesOf,
} from './shell/paths/working-directories.js';
import { catastropheIn } from './shell/removals/catastrophic.js';
import type { Assignment, ParsedCommand, SimpleCommand, Word } from './shell/types.js';
import { isKnownSafe } from './shell/unasked/known-safe.js';
import { isUnaskedRedirection } from './shell/unasked/unasked-redirection.js';
import { isHarmlessAssignment } from './shell/variables/assignments.js';
import { isClosed } from './shell/variables/expressions.js';

export interface ShellCall {
  command: string;
  args: Readonly<Record<string, unknown>>;
  /** Without the command texts, which are computed here. */
  facts: Omit<CallFacts, 'commandTexts' | 'allowTexts' | 'argsJson'>;
  filter: RuleFilter;
  context: ShellContext;
}

export async function judgeShell(call: ShellCall, index: RuleIndex): Promise<PolicyVerdict> {
  const parsed = await parseCommand(call.command, call.context.env['PATH']);
  return parsed ? new ShellJudge(call, parsed, index).judge() : judgeUnreadable(call, index);
}

/** The line cannot be parsed: deny rules still deny, everything else asks, in every mode. */
function judgeUnreadable(call: ShellCall, index: RuleIndex): PolicyVerdict {
  const facts = factsFor(call, call.command, [call.command, ...looseTexts(call.command)], []);
  const isDeny = ({ decision }: PolicyRule) => decision === PolicyDecision.DENY;
  const narrowed = index.find(facts, call.filter, (rule) => isDeny(rule) && hasPattern(rule));
  if (narrowed) return verdictOf(narrowed);
  const rule = index.find(facts, call.filter);
  if (rule && isDeny(rule)) return verdictOf(rule);
  return ask('This command cannot be read with certainty, so what it would run is not known.', rule);
}

/** The texts that restrictions are matched against: the whole line and each command in it. */
export async function commandTextsIn(command: string, path?: string): Promise<string[]> {
  const parsed = await parseCommand(command, path);
  return [command.trim(), ...(parsed ? parsed.commands.flatMap(textsOf) : looseTexts(command))];
}

/**
 * Spellings of one command, so that a rule that forbids `curl` also matches `/usr/bin/curl`, and `CURL` where the file
 * system ignores case.
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

/** The text from every word on that might be a command. */
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
  private readonly directories: WorkingDirectories;
  /** An "always" answer to exactly this line: the user saw all of it. */
  private readonly exactRule: PolicyRule | undefined;
  private readonly wholeFacts: CallFacts;
  /** Variables in the `environment` argument of the call. */
  private readonly environment: readonly Assignment[];
  /** The user allowed some part by a rule, an answer or a mode, so the line is not sandboxed. */
  private isAllowedByUser = false;
  /** A redirection writes a file, allowed like an edit. */
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
    this.directories = workingDirectoriesOf(parsed, call.context, this.environment);
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
    if (namesMemoryInbox(this.parsed, this.call.context, this.directories))
      return deny('The inbox of auto memory is for the user to review; commands may not touch it.');
    const catastrophe = catastropheIn(this.parsed, this.call.context, this.directories);
    if (catastrophe) return ask(`This may destroy what cannot be restored: ${catastrophe}`);
    if (result.decision !== PolicyDecision.ALLOW) return result;
    if (this.needsRule() && result.rule?.decision !== PolicyDecision.ALLOW)
      return ask(undefined, result.rule);
    if (this.hasOutsidePermissions()) return ask('It asks for access outside the workspace.');
    return this.isAllowedByUser
      ? result
      : { ...result, containment: this.writes ? 'workspace' : 'read-only' };
  }

  /** In a headless run not even `A=1` runs without a rule. */
  private needsRule(): boolean {
    const { interactive, mode } = this.call.facts;
    return !interactive && mode !== ApprovalMode.YOLO && this.parsed.commands.every(({ words }) => !words[0]);
  }

  /** A rule for the whole line counts only if it has a pattern and restricts. */
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
    if (base.decision === PolicyDecision.DENY && !isJudgedByItsParts(rule, part)) return base;
    if (isJudgedByItsParts(rule, part)) return this.withRedirection(part, allow(rule), rule);
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
      const danger = dangersIn(part, expansionValuesIn(this.parsed, this.environment)).find(
        (item) => !isNamedBy(rule, part, item),
      );
      if (danger)
        return ask(`"${danger.written}" may start programs, write elsewhere or remove files.`, rule);
      return this.withRedirection(part, base, rule);
    }
    // In a headless run only a rule allows a command.
    const { interactive } = this.call.facts;
    const mayUpgrade =
      isPlain && (!rule || rule.tier === 'default') && this.call.filter.trusted && interactive;
    const { context } = this.call;
    const isSafe = () => isKnownSafe(part, context, this.directories, this.parsed.assignments);
    if (mayUpgrade && !this.changesWhatRuns(part) && isSafe()) {
      return this.withRedirection(part, allow(rule), rule);
    }
    return base;
  }

  /** In yolo mode a command asks only if rules restrict commands and this one does not show what it runs. */
  private inYolo(part: SimpleCommand, base: PolicyVerdict, facts: CallFacts): PolicyVerdict {
    if (!this.index.view(facts, this.call.filter).restrictsCommands) return base;
    const { context } = this.call;
    const hides =
      part.dynamic || this.changesWhatRuns(part) || runsUnseenScript(part, context, this.directories);
    if (!hides) return base;
    return ask('What it runs cannot be compared with your rules.', base.rule);
  }

  /** The arguments of a program that may start others name a restricted command, and the allow rule does not. */
  private mentionsRestricted(part: SimpleCommand, rule: PolicyRule | undefined, facts: CallFacts): boolean {
    if (!this.index.view(facts, this.call.filter).restrictsCommands) return false;
    const isRestriction = (item: PolicyRule) => item.decision !== PolicyDecision.ALLOW && isShellRule(item);
    const restricted = (commandTexts: string[]) =>
      commandTexts.length > 0
        ? this.index.find({ ...facts, commandTexts, allowTexts: [] }, this.call.filter, isRestriction)
        : undefined;
    const own = rule?.commandPrefixes?.filter((prefix) => hasPrefix(part.text, prefix)) ?? [];
    const mentioned = commandsMentionedBy(part, indirectInputsIn(this.parsed, this.environment));
    if (mentioned !== undefined && !restricted(mentioned)) return false;
    return !own.some((prefix) => restricted(commandsIn(prefix)));
  }

  /** An allow rule needs a literal command, except a rule without a pattern in yolo mode. */
  private mayApply(rule: PolicyRule, part: SimpleCommand): boolean {
    if (rule.decision !== PolicyDecision.ALLOW) return true;
    // An answer for a line does not cover its parts: in another line they may get other input or run elsewhere.
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

  /** The answer covers what rules of lower priority ask for, but not a rule about this very command. */
  private isCoveredExactly(rule: PolicyRule | undefined): boolean {
    // The user answered for this line, not for variables that come with another call.
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
    // Older versions saved answers that allow every redirection: they now cover only files of the workspace.
    const isBound = rule?.isAnswer === true;
    if (
      verdict.decision !== PolicyDecision.ALLOW ||
      open.length === 0 ||
      (rule?.allowRedirection && !isBound)
    )
      return verdict;
    const { mode } = this.call.facts;
    if (mode === ApprovalMode.YOLO) return verdict;
    const { context } = this.call;
    const writesFile = open.some(({ kind }) => kind === 'output');
    const isUnasked = open.every((item) => isUnaskedRedirection(item, context, this.directories, writesFile));
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
      const { context } = this.call;
      const { bases, walker } = this.directories;
      // The sandbox may resolve it by its text, the kernel follows links first.
      const isInsideAs = (text: string) =>
        walkWord({ text, tilde: text.startsWith('~') }, bases.slice(0, 1), context, walker)?.every(
          (item) => item.certainty === 'certain' && isInWorkspace(item.path, context),
        );
      return !isInsideAs(path) || !isInsideAs(normalize(path));
    });
  }
}

/** A command that only starts the next one, or starts nothing, is judged by that next one. */
function isJudgedByItsParts(rule: PolicyRule | undefined, part: SimpleCommand): boolean {
  if (rule && hasPattern(rule)) return false;
  if (part.words.length === 0) {
    // `> file` empties the file, so a rule that asks for every command applies.
    const isAsked = rule?.decision === PolicyDecision.ASK_USER && rule.tier !== 'default';
    if (isAsked && part.redirections.length > 0) return false;
    return rule?.decision !== PolicyDecision.DENY && part.assignments.every(isHarmlessAssignment);
  }
  return part.transparent && !part.dynamic && part.assignments.every(isHarmlessAssignment);
}

/** An answer for `python a.py` does not cover `python a.py --delete`, nor one for `git add` `git config`. */
function isBroaderThanAnswer({ commandPrefixes = [] }: PolicyRule, { text, words }: SimpleCommand): boolean {
  const own = commandPrefixes.filter((prefix) => hasPrefix(text, prefix));
  if (own.length === 0) return false;
  const family = familyOf(words);
  return own.every((prefix) => prefix !== text && (family === undefined || !hasPrefix(prefix, family)));
}

function isGit(part: SimpleCommand): boolean {
  return basename(part.name) === 'git';
}
