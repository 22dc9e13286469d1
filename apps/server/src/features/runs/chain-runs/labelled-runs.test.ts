import type { Chain, RunDetails } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import { labelsOf } from '../../../testing/version-labels.ts'

let gateway: Gateway
let chain: Chain
beforeAll(async () => {
  gateway = await startGateway('embedded')
})
afterAll(() => gateway.close())
beforeEach(async () => {
  gateway.fake.reset()
  chain = await gateway.buildChain(['one', 'two {{a}}'])
})

const changeSecond = (content: string) =>
  gateway.request({
    method: 'PATCH',
    url: `/api/chains/${chain.id}/steps/${chain.steps[1]?.id}`,
    body: { content },
    as: gateway.owner,
  })
const resume = (id: number) =>
  gateway.request({ method: 'POST', url: `/api/executions/${id}/resume`, as: gateway.owner })

test('A run fixes its version when it starts, and a resume keeps it.', async () => {
  await labelsOf(gateway, 'chain').moved(chain.id, { label: 'production', version: chain.version })
  const { token } = await gateway.createToken(chain.id, { chainLabel: 'production' })
  await changeSecond('draft {{a}}')
  gateway.fake.reply({ text: 'A' }, { status: 400, message: 'no such thing' })
  const messages = [{ role: 'user', content: 'Hi' }]
  await gateway.post('/v1/chat/completions', token, { model: 'any', messages })
  const { id, chainVersion } = await gateway.lastRun(chain.id)
  const version = chain.version + 1
  await labelsOf(gateway, 'chain').moved(chain.id, {
    label: 'production',
    version,
    expectedVersion: chain.version,
  })
  expect((await resume(id)).status).toBe(200)
  const run = await gateway.ended(id)
  expect(gateway.sent()).toEqual(['one', 'two A', 'two A'])
  expect(run).toMatchObject({ status: 'completed', chainVersion, chainLabel: 'production' })
  expect(chainVersion).toBe(chain.version)
})

test('a run of the chain as it is takes mended steps, and says whose version it ran', async () => {
  gateway.fake.reply({ text: 'A' }, { status: 400, message: 'no such thing' })
  const id = await gateway.execute(chain.id)
  expect(await gateway.ended(id)).toMatchObject({ status: 'failed', chainVersion: chain.version })
  await changeSecond('mended {{a}}')
  await resume(id)
  const run: RunDetails = await gateway.ended(id)
  expect(run).toMatchObject({ status: 'completed', chainVersion: chain.version + 1, chainLabel: null })
  expect(gateway.sent()).toEqual(['one', 'two A', 'mended A'])
})
