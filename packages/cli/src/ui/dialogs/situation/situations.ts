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
  | { kind: 'verification'; reason?: string }
  | { kind: 'blocked'; reason?: string; hasAppeal?: boolean }
  | { kind: 'loop'; reason?: string }
  | { kind: 'logged_out' }
  | { kind: 'policies'; files: readonly string[]; state: 'new' | 'changed'; allowRules: number }
  | { kind: 'agents'; agents: readonly string[] }
  /** Folders to add to the workspace that have no trust decision yet. */
  | { kind: 'directories'; directories: readonly string[] }
  | { kind: 'admin' };

export type SituationAnswer =
  | 'retry_always'
  | 'retry_later'
  | 'retry_with_credits'
  | 'upgrade'
  | 'manage_credits'
  | 'stop'
  | 'verify'
  | 'change_auth'
  | 'appeal'
  | 'exit'
  | 'disable_loop_detection'
  | 'sign_in'
  | 'accept'
  | 'accept_and_remember'
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
        [answer('verify', 'Verify your account'), answer('change_auth', 'Change authentication')],
        'change_auth',
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
        'change_auth',
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
        ['Sign in to continue.'],
        [answer('sign_in', 'Sign in'), answer('exit', 'Exit')],
        'exit',
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
        ['They are defined by files of this folder:', ...situation.agents.map((name) => `- ${name}`)],
        [answer('accept', 'Acknowledge and Enable'), answer('ignore', 'Do not enable (Ask again next time)')],
        'ignore',
      );
    case 'directories':
      return asked(
        'Do you trust these folders?',
        ['They are to be added to the workspace:', ...situation.directories.map((path) => `- ${path}`)],
        [
          answer('accept', 'Yes'),
          answer('accept_and_remember', 'Yes, and remember the directories as trusted'),
          answer('ignore', 'No'),
        ],
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

function policyText({ files, state, allowRules }: Extract<Situation, { kind: 'policies' }>): string[] {
  return [
    `This folder has policies that are ${state === 'new' ? 'new to you' : 'not those you accepted'}:`,
    ...files.map((file) => `- ${file}`),
    ...(allowRules > 0
      ? [`${allowRules} of their rules let${allowRules === 1 ? 's' : ''} tools run without asking you.`]
      : []),
  ];
}
