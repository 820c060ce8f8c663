/** The keychain of the operating system, where there is one. It can be slow or silent, never in our way. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { askKeychain, type KeychainQuestion } from './keychain-helper.js';

export type KeychainState =
  | { state: 'available' }
  /** There is none, or it is switched off: nothing of ours can be in it. */
  | { state: 'absent'; reason: string }
  /** There is one that does not answer: something of ours may be in it. */
  | { state: 'unreachable'; reason: string };

export interface KeychainOptions {
  env: NodeJS.ProcessEnv;
  /** The native module; tests bring their own. */
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

/** The first answer decides whether it is worth asking again. */
const PROBE_TIMEOUT_MS = 2_000;
/** One that has answered is unlocked; writing may still take a while. */
const TIMEOUT_MS = 10_000;

export class Keychain {
  private current: KeychainState | undefined;

  constructor(private readonly options: KeychainOptions) {}

  /** Asks at most once, and then for two seconds at most. */
  async probe(): Promise<KeychainState> {
    const known = this.current ?? this.absence();
    if (known) return known;
    try {
      await this.ask({ verb: 'get', service: 'gemini-cli-probe', entry: 'probe' });
    } catch {
      // The state says it.
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
    // One that answers with an error once may know other entries; a silent one would cost the time again.
    if (answer.kind === 'silence' || !this.current) this.current = { state: 'unreachable', reason };
    throw new KeychainError('unreachable', reason);
  }

  /** What can be told without asking. */
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

/** Found from our own place, never from the current directory, where a project could plant one. */
function nativeModule(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@napi-rs/keyring');
  } catch {
    return undefined;
  }
}
