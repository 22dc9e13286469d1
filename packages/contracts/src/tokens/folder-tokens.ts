import * as z from 'zod'
import { newTokenValue, optionalTokenSettings, tokenFields, tokenName } from './tokens.ts'

const mayWrite = z
  .boolean()
  .describe(
    'Push: it may create new versions and new records for its creator. It can’t move protected labels, ' +
      'delete or share anything. Default: false.',
  )
const mayEvaluate = z
  .boolean()
  .describe('Evaluate: it may start evaluations as its creator, at their cost. Default: false.')

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
