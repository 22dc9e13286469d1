import { existsSync } from 'node:fs'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Instance } from '@catenary/contracts'
import { type DatabaseClient, openDatabase } from './database/open/client.ts'
import { observeWaits } from './database/open/observe-waits.ts'
import { watchServer } from './database/open/watch-server.ts'
import { awaitServer } from './database/server/await-server.ts'
import { countLiveProcesses } from './database/statements/process-rows.ts'
import { hasSealedData } from './database/statements/sealed-data.ts'
import { StartError } from './errors.ts'
import { isQuietCopy } from './keeping/backup/quiet-copy.ts'
import { requireNotMoved } from './keeping/move/require-not-moved.ts'
import { upgradeDatabase } from './keeping/upgrade/upgrade-database.ts'
import { type ControlTask, serveControl } from './platform/control/serve-control.ts'
import { createLog, type Log } from './platform/log/log.ts'
import type { Models } from './platform/models/models.ts'
import {
  findKeyFingerprint,
  heldKeysOf,
  loadSecretKeys,
  type SecretKeys,
} from './platform/secrets/secret-key.ts'
import { listRemarks, readSettings, type Settings } from './platform/settings/settings.ts'
import { exitCodeOf, explainStartFailure } from './platform/start-failure.ts'

const WEB_DIRECTORY = path.resolve(import.meta.dirname, '../../web/dist')
const STOP_LIMIT_MS = 10_000
/** By then the page that somebody opened first has come. */
const RETURN_MEMORY_AFTER_MS = 1_500

interface StartOptions {
  role?: Settings['role'] | undefined
  reopen?: boolean | undefined
  resumeWork?: boolean | undefined
}

export async function serve(options: StartOptions = {}): Promise<void> {
  try {
    await startWithLog(options)
  } catch (error) {
    process.stderr.write(`Catenary did not start. ${explainStartFailure(error)}\n`)
    process.exit(exitCodeOf(error))
  }
}

async function startWithLog({ role, reopen = false, resumeWork = false }: StartOptions): Promise<void> {
  const settings = readSettings(undefined, { role })
  const log = createLog({ level: settings.logLevel })
  for (const remark of listRemarks()) log.warn({}, remark)
  try {
    await start({ settings, log, reopen, resumeWork })
  } catch (error) {
    log.debug({ err: error }, 'the start failed')
    throw error
  }
}

interface Started {
  settings: Settings
  log: Log
  reopen: boolean
  resumeWork: boolean
}

async function start({ settings: given, log, reopen, resumeWork }: Started): Promise<void> {
  const { database, modules } = await openBesideModules(given, log)
  const [{ buildApp }, { createModels }, { createClosedParts }] = modules
  const countProcesses = () => countLiveProcesses(database.pool)
  const stopWatching = await watchServer({ database, log, countProcesses })
  await requireNotMoved(database, { reopen })
  // The start makes a key only once it knows that none is missed.
  const keyFingerprint = await findKeyFingerprint(given)
  await upgradeDatabase({ database, backups: given.backups.directory, keyFingerprint, log })
  const isQuiet = await isQuietCopy(database, { resumeWork })
  // As a process that leaves all work to others, of which there are none.
  const settings: Settings = isQuiet ? { ...given, role: 'web' } : given
  const metrics = settings.metrics ? await startMetrics() : undefined
  if (metrics !== undefined) observeWaits(database.pool, (seconds) => metrics.databaseWaited({}, seconds))
  const options = { settings: settings.models, log }
  const parts = isQuiet ? createClosedParts(options) : { models: createModels(options) }
  const keys = await loadSecretKeys({ ...settings, isMissed: () => hasSealedData(database.db) })
  await showHeldKeys({ database, keys })
  const bus = isQuiet ? undefined : await startBus(settings, log)
  const webDirectory = existsSync(path.join(WEB_DIRECTORY, 'index.html')) ? WEB_DIRECTORY : undefined
  const app = await buildApp({
    settings: { ...settings, ...keys },
    ...parts,
    database,
    log,
    bus,
    metrics,
    webDirectory,
  })

  const control = await serveCommands({ settings, database, secretKey: keys.secretKey, log })
  const stop = async (): Promise<void> => {
    await app.drain()
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    stopWatching()
    await control?.close()
    await app.close()
    await parts.models.close()
    await database.close()
    process.exit(0)
  }
  // A terminal sends Ctrl-C to the whole group, so the same signal may come twice.
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      log.info({ signal }, 'stopping')
      void stop()
    })
  }

  await app.start()
  const address = await app.http.listen({ host: settings.host, port: settings.port })
  const registration = await app.registrationNow()
  process.stdout.write(announce({ settings, models: parts.models, address, registration, isQuiet }))
  setTimeout(returnMemory, RETURN_MEMORY_AFTER_MS).unref()
}

/**
 * Gives back what the start left: reading the modules takes more than 100 MB, which V8 collects as others are asked for, so
 * that a program without work would keep them. The last resort is the one collection that returns pages at once.
 */
function returnMemory(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext(`gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })`)
}

/**
 * The embedded database opens on a thread of its own, while this one reads the many modules of the rest. Of a server’s
 * answer this thread would hear nothing meanwhile, for longer than a connection may take.
 */
async function openBesideModules(settings: Settings, log: Log) {
  const { databaseUrl, databaseDirectUrl, databasePool, dataDir, backups } = settings
  const open = () =>
    openDatabase({
      databaseUrl,
      databaseDirectUrl,
      databasePool,
      dataDir,
      backupDirectory: backups.directory,
      fsync: settings.embeddedFsync,
      log,
    })
  const reading = Promise.all([
    import('./app.ts'),
    import('./platform/models/models.ts'),
    import('./platform/closed-parts.ts'),
  ])
  if (databaseUrl === undefined) {
    const [database, modules] = await Promise.all([open(), reading])
    return { database, modules }
  }
  const modules = await reading
  return { database: await awaitServer({ open, waitMs: settings.databaseWaitMs, log }), modules }
}

/** Tells the other processes which keys this one has. Throws StartError where one of them could not open what it seals. */
async function showHeldKeys({
  database,
  keys,
}: {
  database: DatabaseClient
  keys: SecretKeys
}): Promise<void> {
  const held = heldKeysOf(keys)
  const others = await database.listHeldKeys()
  const unaware = others.filter(({ opens }) => !opens.includes(held.seals))
  if (keys.secretKeyAlso !== undefined && unaware.length > 0) {
    throw new StartError(
      `${unaware.length} of ${others.length} running processes don’t know this SECRET_KEY. ` +
        'Restart each with it as SECRET_KEY_ALSO and an unchanged SECRET_KEY, then start this one again.',
    )
  }
  database.showHeldKeys(held)
}

/** Lets commands reach the process that has the embedded database. */
async function serveCommands({
  settings: { dataDir },
  database,
  secretKey,
  log,
}: {
  settings: Settings
  database: DatabaseClient
  secretKey: string
  log: Log
}) {
  if (database.kind === 'server') return undefined
  const backup: ControlTask = async (request, send) => {
    const { answerBackup } = await import('./commands/answer-backup.ts')
    await answerBackup({ database, secretKey })(request, send)
  }
  return serveControl({ dataDir, tasks: { backup }, explain: explainStartFailure, log })
}

async function startBus({ busUrl: url }: Settings, log: Log) {
  if (url === undefined) return undefined
  const { connectBus } = await import('./platform/bus/bus.ts')
  return connectBus({ url, log })
}

async function startMetrics() {
  const { createMetrics } = await import('./platform/metrics/metrics.ts')
  return createMetrics()
}

interface Announcement {
  settings: Settings
  models: Models
  /** Where the server listens. */
  address: string
  registration: Instance['registration']
  /** It is a restored copy that does nothing by itself. */
  isQuiet?: boolean
}

const NEXT: Record<Instance['registration'], string> = {
  first: 'create an account: the first one is admin',
  open: 'log in, or create an account',
  closed: 'log in',
}

const QUIET: [string, string][] = [
  ['Quiet', 'this is a restored copy: no model is called, nothing is sent, and no schedule or job runs.'],
  ['', 'When it should take over, start it with: catenary start --resume-work'],
]

/** What the person who started the program needs to know: where it is, where its data lies, which models answer. */
export function announce({ settings, models, address, registration, isQuiet = false }: Announcement): string {
  const url = settings.port === 0 ? address : settings.publicUrl
  const lines: [string, string][] = [
    ['Catenary', url],
    ['Data', settings.databaseUrl === undefined ? settings.dataDir : 'PostgreSQL (DATABASE_URL)'],
    ...(isQuiet ? QUIET : describeModels(models)),
    ['Next', `open ${url} and ${NEXT[registration]}`],
  ]
  return `\n${lines.map(([name, text]) => `  ${name.padEnd(10)}${text}`).join('\n')}\n\n`
}

function describeModels(models: Models): [string, string][] {
  const lines = models.describe().map(({ alias, configured, keyVariable, modelId }): [string, string] => {
    const state = configured ? modelId : `no key (set ${keyVariable})`
    return ['', `${alias.padEnd(8)}${state}`]
  })
  if (models.isSandbox())
    lines.push(['', 'No model key is set: the sandbox answers, and no model is called.'])
  return lines.map(([, text], index) => [index === 0 ? 'Models' : '', text])
}
