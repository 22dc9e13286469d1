import * as z from 'zod'
import { newTokenValue, optionalTokenSettings, tokenFields, tokenName } from './tokens.ts'

const mayWrite = z
  .boolean()
  .describe(
    'Push: it makes new versions of what its creator owns, and new records of theirs. It moves no protected label, ' +
      'deletes nothing and shares nothing. Default: false.',
  )
const mayEvaluate = z
  .boolean()
  .describe('Evaluate: it starts evaluations as its creator, whose money they cost. Default: false.')

/** GET /api/folder-tokens: one's own, newest first. */
export const folderToken = z.object({
  ...tokenFields,
  tokenType: z.literal('folder').describe('Token that reads and writes what its creator owns as a folder.'),
  mayWrite,
  mayEvaluate,
})
export type FolderToken = z.infer<typeof folderToken>

/** POST /api/folder-tokens */
export const createFolderTokenRequest = z.strictObject({
  name: tokenName,
  mayWrite: mayWrite.default(false),
  mayEvaluate: mayEvaluate.default(false),
  ...optionalTokenSettings,
})
export type CreateFolderTokenRequest = z.input<typeof createFolderTokenRequest>

/** PATCH /api/folder-tokens/{id}; an absent field stays as it is, and the value always does. */
export const updateFolderTokenRequest = z.strictObject({
  name: tokenName.optional(),
  mayWrite: mayWrite.optional(),
  mayEvaluate: mayEvaluate.optional(),
  ...optionalTokenSettings,
})
export type UpdateFolderTokenRequest = z.input<typeof updateFolderTokenRequest>

/** POST /api/folder-tokens, and POST /api/tokens/{id}/rotate of such a token. */
export const createdFolderToken = folderToken.extend(newTokenValue)
export type CreatedFolderToken = z.infer<typeof createdFolderToken>
