/** Prompt and report of `codebase_investigator`. */
import type { LoadedParts } from '../../types.js';
import prompt from './prompt.md';
import query from './query.md';

const LOCATION = {
  type: 'object',
  properties: {
    FilePath: { type: 'string', description: 'Absolute path of the file.' },
    Reasoning: { type: 'string', description: 'Why the file matters for the objective.' },
    KeySymbols: {
      type: 'array',
      items: { type: 'string' },
      description: 'Functions, classes, variables or keys in it that matter.',
    },
  },
  required: ['FilePath', 'Reasoning', 'KeySymbols'],
};

export const CODEBASE_INVESTIGATOR_RUN: LoadedParts = {
  promptConfig: {
    systemPrompt: prompt.trim(),
    query: query.trim(),
  },
  outputConfig: {
    outputName: 'report',
    description: 'What the investigation found.',
    schema: {
      type: 'object',
      properties: {
        SummaryOfFindings: {
          type: 'string',
          description: 'What is true, what follows for the objective, and what remains unknown.',
        },
        ExplorationTrace: {
          type: 'array',
          items: { type: 'string' },
          description: 'The steps taken, in order, one sentence each.',
        },
        RelevantLocations: {
          type: 'array',
          items: LOCATION,
          description: 'The files that matter, most important first.',
        },
      },
      required: ['SummaryOfFindings', 'ExplorationTrace', 'RelevantLocations'],
    },
  },
  processOutput: (report) => JSON.stringify(report, null, 2),
};
