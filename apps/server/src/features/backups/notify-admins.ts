import { type Context, transaction } from '../../platform/context.ts'
import { listActiveAdmins } from '../accounts/accounts.ts'
import { queueMail } from '../mails/mails.ts'
import type { BackupRow } from './backups.sql.ts'

interface Failure {
  what: 'copy' | 'drill'
  copy: BackupRow
  problem: string
}

/** Sent where mail is set up; the banner and the metrics read the rows themselves. */
export async function notifyAdmins(ctx: Context, { what, copy, problem }: Failure): Promise<void> {
  const { mail, settings } = ctx
  if (!mail.isSetUp) return
  const message = {
    subject: what === 'drill' ? 'Catenary: a backup FAILED its test restore' : 'Catenary: a backup failed',
    paragraphs: [
      `${what === 'drill' ? 'Testing a backup' : 'Making a backup'} failed on ${settings.publicUrl}, at ${copy.takenAt.toISOString()}.`,
      `Reason: ${problem}`,
      what === 'drill'
        ? 'Don’t rely on this copy until it is fixed. Earlier copies were kept.'
        : 'Earlier copies were kept.',
    ],
    markdown: '',
    links: [{ label: 'Settings → Backups', href: new URL('/settings/backups', settings.publicUrl).href }],
  }
  for (const account of await listActiveAdmins(ctx)) {
    const key = `backup:${what}:${copy.id}:${copy.drill?.at ?? ''}:${account.id}`
    await transaction(ctx, (ctx) => queueMail(ctx, { account, key, message, addresses: [account.email] }))
  }
}
