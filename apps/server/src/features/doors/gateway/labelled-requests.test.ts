import { afterAll, beforeAll, expect, test } from 'vitest'
import { LABELLED_CHAINS } from '../../../../../../packages/domain/src/testing/labelled-requests.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'

let gateway: Gateway
const idOf = new Map<string, number>()
beforeAll(async () => {
  gateway = await startGateway('embedded')
  for (const { name, description, exampleRequests, stepTitles } of LABELLED_CHAINS) {
    const steps = stepTitles.map((title) => ({ title, content: '{{input}}' }))
    idOf.set(name, (await gateway.buildChain(steps, { name, description, exampleRequests })).id)
  }
})
afterAll(() => gateway.close())

test('with a judge that knows, the choice is exact for every request, and it saw all twenty chains', async () => {
  const { token } = await gateway.createBestToken()
  const wanted = new Map(
    LABELLED_CHAINS.flatMap(({ name, requests }) => requests.map((asked) => [asked, name])),
  )
  const seen = new Set<number>()
  gateway.fake.replyByDefault(({ body }) => {
    const prompt = (body.messages as { content: string }[]).at(-1)?.content ?? ''
    const { listed, asked } = readJudged(prompt)
    seen.add(listed.length)
    const name = wanted.get(asked) ?? ''
    return { text: JSON.stringify({ chain_id: idOf.get(name), confidence: 0.9, reasoning: 'Known.' }) }
  })
  const wrong = []
  for (const [asked, name] of wanted) {
    const body = { messages: [{ role: 'user', content: asked }] }
    const { best_chain: choice } = await (await gateway.post('/v1/route', token, body)).json()
    if (choice.selected_chain_id !== idOf.get(name)) wrong.push(asked)
  }
  expect(wrong).toEqual([])
  expect([...seen]).toEqual([20])
})

test('Up to 20 chains all go to the judge; above that the best eight, or all when no words fit (D45).', async () => {
  const extra = await gateway.buildChain(['{{input}}'], { name: 'One more' })
  const { token } = await gateway.createBestToken()
  const shown: number[] = []
  gateway.fake.replyByDefault(({ body }) => {
    const prompt = (body.messages as { content: string }[]).at(-1)?.content ?? ''
    shown.push(readJudged(prompt).listed.length)
    return { text: JSON.stringify({ chain_id: extra.id, confidence: 0.9, reasoning: 'Known.' }) }
  })
  for (const content of ['Write minutes from this meeting transcript', 'zebra']) {
    await gateway.post('/v1/route', token, { messages: [{ role: 'user', content }] })
  }
  expect(shown).toEqual([8, 21])
})

/** What the judge is shown: a chain a line, and the request. */
function readJudged(prompt: string): { listed: string[]; asked: string } {
  const [listed = '', asked = ''] = prompt
    .split(/<\/?(?:chains|request)-[0-9a-f]+>/)
    .flatMap((part) => part.trim() || [])
  return { listed: listed.split('\n'), asked }
}
