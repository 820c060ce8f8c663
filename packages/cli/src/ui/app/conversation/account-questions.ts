/** Questions about the Google account: its quota and credits, verification, and the controls of its organisation. */
import {
  FALLBACK_INTENTS,
  type FallbackIntent,
  type Question,
  type TelemetryRecorder,
} from '@gemini-cli/core';
import { CREDITS_PAGE, PLANS_PAGE } from '../../../commands/account-pages.js';
import type { DialogName } from '../../../commands/dialog-name.js';

export interface AccountPorts {
  /** @returns what the dialog was closed with */
  ask(name: DialogName, props: Record<string, unknown>): Promise<unknown>;
  /** Shows a page in the browser, or its address where there is no browser. */
  openPage(url: string): Promise<void>;
  /** Opens the sign-in dialog. */
  changeAuth(): void;
  quit(): void;
  telemetry(): Pick<TelemetryRecorder, 'event'>;
}

type QuestionOf<K extends Question['kind']> = Extract<Question, { kind: K }>;

export async function askAboutFallback(
  question: QuestionOf<'model_fallback'>,
  { ask, openPage, telemetry }: AccountPorts,
): Promise<FallbackIntent> {
  const { from: model, credits } = question;
  const source = credits === 'usable' ? 'overage_menu' : 'empty_wallet_menu';
  if (credits) telemetry().event(`gemini_cli.${source}_shown`, { model });
  const answer = await ask('fallback', { situation: situationOf(question) });
  if (credits === 'usable') {
    const selected = typeof answer === 'string' ? answer : 'stop';
    telemetry().event('gemini_cli.overage_option_selected', { model, selected_option: selected });
  }
  if (credits && answer === 'manage_credits')
    telemetry().event('gemini_cli.credit_purchase_click', { model, source });
  if (answer === 'upgrade') await openPage(PLANS_PAGE);
  if (answer === 'manage_credits') await openPage(CREDITS_PAGE);
  return FALLBACK_INTENTS.find((intent) => intent === answer) ?? 'stop';
}

function situationOf({
  from,
  to,
  reason,
  errorClass,
  canWait,
  credits,
  canUpgrade,
}: QuestionOf<'model_fallback'>) {
  const about = { model: from, reason, fallback: to };
  if (canWait) return { kind: 'capacity', ...about };
  if (credits) return { kind: 'credits', ...about, hasCredits: credits === 'usable' };
  return errorClass === 'quota'
    ? { kind: 'quota', ...about, ...(canUpgrade && { canUpgrade }) }
    : { kind: 'unavailable', ...about };
}

/** @returns `retry` once the user says that the account is verified */
export async function askAboutAccount(
  { problem, reason, link }: QuestionOf<'account_problem'>,
  ports: AccountPorts,
): Promise<'retry' | 'stop'> {
  const isBlocked = problem === 'blocked';
  const situation = isBlocked
    ? { kind: 'blocked', reason, hasAppeal: link !== undefined }
    : { kind: 'verification', reason, hasLink: link !== undefined };
  const answer = await ports.ask('fallback', { situation });
  if (answer === 'verify' && link) {
    await ports.openPage(link);
    return askAboutAccount({ kind: 'account_problem', problem, reason: CONTINUE }, ports);
  }
  if (answer === 'appeal' && link) await ports.openPage(link);
  if (answer === 'change_auth') ports.changeAuth();
  if (answer === 'exit') ports.quit();
  return answer === 'verified' ? 'retry' : 'stop';
}

const CONTINUE = 'Verify the account in your browser, then continue here.';
