import type { Chain, ChainStep } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Library, startLibrary } from '../../testing/library.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary('server')
})
afterAll(() => library.close())

const read = async (id: number) =>
  (await library.request({ url: `/api/chains/${id}`, as: library.owner })).body as Chain
const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status).sort()

async function makeChain(stepCount: number): Promise<Chain> {
  const { id } = await library.createChain(library.owner)
  for (let n = 0; n < stepCount; n += 1) await library.createStep(library.owner, id)
  return read(id)
}

/** Sends all calls on the chain while it is locked, so that they meet. */
function sendAtOnce(chain: Chain, calls: { method?: 'POST' | 'PATCH'; path: string; body: unknown }[]) {
  const sends = calls.map(({ method = 'POST', path, body }) => () => {
    return library.request({ method, url: `/api/chains/${chain.id}${path}`, body, as: library.owner })
  })
  return library.sendAtOnce({ table: 'chains', id: chain.id, sends })
}

test('of saves of one revision that meet exactly one wins', async () => {
  const chain = await makeChain(1)
  const { revision } = chain
  const replies = await sendAtOnce(chain, [
    { method: 'PATCH', path: '', body: { name: 'Saved', revision } },
    { path: '/steps', body: { outputVariableName: 'added', revision } },
    { method: 'PATCH', path: `/steps/${chain.steps[0]?.id}`, body: { content: 'Saved', revision } },
  ])
  expect(replies.filter(({ status }) => status < 300)).toHaveLength(1)
  const after = await read(chain.id)
  expect(after.revision).toBe(revision + 1)
  for (const { status, body } of replies.filter((reply) => reply.status >= 300)) {
    expect([status, body]).toMatchObject([409, { details: after }])
  }
})

test('of steps of one output name that meet exactly one is added', async () => {
  const chain = await makeChain(0)
  const names = ['same', 'SAME', 'Same']
  const calls = names.map((outputVariableName) => ({ path: '/steps', body: { outputVariableName } }))
  expect(statuses(await sendAtOnce(chain, calls))).toEqual([201, 409, 409])
  expect((await read(chain.id)).steps).toHaveLength(1)
})

test('steps that are added at once are all there', async () => {
  const chain = await makeChain(0)
  const names = ['a', 'b', 'c', 'd', 'e']
  const calls = names.map((outputVariableName) => ({ path: '/steps', body: { outputVariableName } }))
  expect(statuses(await sendAtOnce(chain, calls))).toEqual([201, 201, 201, 201, 201])
  const after = await read(chain.id)
  expect(after.steps.map((step) => step.outputVariableName).sort()).toEqual(names)
  expect(after.revision).toBe(chain.revision + 5)
})

test('new orders that meet end in one of them, whole', async () => {
  const chain = await makeChain(4)
  const ids = chain.steps.map(({ id }) => id)
  const orders = [ids.toReversed(), [...ids.slice(2), ...ids.slice(0, 2)], [...ids.slice(1), ids[0]]]
  const calls = orders.map((stepIds) => ({ path: '/reorder-steps', body: { stepIds } }))
  expect(statuses(await sendAtOnce(chain, calls))).toEqual([200, 200, 200])
  const after = await read(chain.id)
  expect(orders).toContainEqual(after.steps.map(({ id }) => id))
  expect(after.steps.map(({ position }) => position)).toEqual([0, 1, 2, 3])
})

test('a new order and an added step that meet leave a whole order', async () => {
  const chain = await makeChain(3)
  const stepIds = chain.steps.map(({ id }) => id).toReversed()
  const [reordered, added] = await sendAtOnce(chain, [
    { path: '/reorder-steps', body: { stepIds } },
    { path: '/steps', body: { outputVariableName: 'added', position: 99 } },
  ])
  expect(added?.status).toBe(201)
  const addedFirst = reordered?.status === 400
  const order = addedFirst ? stepIds.toReversed() : stepIds
  const after = (await read(chain.id)).steps.map(({ id }) => id)
  const { id: addedId } = (added?.body ?? {}) as Partial<ChainStep>
  expect(after).toEqual([...order, addedId])
})

test('an edit that waits while its editor loses the share is refused', async () => {
  const { owner, other } = library
  const chain = await library.createChain(owner, { sharedLevel: 'shared' })
  const url = `/api/chains/${chain.id}`
  const body = [{ username: 'Oskar', role: 'editor' }]
  await library.request({ method: 'PUT', url: `${url}/shares`, body, as: owner })
  let edited: ReturnType<Library['request']> | undefined
  const sends = [
    () => library.request({ method: 'PUT', url: `${url}/shares`, body: [], as: owner }),
    () => (edited = library.request({ method: 'PATCH', url, body: { name: 'Late' }, as: other })),
  ]
  const [unshared] = await library.sendAtOnce({ table: 'chains', id: chain.id, sends })
  expect(unshared?.status).toBe(200)
  const after = await read(chain.id)
  expect((await edited)?.status).toBe(after.name === 'Late' ? 200 : 404)
  const again = await library.request({ method: 'PATCH', url, body: { name: 'Later' }, as: other })
  expect(again.status).toBe(404)
})
