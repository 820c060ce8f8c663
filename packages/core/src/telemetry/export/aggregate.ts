/** Aggregates counters and histograms since the start of the session (cumulative). */
import type {
  DataPoint,
  ExportedAttributes,
  HistogramValue,
  HrTime,
  MetricData,
  MetricDescriptor,
} from '../catalog/data.js';
import { type MetricName, metricDefinition } from '../catalog/metrics.js';

interface Point<T> {
  attributes: ExportedAttributes;
  startTime: HrTime;
  value: T;
}

type Series =
  | { kind: 'counter'; points: Map<string, Point<number>> }
  | { kind: 'histogram'; points: Map<string, Point<HistogramValue>> };

/** OpenTelemetry's default boundaries. */
const BOUNDARIES = [0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000];

/** Attribute values are untrusted; combinations beyond this limit share one series, as in OpenTelemetry. */
const MAX_POINTS = 2000;
const OVERFLOW: ExportedAttributes = { 'otel.metric.overflow': true };

export class MetricAggregator {
  private readonly series = new Map<MetricName, Series>();
  private changed = false;

  constructor(private readonly startTime: HrTime) {}

  add(name: MetricName, value: number, attributes: ExportedAttributes): void {
    if (!Number.isFinite(value)) return;
    this.changed = true;
    const series = this.seriesOf(name);
    if (series.kind === 'counter') {
      this.pointOf(series.points, attributes, () => 0).value += value;
    } else {
      const boundaries = [...(metricDefinition(name).boundaries ?? BOUNDARIES)];
      addSample(this.pointOf(series.points, attributes, () => emptyHistogram(boundaries)).value, value);
    }
  }

  /** All values so far; undefined when nothing changed since the last call. */
  collect(endTime: HrTime): MetricData[] | undefined {
    if (!this.changed) return undefined;
    this.changed = false;
    return [...this.series].map(([name, series]) => toMetricData(name, series, endTime));
  }

  private seriesOf(name: MetricName): Series {
    const known = this.series.get(name);
    if (known) return known;
    const series: Series = { kind: metricDefinition(name).kind, points: new Map() };
    this.series.set(name, series);
    return series;
  }

  private pointOf<T>(points: Map<string, Point<T>>, attributes: ExportedAttributes, zero: () => T): Point<T> {
    const key = JSON.stringify(attributes);
    const known = points.get(key);
    if (known) return known;
    if (points.size >= MAX_POINTS && attributes !== OVERFLOW) return this.pointOf(points, OVERFLOW, zero);
    const point = { attributes, startTime: this.startTime, value: zero() };
    points.set(key, point);
    return point;
  }
}

function emptyHistogram(boundaries: number[]): HistogramValue {
  const counts = new Array<number>(boundaries.length + 1).fill(0);
  return { min: Infinity, max: -Infinity, sum: 0, count: 0, buckets: { boundaries, counts } };
}

function addSample(histogram: HistogramValue, value: number): void {
  const { boundaries, counts } = histogram.buckets;
  const index = boundaries.findIndex((boundary) => value <= boundary);
  const bucket = index < 0 ? boundaries.length : index;
  counts[bucket] = (counts[bucket] ?? 0) + 1;
  histogram.count++;
  histogram.sum += value;
  histogram.min = Math.min(histogram.min, value);
  histogram.max = Math.max(histogram.max, value);
}

function toMetricData(name: MetricName, series: Series, endTime: HrTime): MetricData {
  const { unit, description } = metricDefinition(name);
  const common = { name, description, unit };
  if (series.kind === 'counter') {
    const descriptor: MetricDescriptor = { ...common, type: 'COUNTER', valueType: 0 };
    const dataPoints = pointsOf(series.points, endTime, (value) => value);
    return { descriptor, aggregationTemporality: 1, dataPointType: 3, isMonotonic: true, dataPoints };
  }
  const descriptor: MetricDescriptor = { ...common, type: 'HISTOGRAM', valueType: 1 };
  // A copy, because the batch may be sent after the next sample was added.
  const dataPoints = pointsOf(series.points, endTime, copyOf);
  return { descriptor, aggregationTemporality: 1, dataPointType: 0, dataPoints };
}

function copyOf(value: HistogramValue): HistogramValue {
  const { boundaries, counts } = value.buckets;
  return { ...value, buckets: { boundaries, counts: [...counts] } };
}

function pointsOf<T>(
  points: ReadonlyMap<string, Point<T>>,
  endTime: HrTime,
  copy: (value: T) => T,
): DataPoint<T>[] {
  return [...points.values()].map(({ attributes, startTime, value }) => ({
    attributes,
    startTime,
    endTime,
    value: copy(value),
  }));
}
