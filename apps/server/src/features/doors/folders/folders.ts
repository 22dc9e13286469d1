import { foldersApi, LATEST_LABEL, type TokenAbility, type User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { handlers } from '../../../platform/http/endpoints.ts'
import type { HttpRequest } from '../../../platform/http/routes.ts'
import { recordActivity } from '../../activity/activity.ts'
import { readFolder, writeZip } from '../../exports/exports.ts'
import { pushFiles } from '../../imports/imports.ts'
import { addUse, admitToken, countedCall, type Grant, grantOf } from '../../tokens/tokens.ts'
import { findFolderEvaluation, startFolderEvaluation } from './folder-evaluations.ts'

// A folder of what the creator of a token owns: others' records are in none of its calls.

const REFUSALS = {
  'folder.read': 'This token can’t read the folder.',
  'folder.write': 'This token can read the folder but not write it. Its creator can switch on “May write”.',
  evaluate: 'This token can’t start evaluations. Its creator can switch on “May evaluate”.',
} satisfies Partial<Record<TokenAbility, string>>
const FOLDER_ABILITIES = Object.keys(REFUSALS) as (keyof typeof REFUSALS)[]

/** Throws `forbidden` for a token of another kind, and that token's list shows the error. */
export function admitFolderToken(ctx: Context, request: HttpRequest): Promise<User> {
  return admitToken(ctx, {
    request,
    require: ({ tokenId, abilities }) => {
      if (FOLDER_ABILITIES.some((ability) => abilities.has(ability))) return
      const message = 'This token can’t be used for folders. Use a folder token.'
      const error = new AppError('forbidden', message)
      addUse(ctx, { tokenId, calls: 1, error })
      throw error
    },
  })
}

/** Counts the call, whether it succeeds or not. */
function allowedCall<Answer>(
  ctx: Context,
  { request, ability }: { request: HttpRequest; ability?: keyof typeof REFUSALS },
  answer: (grant: Grant) => Promise<Answer>,
): Promise<Answer> {
  const grant = grantOf(request)
  return countedCall(ctx, { grant }, async () => {
    if (ability !== undefined && !grant.abilities.has(ability)) {
      throw new AppError('forbidden', REFUSALS[ability])
    }
    return answer(grant)
  })
}

/** What `catenary pull`, `push`, `diff` and `evaluate` speak to. */
export const serveFolders = handlers(foldersApi, {
  'GET /api/folder': async (ctx, { request, query: { label }, reply }) => {
    const content = await allowedCall(ctx, { request, ability: 'folder.read' }, async ({ user }) => {
      const { id } = user
      await transaction(ctx, (ctx) => recordActivity(ctx, { kind: 'folder.pulled', object: 'account', id }))
      const scope = { userId: user.id, ownership: 'mine' as const, promptIds: undefined, chainIds: undefined }
      return writeZip(readFolder(ctx, { ...scope, label: label === LATEST_LABEL ? undefined : label }))
    })
    return reply.type('application/zip').send(content)
  },
  'POST /api/folder/push': (ctx, { request, body, signal }) =>
    allowedCall(ctx, { request, ability: 'folder.write' }, ({ user }) =>
      pushFiles(ctx, { user, request: body, signal }),
    ),
  'POST /api/folder/evaluations': (ctx, { request, body }) =>
    allowedCall(ctx, { request, ability: 'evaluate' }, ({ user, allowed }) =>
      startFolderEvaluation(ctx, { user, allowed, request: body }),
    ),
  'GET /api/folder/evaluations/{id}': (ctx, { request, params: { id } }) =>
    allowedCall(ctx, { request }, ({ user }) => findFolderEvaluation(ctx, { id, user })),
})
