/** Decides whether and how the whole program is sandboxed: GEMINI_SANDBOX, then --sandbox, then the settings. */
import { FatalSandboxError } from '../../../base/errors.js';
import { isObject } from '../../../base/objects.js';
import { automaticSandbox } from './automatic.js';

const SANDBOX_COMMANDS = [
  'docker',
  'podman',
  'bwrap',
  'sandbox-exec',
  'runsc',
  'lxc',
  'windows-native',
] as const;
export type SandboxCommand = (typeof SANDBOX_COMMANDS)[number];

export function isSandboxCommand(name: string | undefined): name is SandboxCommand {
  return SANDBOX_COMMANDS.some((command) => command === name);
}

export interface SandboxConfig {
  command: SandboxCommand;
  image?: string;
  allowedPaths: readonly string[];
  networkAccess: boolean;
}

export interface SelectionSources {
  env: Readonly<Record<string, string | undefined>>;
  /** `-s/--sandbox`; undefined when not given. */
  flag: boolean | string | undefined;
  /** `tools.sandbox` from the settings, not validated. */
  setting: unknown;
  platform: NodeJS.Platform;
  hasProgram: (name: string) => boolean;
  /** Why bubblewrap cannot isolate the whole program on this machine; undefined: it can. */
  bubblewrapProblem: () => Promise<BubblewrapProblem | undefined>;
}

export interface BubblewrapProblem {
  reason: string;
  remedy: string;
}

/** Undefined: no sandbox is requested, or we already run in one. @throws FatalSandboxError */
export async function selectSandbox(sources: SelectionSources): Promise<SandboxConfig | undefined> {
  const { env, flag, setting } = sources;
  if (env['SANDBOX']) return undefined;
  const object = settingObject(setting);
  const [wanted, origin] = requested(env['GEMINI_SANDBOX'], flag, object ? requestIn(object) : setting);
  if (wanted === false) return undefined;
  const isImageNamed = Boolean(env['GEMINI_SANDBOX_IMAGE'] || object?.image);
  const command =
    wanted === true
      ? await automaticSandbox(sources, { origin, isImageNamed })
      : await checked(wanted, origin, sources);
  return {
    command,
    ...(object?.image === undefined ? {} : { image: object.image }),
    allowedPaths: object?.allowedPaths ?? [],
    networkAccess: object?.networkAccess ?? true,
  };
}

type SandboxRequestValue = boolean | string;

function requested(
  variable: string | undefined,
  flag: boolean | string | undefined,
  setting: unknown,
): [SandboxRequestValue, string] {
  if (variable?.trim()) return [parse(variable), 'GEMINI_SANDBOX'];
  if (flag !== undefined) return [typeof flag === 'string' ? parse(flag) : flag, '--sandbox'];
  if (setting === undefined || setting === null) return [false, ''];
  if (typeof setting === 'boolean') return [setting, 'tools.sandbox'];
  if (typeof setting === 'string') return [parse(setting), 'tools.sandbox'];
  throw new FatalSandboxError(
    `tools.sandbox in settings.json is neither true or false, a command nor an object. ${VALID}`,
  );
}

function parse(text: string): SandboxRequestValue {
  const value = text.trim().toLowerCase();
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0' || value === '') return false;
  return value;
}

interface SettingObject {
  enabled?: boolean;
  command?: string;
  image?: string;
  allowedPaths?: string[];
  networkAccess?: boolean;
}

/** A setting with a command or an image counts as enabled unless `enabled` is false. */
function requestIn({ enabled, command, image }: SettingObject): SandboxRequestValue {
  if (!(enabled ?? (command !== undefined || image !== undefined))) return false;
  return command === undefined ? true : parse(command);
}

function settingObject(setting: unknown): SettingObject | undefined {
  if (!isObject(setting)) return undefined;
  const { enabled, command, image, allowedPaths, networkAccess } = setting;
  return {
    enabled: typed(enabled, 'enabled', isBoolean),
    command: typed(command, 'command', isString),
    image: typed(image, 'image', isString),
    allowedPaths: typed(allowedPaths, 'allowedPaths', isStringList),
    networkAccess: typed(networkAccess, 'networkAccess', isBoolean),
  };
}

function typed<T>(value: unknown, name: string, is: (value: unknown) => value is T): T | undefined {
  if (value === undefined || value === null) return undefined;
  if (is(value)) return value;
  throw new FatalSandboxError(
    `tools.sandbox.${name} in settings.json has the wrong type. Correct or remove it.`,
  );
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isString = (value: unknown): value is string => typeof value === 'string';
const isStringList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isString);

const VALID = `Valid values: true, false, ${SANDBOX_COMMANDS.join(', ')}.`;

const PLATFORM_OF: Partial<Record<SandboxCommand, NodeJS.Platform>> = {
  'sandbox-exec': 'darwin',
  bwrap: 'linux',
  runsc: 'linux',
  lxc: 'linux',
  'windows-native': 'win32',
};

async function checked(
  value: string,
  origin: string,
  { platform, hasProgram, bubblewrapProblem }: SelectionSources,
): Promise<SandboxCommand> {
  const command = SANDBOX_COMMANDS.find((name) => name === value);
  if (!command) throw new FatalSandboxError(`${origin}: "${value}" is not a kind of sandbox. ${VALID}`);
  const wantedPlatform = PLATFORM_OF[command];
  if (wantedPlatform && wantedPlatform !== platform) {
    throw new FatalSandboxError(
      `${origin}: ${command} works on ${PLATFORM_NAMES[wantedPlatform]} only. ${VALID}`,
    );
  }
  if (command === 'windows-native') {
    throw new FatalSandboxError(
      `${origin}: windows-native is not available in this version. Use docker or podman.`,
    );
  }
  if (command === 'bwrap') {
    const problem = await bubblewrapProblem();
    if (problem) throw new FatalSandboxError(`${origin}: ${problem.reason} ${problem.remedy}`);
    return command;
  }
  const missing = (command === 'runsc' ? ['docker', 'runsc'] : [command]).find((name) => !hasProgram(name));
  if (missing) {
    throw new FatalSandboxError(
      `${origin} asks for the sandbox ${command}, but ${missing} is not installed. Install it or choose another. ${VALID}`,
    );
  }
  return command;
}

const PLATFORM_NAMES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'macOS',
  linux: 'Linux',
  win32: 'Windows',
};
