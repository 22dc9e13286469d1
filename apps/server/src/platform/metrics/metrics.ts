import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const BUCKETS = {
  wait: [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  request: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  lateness: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60, 600, 3_600, 86_400],
  work: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320],
}

export type Metrics = ReturnType<typeof createMetrics>

type Measured = number | null | Record<string, number>

interface Watched<Name extends string> {
  gauges: Record<Name, string>
  labels?: { [Labelled in Name]?: string }
  /** Null: there is no such figure here, and it is absent; of one with a label, a figure for each of its values. */
  read: () => Promise<Record<Name, Measured>>
}

/**
 * Metrics of this process for Prometheus. A label has few, fixed values: routes, providers, queues, statuses and
 * codes, never an id or a user's text.
 */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })

  function histogram<Label extends string>(options: {
    name: string
    help: string
    labelNames: Label[]
    buckets: number[]
  }): (labels: Record<Label, string>, seconds: number) => void {
    const kept = new Histogram({ ...options, registers: [registry] })
    return (labels, seconds) => kept.observe(labels, seconds)
  }

  const takeovers = new Counter({
    name: 'chain_run_takeovers_total',
    help: 'Chain runs that this process took over from one that was gone.',
    registers: [registry],
  })

  const runMessages = new Counter({
    name: 'run_messages_total',
    help: 'Messages about runs sent to other processes, by kind: text, or a signal such as a stop.',
    labelNames: ['way', 'what'],
    registers: [registry],
  })

  return {
    requestAnswered: histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from a request to the end of its reply, by route; for a stream, until it is closed.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS.request,
    }),
    modelCallEnded: histogram({
      name: 'model_call_duration_seconds',
      help: 'Duration of model calls, including retries.',
      labelNames: ['provider', 'outcome'],
      buckets: BUCKETS.work,
    }),
    modelBeganToAnswer: histogram({
      name: 'model_first_text_seconds',
      help: 'Time from a model call to its first text.',
      labelNames: ['provider'],
      buckets: BUCKETS.work,
    }),
    modelWaited: histogram({
      name: 'model_limit_wait_seconds',
      help: 'Time that calls waited for a provider’s rate limit.',
      labelNames: ['provider'],
      buckets: BUCKETS.work,
    }),
    chainRunEnded: histogram({
      name: 'chain_run_duration_seconds',
      help: 'Time from when this process started working on a chain run to its end.',
      labelNames: ['outcome'],
      buckets: BUCKETS.work,
    }),
    runMessageSent: (labels: { way: string; what: string }): void => runMessages.inc(labels),
    chainRunsTakenOver: (count: number): void => takeovers.inc(count),
    chainStepEnded: histogram({
      name: 'chain_step_duration_seconds',
      help: 'Duration of a chain’s steps, until stored.',
      labelNames: ['outcome'],
      buckets: BUCKETS.work,
    }),
    jobEnded: histogram({
      name: 'job_duration_seconds',
      help: 'Tries of jobs.',
      labelNames: ['queue', 'outcome'],
      buckets: BUCKETS.work,
    }),
    scheduleStarted: histogram({
      name: 'schedule_lateness_seconds',
      help: 'Delay between a scheduled run’s due time and its start.',
      labelNames: [],
      buckets: BUCKETS.lateness,
    }),
    databaseWaited: histogram({
      name: 'database_wait_seconds',
      help: 'Time spent waiting for a database connection.',
      labelNames: [],
      buckets: BUCKETS.wait,
    }),

    watch: <Name extends string>(watched: Watched<Name>): void => watchIn(registry, watched),

    contentType: registry.contentType,
    render: () => registry.metrics(),
  }
}

function watchIn<Name extends string>(
  registry: Registry,
  { gauges, labels = {}, read }: Watched<Name>,
): void {
  let reading: Promise<Record<Name, Measured>> | undefined
  const readOnce = () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  for (const [name, help] of Object.entries(gauges) as [Name, string][]) {
    const label: string | undefined = labels[name]
    new Gauge<string>({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      async collect() {
        const figure = (await readOnce())[name]
        if (figure === null) this.remove()
        else if (typeof figure === 'number') this.set(figure)
        else for (const [value, count] of Object.entries(figure)) this.set({ [label ?? '']: value }, count)
      },
    })
  }
}
