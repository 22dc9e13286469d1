import type { Readable } from 'node:stream'
import type { evaluateFolderRequest, FolderEvaluation, PushOutcome, pushRequest } from '@catenary/contracts'
import { LATEST_LABEL } from '@catenary/contracts'
import type * as z from 'zod'
import type { Database } from '../../db/executor.ts'
import { AppError } from '../../errors.ts'
import type { EvaluationsService } from '../evaluations/evaluations.ts'
import { readFolder, writeZip } from '../exports/exports.ts'
import type { ImportsService } from '../imports/imports.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import type { RecordPorts } from '../records/records.ts'
import type { Grant, TokensService } from '../tokens/tokens.ts'
import { findLabelVersion, findOwnSuite } from './folders.repository.ts'

export type FoldersService = ReturnType<typeof createFoldersService>

export interface FoldersDeps {
  db: Database
  evaluations: EvaluationsService
  imports: ImportsService
  ports: RecordPorts
  prompts: Pick<PromptsService, 'find'>
  tokens: Pick<TokensService, 'grants' | 'uses'>
}

const FAILED = 'The call failed on the server'

/** A folder of what the creator of a token owns: others' records are in none of its calls. */
export function createFoldersService({ db, evaluations, imports, ports, prompts, tokens }: FoldersDeps) {
  const { grants, uses } = tokens

  /** A call of a folder token, counted whether it succeeds or not. */
  async function counted<Answer>(
    token: string | undefined,
    answer: (grant: Grant) => Promise<Answer>,
  ): Promise<Answer> {
    const grant = await grants.count(token)
    const { tokenId } = grant
    try {
      if (grant.type !== 'folder') {
        throw new AppError('forbidden', 'This token is for something else. Folders are read and written with a folder token.')
      }
      const answered = await answer(grant)
      uses.add({ tokenId, calls: 1 })
      return answered
    } catch (error) {
      const { code, message } = error instanceof AppError ? error : { code: 'internal', message: FAILED }
      uses.add({ tokenId, calls: 1, error: { code, message } })
      throw error
    }
  }

  async function toFolderEvaluation(id: number, { user }: Grant): Promise<FolderEvaluation> {
    const found = await evaluations.find({ id, user })
    if (!found.isMine) throw new AppError('not_found', 'Evaluation not found')
    const { status, stopReason, suiteName, recordName, costUsd, cells, cases, targets } = found
    const ended = cells.filter((cell) => cell.status !== 'not-run')
    return {
      id,
      status,
      stopReason,
      suiteName,
      recordName,
      costUsd,
      version: targets[0]?.version ?? 1,
      passed:
        status === 'completed' && ended.length > 0 && ended.every((cell) => cell.status === 'passed'),
      cases: cells.map((cell) => {
        const { status, reason, durationMs } = cell
        return { name: cases[cell.casePosition]?.name ?? '', status, reason, durationMs }
      }),
    }
  }

  return {
    /** As a zip, as the label says. */
    pull: ({ token, label }: { token: string | undefined; label: string }): Promise<Readable> =>
      counted(token, async ({ user }) => {
        const scope = { userId: user.id, ownership: 'mine' as const, promptIds: undefined, chainIds: undefined }
        return writeZip(readFolder(db, { ...scope, label: label === LATEST_LABEL ? undefined : label }))
      }),

    /** Throws `forbidden` unless the token may write. */
    push: ({
      token,
      request,
      signal,
    }: {
      token: string | undefined
      request: z.output<typeof pushRequest>
      signal: AbortSignal
    }): Promise<PushOutcome> =>
      counted(token, async ({ user, mayWrite }) => {
        if (!mayWrite) {
          throw new AppError('forbidden', 'This token may read the folder, not write it. Who created it can switch “May write” on.')
        }
        return imports.push({ user, request, signal })
      }),

    /** Runs a suite on the version of a label. Throws `forbidden` unless the token may. */
    evaluate: ({
      token,
      request,
    }: {
      token: string | undefined
      request: z.output<typeof evaluateFolderRequest>
    }): Promise<FolderEvaluation> =>
      counted(token, async (grant) => {
        const { user, mayRun } = grant
        if (!mayRun) {
          throw new AppError('forbidden', 'This token may not start evaluations. Who created it can switch “May evaluate” on.')
        }
        const { suite: wanted, label, model, ...rest } = request
        const suite = await findOwnSuite(db, { ownerId: user.id, wanted })
        if (suite === undefined) throw new AppError('not_found', `There is no test suite ${wanted} of yours`)
        const { kind, recordId: id, slug } = suite
        const version =
          label === LATEST_LABEL
            ? (await ports[kind].findVisible(db, { id, user })).version
            : await findLabelVersion(db, { kind, id, label })
        if (version === undefined) throw new AppError('not_found', `${slug} has no label ${label}`)
        const preset = kind === 'chain' ? null : (model ?? (await prompts.find({ id, user })).model ?? null)
        if (kind === 'prompt' && preset === null) {
          throw new AppError('invalid', `${slug} names no model: choose one`, {
            details: [{ path: 'model', message: 'Choose a model' }],
          })
        }
        const started = await evaluations.start({
          user,
          request: { ...rest, suiteId: suite.id, targets: [{ version, model: preset }], baseline: 0 },
        })
        return toFolderEvaluation(started.id, grant)
      }),

    /** Throws `not_found` for another person's. */
    findEvaluation: ({ token, id }: { token: string | undefined; id: number }): Promise<FolderEvaluation> =>
      counted(token, (grant) => toFolderEvaluation(id, grant)),
  }
}
