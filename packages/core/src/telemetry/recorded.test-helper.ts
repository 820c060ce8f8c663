/** For tests: a recorder that keeps its records in memory. */
import { JsonText, type SpanContext, type TelemetryRecorder } from './record.js';

type Attributes = Record<string, unknown>;

export class Recorded implements TelemetryRecorder {
  readonly events: { name: string; attributes: Attributes; within?: SpanContext }[] = [];
  readonly measures: { name: string; value: number; attributes: Attributes }[] = [];
  readonly spans: {
    name: string;
    context: SpanContext;
    parent?: SpanContext;
    startMs: number;
    endMs: number;
    attributes: Attributes;
    error?: string;
  }[] = [];

  event(name: string, attributes: Attributes, within?: SpanContext): void {
    this.events.push({ name, attributes: plain(attributes), within });
  }

  count(name: string, value: number, attributes: Attributes): void {
    this.measures.push({ name, value, attributes: plain(attributes) });
  }

  histogram(name: string, value: number, attributes: Attributes): void {
    this.count(name, value, attributes);
  }

  span(span: (typeof this.spans)[number]): void {
    this.spans.push({ ...span, attributes: plain(span.attributes) });
  }

  async shutdown(): Promise<void> {}

  named(name: string): Attributes[] {
    return this.events.filter((event) => event.name === name).map(({ attributes }) => attributes);
  }

  measured(name: string): { value: number; attributes: Attributes }[] {
    return this.measures
      .filter((measure) => measure.name === name)
      .map(({ value, attributes }) => ({ value, attributes }));
  }
}

function plain(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, value instanceof JsonText ? value.make() : value]),
  );
}
