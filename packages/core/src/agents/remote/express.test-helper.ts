/**
 * Express, for servers of tests. The test runner lets `require` take the form of a package that is meant for `import`, and
 * one package that express requires is not a function in that form.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const WRONG = 'is-promise';
const loaded: unknown = require(WRONG);
const entry = require.cache[require.resolve(WRONG)];
if (entry && typeof loaded === 'object' && loaded && 'default' in loaded) entry.exports = loaded.default;

export const { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } = await import(
  '@a2a-js/sdk/server/express'
);

/** The parts of the package that are used; it has no types. */
interface App {
  (request: IncomingMessage, response: ServerResponse): void;
  use(path: string, handler: unknown): void;
  use(handler: (request: AppRequest, response: AppResponse, next: () => void) => void): void;
}

export interface AppRequest {
  path: string;
  headers: Record<string, string | undefined>;
}

export interface AppResponse {
  status(code: number): AppResponse;
  end(): void;
}

export const express = require('express') as () => App;
