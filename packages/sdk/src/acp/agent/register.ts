/** Which method of the protocol runs which method of `GeminiAgent`, and how failures become errors of JSON-RPC. */
import { type AgentApp, agent, RequestError } from '@agentclientprotocol/sdk';
import { createLog, FatalAuthenticationError, isObject, messageOf, routeError } from '@gemini-cli/core';
import { CallerError } from '../errors.js';
import type { GeminiAgent, SetSessionModelRequest } from './gemini-agent.js';

const log = createLog('acp');

/** @param served made once the connection is open, before its first message is read */
export function registerMethods(served: () => GeminiAgent): AgentApp {
  return (
    agent({ name: 'gemini-cli' })
      .onRequest('initialize', ({ params }) => answered(served().initialize(params)))
      .onRequest('authenticate', ({ params }) => answered(served().authenticate(params)))
      .onRequest('session/new', ({ params }) => answered(served().newSession(params)))
      .onRequest('session/load', ({ params }) => answered(served().loadSession(params)))
      .onRequest('session/resume', ({ params }) => answered(served().resumeSession(params)))
      .onRequest('session/list', ({ params }) => answered(served().listSessions(params)))
      .onRequest('session/delete', ({ params }) => answered(served().deleteSession(params)))
      .onRequest('session/close', ({ params }) => answered(served().closeSession(params)))
      .onRequest('session/prompt', ({ params }) => answered(served().prompt(params)))
      .onNotification('session/cancel', ({ params }) => served().cancel(params).catch(ignored))
      .onRequest('session/set_mode', ({ params }) => answered(served().setSessionMode(params)))
      .onRequest('session/set_config_option', ({ params }) =>
        answered(served().setSessionConfigOption(params)),
      )
      // Not in the stable form of version 1; clients use them all the same.
      .onRequest('session/set_model', setModelParams, ({ params }) =>
        answered(served().setSessionModel(params)),
      )
      .onRequest('session/fork', forkParams, ({ params }) => answered(served().forkSession(params)))
  );
}

async function answered<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw toRequestError(error);
  }
}

/** A notification has no answer. */
function ignored(error: unknown): void {
  log.debug('A notification was ignored.', error);
}

function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof CallerError) return new RequestError(-32602, error.message, error.data);
  if (error instanceof FatalAuthenticationError) return new RequestError(-32000, error.message);
  const { isBug, message } = routeError(error, 'program');
  if (isBug) log.error('A request failed.', error);
  return new RequestError(-32603, message || messageOf(error));
}

function setModelParams(params: unknown): SetSessionModelRequest {
  const { sessionId, modelId } = isObject(params) ? params : {};
  if (typeof sessionId !== 'string' || typeof modelId !== 'string')
    throw new RequestError(-32602, 'session/set_model needs sessionId and modelId.');
  return { sessionId, modelId };
}

function forkParams(params: unknown): Parameters<GeminiAgent['forkSession']>[0] {
  const { sessionId, cwd, mcpServers = [], additionalDirectories = [] } = isObject(params) ? params : {};
  const isList = Array.isArray(mcpServers) && Array.isArray(additionalDirectories);
  if (typeof sessionId !== 'string' || typeof cwd !== 'string' || !isList)
    throw new RequestError(-32602, 'session/fork needs sessionId and cwd.');
  return { sessionId, cwd, mcpServers, additionalDirectories };
}
