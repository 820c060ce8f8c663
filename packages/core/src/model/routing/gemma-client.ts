/** One question to a local model server that speaks the Gemini API. */
import { type HttpClient, readText } from '../../platform/net/http.js';
import { withTimeLimit } from '../../platform/time-limit.js';
import { textOf } from '../../protocol/messages.js';
import { partsOf } from '../content-generator.js';
import { checkResponse } from '../wire/check-response.js';

export interface GemmaQuestion {
  /** Address of the server, e.g. `http://localhost:9379`. */
  host: string;
  model: string;
  systemInstruction: string;
  text: string;
}

/** @throws when no answer came: no server, a server error, or a timeout */
export type AskGemma = (question: GemmaQuestion, signal: AbortSignal) => Promise<string>;

const TIMEOUT_MS = 10_000;
const BODY_LIMIT = 256 * 1024;

export function createGemmaClient(http: Pick<HttpClient, 'send'>, timeoutMs = TIMEOUT_MS): AskGemma {
  return (question, signal) => withTimeLimit(timeoutMs, signal, (limited) => ask(http, question, limited));
}

async function ask(
  http: Pick<HttpClient, 'send'>,
  { host, model, systemInstruction, text }: GemmaQuestion,
  signal: AbortSignal,
): Promise<string> {
  const body = {
    contents: [{ role: 'user', parts: [{ text }] }],
    systemInstruction: { parts: [{ text: systemInstruction }] },
    generationConfig: { temperature: 0, maxOutputTokens: 256, responseMimeType: 'application/json' },
  };
  const response = await http.send({
    method: 'POST',
    url: new URL(`${host.replace(/\/+$/, '')}/v1beta/models/${encodeURIComponent(model)}:generateContent`),
    headers: { 'content-type': 'application/json' },
    body: [Buffer.from(JSON.stringify(body))],
    signal,
  });
  const answer = await readText(response.body, BODY_LIMIT);
  if (response.status !== 200) throw new Error(`${host} answered with HTTP ${response.status}`);
  return textOf(partsOf(checkResponse(JSON.parse(answer)) ?? {}));
}
