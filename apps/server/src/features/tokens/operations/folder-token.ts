import type {
  CreatedFolderToken,
  createFolderTokenRequest,
  FolderToken,
  User,
  updateFolderTokenRequest,
} from '@catenary/contracts'
import type * as z from 'zod'
import { toTokenColumns } from '../token-columns.ts'
import { showToken } from '../token-views.ts'
import { updateTokenRow } from '../tokens.repository.ts'
import type { TokensDeps } from '../tokens-deps.ts'
import { createTokenIn } from './create-token.ts'
import { openOwnToken } from './open-token.ts'
import { showValue } from './token-values.ts'

const columnsOf = <Fields extends { mayEvaluate?: boolean | undefined }>({
  mayEvaluate,
  ...fields
}: Fields) => ({ ...fields, ...(mayEvaluate !== undefined && { mayRun: mayEvaluate }) })

/** With its value, which no list shows. */
export async function createFolderToken(
  deps: TokensDeps,
  { fields, user }: { fields: z.output<typeof createFolderTokenRequest>; user: User },
): Promise<CreatedFolderToken> {
  const created = await deps.db.transaction((tx) =>
    createTokenIn(deps, tx, { ...columnsOf(toTokenColumns(fields)), kind: 'folder', createdBy: user.id }),
  )
  return showValue(deps, { user, ...created })
}

/** An absent field stays as it is. */
export async function updateFolderToken(
  deps: TokensDeps,
  { fields, id, user }: { id: number; fields: z.output<typeof updateFolderTokenRequest>; user: User },
): Promise<FolderToken> {
  const wanted = { id, user, kind: 'folder' } as const
  await deps.db.transaction(async (tx) => {
    await openOwnToken(deps, tx, wanted)
    await updateTokenRow(tx, { id, ...columnsOf(toTokenColumns(fields)) })
  })
  return showToken(deps, wanted)
}
