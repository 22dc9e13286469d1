import type { Chain } from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainSteps } from '../../db/schema/index.ts'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'

describe.each(routeDatabaseKinds)('models that prompts and steps name, on %s', (kind) => {
  let library: ChainLibrary
  beforeAll(async () => {
    library = await startChainLibrary(kind)
  })
  afterAll(() => library.close())

  const patch = (chain: Chain, body: object) =>
    library.request({
      method: 'PATCH',
      url: `/api/chains/${chain.id}/steps/${chain.steps[0]?.id}`,
      body,
      as: library.owner,
    })

  test('a step keeps a model that went away, and takes no other that is not there', async () => {
    const chain = await library.buildChain(['one'])
    const gone = { model: 'gone', fallbackModel: 'gone-too' }
    await library.db.update(chainSteps).set(gone).where(eq(chainSteps.chainId, chain.id))
    expect((await patch(chain, { ...gone, title: 'Kept' })).body).toMatchObject({ ...gone, title: 'Kept' })
    expect(await patch(chain, { fallbackModel: 'llama' })).toMatchObject({
      status: 400,
      body: {
        details: [{ path: 'fallbackModel', message: expect.stringMatching(/^There is no model llama\./) }],
      },
    })
    expect((await patch(chain, { model: 'No alias' })).status).toBe(400)
  })
})
