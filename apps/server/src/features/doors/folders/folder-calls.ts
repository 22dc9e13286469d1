import type { Readable } from 'node:stream'
import {
  type FolderEvaluation,
  LATEST_LABEL,
  type PushOutcome,
  type pushRequest,
  type User,
} from '@catenary/contracts'
import type * as z from 'zod'
import { AppError } from '../../../errors.ts'
import type { AppContext, Context } from '../../../platform/context.ts'
import type { HttpRequest } from '../../../platform/http/routes.ts'
import { readFolder, writeZip } from '../../exports/exports.ts'
import { pushFiles } from '../../imports/imports.ts'
import { addUse, admitToken, countedCall, type Grant } from '../../tokens/tokens.ts'
import { type EvaluateRequest, findFolderEvaluation, startFolderEvaluation } from './folder-evaluations.ts'

// A folder of what the creator of a token owns: others' records are in none of its calls.

const FOLDER_ABILITIES = ['folder.read', 'folder.write', 'evaluate'] as const

/** Whose folder token it is. Throws `forbidden` for another kind, which that token's list tells. */
export function admitFolderToken(ctx: Context, request: HttpRequest): Promise<User> {
  return admitToken(ctx, {
    request,
    require: ({ tokenId, abilities }) => {
      if (FOLDER_ABILITIES.some((ability) => abilities.has(ability))) return
      const message = 'This token is for something else. Folders are read and written with a folder token.'
      const error = new AppError('forbidden', message)
      addUse(ctx, { tokenId, calls: 1, error })
      throw error
    },
  })
}

/** As a zip, as the label says. */
export function pullFolder(
  ctx: Context,
  { grant, label }: { grant: Grant; label: string },
): Promise<Readable> {
  return countedCall(ctx, { grant }, async () => {
    const { user, abilities } = grant
    if (!abilities.has('folder.read')) throw new AppError('forbidden', 'This token may not read the folder.')
    const scope = {
      userId: user.id,
      ownership: 'mine' as const,
      promptIds: undefined,
      chainIds: undefined,
    }
    return writeZip(readFolder(ctx, { ...scope, label: label === LATEST_LABEL ? undefined : label }))
  })
}

interface Pushed {
  grant: Grant
  request: z.output<typeof pushRequest>
  signal: AbortSignal
}

/** Throws `forbidden` unless the token may write. */
export function pushFolder(ctx: Context, { grant, request, signal }: Pushed): Promise<PushOutcome> {
  return countedCall(ctx, { grant }, async () => {
    const { user, abilities } = grant
    if (!abilities.has('folder.write')) {
      throw new AppError(
        'forbidden',
        'This token may read the folder, not write it. Who created it can switch “May write” on.',
      )
    }
    return pushFiles(ctx, { user, request, signal })
  })
}

/** Runs a suite on the version of a label. Throws `forbidden` unless the token may. */
export function evaluateFolder(
  ctx: AppContext,
  { grant, request }: { grant: Grant; request: EvaluateRequest },
): Promise<FolderEvaluation> {
  return countedCall(ctx, { grant }, async () => {
    const { user, allowed, abilities } = grant
    if (!abilities.has('evaluate')) {
      throw new AppError(
        'forbidden',
        'This token may not start evaluations. Who created it can switch “May evaluate” on.',
      )
    }
    return startFolderEvaluation(ctx, { user, allowed, request })
  })
}

/** Throws `not_found` for another person's. */
export function showFolderEvaluation(
  ctx: Context,
  { grant, id }: { grant: Grant; id: number },
): Promise<FolderEvaluation> {
  return countedCall(ctx, { grant }, () => findFolderEvaluation(ctx, { id, user: grant.user }))
}
