/** How this process connects: a database that does not answer must not hold anything up for ever. */

const CONNECT_MS = 10_000;
const ANSWER_MS = 20_000;

export function connection(url: string, what: string) {
  return {
    connectionString: url,
    application_name: applicationName(what),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
  };
}

/** As `pg_stat_activity` shows it. */
export function applicationName(what: string): string {
  return `gemini-a2a ${what}`;
}
