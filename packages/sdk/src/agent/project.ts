/** Opens the folder of a session and adds what the agent brings. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type EventStream,
  openProject,
  type Project,
  type ProjectFolder,
  processVariables,
  readFolder,
  type Settings,
} from '@gemini-cli/core';
import { GeminiCliError } from '../errors.js';
import { variablesOf } from './environment.js';
import type { OpenRequest } from './open-session.js';
import type { AuthType, GeminiCliAgentOptions } from './options.js';
import { chooseStored } from './stored-sessions.js';

export interface ProjectParts {
  options: GeminiCliAgentOptions;
  request: OpenRequest;
  events: EventStream;
  /** Of a new session. */
  newId: string;
}

/** @throws what `openProject` throws */
export async function openFolder({ options, request, events, newId }: ProjectParts): Promise<Project> {
  const cwd = request.cwd ?? options.cwd ?? process.cwd();
  requireUsable(options, cwd);
  const env = variablesOf(options, processVariables());
  const overrides = {
    ...(options.model !== undefined && { model: options.model }),
    ...(options.approvalMode !== undefined && { approvalMode: options.approvalMode }),
    ...(options.trust === true && { skipTrust: true }),
    ...(options.recordResponses !== undefined && { recordResponses: options.recordResponses }),
    ...(typeof options.fakeResponses === 'string' && {
      fakeResponses: { path: options.fakeResponses, strict: false },
    }),
    ...(options.policies && 'files' in options.policies && { policyPaths: options.policies.files }),
    ...(options.settings === 'none' && { ignoreEnv: true, extensions: ['none'] }),
    settings: settingsOf(options),
  };
  const notice = (message: string) => events.notice(message);
  const folder = await readFolder({ cwd, env, overrides, notice });
  // As in `gemini -p`; with `trust: false` the program wants to work without trust.
  if (options.trust !== false) requireTrust(folder);
  const isStored = request.sessionId !== undefined || request.resume !== undefined;
  const session = isStored ? await chooseStored(folder, request) : { sessionId: newId };
  const interactive =
    request.callerAnswers === true ||
    options.trust === false ||
    options.onApproval !== undefined ||
    options.onAskUser !== undefined;
  return openProject({ cwd, env, overrides, folder, session, frontEnd: { interactive, events } });
}

function requireTrust({ cwd, trust }: ProjectFolder): void {
  if (trust.trusted) return;
  const why =
    trust.source === 'none'
      ? 'It is not decided yet whether this folder is trusted'
      : 'This folder is not trusted';
  throw new GeminiCliError(
    `${why}: ${cwd}. Give the agent "trust: true" if you trust it, or "trust: false" to work without the folder's own settings.`,
    { code: 'FatalUntrustedWorkspaceError' },
  );
}

const MODES = ['default', 'autoEdit', 'plan', 'yolo'];
const SIGN_INS: readonly AuthType[] = [
  'oauth-personal',
  'vertex-ai',
  'gateway',
  'gemini-api-key',
  'compute-default-credentials',
];

/** @throws GeminiCliError where the engine would go on without what the program asked for */
function requireUsable(
  { approvalMode, auth, instructions, policies, settings }: GeminiCliAgentOptions,
  cwd: string,
): void {
  const unusable = (message: string) => new GeminiCliError(message, { code: 'INVALID_OPTIONS' });
  if (instructions !== undefined && typeof instructions !== 'string' && typeof instructions !== 'function')
    throw unusable('The option instructions is a text, or a function that returns one.');
  if (typeof settings === 'string' && settings !== 'load' && settings !== 'none')
    throw unusable(`The option settings is "load", "none" or an object, not "${settings}".`);
  if (auth !== undefined && !SIGN_INS.includes(auth.type))
    throw unusable(`There is no sign-in "${auth.type}". Known: ${SIGN_INS.join(', ')}.`);
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === false)
    throw unusable(`The folder of the agent, ${cwd}, is not a directory.`);
  if (approvalMode !== undefined && !MODES.includes(approvalMode))
    throw unusable(`There is no approval mode "${approvalMode}". Modes: ${MODES.join(', ')}.`);
  const files: unknown = policies === undefined || Array.isArray(policies) ? [] : policies?.files;
  if (!Array.isArray(files) || !files.every((file) => typeof file === 'string'))
    throw unusable('The option policies is a list of rules, or { files } with a list of paths.');
  const missing = files.find((file) => !file.startsWith('~') && !existsSync(resolve(cwd, file)));
  if (missing !== undefined) throw unusable(`The policy file ${missing} does not exist.`);
}

export function settingsOf({ settings = 'load', auth }: GeminiCliAgentOptions): {
  values?: Settings;
  replacesFiles?: boolean;
} {
  const given: Settings = typeof settings === 'object' ? settings : {};
  const values: Settings = auth
    ? {
        ...given,
        security: { ...given.security, auth: { ...given.security?.auth, selectedType: auth.type } },
      }
    : given;
  return {
    ...(Object.keys(values).length > 0 && { values }),
    ...(settings === 'none' && { replacesFiles: true }),
  };
}
