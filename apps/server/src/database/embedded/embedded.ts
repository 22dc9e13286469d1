import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { DatabaseLog } from '../signals/database-log.ts'
import { StatementLimit } from '../statements/statement-limit.ts'
import { removeLeftovers } from './database-files.ts'
import type { EmbeddedCommand, EmbeddedEvent, EmbeddedWorkerData } from './embedded-protocol.ts'
import { EmbeddedStream } from './embedded-stream.ts'
import { fsyncDirectory, fsyncTree } from './fsync.ts'

const CLOSE_TIMEOUT_MS = 3_000
const UNFINISHED = '.new'
const WORKER = new URL('./embedded-worker.ts', import.meta.url)
const INITDB = fileURLToPath(new URL('./initdb.ts', import.meta.url))

const execute = promisify(execFile)

interface ServerOptions {
  log?: DatabaseLog | undefined
  statementLimitMs: number
  beforeStart: () => void
}

/** PostgreSQL in a worker thread. A worker that dies is started again by the next connection. */
export class EmbeddedServer {
  readonly #data: EmbeddedWorkerData
  readonly #log: DatabaseLog | undefined
  readonly #limit: StatementLimit
  readonly #beforeStart: () => void
  #worker: Promise<Worker> | null = null
  #ending: Promise<unknown> | undefined
  #closing = false

  static async start({ log, statementLimitMs, beforeStart, ...data }: EmbeddedWorkerData & ServerOptions) {
    if (!existsSync(data.directory)) await createDatabase(data)
    const server = new EmbeddedServer({ data, log, statementLimitMs, beforeStart })
    await server.#running()
    return server
  }

  private constructor({
    data,
    log,
    statementLimitMs,
    beforeStart,
  }: { data: EmbeddedWorkerData } & ServerOptions) {
    this.#data = data
    this.#log = log
    this.#limit = new StatementLimit({ onPassed: () => void this.#end(), limitMs: statementLimitMs })
    this.#beforeStart = beforeStart
  }

  limitStatements(isLimited: boolean) {
    this.#limit.isLifted = !isLimited
  }

  /** A new client's socket. Clients that only listen leave the session's state alone when they go. */
  stream({ listenOnly = false } = {}): EmbeddedStream {
    return new EmbeddedStream(
      async () => {
        if (this.#closing) throw new Error('The embedded database is closed')
        const worker = await this.#running()
        const { port1, port2 } = new MessageChannel()
        worker.postMessage({ port: port2, listenOnly } satisfies EmbeddedCommand, [port2])
        return port1
      },
      listenOnly ? this.#limit.unwatched : this.#limit,
    )
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

  /** Nothing else stops a statement that is computing: the session has no other thread. Committed data survives. */
  async #end() {
    this.#log?.warn({}, 'A statement took too long: the embedded database is restarting')
    const worker = await this.#worker
    worker?.removeAllListeners('exit')
    this.#worker = null
    this.#ending = worker?.terminate()
  }

  #running(): Promise<Worker> {
    this.#worker ??= this.#spawn()
    return this.#worker
  }

  async #spawn(): Promise<Worker> {
    try {
      // Two workers must never have the directory.
      await this.#ending
      this.#beforeStart()
      removeLeftovers(this.#data.directory)
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
async function createDatabase({ directory, fsync }: EmbeddedWorkerData) {
  removeUnfinished(directory)
  // A name of its own, as the process of a start that was killed may still be writing.
  const unfinished = mkdtempSync(`${directory}${UNFINISHED}`)
  // It takes hundreds of megabytes, which go with the process; optimising its code would double them.
  await execute(process.execPath, ['--liftoff-only', INITDB, unfinished]).catch(({ stderr = '', signal }) => {
    // The system kills a process that exhausts memory without a message.
    const [words = stderr] = signal === 'SIGKILL' ? ['out of memory'] : (/(?<=Error: ).+/.exec(stderr) ?? [])
    throw new Error(`The embedded database can't be created: ${words}`)
  })
  if (fsync) fsyncTree(unfinished)
  renameSync(unfinished, directory)
  if (fsync) fsyncDirectory(path.dirname(directory))
}

function removeUnfinished(directory: string) {
  const parent = path.dirname(directory)
  const prefix = `${path.basename(directory)}${UNFINISHED}`
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix))
      rmSync(path.join(parent, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

async function startWorker(workerData: EmbeddedWorkerData): Promise<Worker> {
  const worker = new Worker(WORKER, { workerData })
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
