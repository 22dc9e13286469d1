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

export const folderToken = z.object({
  ...tokenFields,
  tokenType: z.literal('folder').describe('Token that reads and writes what its creator owns as a folder.'),
  mayWrite,
  mayEvaluate,
})
export type FolderToken = z.infer<typeof folderToken>

export const createFolderTokenRequest = z.strictObject({
  name: tokenName,
  mayWrite: mayWrite.default(false),
  mayEvaluate: mayEvaluate.default(false),
  ...optionalTokenSettings,
})
export type CreateFolderTokenRequest = z.input<typeof createFolderTokenRequest>

export const updateFolderTokenRequest = z.strictObject({
  name: tokenName.optional(),
  mayWrite: mayWrite.optional(),
  mayEvaluate: mayEvaluate.optional(),
  ...optionalTokenSettings,
})
export type UpdateFolderTokenRequest = z.input<typeof updateFolderTokenRequest>

export const createdFolderToken = folderToken.extend(newTokenValue)
export type CreatedFolderToken = z.infer<typeof createdFolderToken>
