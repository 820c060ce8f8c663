import { expect, it } from 'vitest';
import { JsonText, noTelemetry } from './record.js';

it('records and prepares nothing until telemetry is enabled', async () => {
  const request_text = new JsonText(() => expect.fail('never asked for'));
  const context = { traceId: 'a', spanId: 'b' };
  noTelemetry.event('gemini_cli.api_request', { request_text });
  noTelemetry.count('gemini_cli.session.count', 1, {});
  noTelemetry.histogram('gemini_cli.tool.call.latency', 1, {});
  noTelemetry.span({ name: 'llm_call', context, startMs: 0, endMs: 1, attributes: {} });
  await expect(noTelemetry.shutdown()).resolves.toBeUndefined();
});
