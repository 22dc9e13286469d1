import type { LatestChainRun } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ChainLibrary,
  type SharedChains,
  startChainLibrary,
  startSharingChains,
} from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import type { TestUser } from '../../../testing/harness.ts'

describe.each(routeDatabaseKinds)('what cards say of runs, on %s', (kind) => {
  let library: ChainLibrary
  let editor: TestUser
  let viewer: TestUser
  let share: SharedChains['share']
  let run: SharedChains['run']
  beforeAll(async () => {
    library = await startChainLibrary(kind)
    ;({ editor, viewer, share, run } = await startSharingChains(library))
  })
  afterAll(() => library.close())

  test('the newest run of each chain is the newest that one sees', async () => {
    const chain = await share(['one', 'two'])
    library.fake.reply({ status: 401 })
    const id = await run(chain)
    const kept = await share(['one'], { runsVisibleTo: 'runner' })
    await run(kept)
    const open = await share(['one'], { sharedLevel: 'public' })
    await run(open)
    const latestFor = async (as: TestUser) =>
      (await library.request({ url: '/api/latest-chain-runs', as })).body as LatestChainRun[]
    const known = [chain.id, kept.id, open.id]
    const chainsOf = async (as: TestUser) =>
      (await latestFor(as)).map(({ chainId }) => chainId).filter((chainId) => known.includes(chainId))
    expect(await chainsOf(viewer)).toEqual([open.id, kept.id, chain.id])
    for (const as of [editor, library.owner]) expect(await chainsOf(as)).toEqual([chain.id])
    for (const as of [library.other, library.admin]) expect(await chainsOf(as)).toEqual([])
    const failed = { chainId: chain.id, id, status: 'failed', stepCount: 2, completedSteps: 0 }
    expect((await latestFor(editor)).find(({ chainId }) => chainId === chain.id)).toMatchObject(failed)
    expect((await library.request({ url: '/api/latest-chain-runs' })).status).toBe(401)
  })
})
