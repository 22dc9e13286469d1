import type { Readable } from 'node:stream'
import {
  type FolderEvaluation,
  LATEST_LABEL,
  type PushOutcome,
  type pushRequest,
  type User,
} from '@catenary/contracts'
import type * as z from 'zod'
import { AppError } from '../../errors.ts'
import { readFolder, writeZip } from '../exports/exports.ts'
import type { ImportsService } from '../imports/imports.ts'
import type { Grant, TokensService } from '../tokens/tokens.ts'
import {
  type EvaluateRequest,
  type FolderEvaluationsDeps,
  findFolderEvaluation,
  startFolderEvaluation,
} from './folder-evaluations.ts'

export type FoldersService = ReturnType<typeof createFoldersService>

export interface FoldersDeps extends FolderEvaluationsDeps {
  imports: ImportsService
  tokens: Pick<TokensService, 'grants' | 'uses'>
}

const FAILED = 'The call failed on the server'

/** A folder of what the creator of a token owns: others' records are in none of its calls. */
export function createFoldersService(deps: FoldersDeps) {
  const { db, imports, tokens } = deps
  const { grants, uses } = tokens

  /** A call of a folder token, counted whether it succeeds or not. */
  async function counted<Answer>(
    token: string | undefined,
    answer: (grant: Grant) => Promise<Answer>,
  ): Promise<Answer> {
    const grant = await grants.count(token)
    const { tokenId } = grant
    try {
      const answered = await answer(grant)
      uses.add({ tokenId, calls: 1 })
      return answered
    } catch (error) {
      const { code, message } = error instanceof AppError ? error : { code: 'internal', message: FAILED }
      uses.add({ tokenId, calls: 1, error: { code, message } })
      throw error
    }
  }

  return {
    /** Whose folder token it is. Throws `forbidden` for another kind. */
    async admit(token: string | undefined): Promise<User> {
      const { tokenId, type, user } = await grants.open(token)
      if (type === 'folder') return user
      const code = 'forbidden'
      const message = 'This token is for something else. Folders are read and written with a folder token.'
      uses.add({ tokenId, calls: 1, error: { code, message } })
      throw new AppError(code, message)
    },

    /** As a zip, as the label says. */
    pull: ({ token, label }: { token: string | undefined; label: string }): Promise<Readable> =>
      counted(token, async ({ user }) => {
        const scope = {
          userId: user.id,
          ownership: 'mine' as const,
          promptIds: undefined,
          chainIds: undefined,
        }
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
          throw new AppError(
            'forbidden',
            'This token may read the folder, not write it. Who created it can switch “May write” on.',
          )
        }
        return imports.push({ user, request, signal })
      }),

    /** Runs a suite on the version of a label. Throws `forbidden` unless the token may. */
    evaluate: ({
      token,
      request,
    }: {
      token: string | undefined
      request: EvaluateRequest
    }): Promise<FolderEvaluation> =>
      counted(token, async ({ user, allowed, mayRun }) => {
        if (!mayRun) {
          throw new AppError(
            'forbidden',
            'This token may not start evaluations. Who created it can switch “May evaluate” on.',
          )
        }
        return startFolderEvaluation(deps, { user, allowed, request })
      }),

    /** Throws `not_found` for another person's. */
    findEvaluation: ({ token, id }: { token: string | undefined; id: number }): Promise<FolderEvaluation> =>
      counted(token, ({ user }) => findFolderEvaluation(deps, { id, user })),
  }
}
