import { describe, expect, it } from 'vitest';
import { HttpTimeoutError } from '../../platform/net/http.js';
import { OversizedPayloadError } from '../wire/sse.js';
import { ApiError, ConnectionError, classifyFailure, failureText } from './api-error.js';
import { toConnectionError } from './connection-error.js';

const failed = (code: string, message = 'boom', more: object = {}) =>
  Object.assign(new Error(message), { code, ...more });

describe('toConnectionError', () => {
  it.each([
    ['ECONNRESET', 'aborted', /^openai\/x: connection lost\. If this keeps happening, check your network/],
    ['EPIPE', 'write EPIPE', /^openai\/x: connection lost\./],
    ['HPE_INVALID_CONSTANT', 'Parse Error', /not HTTP \(Parse Error\)\. Check the server address/],
    [
      'EPROTO',
      'a long tale of OpenSSL',
      /no secure connection could be made \(EPROTO\)\. Check the server address/,
    ],
  ])('names the server and the way out: %s, %s', (code, message, expected) => {
    const error = toConnectionError(failed(code, message), 'openai/x') as ConnectionError;
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toMatch(expected);
    expect(failureText(error)).toBe(error.message);
    expect(classifyFailure(error)).toEqual({ kind: 'retryable', network: true });
  });

  it.each([
    [
      'stream',
      'no data from h for',
      /^openai\/x: no data from h for 3 s\. GEMINI_CLI_STREAM_TIMEOUT sets the limit/,
    ],
    [
      'request',
      'h took longer than',
      /^openai\/x: h took longer than 3 s\. GEMINI_CLI_REQUEST_TIMEOUT sets the limit/,
    ],
  ] as const)('names the variable of our own limit that ended the %s', (limit, what, expected) => {
    const error = toConnectionError(new HttpTimeoutError(limit, what, 3000), 'openai/x');
    expect(error).toMatchObject({ code: 'ETIMEDOUT', message: expect.stringMatching(expected) });
    expect(classifyFailure(error)).toEqual({ kind: 'retryable', network: true });
  });

  it('distinguishes a missing server from an unknown name', () => {
    const refused = failed('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9', { syscall: 'connect' });
    expect(toConnectionError(refused, 'm')).toMatchObject({
      code: 'ECONNREFUSED',
      message: expect.stringMatching(/connection refused .*127\.0\.0\.1:9.*Check the server address/),
    });
    const unknown = failed('ENOTFOUND', 'getaddrinfo ENOTFOUND h', { syscall: 'getaddrinfo' });
    expect(toConnectionError(unknown, 'm')).toMatchObject({
      message: expect.stringMatching(/cannot be resolved; is the network up\?/),
    });
  });

  it('keeps the message of a wrapping error', () => {
    const outer = new Error('Cannot reach oauth2.googleapis.com', { cause: failed('ENOTFOUND') });
    expect(toConnectionError(outer, 'm')).toMatchObject({
      code: 'ENOTFOUND',
      message: expect.stringContaining('m: Cannot reach oauth2.googleapis.com.'),
    });
  });

  it('names the server that sends an endless line', () => {
    const error = toConnectionError(new OversizedPayloadError(9), 'openai/x');
    expect(error).toMatchObject({
      status: 0,
      message: expect.stringMatching(/^openai\/x: .*Check the base URL/),
    });
    expect(classifyFailure(error)).toEqual({ kind: 'fatal' });
  });

  it('returns other errors, and already named ones, unchanged', () => {
    const others = [
      new Error('a bug'),
      new ApiError(400, 'no'),
      new ConnectionError('EPIPE', 'x', undefined),
    ];
    for (const error of others) expect(toConnectionError(error, 'm')).toBe(error);
  });
});
