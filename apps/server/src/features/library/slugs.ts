import { type RecordKind, SLUGS_MAX } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import type { SqlContext } from '../../platform/context.ts'
import {
  countSlugs,
  existsModelAlias,
  findOptionalOwnId,
  findOptionalRecordId,
  type OwnName,
  takeName,
  takeSlugs,
} from './slugs.sql.ts'

interface WantedSlug {
  kind: RecordKind
  slug: string
  viewerId: number | undefined
}

export function findIdBySlug({ db }: SqlContext, wanted: WantedSlug): Promise<number | undefined> {
  return findOptionalRecordId(db, wanted)
}

/** Throws `not_found`, also where others have such a record. */
export async function requireIdBySlug(ctx: SqlContext, wanted: WantedSlug): Promise<number> {
  const id = await findIdBySlug(ctx, wanted)
  if (id === undefined) {
    throw new AppError('not_found', wanted.kind === 'chain' ? 'Chain not found' : 'Prompt not found')
  }
  return id
}

/**
 * Lets a record, which the caller has locked, have a slug that is free among its owner's or was its own. Throws
 * `conflict`, of the owner's other records alone: what others call theirs is no one's to find out.
 */
export async function claimSlug(
  { db }: SqlContext<Transaction>,
  { kind, id, ownerId, slug }: Omit<OwnName, 'name'> & { id: number; slug: string },
): Promise<void> {
  const own = { kind, ownerId, name: slug }
  const taken = await findOptionalOwnId(db, own)
  if (taken === id) return
  if (await existsModelAlias(db, slug)) {
    throw fieldError('slug', `${slug} is the name of a model or begins like one. Choose another slug.`)
  }
  if (taken === undefined && (await countSlugs(db, { kind, id })) >= SLUGS_MAX) {
    throw fieldError(
      'slug',
      `This ${kind} has had ${SLUGS_MAX} slugs, and all still work. Choose one of them.`,
      'conflict',
    )
  }
  if (taken !== undefined || !(await takeName(db, { ...own, id }))) {
    throw fieldError(
      'slug',
      `Another ${kind} of this owner has or had the slug ${slug}. Choose another.`,
      'conflict',
    )
  }
}

export function notOwnSlug(): AppError {
  return fieldError('slug', 'Only the owner may change the slug', 'forbidden')
}

/**
 * Gives new records, which have slugs of their names and which nobody called yet, these in their place. What is taken
 * by another record of the owner or a model stays as it was made; returns those slugs.
 */
export function giveSlugs(
  { db }: SqlContext<Transaction>,
  given: { kind: RecordKind; wanted: readonly { id: number; slug: string }[] },
): Promise<string[]> {
  return takeSlugs(db, given)
}
