import { IMPORT_UNDO_HOURS, type UndoneImport, type User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { asPart, recordActivity } from '../activity/activity.ts'
import { deleteChainAlone, restoreChainVersion } from '../chains/chains.ts'
import { deletePrompts, restorePromptVersion } from '../prompts/prompts.ts'
import { deleteSuiteRow, refillSuite } from '../test-suites/test-suites.ts'
import { lockImportedChains, lockImportedSuites, returnToEarlierImports } from './imported-records.sql.ts'
import { canUndo } from './imports.policy.ts'
import { lockImported, lockImporter, markUndone } from './imports.sql.ts'
import { requireOwnImport } from './read-imports.ts'

/**
 * Takes back what an import made and nobody changed or needs since. Throws `not_found` for what is not the person's own, and
 * `conflict` where it was undone already, or is older than a day.
 */
export function undoImport(ctx: Context, wanted: { id: number; user: User }): Promise<UndoneImport> {
  return transaction(ctx, async (ctx) => {
    await lockImporter(ctx.db, wanted.user.id)
    const row = await requireOwnImport(ctx, wanted)
    if (row.undoneAt !== null) throw new AppError('conflict', 'This import has already been undone')
    if (!canUndo(row, ctx.now())) {
      throw new AppError('conflict', `An import can be undone for ${IMPORT_UNDO_HOURS} hours`)
    }
    await recordActivity(ctx, { kind: 'import.undone', object: 'import', id: wanted.id })
    return undo(asPart(ctx), wanted)
  })
}

interface Undoing {
  id: number
  user: User
  undone: UndoneImport
  restored: Record<'prompts' | 'chains' | 'suites', number[]>
}

async function undo(
  ctx: Context<Transaction>,
  { id, user }: { id: number; user: User },
): Promise<UndoneImport> {
  const undone: UndoneImport = { removed: 0, restored: 0, kept: [] }
  const restored: Undoing['restored'] = { prompts: [], chains: [], suites: [] }
  // Whatever needs others goes before them.
  await undoSuites(ctx, { id, user, undone, restored })
  await undoChains(ctx, { id, user, undone, restored })
  const going: number[] = []
  const kept: number[] = []
  for (const each of await lockImported(ctx.db, id)) {
    const { promptId, name, made, version } = each
    const keep = (reason: 'changed' | 'used') => {
      kept.push(promptId)
      undone.kept.push({ kind: 'prompt', id: promptId, name, reason })
    }
    const reason = reasonToKeep(each)
    if (reason !== undefined) keep(reason)
    else if (made === 'version') {
      const earlier = await restorePromptVersion(ctx, { id: promptId, user, number: version - 1 })
      if (earlier === undefined) keep('changed')
      else restored.prompts.push(promptId)
    } else {
      going.push(promptId)
    }
  }
  await deletePrompts(ctx, going)
  undone.removed += going.length
  undone.restored = Object.values(restored).flat().length
  await returnToEarlierImports(ctx.db, { id, ...restored })
  await markUndone(ctx.db, { id, kept })
  return undone
}

interface Imported {
  made: string
  version: number
  isChanged: boolean
  isLabelled: boolean
  isUsed: boolean
}

/** Undefined: nobody has changed it, or needs it, since. */
function reasonToKeep({
  made,
  version,
  isChanged,
  isLabelled,
  isUsed,
}: Imported): 'changed' | 'used' | undefined {
  if (isChanged || version === 0) return 'changed'
  return isLabelled || (made !== 'version' && isUsed) ? 'used' : undefined
}

async function undoSuites(ctx: Context<Transaction>, { id, user, undone, restored }: Undoing): Promise<void> {
  for (const { suiteId, name, made, before, isChanged, isUsed } of await lockImportedSuites(ctx.db, id)) {
    if (isChanged || (made !== 'version' && isUsed)) {
      undone.kept.push({ kind: 'suite', id: suiteId, name, reason: isChanged ? 'changed' : 'used' })
    } else if (before !== null) {
      const { name: earlier, cases, defaults, imported } = before
      await refillSuite(ctx, { id: suiteId, user, name: earlier, cases, file: { defaults, imported } })
      restored.suites.push(suiteId)
    } else {
      await deleteSuiteRow(ctx.db, suiteId)
      undone.removed += 1
    }
  }
}

async function undoChains(ctx: Context<Transaction>, { id, user, undone, restored }: Undoing): Promise<void> {
  for (const each of await lockImportedChains(ctx.db, id)) {
    const { chainId, name, made, version } = each
    const keep = (reason: 'changed' | 'used') =>
      undone.kept.push({ kind: 'chain', id: chainId, name, reason })
    const reason = reasonToKeep(each)
    if (reason !== undefined) keep(reason)
    else if (made === 'version') {
      const earlier = await restoreChainVersion(ctx, { id: chainId, user, number: version - 1 })
      if (earlier === undefined) keep('changed')
      else restored.chains.push(chainId)
    } else {
      await deleteChainAlone(ctx, { id: chainId, ownerId: user.id })
      undone.removed += 1
    }
  }
}
