/** The test utilities that need no engine; tests of the built program import only this. */
export {
  anthropicError,
  anthropicErrorEvent,
  callInPieces,
  redactedThinking,
  thinking,
} from './anthropic-events.js';
export { type AnthropicBlock, type AnthropicBody, brokenRule } from './anthropic-rules.js';
export { type AnthropicRequest, type AnthropicServer, startAnthropicServer } from './anthropic-server.js';
export { type Browser, openBrowser, type Page } from './browser.js';
export { BUNDLE } from './bundle.js';
export { Companion, type CompanionOptions } from './companion.js';
export {
  HOSTILE_TEXT,
  type HostileOptions,
  hostileFolder,
  markers,
  STRANGERS_KEY,
} from './hostile-folder.js';
export {
  registryServer,
  type ServerCommand,
  type ServerPlan,
  scriptedServer,
  seedServer,
} from './mcp-servers.js';
export {
  announcedAs,
  apiError,
  blocked,
  callTool,
  chunk,
  chunks,
  cut,
  delay,
  emptyStop,
  errorInside,
  finish,
  malformedCall,
  pieces,
  raw,
  respond,
  type Script,
  type Step,
  silence,
  text,
  thought,
  together,
  usage,
  version,
  waitUntil,
  wrongContentType,
} from './model-script.js';
export { type ModelServer, type RecordedRequest, type Responder, startModelServer } from './model-server.js';
export { type AuthAnswer, OAuthServer, startOAuthServer } from './oauth-server.js';
export {
  type OpenAiBody,
  type OpenAiMessage,
  type OpenAiRequest,
  type OpenAiServer,
  type OpenAiStyle,
  openAiError,
  startOpenAiServer,
} from './openai-server.js';
export {
  type CollectedExport,
  type CollectorOptions,
  type OtlpCollector,
  startOtlpCollector,
} from './otlp-collector.js';
export { PostgresServer } from './postgres.js';
export { PROXY_PASSWORD, type ProxyServer, startProxyServer } from './proxy-server.js';
export type { JsonOutput, RunningProcess, RunResult, StreamEvent } from './running-cli.js';
export { type Screen, type ScreenModes, startScreen } from './screen.js';
export type { ScreenCell } from './screen-cells.js';
export { startCompanion } from './start-companion.js';
export {
  eventsNamed,
  metricNamed,
  readTelemetryFile,
  type TelemetryRecords,
} from './telemetry-file.js';
export { type CliOptions, type RigOptions, type TestRig, testRig } from './test-rig.js';
