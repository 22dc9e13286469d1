import type { ImportOutcome } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect } from 'vitest'
import { anyFile } from '../../../../../../packages/domain/src/imports/testing/import-arbitraries.ts'
import { startLibrary } from '../../../testing/library.ts'

/** Imports any files by the route, and counts what is there afterwards. */
export async function checkImports({ numRuns, seed }: { numRuns: number; seed: number }): Promise<void> {
  const library = await startLibrary('embedded')
  const count = async () => {
    const { rows } = await library.db.execute<{ n: number }>(sql`select count(*)::int as n from prompts`)
    return rows[0]?.n ?? 0
  }
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyFile, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (files, dryRun) => {
          const before = await count()
          const reply = await library.request({
            ...{ method: 'POST', url: '/api/import', as: library.owner },
            body: { files, dryRun, conflicts: { all: 'copy' } },
          })
          expect(reply.status, reply.text).toBeLessThan(500)
          const { items = [] } = reply.status === 200 ? (reply.body as ImportOutcome) : {}
          const made = items.filter((item) => item.made !== null).length
          if (dryRun) expect(made).toBe(0)
          expect((await count()) - before).toBe(made)
        },
      ),
      // To make a counterexample smaller takes hundreds of imports.
      { numRuns, seed, endOnFailure: true },
    )
  } finally {
    await library.close()
  }
}
