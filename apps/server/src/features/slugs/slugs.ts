import { SLUGS_MAX } from '@catenary/contracts'
import type { Executor, Transaction } from '../../db/executor.ts'
import { AppError, fieldError } from '../../errors.ts'
import {
  countSlugs,
  existsModelAlias,
  findOptionalRecordId,
  type Slug,
  takeSlug,
  takeSlugs,
} from './slugs.repository.ts'

/** The id of the record that has the slug, or had it; undefined: none. Whether a person may see it is not asked here. */
export const findIdBySlug = findOptionalRecordId

/** Throws `not_found`, as for a record that the caller can't see. */
export async function requireIdBySlug(executor: Executor, wanted: Slug): Promise<number> {
  const id = await findIdBySlug(executor, wanted)
  if (id === undefined) {
    throw new AppError('not_found', wanted.kind === 'chain' ? 'Chain not found' : 'Prompt not found')
  }
  return id
}

/** Lets a record, which the caller has locked, have a slug that is free or was its own. Throws `conflict`. */
export async function claimSlug(tx: Transaction, { kind, id, slug }: Slug & { id: number }): Promise<void> {
  const taken = await findIdBySlug(tx, { kind, slug })
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
  if (taken !== undefined || !(await takeSlug(tx, { kind, slug, id }))) {
    throw fieldError('slug', `Another ${kind} has the slug ${slug}, or had it`, 'conflict')
  }
}

/**
 * Gives new records, which have slugs of their names and which nobody called yet, these in their place. What is taken
 * by another record or a model stays as it was made; returns those slugs.
 */
export const giveSlugsIn = takeSlugs
