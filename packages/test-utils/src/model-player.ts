/** Plays a script into an HTTP response, as a stream of events or as one object. */
import type { ServerResponse } from 'node:http';
import {
  type Chunk,
  DEFAULT_USAGE,
  encodeEvent,
  type Script,
  type Step,
  type UsageCounts,
} from './model-script.js';

/**
 * Streams `script` as server-sent events. Content chunks are held back by one, so that the last one can
 * carry the finish reason and the usage, as the real service does.
 */
export async function playStream(
  script: Script,
  response: ServerResponse,
  closed: AbortSignal,
): Promise<void> {
  const state: Stream = { response, closed, held: undefined, ended: false, pieceSize: 0, ...newTail() };
  response.socket?.setNoDelay(true);
  await playAll(script, state);
  if (state.ended || closed.aborted) return;
  await finishStream(state);
  response.end();
}

/** The whole script as one `generateContent` response. */
export async function playWhole(
  script: Script,
  response: ServerResponse,
  closed: AbortSignal,
): Promise<void> {
  const parts: Chunk[] = [];
  const tail = newTail();
  let feedback: Chunk | undefined;
  for (const step of flatten(script)) {
    if (step.do === 'parts') parts.push(...step.parts);
    else if (step.do === 'chunk') feedback = step.chunk;
    else if (step.do === 'delay') await sleep(step.ms, closed);
    else if (step.do === 'wait') await step.until;
    else if (step.do === 'silence') return;
    else if (step.do === 'cut') return void response.destroy();
    else if (step.do === 'respond') return sendWhole(step, response);
    else noteTail(step, tail);
  }
  if (closed.aborted) return;
  const body = feedback ?? withTail({ parts, role: 'model' }, tail);
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

interface Tail {
  reason: string;
  finishMessage: string | undefined;
  usage: UsageCounts;
  modelVersion: string | undefined;
  /** A verbatim chunk ends the answer. */
  complete: boolean;
}

interface Stream extends Tail {
  response: ServerResponse;
  closed: AbortSignal;
  held: Chunk[] | undefined;
  ended: boolean;
  /** 0: one write per event. */
  pieceSize: number;
}

function newTail(): Tail {
  return {
    reason: 'STOP',
    finishMessage: undefined,
    usage: DEFAULT_USAGE,
    modelVersion: undefined,
    complete: false,
  };
}

async function playAll(script: Script, state: Stream): Promise<void> {
  for (const step of script) {
    if (state.ended || state.closed.aborted) return;
    if (isScript(step)) await playAll(step, state);
    else await playStep(step, state);
  }
}

async function playStep(step: Step, state: Stream): Promise<void> {
  switch (step.do) {
    case 'parts':
      await flushHeld(state);
      state.held = step.parts;
      state.complete = false;
      return;
    case 'chunk':
      await flushHeld(state);
      await send(encodeEvent(step.chunk), state);
      state.complete = true;
      return;
    case 'bytes':
      await flushHeld(state);
      return send(step.bytes, state);
    case 'pieces': {
      await flushHeld(state);
      state.pieceSize = step.size;
      await playAll(step.steps, state);
      if (!state.ended) await finishStream(state);
      state.pieceSize = 0;
      state.complete = true;
      return;
    }
    case 'delay':
      await flushHeld(state);
      return sleep(step.ms, state.closed);
    case 'wait':
      await flushHeld(state);
      await step.until;
      return;
    case 'silence':
      await flushHeld(state);
      open(state);
      state.response.flushHeaders();
      state.ended = true;
      return;
    case 'cut':
      await flushHeld(state);
      open(state);
      state.response.flushHeaders();
      state.ended = true;
      // The bytes written so far must be sent before the connection is cut.
      await new Promise((resolve) => setImmediate(resolve));
      state.response.destroy();
      return;
    case 'respond':
      state.ended = true;
      return sendWhole(step, state.response);
    case 'content_type':
      state.response.setHeader('content-type', step.contentType);
      return;
    default:
      noteTail(step, state);
  }
}

function noteTail(step: Step, tail: Tail): void {
  if (step.do === 'finish') {
    tail.reason = step.reason;
    tail.finishMessage = step.message;
    tail.complete = false;
  } else if (step.do === 'usage') tail.usage = step.usage;
  else if (step.do === 'version') tail.modelVersion = step.modelVersion;
}

async function flushHeld(state: Stream): Promise<void> {
  const parts = state.held;
  if (!parts) return;
  state.held = undefined;
  await send(encodeEvent({ candidates: [{ content: { role: 'model', parts }, index: 0 }] }), state);
}

async function finishStream(state: Stream): Promise<void> {
  if (state.complete) return;
  const content = state.held ? { role: 'model', parts: state.held } : undefined;
  state.held = undefined;
  await send(encodeEvent(withTail(content, state)), state);
}

function withTail(content: Chunk | undefined, tail: Tail): Chunk {
  const candidate = {
    ...(content ? { content } : {}),
    finishReason: tail.reason,
    ...(tail.finishMessage === undefined ? {} : { finishMessage: tail.finishMessage }),
    index: 0,
  };
  return {
    candidates: [candidate],
    usageMetadata: tail.usage,
    ...(tail.modelVersion === undefined ? {} : { modelVersion: tail.modelVersion }),
  };
}

async function send(bytes: Buffer, state: Stream): Promise<void> {
  open(state);
  const size = state.pieceSize || bytes.length;
  for (let start = 0; start < bytes.length; start += size) {
    if (state.closed.aborted) return;
    const flowing = state.response.write(bytes.subarray(start, start + size));
    if (!flowing) await drained(state);
    else if (state.pieceSize) await new Promise((resolve) => setImmediate(resolve));
  }
}

function open({ response }: Stream): void {
  if (response.headersSent) return;
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/event-stream');
  response.writeHead(200);
}

function sendWhole(step: Step & { do: 'respond' }, response: ServerResponse): void {
  response.writeHead(step.status, step.headers).end(step.body);
}

function drained({ response, closed }: Stream): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      closed.removeEventListener('abort', done);
      resolve();
    };
    response.on('drain', done);
    closed.addEventListener('abort', done);
    if (closed.aborted) done();
  });
}

function sleep(ms: number, closed: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      closed.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    closed.addEventListener('abort', done);
  });
}

function* flatten(script: Script): Generator<Step> {
  for (const step of script) {
    if (isScript(step)) yield* flatten(step);
    else if (step.do === 'pieces') yield* flatten(step.steps);
    else yield step;
  }
}

function isScript(step: Step | Script): step is Script {
  return Symbol.iterator in step;
}
