/** The steps of signing in: which view is open and what each choice does. */
import { useState } from 'react';
import { useAction } from '../../components/use-action.js';
import { useLoaded } from '../../components/use-loaded.js';
import type { DialogServices } from '../dialog.js';
import type { AuthResult } from './AuthDialog.js';
import type { AuthChoice } from './choices.js';
import { GEMINI, type KeyService, refusedText, savedItem } from './key-services.js';
import type { AuthPorts, AuthType } from './ports.js';

type View = { name: 'choices' | 'google' | 'provider' } | { name: 'key' | 'models'; service: KeyService };

export interface SignInOptions {
  services: Pick<DialogServices, 'changeSetting' | 'restartEngine' | 'switchModel' | 'addItem' | 'telemetry'>;
  ports: AuthPorts;
  problem?: string | undefined;
  close(result: AuthResult): void;
}

export function useSignIn({ services, ports, problem, close }: SignInOptions) {
  const offer = useLoaded(() => ports.offered());
  const [view, setView] = useState<View>({ name: 'choices' });
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
  /** Checks and saves it. @returns why it is refused */
  const keep = async (service: KeyService, key: string): Promise<string | undefined> => {
    const check = await ports.checkKey(service.id, key);
    if (check.state === 'refused') return refusedText(service, check.status);
    services.addItem(savedItem(service, check, await ports.saveKey(service.id, key)));
    return undefined;
  };
  const unsaved = async ({ id, title }: KeyService) =>
    (await ports.savedKeys()).includes(id) ? undefined : `No ${title} key is saved. Paste one.`;
  return {
    view,
    problem: starting.problem || offer.problem,
    isStarting: starting.isRunning,
    /** Undefined until it is known. */
    offer: offer.isLoading ? undefined : (offer.value ?? { types: [], preselected: undefined }),
    back: () => show({ name: view.name === 'models' || isProviderKey(view) ? 'provider' : 'choices' }),
    choose(way: AuthChoice): void {
      if (way === 'skip') close({ way });
      else if (way === 'offline') attempt(way, () => services.switchModel('offline'));
      else if (way === 'provider') show({ name: 'provider' });
      else if (way === 'oauth-personal') show({ name: 'google' });
      else if (way === 'gemini-api-key' && !ports.env['GEMINI_API_KEY']?.trim())
        show({ name: 'key', service: GEMINI });
      else attempt(way, () => use(way));
    },
    /** Empty: use the saved one. */
    takeKey(service: KeyService, key: string): void {
      if (service === GEMINI)
        attempt('gemini-api-key', async () => {
          const refused = key === '' ? undefined : await keep(service, key);
          const failure = refused ?? (await use('gemini-api-key'));
          // The engine that runs now: without a key there was none before.
          if (key !== '' && refused === undefined)
            services.telemetry().event('gemini_cli.api_key_updated', { source: 'auth_dialog' });
          return failure;
        });
      else
        starting.run(async () => {
          const problem = await (key === '' ? unsaved(service) : keep(service, key));
          if (problem !== undefined) throw new Error(problem);
          setView({ name: 'models', service });
        });
    },
    openService: (service: KeyService, hasKey: boolean) => show({ name: hasKey ? 'models' : 'key', service }),
    takeModel(model: string): void {
      attempt('provider', async () => {
        await services.changeSetting('user', 'model.name', model);
        return services.switchModel(model);
      });
    },
    /** Undefined: signed in; empty: cancelled. */
    googleDone(failure: string | undefined): void {
      show({ name: 'choices' }, failure);
      if (failure === undefined) attempt('oauth-personal', () => use('oauth-personal'));
    },
  };
}

function isProviderKey(view: View): boolean {
  return view.name === 'key' && view.service !== GEMINI;
}
