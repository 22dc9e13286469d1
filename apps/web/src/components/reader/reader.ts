import type { ReaderReply, ReaderRequest, ReaderTask, ReaderTasks } from './reader-tasks.ts'

const TIME_MS = 1_500
const LOAD_MS = 20_000
const KEPT_MAX = 20

export type Reading<Task extends ReaderTask> =
  | { kind: 'read'; result: ReaderTasks[Task]['result'] }
  | { kind: 'refused' }

interface Job {
  request: ReaderRequest
  key: string
  end: (reading: Reading<ReaderTask>) => void
  isUnwanted: () => boolean
}

const REFUSED: { kind: 'refused' } = { kind: 'refused' }

const kept = new Map<string, Reading<ReaderTask>>()
const waiting: Job[] = []
let worker: Worker | null = null
let current: { job: Job; timer: ReturnType<typeof setTimeout> } | null = null
let lastId = 0

interface ReadOptions<Task extends ReaderTask> {
  task: Task
  input: ReaderTasks[Task]['input']
  signal?: AbortSignal
}

export function cachedReading<Task extends ReaderTask>({
  task,
  input,
}: Pick<ReadOptions<Task>, 'task' | 'input'>): Reading<Task> | undefined {
  return kept.get(keyOf(task, input)) as Reading<Task> | undefined
}

/** Reads a stranger's text apart from the page, one at a time, within bounds of time and size. */
export function read<Task extends ReaderTask>({
  task,
  input,
  signal,
}: ReadOptions<Task>): Promise<Reading<Task>> {
  return new Promise((resolve) => {
    const known = cachedReading({ task, input })
    if (known) return resolve(known)
    lastId += 1
    waiting.push({
      request: { id: lastId, task, input } as ReaderRequest,
      key: keyOf(task, input),
      end: (reading) => resolve(reading as Reading<Task>),
      isUnwanted: () => signal?.aborted === true,
    })
    takeNext()
  })
}

function takeNext(): void {
  if (current) return
  const job = waiting.shift()
  if (!job) return
  if (job.isUnwanted()) {
    takeNext()
    return
  }
  worker ??= openWorker()
  current = { job, timer: setTimeout(() => endWorker({ isKept: false }), LOAD_MS) }
  worker.postMessage(job.request)
}

function openWorker(): Worker {
  const opened = new Worker(new URL('./reader-worker.ts', import.meta.url), { type: 'module' })
  opened.onmessage = ({ data }: MessageEvent<ReaderReply>) => {
    if (!current || current.job.request.id !== data.id) return
    clearTimeout(current.timer)
    if (data.kind === 'begun') current.timer = setTimeout(() => endWorker({ isKept: true }), TIME_MS)
    else endCurrent({ reading: data, isKept: true })
  }
  opened.onerror = () => endWorker({ isKept: false })
  return opened
}

function endWorker({ isKept }: { isKept: boolean }): void {
  worker?.terminate()
  worker = null
  endCurrent({ reading: REFUSED, isKept })
}

function endCurrent({ reading, isKept }: { reading: Reading<ReaderTask>; isKept: boolean }): void {
  if (!current) return
  const { job, timer } = current
  clearTimeout(timer)
  current = null
  if (isKept) {
    kept.set(job.key, reading)
    const [oldest] = kept.keys()
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
  }
  job.end(reading)
  takeNext()
}

function keyOf<Task extends ReaderTask>(task: Task, input: ReaderTasks[Task]['input']): string {
  return `${task} ${JSON.stringify(input)}`
}
