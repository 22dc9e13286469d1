import type { Chain } from '@catenary/contracts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainSteps } from '../../database/schema/index.ts'
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

  test('A step that names a model that went away can still be saved, and takes no other that is not there.', async () => {
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

  test.each([
    ['fallbackModel', 'openai is the model itself', { fallbackModel: 'openai' }],
    ['fallbackModel', 'claude is the model itself', { model: 'claude', fallbackModel: 'claude' }],
    ['moreFallbackModels', 'openai is the model itself', { moreFallbackModels: ['gemini', 'openai'] }],
    [
      'moreFallbackModels',
      'gemini is a fallback already',
      { fallbackModel: 'gemini', moreFallbackModels: ['gemini'] },
    ],
    ['moreFallbackModels', 'List each fallback model once', { moreFallbackModels: ['gemini', 'gemini'] }],
  ])(
    'A fallback that is the model itself, or comes twice, is refused at its field when it is saved. (%s, %s)',
    async (path, message, models) => {
      const refusal = {
        status: 400,
        body: { details: [{ path, message: expect.stringContaining(message) }] },
      }
      const chain = await library.buildChain([{ content: 'one', model: 'openai' }])
      expect(await patch(chain, models)).toMatchObject(refusal)
      const { owner, categoryId } = library
      const body = { title: 'A', content: 'x', categoryId, model: 'openai', ...models }
      expect(await library.request({ method: 'POST', url: '/api/prompts', body, as: owner })).toMatchObject(
        refusal,
      )
    },
  )

  test('A step from before fallbacks were checked stays as it is until its models change.', async () => {
    const chain = await library.buildChain([{ content: 'one', model: 'openai' }])
    await library.db
      .update(chainSteps)
      .set({ fallbackModel: 'openai' })
      .where(eq(chainSteps.chainId, chain.id))
    const kept = { model: 'openai', fallbackModel: 'openai' }
    expect((await patch(chain, { ...kept, title: 'Kept' })).status).toBe(200)
    expect((await patch(chain, { ...kept, moreFallbackModels: ['gemini'] })).status).toBe(400)
    expect((await patch(chain, { fallbackModel: null, moreFallbackModels: ['gemini'] })).status).toBe(200)
  })
})
