/** The situations that need a decision, and the user's choices. */
import type { RadioItem } from '../../components/RadioButtonSelect.js';

export type Situation =
  /** A quota is used up for long. */
  | {
      kind: 'quota';
      model: string;
      reason: string;
      fallback?: string;
      canUpgrade?: boolean;
    }
  /** The model does not exist, or this account may not use it. */
  | { kind: 'unavailable'; model: string; reason: string; fallback?: string }
  /** The service is overloaded or cannot be reached. */
  | { kind: 'capacity'; model: string; reason: string; fallback?: string }
  | { kind: 'credits'; model: string; reason: string; fallback?: string; hasCredits: boolean }
  /** Without a link the user has it already, and says when it is done. */
  | { kind: 'verification'; reason?: string; hasLink?: boolean }
  | { kind: 'blocked'; reason?: string; hasAppeal?: boolean }
  | { kind: 'loop'; reason?: string }
  | { kind: 'logged_out' }
  | { kind: 'policies'; files: readonly string[]; state: 'new' | 'changed'; allowRules: number }
  | {
      kind: 'agents';
      agents: readonly { name: string; description: string; file: string; state: 'new' | 'changed' }[];
    }
  /** Folders to add to the workspace that have no trust decision yet. */
  | { kind: 'admin' };

export type SituationAnswer =
  | 'retry_always'
  | 'retry_later'
  | 'retry_with_credits'
  | 'upgrade'
  | 'manage_credits'
  | 'stop'
  | 'verify'
  | 'verified'
  | 'change_auth'
  | 'appeal'
  | 'exit'
  | 'disable_loop_detection'
  | 'sign_in'
  | 'accept'
  | 'ignore'
  | 'restart';

export interface Described {
  title: string;
  text: string[];
  items: RadioItem<SituationAnswer>[];
  /** The answer for Esc. */
  onEscape: SituationAnswer;
}

export function describe(situation: Situation): Described {
  switch (situation.kind) {
    case 'quota':
      return asked(`Limit reached: ${situation.model}`, about(situation), [
        ...switching(situation),
        ...(situation.canUpgrade ? [answer('upgrade', 'Upgrade for higher limits')] : []),
        STOP,
      ]);
    case 'unavailable':
      return asked(`Not available: ${situation.model}`, about(situation), [...switching(situation), STOP]);
    case 'capacity':
      return asked(`Not available now: ${situation.model}`, about(situation), [
        answer('retry_later', 'Keep trying'),
        ...switching(situation),
        STOP,
      ]);
    case 'credits':
      return asked(`Limit reached: ${situation.model}`, about(situation), [
        ...(situation.hasCredits
          ? [answer('retry_with_credits', 'Use AI credits'), answer('manage_credits', 'Manage AI credits')]
          : [answer('manage_credits', 'Buy AI credits')]),
        ...switching(situation),
        STOP,
      ]);
    case 'verification':
      return asked(
        'Your account needs verification',
        [situation.reason ?? 'Google wants to verify this account first.'],
        [
          situation.hasLink
            ? answer('verify', 'Verify your account')
            : answer('verified', 'Continue with the verified account'),
          answer('change_auth', 'Change authentication'),
        ],
        'stop',
      );
    case 'blocked':
      return asked(
        'Your account is blocked',
        [situation.reason ?? 'Google does not let this account use the service.'],
        [
          ...(situation.hasAppeal ? [answer('appeal', 'Open the appeal form')] : []),
          answer('change_auth', 'Change authentication'),
          answer('exit', 'Exit'),
        ],
        'stop',
      );
    case 'loop':
      return asked(
        'The model repeats itself',
        [situation.reason ?? 'The model is stuck in a loop; the request was stopped.'],
        [
          answer('stop', 'Keep loop detection (stop)'),
          answer('disable_loop_detection', 'Disable loop detection for this session'),
        ],
        'stop',
      );
    case 'logged_out':
      return asked(
        'You are signed out',
        ['Sign in to continue; Esc goes back to the prompt, which asks again.'],
        [answer('sign_in', 'Sign in'), answer('exit', 'Exit')],
      );
    case 'policies':
      return asked(
        'Policies of this folder',
        policyText(situation),
        [answer('accept', 'Accept and Load'), answer('ignore', 'Ignore (Use Default Policies)')],
        'ignore',
      );
    case 'agents':
      return asked(
        'New agents in this project',
        agentText(situation),
        [answer('accept', 'Acknowledge and Enable'), answer('ignore', 'Do not enable (Ask again next time)')],
        'ignore',
      );
    case 'admin':
      return asked(
        'Your administrator has changed the settings',
        ['Restart to apply them.'],
        [answer('restart', 'Restart')],
        'restart',
      );
  }
}

const STOP = answer('stop', 'Stop');

function asked(
  title: string,
  text: string[],
  items: RadioItem<SituationAnswer>[],
  onEscape: SituationAnswer = 'stop',
): Described {
  return { title, text, items, onEscape };
}

function answer(value: SituationAnswer, label: string): RadioItem<SituationAnswer> {
  return { value, label };
}

function switching({ fallback }: { fallback?: string }): RadioItem<SituationAnswer>[] {
  return fallback ? [answer('retry_always', `Switch to ${fallback}`)] : [];
}

/** The reason names the time the quota comes back, if the server told it. */
function about({ reason }: { reason: string }): string[] {
  return [reason, '/stats model shows what was used, /auth changes the account.'];
}

/** Names of a hostile folder may be long; the file can be read before the answer. */
function agentText({ agents }: Extract<Situation, { kind: 'agents' }>): string[] {
  const shown = agents.slice(0, MOST_AGENTS).map(({ name, description, file, state }) => {
    const about = description.length > LONGEST ? `${description.slice(0, LONGEST)}...` : description;
    return `- ${name}${state === 'changed' ? ' (changed)' : ''}: ${about} (${file})`;
  });
  const more = agents.length - shown.length;
  return [
    'Files of this folder define them, with their own instructions and tools:',
    ...shown,
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

const MOST_AGENTS = 10;
const LONGEST = 100;

function policyText({ files, state, allowRules }: Extract<Situation, { kind: 'policies' }>): string[] {
  return [
    `This folder has policies that are ${state === 'new' ? 'new to you' : 'not those you accepted'}:`,
    ...files.map((file) => `- ${file}`),
    ...(allowRules > 0
      ? [`${allowRules} of their rules let${allowRules === 1 ? 's' : ''} tools run without asking you.`]
      : []),
  ];
}
