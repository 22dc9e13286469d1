import { fsyncSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type EmscriptenOptions = Parameters<NodeFS['init']>[1]

interface NodeFsModule {
  NODEFS: {
    stream_ops: { fsync?: (stream: { nfd: number }) => number }
    tryFSOperation: (operation: () => void) => void
  }
}

interface PgliteOptions {
  directory: string
  fsync: boolean
  /** PostgreSQL ended by itself (PANIC, FATAL): PGlite would go on with a broken session. */
  onExit: (reason: string) => void
}

/** PGlite's file system has no fsync: without this a commit is only in the page cache. */
class SyncedFileSystem extends NodeFS {
  readonly #options: PgliteOptions

  constructor(options: PgliteOptions) {
    super(options.directory)
    this.#options = options
  }

  override async init(pglite: PGlite, options: EmscriptenOptions) {
    const { fsync, onExit } = this.#options
    const ready = await super.init(pglite, options)
    const exits = {
      onAbort: (reason: unknown) => onExit(String(reason)),
      quit: (status: number, error: unknown) => {
        if (pglite.ready) onExit(`exit status ${status}`)
        throw error
      },
    }
    const installFsync = (module: unknown) => {
      if (!fsync) return
      const { NODEFS } = module as NodeFsModule
      NODEFS.stream_ops.fsync = (stream) => {
        NODEFS.tryFSOperation(() => fsyncSync(stream.nfd))
        return 0
      }
    }
    const preRun = [...(ready.emscriptenOpts.preRun ?? []), installFsync]
    return { emscriptenOpts: { ...ready.emscriptenOpts, ...exits, preRun } }
  }
}

const OPTIMISER_OFF = '--no-wasm-tier-up --no-wasm-dynamic-tiering'
const OPTIMISER_ON = '--wasm-tier-up --wasm-dynamic-tiering'

/** Spares V8's optimiser PostgreSQL's parser: one function of 100 kB, which takes 600 MB to optimise. */
class SparingPGlite extends PGlite {
  // Clients of the wire protocol don't use PGlite's array types, and no statement was parsed before.
  override async _initArrayTypes() {
    // Code carries its call for the optimiser from when it is first compiled, which is when it first runs.
    setFlagsFromString(OPTIMISER_OFF)
    await this.exec('').finally(() => setFlagsFromString(OPTIMISER_ON))
  }
}

// PGlite fills all buffers at each start; the system's cache has what one session reads.
const sparingParams = ['-c', 'shared_buffers=16MB', '-c', 'max_connections=10']
// fdatasync is an empty stub in PGlite, so the write-ahead log has to use fsync.
const syncedParams = ['-c', 'wal_sync_method=fsync']

function startParams({ fsync }: Pick<PgliteOptions, 'fsync'>): string[] {
  const params = [...PGlite.defaultStartParams, ...sparingParams]
  return fsync ? [...params.filter((param) => param !== '-F'), ...syncedParams] : params
}

export async function openPglite(options: PgliteOptions): Promise<PGlite> {
  let lastWords = ''
  const onExit = (reason: string) => options.onExit(lastWords || reason)
  const pglite = new SparingPGlite({
    fs: new SyncedFileSystem({ ...options, onExit }),
    extensions: { pg_trgm },
    onStderr: (line) => {
      if (/\b(PANIC|FATAL): /.test(line)) lastWords = line
      return false
    },
    startParams: startParams(options),
  })
  try {
    await pglite.waitReady
  } catch (error) {
    throw new Error(`The embedded database can't be opened: ${lastWords || describe(error)}`, {
      cause: error,
    })
  }
  return pglite
}

/** Emscripten's number for ENOSPC. */
const NO_SPACE = 51

/** What its file system throws has no message. */
function describe(error: unknown): string {
  const { errno } = error as { errno?: number }
  return errno === NO_SPACE ? 'No space left on device' : String(error)
}
