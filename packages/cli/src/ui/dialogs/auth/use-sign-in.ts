/** The steps of signing in: which view is open and what each choice does. */
import { useState } from 'react';
import { useAction } from '../../components/use-action.js';
import { useLoaded } from '../../components/use-loaded.js';
import type { DialogServices } from '../dialog.js';
import type { AuthResult } from './AuthDialog.js';
import type { AuthChoice } from './choices.js';
import type { AuthPorts, AuthType } from './ports.js';

type View = 'choices' | 'key' | 'google' | 'provider';

export interface SignInOptions {
  services: Pick<DialogServices, 'changeSetting' | 'restartEngine' | 'switchModel'>;
  ports: AuthPorts;
  problem?: string | undefined;
  close(result: AuthResult): void;
}

export function useSignIn({ services, ports, problem, close }: SignInOptions) {
  const offer = useLoaded(() => ports.offered());
  const [view, setView] = useState<View>('choices');
  const starting = useAction(problem);
  const show = (next: View, reason = '') => {
    setView(next);
    starting.setProblem(reason);
  };
  /** @param work resolves with the problem, shown in the view where it was started */
  const attempt = (way: AuthChoice, work: () => Promise<string | undefined>) =>
    starting.run(async () => {
      const failure = await work();
      if (failure !== undefined) throw new Error(failure);
      close({ way });
    });
  const use = async (type: AuthType) => {
    const missing = await ports.problemOf(type);
    if (missing !== undefined) return missing;
    await services.changeSetting('user', 'security.auth.selectedType', type);
    return services.restartEngine();
  };
  return {
    view,
    problem: starting.problem || offer.problem,
    isStarting: starting.isRunning,
    /** Undefined until it is known. */
    offer: offer.isLoading ? undefined : (offer.value ?? { types: [], preselected: undefined }),
    back: () => show('choices'),
    choose(way: AuthChoice): void {
      if (way === 'skip') close({ way });
      else if (way === 'offline') attempt(way, () => services.switchModel('offline'));
      else if (way === 'provider') show('provider');
      else if (way === 'oauth-personal') show('google');
      else if (way === 'gemini-api-key' && !ports.env['GEMINI_API_KEY']?.trim()) show('key');
      else attempt(way, () => use(way));
    },
    /** Empty: use the saved one. */
    takeKey(key: string): void {
      attempt('gemini-api-key', async () => {
        if (key !== '') await ports.saveKey(key);
        return use('gemini-api-key');
      });
    },
    takeModel(model: string): void {
      attempt('provider', async () => {
        await services.changeSetting('user', 'model.name', model);
        return services.switchModel(model);
      });
    },
    /** Undefined: signed in; empty: cancelled. */
    googleDone(failure: string | undefined): void {
      show('choices', failure);
      if (failure === undefined) attempt('oauth-personal', () => use('oauth-personal'));
    },
  };
}
