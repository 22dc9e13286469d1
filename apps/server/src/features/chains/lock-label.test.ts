import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { countWaiting } from '../../testing/library.ts'
import { labelsOf } from '../../testing/version-labels.ts'
import { lockLabel } from './chains.sql.ts'

// The embedded database has one session, so that no call comes between two statements of another.
let library: ChainLibrary
beforeAll(async () => {
  library = await startChainLibrary('server')
})
afterAll(() => library.close())

test('a label that a schedule is about to name is not removed in between', async () => {
  const chain = await library.buildChain(['Write.'])
  await labelsOf(library, 'chain').moved(chain.id, { label: 'staging', version: chain.version })
  const url = `/api/chains/${chain.id}/labels/staging?expectedVersion=${chain.version}`

  const removing = await library.db.transaction(async (tx) => {
    expect(await lockLabel(tx, { chainId: chain.id, label: 'staging' })).toBe(true)
    const removed = library.request({ method: 'DELETE', url, as: library.owner })
    await vi.waitFor(async () => expect(await countWaiting(library.db)).toBe(1))
    return { removed }
  })
  expect((await removing.removed).status).toBe(200)
})
