/** `@gemini-cli/core/testing`: models that need no network, for the tests of programs that use the engine. */
export type {
  ContentGenerator,
  EmbedRequest,
  GenerateRequest,
  GenerateResponse,
} from './model/content-generator.js';
export { type FakeAnswer, FakeModel } from './model/wrappers/fake.js';
export { ReplayGenerator } from './model/wrappers/replay.js';
