/** What every sign-in method works with. */
import type { Clock } from '../../platform/clock.js';
import type { AuthHttp } from '../../platform/net/auth-http.js';
import type { SecretStore } from '../../platform/secrets/secret-store.js';
import type { AuthType } from './auth-type.js';
import type { GoogleEndpoints } from './endpoints.js';

export interface Authorizer {
  readonly type: AuthType;
  /** Refreshes what is about to expire. */
  headers(): Promise<Record<string, string>>;
  /** The server refused the last headers (401): the next ones must be fresh. */
  invalidate(): void;
}

/** Questions of the Google sign-in. Absent: the user cannot be asked, and a sign-in that needs it fails. */
export interface SignInPrompts {
  /** Before a browser opens; false cancels. */
  confirm(): Promise<boolean>;
  /** Always shown: the browser may be on another machine. */
  showUrl(url: string): void;
  /** False: no browser could be started; the user opens the address by hand. */
  openBrowser(url: string): Promise<boolean>;
  /** The pasted text; undefined cancels. `problem` says what was wrong with the previous one. */
  askCode(url: string, problem: string | undefined, signal: AbortSignal): Promise<string | undefined>;
  /** A message that does not stop the sign-in. */
  warn(message: string): void;
}

export interface AuthContext {
  env: NodeJS.ProcessEnv;
  endpoints: GoogleEndpoints;
  http: AuthHttp;
  clock: Clock;
  secrets: SecretStore;
  prompts?: SignInPrompts;
  /** Of application default credentials; default: all of Google Cloud. */
  scopes?: readonly string[];
  signal?: AbortSignal;
  /** Called with every key and token in use, so that it can be redacted elsewhere. */
  onSecret?: (secret: string) => void;
}
