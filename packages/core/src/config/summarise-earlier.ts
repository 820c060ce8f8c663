/** Summarises the session before this one in one line, for front ends that list sessions. */
import { OFFLINE_MODEL } from '../model/catalog.js';
import type { Config } from './config.js';

/**
 * Call it when the screen is drawn, and do not wait for it: it reads a session and asks a small model, at most five
 * seconds. Never rejects; does nothing without a session to summarise or without an answer.
 */
export async function summariseEarlierSession(
  config: Config,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { sessions, fakeResponses } = config.parameters;
  // Recorded answers belong to the prompts of their conversation: this call would take the first one.
  if (!sessions || fakeResponses) return undefined;
  // The offline guide cannot summarise, and its user wants nothing sent.
  if (config.getModel() === OFFLINE_MODEL) return undefined;
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
