import { describe, expect, it } from 'vitest';
import { DOCUMENTED_EVENTS, DOCUMENTED_METRICS } from './documented-names.test-helper.js';
import { EVENTS, type EventName, promptAttributes } from './events.js';
import { METRICS } from './metrics.js';
import { SPAN_NAMES, TRACE_ATTRIBUTES, TRACE_PROMPT_ATTRIBUTES } from './spans.js';

/** Documented names that nothing here can record, and why. An entry goes when its feature comes. */
const ABSENT = [
  { names: /^gemini_cli\.extension_/, why: 'there are no extensions yet' },
  { names: /^gemini_cli\.browser_agent\.tools\.missing_semantic$/, why: 'its tools are our own' },
  { names: /^gemini_cli\.performance\./, why: 'no run keeps measurements to compare the next one with' },
];
const present = (names: object) =>
  Object.keys(names).filter((name) => !ABSENT.some(({ names: absent }) => absent.test(name)));

describe('events', () => {
  it('are exactly the documented ones that can happen', () => {
    expect(Object.keys(EVENTS).sort()).toEqual(present(DOCUMENTED_EVENTS).sort());
  });

  it.each(Object.entries(EVENTS))('have the documented attributes: %s', (name, { attributes }) => {
    expect({
      attributes: [...attributes].sort(),
      prompts: [...promptAttributes(name as EventName)].sort(),
    }).toEqual(sorted(DOCUMENTED_EVENTS[name]));
  });
});

describe('metrics', () => {
  it('are exactly the documented ones that can happen', () => {
    expect(Object.keys(METRICS).sort()).toEqual(present(DOCUMENTED_METRICS).sort());
  });

  it.each(Object.entries(METRICS))('have the documented attributes: %s', (name, { attributes }) => {
    expect({ attributes: [...attributes].sort(), prompts: [] }).toEqual(sorted(DOCUMENTED_METRICS[name]));
  });
});

describe('spans', () => {
  it('are named by operation and carry the documented details', () => {
    expect([...SPAN_NAMES].sort()).toEqual(
      'agent_call llm_call schedule_tool_calls system_prompt tool_call user_prompt'.split(' '),
    );
    const details = [...TRACE_ATTRIBUTES, ...TRACE_PROMPT_ATTRIBUTES];
    expect(details.map((name) => name.replace('gen_ai.', '')).sort()).toEqual(
      [
        ...'input.messages output.messages prompt.name request.model response.model system_instructions'.split(
          ' ',
        ),
        ...'tool.call_id tool.definitions tool.description tool.name'.split(' '),
        ...'usage.input_tokens usage.output_tokens'.split(' '),
      ].sort(),
    );
  });
});

function sorted(documented: { attributes: string[]; prompts: string[] } | undefined) {
  return {
    attributes: [...(documented?.attributes ?? [])].sort(),
    prompts: [...(documented?.prompts ?? [])].sort(),
  };
}
