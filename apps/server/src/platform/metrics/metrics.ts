type Labels = Record<string, string>

interface Family {
  name: string
  help: string
}
interface Sample {
  labels: Labels
  value: number
}

export interface Metrics {
  /** A number that only grows; the result adds to it. */
  counter(family: Family): (labels: Labels, amount?: number) => void
  /** A number that is read when it is asked for. */
  gauge(family: Family & { read: () => number }): void
  /** Prometheus' text format, 0.0.4. */
  render(): string
}

/** Figures about this process for Prometheus. */
export function createMetrics(): Metrics {
  const families: (Family & { type: 'counter' | 'gauge'; samples: () => Iterable<Sample> })[] = []
  const metrics: Metrics = {
    counter(family) {
      const samples = new Map<string, Sample>()
      families.push({ ...family, type: 'counter', samples: () => samples.values() })
      return (labels, amount = 1) => {
        const id = JSON.stringify(labels)
        const sample = samples.get(id) ?? { labels, value: 0 }
        sample.value += amount
        samples.set(id, sample)
      }
    },
    gauge({ read, ...family }) {
      families.push({ ...family, type: 'gauge', samples: () => [{ labels: {}, value: read() }] })
    },
    render: () =>
      families
        .flatMap(({ name, help, type, samples }) => [
          `# HELP ${name} ${help}`,
          `# TYPE ${name} ${type}`,
          ...[...samples()].map(({ labels, value }) => `${name}${renderLabels(labels)} ${value}`),
          '',
        ])
        .join('\n'),
  }
  metrics.gauge({
    name: 'process_resident_memory_bytes',
    help: 'Memory that the process holds.',
    read: () => process.memoryUsage.rss(),
  })
  return metrics
}

function renderLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
