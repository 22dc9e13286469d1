import type { ImportReportKept, RecentImport, User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import type { Context, SqlContext } from '../../platform/context.ts'
import { canUndo } from './imports.policy.ts'
import { findOptionalImport, type ImportRow, listRecentImports } from './imports.sql.ts'

const FILES_NAMED = 3

export async function listImports({ db, now }: Context, { user }: { user: User }): Promise<RecentImport[]> {
  return (await listRecentImports(db, user.id)).map((row) => toRecent(row, now()))
}

export async function findImport(
  ctx: Context,
  wanted: { id: number; user: User },
): Promise<ImportReportKept> {
  const { losses, ...row } = await requireOwnImport(ctx, wanted)
  return { ...toRecent(row, ctx.now()), losses: losses as ImportReportKept['losses'] }
}

export async function requireOwnImport({ db }: SqlContext, { id, user }: { id: number; user: User }) {
  const row = await findOptionalImport(db, { id, ownerId: user.id })
  if (row === undefined) throw new AppError('not_found', 'Import not found')
  return row
}

function toRecent({ files, createdAt, undoneAt, ...row }: ImportRow, now: Date): RecentImport {
  return {
    ...row,
    fileNames: files.slice(0, FILES_NAMED).map(({ name }) => name),
    fileCount: files.length,
    canUndo: canUndo({ createdAt, undoneAt }, now),
    undoneAt: undoneAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
