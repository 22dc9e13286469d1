import {
  type evaluateFolderRequest,
  type FolderEvaluation,
  LATEST_LABEL,
  type User,
} from '@catenary/contracts'
import type * as z from 'zod'
import { AppError, fieldError } from '../../../errors.ts'
import type { AppContext, Context } from '../../../platform/context.ts'
import { findEvaluation, startEvaluation } from '../../evaluations/evaluations.ts'
import { readPrompt } from '../../prompts/prompts.ts'
import { findRecord } from '../../records/records.ts'
import type { Grant } from '../../tokens/tokens.ts'
import { findLabelVersion, findOwnSuite } from './folders.sql.ts'

type EvaluateRequest = z.output<typeof evaluateFolderRequest>

/** Runs one of the person's suites on the version of a label, with the token's private values (D69). Throws `not_found` where there is no such suite or label. */
export async function startFolderEvaluation(
  ctx: AppContext,
  { user, allowed, request }: Pick<Grant, 'user' | 'allowed'> & { request: EvaluateRequest },
): Promise<FolderEvaluation> {
  const { db } = ctx
  const { suite: wanted, label, model, ...rest } = request
  const suite = await findOwnSuite(db, { ownerId: user.id, wanted })
  if (suite === undefined) throw new AppError('not_found', `You have no test suite ${wanted}`)
  const { kind, recordId: id, slug } = suite
  const version =
    label === LATEST_LABEL
      ? (await findRecord(ctx, { kind, id, user })).version
      : await findLabelVersion(db, { kind, id, label })
  if (version === undefined) throw new AppError('not_found', `${slug} has no label ${label}`)
  const preset = kind === 'chain' ? null : (model ?? (await readPrompt(ctx, { id, user })).model ?? null)
  if (kind === 'prompt' && preset === null)
    throw fieldError(
      'model',
      `The prompt ${slug} has no model to answer the tests. Add --model with an alias, such as --model claude, or give the prompt a model.`,
    )
  const started = await startEvaluation(ctx, {
    user,
    allowed,
    request: { ...rest, suiteId: suite.id, targets: [{ version, model: preset }], baseline: 0 },
  })
  return findFolderEvaluation(ctx, { id: started.id, user })
}

/** Throws `not_found` for another person's. */
export async function findFolderEvaluation(
  ctx: Context,
  { id, user }: { id: number; user: User },
): Promise<FolderEvaluation> {
  const found = await findEvaluation(ctx, { id, user })
  if (!found.isMine) throw new AppError('not_found', 'Evaluation not found')
  const { status, stopReason, suiteName, recordName, costUsd, cells, cases, targets } = found
  const run = cells.filter((cell) => cell.status !== 'not-run')
  return {
    id,
    status,
    stopReason,
    suiteName,
    recordName,
    costUsd,
    version: targets[0]?.version ?? 1,
    passed: status === 'completed' && run.length > 0 && run.every((cell) => cell.status === 'passed'),
    cases: cells.map((cell) => ({
      name: cases[cell.casePosition]?.name ?? '',
      status: cell.status,
      reason: cell.reason,
      durationMs: cell.durationMs,
    })),
  }
}
