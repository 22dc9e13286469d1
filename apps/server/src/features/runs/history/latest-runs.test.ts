import type { Chain, LatestChainRun } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import type { TestUser } from '../../../testing/harness.ts'

describe.each(routeDatabaseKinds)('what cards say of runs, on %s', (kind) => {
  let library: ChainLibrary
  let editor: TestUser
  let viewer: TestUser
  beforeAll(async () => {
    library = await startChainLibrary(kind)
    editor = await library.registerUser({ username: 'Edda' })
    viewer = await library.registerUser({ username: 'Vera' })
  })
  afterAll(() => library.close())

  const build = async (contents: string[], fields: object = {}): Promise<Chain> => {
    const chain = await library.buildChain(contents, { sharedLevel: 'shared', ...fields })
    const body = [
      { username: 'Vera', role: 'viewer' },
      { username: 'Edda', role: 'editor' },
    ]
    await library.request({ method: 'PUT', url: `/api/chains/${chain.id}/shares`, body, as: library.owner })
    return chain
  }
  const run = async (chain: Chain) => {
    const id = await library.execute(chain.id, {}, viewer)
    await library.ended(id, viewer)
    return id
  }

  test('the newest run of each chain is the newest that one sees', async () => {
    const chain = await build(['one', 'two'])
    library.fake.reply({ status: 401 })
    const id = await run(chain)
    const kept = await build(['one'], { runsVisibleTo: 'runner' })
    await run(kept)
    const open = await build(['one'], { sharedLevel: 'public' })
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
