/** The keychain of the operating system, with time limits because it may be slow or locked. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { askKeychain, type KeychainQuestion } from './keychain-helper.js';

export type KeychainState =
  | { state: 'available' }
  /** There is none, or it is disabled: it cannot contain our secrets. */
  | { state: 'absent'; reason: string }
  /** It does not answer, but may contain our secrets. */
  | { state: 'unreachable'; reason: string };

export interface KeychainOptions {
  env: NodeJS.ProcessEnv;
  /** Path of the native module; tests replace it. */
  modulePath?: string;
  platform?: NodeJS.Platform;
}

export class KeychainError extends UserError {
  override readonly name = 'KeychainError';
  constructor(
    readonly state: KeychainState['state'],
    reason: string,
  ) {
    super(`The keychain is not usable: ${reason}.`, { code: 'keychain' });
  }
}

/** Limit of the first request, which decides whether the keychain is used. */
const PROBE_TIMEOUT_MS = 2_000;
/** Longer, because a keychain that has answered is unlocked and only slow. */
const TIMEOUT_MS = 10_000;

export class Keychain {
  private current: KeychainState | undefined;

  constructor(private readonly options: KeychainOptions) {}

  /** As far as it is known without a request. */
  get known(): KeychainState | undefined {
    return this.current ?? this.absence();
  }

  /** Sends at most one request, for at most two seconds. */
  async probe(): Promise<KeychainState> {
    const { known } = this;
    if (known) return known;
    try {
      await this.ask({ verb: 'get', service: 'gemini-cli-probe', entry: 'probe' });
    } catch {
      // `this.current` has the reason.
    }
    return this.current ?? { state: 'available' };
  }

  async get(service: string, entry: string): Promise<string | undefined> {
    const value = await this.ask({ verb: 'get', service, entry });
    return typeof value === 'string' ? value : undefined;
  }

  async set(service: string, entry: string, secret: string): Promise<void> {
    await this.ask({ verb: 'set', service, entry, secret });
  }

  /** False when there was none. */
  async delete(service: string, entry: string): Promise<boolean> {
    return (await this.ask({ verb: 'delete', service, entry })) === true;
  }

  /** The names of what is stored for a service. */
  async entries(service: string): Promise<string[]> {
    const names: unknown = JSON.parse(String(await this.ask({ verb: 'list', service })));
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  }

  private async ask(question: KeychainQuestion): Promise<string | boolean | null> {
    const absent = this.absence();
    if (absent) this.current = absent;
    if (this.current && this.current.state !== 'available') {
      throw new KeychainError(this.current.state, this.current.reason);
    }
    const timeoutMs = this.current ? TIMEOUT_MS : PROBE_TIMEOUT_MS;
    const answer = await askKeychain(question, {
      modulePath: this.options.modulePath ?? nativeModule() ?? '',
      env: this.options.env,
      timeoutMs,
    });
    if (answer.kind === 'value') {
      this.current = { state: 'available' };
      return answer.value;
    }
    const reason =
      answer.kind === 'silence' ? `no answer within ${timeoutMs / 1000} s, it may be locked` : answer.message;
    // After an error other entries may still work; after silence every request would wait again.
    if (answer.kind === 'silence' || !this.current) this.current = { state: 'unreachable', reason };
    throw new KeychainError('unreachable', reason);
  }

  /** The state as far as it is known without a request. */
  private absence(): KeychainState | undefined {
    const { env, platform = process.platform, modulePath = nativeModule() } = this.options;
    if (env['GEMINI_FORCE_FILE_STORAGE'] === 'true') {
      return { state: 'absent', reason: 'GEMINI_FORCE_FILE_STORAGE is set' };
    }
    if (platform === 'linux' && !hasSessionBus(env)) {
      return { state: 'absent', reason: 'there is no desktop session (D-Bus)' };
    }
    if (modulePath === undefined) return { state: 'absent', reason: '@napi-rs/keyring is not installed' };
    return undefined;
  }
}

function hasSessionBus(env: NodeJS.ProcessEnv): boolean {
  if (env['DBUS_SESSION_BUS_ADDRESS']) return true;
  const runtime = env['XDG_RUNTIME_DIR'];
  return runtime !== undefined && runtime !== '' && existsSync(join(runtime, 'bus'));
}

/** Resolved from our own location, never from the current directory, where a project could plant one. */
function nativeModule(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@napi-rs/keyring');
  } catch {
    return undefined;
  }
}
