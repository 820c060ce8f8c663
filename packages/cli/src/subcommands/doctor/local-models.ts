/** Finds model servers on this machine, which need no account. */
import { type Check, ok, skipped } from './check.js';

const MAX_NAMED = 3;

export const localModels: Check = {
  id: 'local-models',
  title: 'Local models',
  async run({ engine, env, settings }) {
    const http = new engine.HttpClient();
    try {
      const servers = await engine.findLocalServers({
        env,
        providers: settings.merged.model?.providers,
        http,
        signal: new AbortController().signal,
      });
      if (servers.length === 0) return skipped('no server answers on the usual ports');
      return ok(...servers.map(({ provider, models }) => `${provider}: ${listed(provider, models)}`));
    } finally {
      http.close();
    }
  },
};

function listed(provider: string, models: readonly string[]): string {
  if (models.length === 0) return 'running, without a model';
  const more = models.length > MAX_NAMED ? ` and ${models.length - MAX_NAMED} more` : '';
  const names = models.slice(0, MAX_NAMED).map((model) => `${provider}/${model}`);
  return `use --model ${names.join(', ')}${more}`;
}
