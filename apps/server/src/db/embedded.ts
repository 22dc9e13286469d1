import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { DatabaseLog } from './database-log.ts'
import type { EmbeddedCommand, EmbeddedEvent, EmbeddedWorkerData } from './embedded-protocol.ts'
import { EmbeddedStream } from './embedded-stream.ts'
import { fsyncDirectory, fsyncTree } from './fsync.ts'

const CLOSE_TIMEOUT_MS = 3_000

/** PostgreSQL in a worker thread. A worker that dies is started again by the next connection. */
export class EmbeddedServer {
  readonly #data: EmbeddedWorkerData
  readonly #log: DatabaseLog | undefined
  #worker: Promise<Worker> | null = null
  #closing = false

  /** Starts the worker on `directory`, which is created on the very first start. */
  static async start({ log, ...data }: EmbeddedWorkerData & { log?: DatabaseLog | undefined }) {
    if (!existsSync(data.directory)) await createDatabase(data)
    const server = new EmbeddedServer({ data, log })
    await server.#running()
    return server
  }

  private constructor({ data, log }: { data: EmbeddedWorkerData; log: DatabaseLog | undefined }) {
    this.#data = data
    this.#log = log
  }

  /** A new client's socket. Clients that only listen leave the session's state alone when they go. */
  stream({ listenOnly = false } = {}): EmbeddedStream {
    return new EmbeddedStream(async () => {
      if (this.#closing) throw new Error('The embedded database is closed')
      const worker = await this.#running()
      const { port1, port2 } = new MessageChannel()
      worker.postMessage({ port: port2, listenOnly } satisfies EmbeddedCommand, [port2])
      return port1
    })
  }

  /** Finishes what was sent, rolls back what is open, closes the files; a statement that goes on for long is cut off. */
  async close() {
    this.#closing = true
    const worker = await this.#worker?.catch(() => null)
    if (!worker) return
    const closed = Promise.race([
      nextEvent(worker),
      once(worker, 'exit'),
      delay(CLOSE_TIMEOUT_MS, undefined, { ref: false }),
    ])
    worker.postMessage('close' satisfies EmbeddedCommand)
    await closed.finally(() => worker.terminate())
  }

  #running(): Promise<Worker> {
    this.#worker ??= this.#spawn()
    return this.#worker
  }

  async #spawn(): Promise<Worker> {
    try {
      const worker = await startWorker(this.#data)
      worker.on('error', (error) => this.#log?.error({ err: error }, 'The embedded database failed'))
      worker.once('exit', () => {
        this.#worker = null
      })
      return worker
    } catch (error) {
      this.#worker = null
      throw error
    }
  }
}

/** Made aside and renamed, so that a start cut short leaves nothing that looks like a database. */
async function createDatabase(data: EmbeddedWorkerData) {
  const unfinished = `${data.directory}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })
  const server = await EmbeddedServer.start({ directory: unfinished, fsync: data.fsync })
  await server.close()
  if (data.fsync) fsyncTree(unfinished)
  renameSync(unfinished, data.directory)
  if (data.fsync) fsyncDirectory(path.dirname(data.directory))
}

async function startWorker(workerData: EmbeddedWorkerData): Promise<Worker> {
  const worker = new Worker(workerUrl(), { workerData })
  const failed = once(worker, 'exit').then(([code]) => {
    throw new Error(`The embedded database did not start (exit code ${code})`)
  })
  // Rejects with the worker's own error, if there is one.
  await Promise.race([nextEvent(worker), failed])
  failed.catch(() => {})
  return worker
}

async function nextEvent(worker: Worker): Promise<EmbeddedEvent> {
  const [event] = await once(worker, 'message')
  return event
}

function workerUrl(): URL {
  const isSource = import.meta.url.endsWith('.ts')
  return isSource
    ? new URL('./embedded-worker.ts', import.meta.url)
    : new URL('./embedded-worker.js', import.meta.url)
}
