/** Says why a matcher does not work as written. */
import { messageOf } from '../../base/errors.js';
import { HookEventName } from '../types.js';

/** Compared as a whole with one of these. */
const VALUES: Readonly<Partial<Record<HookEventName, readonly string[]>>> = {
  SessionStart: ['startup', 'resume', 'clear'],
  SessionEnd: ['exit', 'clear', 'logout', 'prompt_input_exit', 'other'],
  PreCompress: ['auto', 'manual'],
};

/** @returns one sentence, or undefined for a matcher that works */
export function whyNotMatched(event: HookEventName, matcher = ''): string | undefined {
  const wanted = matcher.trim();
  if (wanted === '' || wanted === '*') return undefined;
  if (event === HookEventName.BeforeTool || event === HookEventName.AfterTool) return whyNoPattern(wanted);
  const values = VALUES[event];
  if (!values) return `the matcher "${wanted}" has no effect: ${event} has none`;
  const unknown = wanted.split('|').filter((name) => !values.includes(name.trim()));
  if (unknown.length === 0) return undefined;
  return `the matcher "${unknown.join('|')}" never matches; ${event} has ${values.join(', ')}`;
}

function whyNoPattern(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return `the matcher is not a regular expression, so it matches this exact name only: ${messageOf(error)}`;
  }
}
