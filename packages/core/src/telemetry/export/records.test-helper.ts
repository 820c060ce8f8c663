/** For tests of exporters: one record of each kind. */
import type { LogData, MetricBatch, SpanData } from '../catalog/data.js';

const resource = { attributes: { 'service.name': 'gemini-cli', 'session.id': 's1' } };
const instrumentationScope = { name: 'gemini-cli', version: '1' };
export const spanContext = {
  traceId: '0123456789abcdef0123456789abcdef',
  spanId: '0123456789abcdef',
  traceFlags: 1,
};
export const log: LogData = {
  hrTime: [1, 5],
  hrTimeObserved: [1, 5],
  spanContext,
  resource,
  instrumentationScope,
  _body: 'tool call',
  attributes: { 'event.name': 'gemini_cli.tool_call', success: true, metadata: { model_added_lines: 3 } },
};
export const span: SpanData = {
  _spanContext: spanContext,
  name: 'tool_call',
  kind: 0,
  startTime: [1, 0],
  endTime: [2, 0],
  duration: [1, 0],
  status: { code: 2, message: 'no' },
  attributes: { 'gen_ai.operation.name': 'tool_call' },
  resource,
  instrumentationScope,
};
const times: { startTime: [number, number]; endTime: [number, number] } = {
  startTime: [1, 0],
  endTime: [2, 0],
};
export const metrics: MetricBatch = {
  resource,
  scopeMetrics: [
    {
      scope: instrumentationScope,
      metrics: [
        {
          descriptor: {
            name: 'gemini_cli.session.count',
            type: 'COUNTER',
            description: '',
            unit: '1',
            valueType: 0,
          },
          aggregationTemporality: 1,
          dataPointType: 3,
          isMonotonic: true,
          dataPoints: [{ ...times, attributes: { interactive: false }, value: 1 }],
        },
        {
          descriptor: {
            name: 'gemini_cli.tool.call.latency',
            type: 'HISTOGRAM',
            description: '',
            unit: 'ms',
            valueType: 1,
          },
          aggregationTemporality: 1,
          dataPointType: 0,
          dataPoints: [
            {
              ...times,
              attributes: {},
              value: { min: 1, max: 3, sum: 4, count: 2, buckets: { boundaries: [2], counts: [1, 1] } },
            },
          ],
        },
      ],
    },
  ],
};
