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
import { readFolder, writeZip } from '../../exports/exports.ts'
import { pushFiles } from '../../imports/imports.ts'
import { addUse, countGrant, type Grant, openGrant } from '../../tokens/tokens.ts'
import { type EvaluateRequest, findFolderEvaluation, startFolderEvaluation } from './folder-evaluations.ts'

// A folder of what the creator of a token owns: others' records are in none of its calls.

const FAILED = 'The call failed on the server'
const FOLDER_ABILITIES = ['folder.read', 'folder.write', 'evaluate'] as const

/** Whose folder token it is. Throws `forbidden` for another kind. */
export async function admitFolderToken(ctx: Context, token: string | undefined): Promise<User> {
  const { tokenId, abilities, user } = await openGrant(ctx, token)
  if (FOLDER_ABILITIES.some((ability) => abilities.has(ability))) return user
  const code = 'forbidden'
  const message = 'This token is for something else. Folders are read and written with a folder token.'
  addUse(ctx, { tokenId, calls: 1, error: { code, message } })
  throw new AppError(code, message)
}

/** A call of a folder token, counted whether it succeeds or not. */
async function counted<Answer>(
  ctx: Context,
  token: string | undefined,
  answer: (grant: Grant) => Promise<Answer>,
): Promise<Answer> {
  const grant = await countGrant(ctx, token)
  const { tokenId } = grant
  try {
    const answered = await answer(grant)
    addUse(ctx, { tokenId, calls: 1 })
    return answered
  } catch (error) {
    const { code, message } = error instanceof AppError ? error : { code: 'internal', message: FAILED }
    addUse(ctx, { tokenId, calls: 1, error: { code, message } })
    throw error
  }
}

/** As a zip, as the label says. */
export function pullFolder(
  ctx: Context,
  { token, label }: { token: string | undefined; label: string },
): Promise<Readable> {
  return counted(ctx, token, async ({ user, abilities }) => {
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
  token: string | undefined
  request: z.output<typeof pushRequest>
  signal: AbortSignal
}

/** Throws `forbidden` unless the token may write. */
export function pushFolder(ctx: Context, { token, request, signal }: Pushed): Promise<PushOutcome> {
  return counted(ctx, token, async ({ user, abilities }) => {
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
  { token, request }: { token: string | undefined; request: EvaluateRequest },
): Promise<FolderEvaluation> {
  return counted(ctx, token, async ({ user, allowed, abilities }) => {
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
  { token, id }: { token: string | undefined; id: number },
): Promise<FolderEvaluation> {
  return counted(ctx, token, ({ user }) => findFolderEvaluation(ctx, { id, user }))
}
