import type { ManagedModel } from '@catenary/contracts'
import { expect, test } from 'vitest'
import { readSettings } from '../../../platform/settings/settings.ts'
import { FAKE_WIRES, startModelsOnFake } from '../../../testing/fake-providers/start-models-on-fake.ts'
import { startGateway } from '../../../testing/gateway.ts'
import { startLibrary } from '../../../testing/library.ts'
import { requireJudge } from './judge.ts'

test('JUDGE_MODEL names the judge by its alias or its id; any other name stops the start', async () => {
  const { models, close } = await startModelsOnFake({ wire: FAKE_WIRES[2] })
  const check = () => requireJudge({ models, judgeModel: 'gpt-0' })
  expect(check).toThrow('JUDGE_MODEL must be one of the models that are set up: openai')
  await close()
  const gateway = await startGateway('embedded', {}, { judgeModel: 'fake-model' })
  const chains = [await gateway.buildChain(['x']), await gateway.buildChain(['y'])]
  const { token } = await gateway.createBestToken()
  const answer = { chain_id: chains[1]?.id, confidence: 1, reasoning: 'So.' }
  gateway.fake.reply({ text: JSON.stringify(answer) })
  const reply = await gateway.post('/v1/route', token, { messages: [{ role: 'user', content: 'Hi' }] })
  expect(await reply.json()).toMatchObject({ best_chain: { selected_chain_id: chains[1]?.id } })
  await gateway.close()
})

test('Settings → Models marks the model that chooses for Best Chain: the one that `JUDGE_MODEL` names, else the first that is set up.', async () => {
  for (const [judgeModel, judge] of [
    [undefined, 'claude'],
    ['gemini', 'gemini'],
  ] as const) {
    const keyed = { apiKey: 'k', baseUrl: 'https://models.example.org' }
    const claude = { ...keyed, modelId: 'claude-sonnet-5-5' }
    const gemini = { ...keyed, modelId: 'gemini-4-hydrogen' }
    const models = { ...readSettings({}).models, claude, gemini }
    const library = await startLibrary('embedded', { settings: { judgeModel, models } })
    const reply = await library.request({ url: '/api/admin/models', as: library.admin })
    const listed = reply.body as ManagedModel[]
    expect(listed.flatMap(({ alias, isJudge }) => (isJudge ? alias : []))).toEqual([judge])
    await library.close()
  }
})

test('without any model the words choose, and it says so', async () => {
  const library = await startLibrary('embedded')
  const as = library.owner
  for (const name of ['Letter writer', 'Recipe scaler']) {
    const { id } = await library.createChain(as, { name })
    await library.createStep(as, id)
  }
  const created = await library.request({ method: 'POST', url: '/api/best-tokens', as, body: { name: 'x' } })
  const { token } = created.body as { token: string }
  const reply = await library.request({
    method: 'POST',
    url: '/v1/route',
    headers: { authorization: `Bearer ${token}` },
    body: { messages: [{ role: 'user', content: 'Scale a recipe' }] },
  })
  expect(reply.body).toMatchObject({
    best_chain: {
      chain_name: 'Recipe scaler',
      reasoning: 'Keyword match: no model is set up to choose',
    },
  })
  await library.close()
})
