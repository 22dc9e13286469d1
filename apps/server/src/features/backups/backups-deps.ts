import type { BackupReason } from '@catenary/contracts'
import type { Executor, Transaction } from '../../db/executor.ts'
import type { Platform } from '../../platform/platform.ts'
import type { listActiveAdmins } from '../accounts/accounts.ts'
import type { queueMail } from '../mails/mails.ts'
import type { BackupRow } from './backups.repository.ts'
import type { CopiedDatabase } from './copies.repository.ts'
import type { DeletedLog } from './deleted-log.ts'

/** What is done one after the other, in one of all processes. */
export type BackupTask = { what: 'copy'; reason: BackupReason } | { what: 'drill'; id: number }

/** What the operations of backups work with. */
export interface BackupsDeps extends Pick<Platform, 'db' | 'isQuiet' | 'log' | 'now'> {
  settings: Pick<Platform['settings'], 'backups' | 'dataDir' | 'publicUrl' | 'secretKey' | 'secretKeyAlso'>
  database: CopiedDatabase
  deletedLog: Pick<DeletedLog, 'bringUp'>
  accounts: { listActiveAdmins: () => ReturnType<typeof listActiveAdmins> }
  mails: {
    isSetUp: boolean
    queue: (tx: Transaction, mail: Parameters<typeof queueMail>[1]) => Promise<void>
  }
  /** The zone of BACKUP_TIME. */
  timeZone: string
  send: (executor: Executor, task: BackupTask) => Promise<void>
  findUnderWay: () => Promise<BackupTask['what'] | null>
  /** In bytes. */
  freeMemory: () => number
}

const DAY_MS = 86_400_000

export const daysAgo = ({ now }: Pick<BackupsDeps, 'now'>, days: number): Date =>
  new Date(now().getTime() - days * DAY_MS)

export const isProven = ({ drill }: Pick<BackupRow, 'drill'>): boolean => drill?.state === 'proven'
