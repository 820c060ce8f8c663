/** The one line about the session before this one: for front ends in which somebody is going to look at the list. */
import { OFFLINE_MODEL } from '../model/catalog.js';
import type { Config } from './config.js';

/**
 * To be called once the screen stands, and not waited for: it reads a session and asks a small model, at most five
 * seconds. Never rejects, and says nothing when there is nothing to sum up or no answer came.
 */
export async function summariseEarlierSession(
  config: Config,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { sessions } = config.parameters;
  // The guide knows no conversations, and who chose it wants nothing sent.
  if (!sessions || config.getModel() === OFFLINE_MODEL) return undefined;
  const [{ summariseLatest }, { sessionPlaces }] = await Promise.all([
    import('../sessions/summaries/summaries.js'),
    import('../sessions/finding/session-places.js'),
  ]);
  return summariseLatest({
    places: sessionPlaces(config.storage, sessions.storageDir),
    utility: config.getUtilityModel(),
    currentSessionId: config.getSessionId(),
    redact: (text) => config.getRedactor().redact(text),
    ...(signal && { signal }),
  });
}
