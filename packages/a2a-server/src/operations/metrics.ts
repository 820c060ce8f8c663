/** Counters and gauges in the text format that Prometheus reads. */

type Labels = Readonly<Record<string, string | number>>;

interface Family {
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: Map<string, number>;
}

const BUCKETS_MS = [5, 10, 25, 50, 100, 250, 500, 1_000, 5_000, 30_000];

export class Metrics {
  private readonly families = new Map<string, Family>();
  private readonly gauges: { name: string; help: string; read: () => number }[] = [];

  /** Read when the metrics are asked for. */
  gauge(name: string, help: string, read: () => number): void {
    this.gauges.push({ name, help, read });
  }

  count(name: string, help: string, labels: Labels = {}, by = 1): void {
    const { samples } = this.family(name, help, 'counter');
    const key = `${name}${labelText(labels)}`;
    samples.set(key, (samples.get(key) ?? 0) + by);
  }

  /** A duration in milliseconds. */
  observe(name: string, help: string, labels: Labels, ms: number): void {
    const { samples } = this.family(name, help, 'histogram');
    const add = (key: string, by: number) => samples.set(key, (samples.get(key) ?? 0) + by);
    for (const limit of BUCKETS_MS) {
      const isIn = ms <= limit;
      add(`${name}_bucket${labelText({ ...labels, le: limit / 1000 })}`, isIn ? 1 : 0);
    }
    add(`${name}_bucket${labelText({ ...labels, le: '+Inf' })}`, 1);
    add(`${name}_sum${labelText(labels)}`, ms / 1000);
    add(`${name}_count${labelText(labels)}`, 1);
  }

  text(): string {
    const lines = this.gauges.flatMap(({ name, help, read }) => [
      ...head(name, help, 'gauge'),
      `${name} ${read()}`,
    ]);
    for (const [name, { help, type, samples }] of this.families) {
      lines.push(...head(name, help, type));
      for (const [sample, value] of samples) lines.push(`${sample} ${value}`);
    }
    return `${lines.join('\n')}\n`;
  }

  private family(name: string, help: string, type: Family['type']): Family {
    const found = this.families.get(name) ?? { help, type, samples: new Map<string, number>() };
    this.families.set(name, found);
    return found;
  }
}

function head(name: string, help: string, type: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`);
  return parts.length > 0 ? `{${parts.join(',')}}` : '';
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
