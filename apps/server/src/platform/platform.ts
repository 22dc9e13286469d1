import type { DatabaseClient } from '../database/open/client.ts'
import { createProcessRows } from '../database/statements/process-rows.ts'
import { addToWindows } from '../database/statements/window-counts.ts'
import { createSharedWindows } from '../limits/shared-windows.ts'
import { createOwnWindows } from '../limits/windows.ts'
import { readVersion } from '../version.ts'
import { createBoundedWork } from './bounded/bounded-work.ts'
import type { Bus } from './bus/bus.ts'
import { type DatabaseRowChanges, programRowChanges } from './cache/program-row-changes.ts'
import type { DatabaseState } from './database-state.ts'
import { createSendOwnPage } from './http/own-page.ts'
import { createJobs, type JobsDatabase } from './jobs/jobs.ts'
import type { Log } from './log/log.ts'
import { createMail, type Mail } from './mail/mail.ts'
import { measureModels } from './metrics/measured-models.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Models } from './models/models.ts'
import { createOutbound, type Outbound } from './outbound/outbound.ts'
import { createServiceClient, type ServiceClient } from './outbound/service-client.ts'
import { createToolCalls, type ToolCalls } from './outbound/tool-calls.ts'
import { createProcesses } from './processes/processes.ts'
import { createSecretBox } from './secrets/secret-box.ts'
import type { Settings } from './settings/settings.ts'

export interface Disk {
  isFull(): boolean
  /** Null if the disk is not ours to watch. */
  freeBytes(): number | null
}

type CopiedDatabase = Pick<DatabaseClient, 'directory' | 'pool' | 'withoutLimit'>

export interface PlatformDeps {
  settings: Settings & { secretKey: string }
  database: JobsDatabase &
    CopiedDatabase & {
      rowChanges: DatabaseRowChanges
      notifications: Pick<DatabaseClient['notifications'], 'failure'>
      disk: Disk
    } & DatabaseState
  models: Models
  log: Log
  bus?: Bus | undefined
  metrics?: Metrics | undefined
  webDirectory?: string | undefined
  outbound?: Outbound
  toolCalls?: ToolCalls
  serviceClient?: ServiceClient
  /** A restored copy whose parts were built without a way out; that holds until the next start. */
  isQuiet?: boolean
  mail?: Mail
  now?: () => Date
  /** How long others' expired leases are left alone after an outage and after the start. */
  takeoverWaitMs?: number
}

/** Twice the time within which every process that lives extends its leases. */
const TAKEOVER_WAIT_MS = 20_000

export type Platform = ReturnType<typeof createPlatform>

export function createPlatform({
  settings,
  database,
  models,
  log,
  bus,
  metrics,
  webDirectory,
  outbound = createOutbound({ allowHosts: settings.fetchAllowHosts }),
  toolCalls = createToolCalls({ hosts: settings.toolHosts }),
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
  const { pool, kind } = database
  const alone = kind === 'embedded'
  return {
    settings,
    database,
    db: database.db,
    rowChanges,
    disk: database.disk,
    notifications: database.notifications,
    move: database.move,
    pulse: database.pulse,
    processes: createProcesses({
      rows: createProcessRows({ pool, alone }),
      role: settings.role,
      version: readVersion().version,
      poolSize: pool.options.max,
      alone,
      log,
    }),
    windows: alone ? createOwnWindows : createSharedWindows(addToWindows(pool)),
    jobs: createJobs({ database, log, observe: metrics?.jobEnded, draining: draining.signal }),
    secrets: createSecretBox(settings.secretKey, settings.secretKeyAlso),
    models: metrics === undefined ? models : measureModels(models, metrics),
    sendPage: createSendOwnPage({ webDirectory }),
    log,
    bus,
    metrics,
    webDirectory,
    bounded,
    outbound,
    toolCalls,
    serviceClient,
    mail,
    isQuiet,
    now,
    takeoverWaitMs,
    /** Aborted once the program is to end: nothing more is begun, and watchers go elsewhere. */
    draining: draining.signal,
    beginDraining: () => draining.abort(),
    closing: closing.signal,
    beginClosing: () => {
      draining.abort()
      closing.abort()
    },
    async close(): Promise<void> {
      await Promise.all([serviceClient.close(), toolCalls.close(), bounded.close(), outbound.close()])
      bus?.close()
      rowChanges.close()
    },
  }
}
