import type { BackupRow } from './backups.repository.ts'
import type { BackupsDeps } from './backups-deps.ts'

interface Failure {
  what: 'copy' | 'drill'
  copy: BackupRow
  problem: string
}

/** A mail to each administrator, where mail is set up; the banner and the metrics read the rows themselves. */
export async function tellAdmins(
  { accounts, db, mails, settings }: BackupsDeps,
  { what, copy, problem }: Failure,
): Promise<void> {
  if (!mails.isSetUp) return
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
    links: [{ label: 'Settings → Backups', href: settings.publicUrl }],
  }
  for (const account of await accounts.listActiveAdmins()) {
    const key = `backup:${what}:${copy.id}:${copy.drill?.at ?? ''}:${account.id}`
    await db.transaction((tx) => mails.queue(tx, { account, key, message, addresses: [account.email] }))
  }
}
