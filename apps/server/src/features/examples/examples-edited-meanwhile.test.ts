import type { Chain, ChainRunSummary, RemovedExamples } from '@catenary/contracts'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { countWaiting, type Library, startLibrary } from '../../testing/library.ts'

// The embedded database has one session, so that no edit comes between two statements of a removal.
let library: Library
beforeAll(async () => {
  library = await startLibrary('server')
})
afterAll(() => library.close())

test('An example that is edited while the examples go stays with its runs.', async () => {
  const person = await library.registerUser()
  await library.request({ method: 'POST', url: '/api/examples', as: person })
  const chains = (await library.request({ url: '/api/chains', as: person })).body as Chain[]
  const id = chains.find(({ name }) => name === 'Monday digest')?.id
  await library.request({ method: 'POST', url: `/api/chains/${id}/execute`, body: {}, as: person })

  const { removal } = await library.db.transaction(async (tx) => {
    await tx.execute(sql`update chains set revision = revision + 1 where id = ${id}`)
    const sent = library.request({ method: 'DELETE', url: '/api/examples', as: person })
    await vi.waitFor(async () => expect(await countWaiting(library.db)).toBe(1))
    return { removal: sent }
  })

  const { kept } = (await removal).body as RemovedExamples
  expect(kept).toContainEqual({ kind: 'chain', name: 'Monday digest', reason: 'changed' })
  const runs = (await library.request({ url: `/api/chains/${id}/executions`, as: person }))
    .body as ChainRunSummary[]
  expect(runs).toHaveLength(1)
})
