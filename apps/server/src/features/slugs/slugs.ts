import { SLUGS_MAX } from '@catenary/contracts'
import type { Executor, Transaction } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import {
  countSlugs,
  existsModelAlias,
  findOptionalOwnId,
  findOptionalRecordId,
  type OwnName,
  takeName,
  takeSlugs,
} from './slugs.repository.ts'

/** The id of the record that the viewer means by a slug (D48): one that they see. */
export const findIdBySlug = findOptionalRecordId

/** Throws `not_found`, also where others have such a record. */
export async function requireIdBySlug(
  executor: Executor,
  wanted: Parameters<typeof findIdBySlug>[1],
): Promise<number> {
  const id = await findIdBySlug(executor, wanted)
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
  tx: Transaction,
  { kind, id, ownerId, slug }: Omit<OwnName, 'name'> & { id: number; slug: string },
): Promise<void> {
  const own = { kind, ownerId, name: slug }
  const taken = await findOptionalOwnId(tx, own)
  if (taken === id) return
  if (await existsModelAlias(tx, slug)) {
    throw fieldError('slug', `${slug} is the name of a model or begins like one. Choose another slug.`)
  }
  if (taken === undefined && (await countSlugs(tx, { kind, id })) >= SLUGS_MAX) {
    throw fieldError(
      'slug',
      `This ${kind} had ${SLUGS_MAX} slugs, which all keep answering. Choose one of them.`,
      'conflict',
    )
  }
  if (taken !== undefined || !(await takeName(tx, { ...own, id }))) {
    throw fieldError('slug', `Another ${kind} of this owner has the slug ${slug}, or had it`, 'conflict')
  }
}

/** For who may change a record that is another's. */
export function notOwnSlug(): AppError {
  return fieldError('slug', 'Only its owner may change the slug', 'forbidden')
}

/**
 * Gives new records, which have slugs of their names and which nobody called yet, these in their place. What is taken
 * by another record of the owner or a model stays as it was made; returns those slugs.
 */
export const giveSlugsIn = takeSlugs
