/** The steps of signing in: which view is shown, and what each choice does. */
import { messageOf } from '@gemini-cli/core';
import { useLiveState } from '../../primitives/use-live-state.js';
import type { DialogServices } from '../dialog.js';
import type { AuthResult } from './AuthDialog.js';
import type { AuthChoice } from './choices.js';
import type { AuthPorts, AuthType } from './ports.js';

type View = 'choices' | 'key' | 'google' | 'provider' | 'busy';
type Offer = Awaited<ReturnType<AuthPorts['offered']>>;

interface Step {
  view: View;
  problem?: string | undefined;
  offer?: Offer;
}

export interface SignInOptions {
  services: Pick<DialogServices, 'changeSetting' | 'restartEngine' | 'switchModel'>;
  ports: AuthPorts;
  problem?: string | undefined;
  close(result: AuthResult): void;
}

export function useSignIn({ services, ports, problem, close }: SignInOptions) {
  const step = useLiveState<Step>({ view: 'choices', problem });
  const show = (view: View, problem?: string) => {
    const { offer } = step.now;
    step.set({ view, problem, ...(offer && { offer }) });
  };
  /** Does it; what goes wrong is said in the view where it was asked for. */
  const attempt = async (way: AuthChoice, view: View, work: () => Promise<string | undefined>) => {
    show('busy');
    const failure = await work().catch((error: unknown) => messageOf(error));
    if (failure === undefined) close({ way });
    else show(view, failure);
  };
  const start = (type: AuthType, view: View = 'choices') =>
    attempt(type, view, async () => {
      const missing = await ports.problemOf(type);
      if (missing !== undefined) return missing;
      await services.changeSetting('user', 'security.auth.selectedType', type);
      return services.restartEngine();
    });
  return {
    view: step.now.view,
    problem: step.now.problem,
    offer: step.now.offer,
    async load() {
      try {
        step.set({ ...step.now, offer: await ports.offered() });
      } catch (error) {
        const offer: Offer = { types: [], preselected: undefined };
        step.set({ ...step.now, offer, problem: messageOf(error) });
      }
    },
    back: () => show('choices'),
    choose(way: AuthChoice): void {
      if (way === 'skip') close({ way });
      else if (way === 'offline') void attempt(way, 'choices', () => services.switchModel('offline'));
      else if (way === 'provider' || way === 'oauth-personal')
        show(way === 'provider' ? 'provider' : 'google');
      else if (way === 'gemini-api-key' && !ports.env['GEMINI_API_KEY']?.trim()) show('key');
      else void start(way);
    },
    /** Empty: the one that is saved already. */
    takeKey(key: string): void {
      void attempt('gemini-api-key', 'key', async () => {
        if (key !== '') await ports.saveKey(key);
        const missing = await ports.problemOf('gemini-api-key');
        if (missing !== undefined) return missing;
        await services.changeSetting('user', 'security.auth.selectedType', 'gemini-api-key');
        return services.restartEngine();
      });
    },
    takeModel(model: string): void {
      void attempt('provider', 'provider', async () => {
        await services.changeSetting('user', 'model.name', model);
        return services.switchModel(model);
      });
    },
    /** Undefined: signed in; empty: given up. */
    googleDone(failure: string | undefined): void {
      if (failure === undefined) void start('oauth-personal');
      else show('choices', failure || undefined);
    },
  };
}
