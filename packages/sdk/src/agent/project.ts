/** Opens the folder of a session and adds what the agent brings. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EventStream, Project, Settings } from '@gemini-cli/core';
import { GeminiCliError } from '../errors.js';
import { variablesOf } from './environment.js';
import type { OpenRequest } from './open-session.js';
import type { GeminiCliAgentOptions } from './options.js';
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
  const core = await import('@gemini-cli/core');
  const env = variablesOf(options, core.processVariables());
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
  const folder = await core.readFolder({ cwd, env, overrides, notice });
  // As in `gemini -p`; with `trust: false` the program wants to work without trust.
  if (options.trust !== false) core.requireTrust(folder);
  const isStored = request.sessionId !== undefined || request.resume !== undefined;
  const session = isStored ? await chooseStored(folder, request) : { sessionId: newId };
  const interactive =
    request.callerAnswers === true ||
    options.trust === false ||
    options.onApproval !== undefined ||
    options.onAskUser !== undefined;
  return core.openProject({ cwd, env, overrides, folder, session, frontEnd: { interactive, events } });
}

const MODES = ['default', 'autoEdit', 'plan', 'yolo'];

/** @throws GeminiCliError where the engine would go on without what the program asked for */
function requireUsable({ approvalMode, policies }: GeminiCliAgentOptions, cwd: string): void {
  const unusable = (message: string) => new GeminiCliError(message, { code: 'INVALID_OPTIONS' });
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
