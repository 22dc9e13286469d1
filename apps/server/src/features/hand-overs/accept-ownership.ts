import type { KeptRight, RecordKind, RecordOwner } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError } from '../../errors.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { recordActivity } from '../activity/activity.ts'
import { copyFile } from '../files/files.ts'
import { forgetName, forgetRecord } from '../fills/fills.ts'
import { endLostAcceptances } from '../records/records.ts'
import { deleteHandOver } from './hand-overs.sql.ts'
import {
  addEditor,
  deleteChainShares,
  deleteOwnersRights,
  endOrigin,
  endSealedValues,
  findMovedVariable,
  findSlug,
  isPrivateChain,
  lockPeople,
  lockUsages,
  moveNames,
  moveRecord,
  moveSuites,
  moveVariable,
  takeSlug,
} from './moved-records.sql.ts'
import { type ForPerson, findHandOver, lockHandOver, readOwner } from './offer-ownership.ts'

/**
 * All of it in one transaction. Throws `not_found` where it is not offered to the person (any more), `conflict` for a
 * name that they have already, and where it would be more than they may have.
 */
export function acceptOwnership(ctx: Context, of: ForPerson): Promise<RecordOwner> {
  const { kind, id, user } = of
  return transaction(ctx, async (ctx) => {
    const seen = await findHandOver(ctx, of)
    if (seen?.userId !== user.id) throw notOffered(of)
    await lockPeople(ctx.db, [seen.ownerId, user.id])
    const offer = await lockHandOver(ctx, of)
    if (offer?.userId !== user.id) throw notOffered(of)
    const { ownerId: from, keep } = offer
    await lockUsages(ctx.db, [from, user.id])
    await deleteHandOver(ctx.db, of)
    if (kind === 'variable') await moveVariableTo(ctx, { id, from, to: user.id })
    else await moveRecordTo(ctx, { kind, id, from, to: user.id, keep })
    await recordActivity(ctx, {
      kind: `${kind}.owner_changed`,
      object: kind,
      id,
      ownerId: from,
      before: { owner: from },
      after: { owner: user.id, keep },
    })
    return readOwner(ctx, of)
  })
}

const notOffered = ({ kind }: ForPerson) => new AppError('not_found', `This ${kind} is not offered to you`)

function nameTaken(message: string): AppError {
  return new AppError('conflict', message, { reason: 'name_taken' })
}

interface Moved {
  id: number
  from: number
  to: number
}

async function moveRecordTo(
  { db }: Context<Transaction>,
  { kind, id, from, to, keep }: Moved & { kind: RecordKind; keep: KeptRight },
): Promise<void> {
  const keepsEditor = keep === 'editor'
  // The shares of a private chain count for nobody: with one that is to count it has another level.
  const isOpened = kind === 'chain' && keepsEditor && (await isPrivateChain(db, id))
  if (isOpened) await deleteChainShares(db, id)
  await moveRecord(db, { kind, id, ownerId: to, sharedLevel: isOpened ? 'shared' : undefined })
  const lost = await moveNames(db, { kind, id, ownerId: to })
  const alias = lost.find(({ isAlias }) => isAlias)
  if (alias !== undefined) {
    throw nameTaken(
      `This ${kind} has the alias ${alias.name}, and another ${kind} of yours is called so. Remove one of the two first.`,
    )
  }
  const slug = await findSlug(db, { kind, id })
  if (lost.some(({ name }) => name === slug)) await takeSlug(db, { kind, id })
  await deleteOwnersRights(db, { kind, id, ownerId: to })
  if (keepsEditor) await addEditor(db, { kind, id, userId: from })
  await moveSuites(db, { kind, id, ownerId: to })
  await endOrigin(db, { kind, id })
  if (kind === 'chain') await endSealedValues(db, id)
  await forgetRecord(db, { kind, id })
  await endLostAcceptances(db, { kind, id })
}

async function moveVariableTo(ctx: Context<Transaction>, { id, from, to }: Moved): Promise<void> {
  const { db } = ctx
  const found = await findMovedVariable(db, id)
  if (found === undefined) return
  const { name, type, content } = found
  const isFile = type === 'file' || type === 'image' || type === 'document'
  // A key that means nothing among its owner's files must not mean one among the other's (D25).
  const key = isFile && content !== '' ? ((await copyFile(ctx, { from, to, key: content })) ?? '') : content
  if (!(await moveVariable(db, { id, ownerId: to, content: key }))) {
    throw nameTaken(`You already have a variable named ${name}. Rename yours, then accept.`)
  }
  // Both lists were made when the name meant another value, or none (D69).
  for (const userId of [from, to]) await forgetName(db, { userId, name })
}
