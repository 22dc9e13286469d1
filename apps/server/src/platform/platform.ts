import type { DatabaseClient } from '../db/client.ts'
import type { Settings } from '../settings.ts'
import { createBoundedWork } from './bounded/bounded-work.ts'
import { type DatabaseRowChanges, programRowChanges } from './cache/program-row-changes.ts'
import { createSendOwnPage } from './http/own-page.ts'
import type { DatabaseState } from './http/server.ts'
import { createJobs, type JobsDatabase } from './jobs/jobs.ts'
import type { Log } from './log/log.ts'
import { createMail, type Mail } from './mail/mail.ts'
import { measureModels } from './metrics/measured-models.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Models } from './models/models.ts'
import { createOutbound, type Outbound } from './outbound/outbound.ts'
import { createServiceClient, type ServiceClient } from './outbound/service-client.ts'
import { createSecretBox } from './secrets/secret-box.ts'

/** Where the database is. */
export interface Disk {
  isFull(): boolean
  /** Null if the disk is not ours to watch. */
  freeBytes(): number | null
}

/** What copies are made of. */
type CopiedDatabase = Pick<DatabaseClient, 'directory' | 'pool' | 'withoutLimit'>

export interface PlatformDeps {
  settings: Settings & { secretKey: string }
  database: JobsDatabase &
    CopiedDatabase & {
      rowChanges: DatabaseRowChanges
      disk: Disk
    } & DatabaseState
  models: Models
  log: Log
  /** Absent unless metrics are switched on. */
  metrics?: Metrics | undefined
  /** Where the built web app lies; absent for a program without one. */
  webDirectory?: string | undefined
  /** The guard of outgoing fetches, where a test brings its own names. */
  outbound?: Outbound
  /** Calls of services, where nothing may leave. */
  serviceClient?: ServiceClient
  /** A restored copy whose parts were built without a way out; that holds until the next start. */
  isQuiet?: boolean
  /** The mail server, where a test has shorter time limits. */
  mail?: Mail
  /** The clock, where a test sets it. */
  now?: () => Date
  /** How long others' expired leases are left alone after an outage and after the start. */
  takeoverWaitMs?: number
}

/** Twice the time within which every process that lives extends its leases. */
const TAKEOVER_WAIT_MS = 20_000

export type Platform = ReturnType<typeof createPlatform>

/** What every feature may build on; each names the parts that it takes. */
export function createPlatform({
  settings,
  database,
  models,
  log,
  metrics,
  webDirectory,
  outbound = createOutbound({ allowHosts: settings.fetchAllowHosts }),
  mail = createMail({ smtpUrl: settings.smtpUrl, from: settings.mailFrom }),
  serviceClient = createServiceClient(),
  isQuiet = false,
  now = () => new Date(),
  takeoverWaitMs = TAKEOVER_WAIT_MS,
}: PlatformDeps) {
  const draining = new AbortController()
  const closing = new AbortController()
  const rowChanges = programRowChanges(database.rowChanges)
  const bounded = createBoundedWork()
  return {
    settings,
    database,
    db: database.db,
    rowChanges,
    disk: database.disk,
    move: database.move,
    pulse: database.pulse,
    jobs: createJobs({ database, log, observe: metrics?.jobEnded, draining: draining.signal }),
    secrets: createSecretBox(settings.secretKey, settings.secretKeyAlso),
    models: metrics === undefined ? models : measureModels(models, metrics),
    sendPage: createSendOwnPage({ webDirectory }),
    log,
    metrics,
    webDirectory,
    bounded,
    outbound,
    serviceClient,
    mail,
    isQuiet,
    now,
    takeoverWaitMs,
    /** Aborted once the program is to end: nothing more is begun, and watchers go elsewhere. */
    draining: draining.signal,
    beginDraining: () => draining.abort(),
    /** Aborted once the program ends. */
    closing: closing.signal,
    /** Ends everything that retries. */
    beginClosing: () => {
      draining.abort()
      closing.abort()
    },
    async close(): Promise<void> {
      await Promise.all([serviceClient.close(), bounded.close(), outbound.close()])
      rowChanges.close()
    },
  }
}
