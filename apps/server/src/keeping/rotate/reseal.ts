import type { Database } from '../../database/statements/executor.ts'
import {
  listSealed,
  replaceSealed,
  type SealedColumn,
  type SealedRow,
} from '../../database/statements/sealed-columns.ts'
import { sealedStepSecrets } from '../../features/chains/chains.ts'
import { sealedDriveTokens } from '../../features/google-drive/google-drive.ts'
import { sealedReplies } from '../../features/idempotency/idempotency.ts'
import { sealedProviderKeys } from '../../features/models/models.ts'
import { sealedHookSecrets, sealedTokenValues } from '../../features/tokens/tokens.ts'
import { sealedHeaders } from '../../features/variables/variables.ts'
import { sealedWebhookSecrets } from '../../features/webhooks/webhooks.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'

/** All that the database keeps sealed, but what is thrown away within minutes. */
export const SEALED: SealedColumn[] = [
  sealedHeaders,
  sealedTokenValues,
  sealedHookSecrets,
  ...sealedProviderKeys,
  ...sealedDriveTokens,
  sealedReplies,
  ...sealedWebhookSecrets,
  sealedStepSecrets,
]
const SLICE = 200

interface Resealing {
  db: Database
  secrets: SecretBox
}

interface ResealedSlice {
  what: string
  resealed: number
  /** Rows that were written meanwhile, and stay for the next time. */
  missed: number
  unread: number
}

/** Goes through all sealed values once and seals them with the current key. Each slice is written when it is yielded. */
export async function* resealInSlices({ db, secrets }: Resealing): AsyncGenerator<ResealedSlice> {
  for (const column of SEALED) {
    for (let after = 0; ; ) {
      const rows = await listSealed(db, column, { after, limit: SLICE })
      const last = rows.at(-1)
      if (last === undefined) break
      const sealedAnew = rows.map((row) => sealRow({ row, column, secrets }))
      const changes = sealedAnew.filter(({ isChanged }) => isChanged)
      const resealed = changes.length === 0 ? 0 : await replaceSealed(db, column, changes)
      const unread = sealedAnew.reduce((sum, row) => sum + row.unread, 0)
      yield { what: column.what, resealed, missed: changes.length - resealed, unread }
      after = last.id
    }
  }
}

export async function reseal(
  resealing: Resealing,
): Promise<{ resealed: number; unread: Map<string, number> }> {
  let resealed = 0
  for (;;) {
    let changed = 0
    const unread = new Map<string, number>()
    for await (const slice of resealInSlices(resealing)) {
      resealed += slice.resealed
      changed += slice.resealed + slice.missed
      if (slice.unread > 0) unread.set(slice.what, (unread.get(slice.what) ?? 0) + slice.unread)
    }
    if (changed === 0) return { resealed, unread }
  }
}

function sealRow({ row, column, secrets }: { row: SealedRow; column: SealedColumn; secrets: SecretBox }) {
  const { id, sealed } = row
  const isOne = typeof sealed === 'string'
  const values = Object.entries(isOne ? { '': sealed } : sealed)
  const anew = values.map(([name, value]) =>
    secrets.sealAnew({ sealed: value, context: column.contextOf(row, name) }),
  )
  const kept = values.map(([name, value], index): [string, string] => [name, anew[index] ?? value])
  return {
    id,
    from: sealed,
    to: isOne ? (kept[0]?.[1] ?? sealed) : Object.fromEntries(kept),
    isChanged: kept.some(([, value], index) => value !== values[index]?.[1]),
    unread: anew.filter((value) => value === undefined).length,
  }
}
