import type { Platform } from '../../platform/platform.ts'
import type { MailQueue } from './mail-queue.ts'
import type { MailRules } from './mails.policy.ts'

/** What the operations of mails work with. */
export interface MailsDeps extends Pick<Platform, 'bounded' | 'closing' | 'db' | 'mail' | 'now' | 'secrets'> {
  publicUrl: string
  registration: 'open' | 'closed'
  rules: MailRules
  /** Per account. */
  mailsPerHour: number
  queue: MailQueue
  /** When this process began. */
  startedAt: Date
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export const timeAgo = ({ now }: MailsDeps, ms: number): Date => new Date(now().getTime() - ms)
