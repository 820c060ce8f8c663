/** What a server supports. Servers differ, and we learn it from their refusals. */
import { ApiError } from '../errors/api-error.js';
import type { Provider } from '../providers.js';

export interface Dialect {
  tools: boolean;
  json: 'schema' | 'object' | 'none';
  /** `stream_options`. */
  usage: boolean;
  effort: boolean;
  /** `max_completion_tokens` in place of `max_tokens`. */
  newLimit: boolean;
}

export function firstDialect({ supportsTools }: Provider): Dialect {
  return { tools: supportsTools, json: 'schema', usage: true, effort: true, newLimit: false };
}

/** The dialect without what the server has just refused; undefined: it refused something else. */
export function learnFrom(error: unknown, dialect: Dialect): Dialect | undefined {
  if (!(error instanceof ApiError) || !REFUSALS.has(error.status)) return undefined;
  const { message } = error;
  if (dialect.usage && /stream_options/.test(message)) return { ...dialect, usage: false };
  if (!dialect.newLimit && /max_completion_tokens/.test(message)) return { ...dialect, newLimit: true };
  if (dialect.effort && /reasoning_effort|does not support thinking/.test(message)) {
    return { ...dialect, effort: false };
  }
  if (dialect.json !== 'none' && /response_format|json_schema|json_object/.test(message)) {
    return { ...dialect, json: dialect.json === 'schema' ? 'object' : 'none' };
  }
  if (dialect.tools && refusesTools(message)) return { ...dialect, tools: false };
  return undefined;
}

/** OpenRouter says 404, llama.cpp 500, most 400. */
const REFUSALS = new Set([400, 404, 422, 500, 501]);

/** True: tools in general are refused, not one of them or a message about them. */
function refusesTools(message: string): boolean {
  return (
    /\btools?\b( \w+){0,3} (is|are) (not|un)|\b(does|do|did) ?(not|n't) support( \w+){0,2} (tool|function)/i.test(
      message,
    ) ||
    /no endpoints found that support tool|tool choice requires|tools param requires|unsupported[^.]*'tools'/i.test(
      message,
    )
  );
}
