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
    subject:
      what === 'drill' ? 'Catenary: a backup could NOT be restored on trial' : 'Catenary: a backup failed',
    paragraphs: [
      `${what === 'drill' ? 'Restoring a backup on trial' : 'Making a backup'} failed on ${settings.publicUrl}, at ${copy.takenAt.toISOString()}.`,
      `Reason: ${problem}`,
      what === 'drill'
        ? 'Until this is mended, do not count on that copy. The copies before were kept.'
        : 'The copies before were kept.',
    ],
    markdown: '',
    links: [{ label: 'Settings → Backups', href: new URL('/settings/backups', settings.publicUrl).href }],
  }
  for (const account of await listActiveAdmins(ctx)) {
    const key = `backup:${what}:${copy.id}:${copy.drill?.at ?? ''}:${account.id}`
    await transaction(ctx, (ctx) => queueMail(ctx, { account, key, message, addresses: [account.email] }))
  }
}
