import { makeBus } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { type Topic, UpdateTopicTool } from './update-topic.js';

function lab() {
  let topic: Topic | undefined;
  const tool = new UpdateTopicTool(
    {
      getTopic: () => topic,
      setTopic: (next) => {
        topic = next;
      },
    },
    makeBus(),
  );
  return {
    tool,
    topic: () => topic,
    run: (params: { title?: string; summary?: string; strategic_intent: string }) =>
      tool.build(params).execute({ abortSignal: new AbortController().signal }),
  };
}

describe('update_topic', () => {
  it('records the topic and repeats it to the model', async () => {
    const { run, topic } = lab();
    const { llmContent, returnDisplay } = await run({
      title: 'Parser\n',
      summary: 'The lexer is done.',
      strategic_intent: 'Read the grammar first.',
    });
    expect(llmContent).toBe(
      'Current topic: Parser\nSummary: The lexer is done.\nIntent: Read the grammar first.',
    );
    expect(returnDisplay).toBe('Read the grammar first.');
    expect(topic()).toEqual({
      title: 'Parser',
      summary: 'The lexer is done.',
      intent: 'Read the grammar first.',
    });
  });

  it('keeps title and summary when only the intent changes, and the summary not for a new title', async () => {
    const { run, topic } = lab();
    await run({ title: 'Parser', summary: 'All of it.', strategic_intent: 'Read.' });
    await run({ strategic_intent: 'Write.' });
    expect(topic()).toEqual({ title: 'Parser', summary: 'All of it.', intent: 'Write.' });
    await run({ title: 'Tests', strategic_intent: 'Run them.' });
    expect(topic()).toEqual({ title: 'Tests', intent: 'Run them.' });
  });

  it('refuses a call without an intent', () => {
    const { tool } = lab();
    expect(() => tool.build(JSON.parse(`{"title":"x"}`))).toThrow(
      "must have required property 'strategic_intent'",
    );
  });
});
