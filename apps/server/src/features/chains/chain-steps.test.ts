import type { Chain, ChainStep } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainSteps } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const CHAIN_STEPS_MAX = 200

describe.each(routeDatabaseKinds)('the steps of a chain on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const read = async (id: number) =>
    (await library.request({ url: `/api/chains/${id}`, as: library.owner })).body as Chain
  const send = ({
    method = 'POST',
    path,
    body,
  }: {
    method?: 'POST' | 'PATCH'
    path: string
    body?: unknown
  }) => library.request({ method, url: `/api/chains/${path}`, body, as: library.owner })
  const remove = (path: string) =>
    library.request({ method: 'DELETE', url: `/api/chains/${path}`, as: library.owner })

  /** A chain with steps of these output names. */
  async function makeChain(...names: string[]): Promise<Chain> {
    const { id } = await library.createChain(library.owner)
    for (const outputVariableName of names)
      await library.createStep(library.owner, id, { outputVariableName })
    return read(id)
  }
  const names = (chain: Chain) => chain.steps.map((step) => step.outputVariableName)

  test('A step has its fields; the model defaults to openai, the position to 0.', async () => {
    const { id } = await makeChain()
    const made = await send({ path: `${id}/steps`, body: { outputVariableName: ' out ' } })
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        position: 0,
        title: '',
        content: '',
        model: 'openai',
        fallbackModel: null,
        outputVariableName: 'out',
        promptId: null,
        promptLabel: null,
        promptVersion: null,
        linkedPrompt: null,
        systemPrompt: null,
        temperature: null,
        maxTokens: null,
        othersNames: [],
      },
    ])
    expect((await read(id)).steps).toEqual([made.body])
  })

  test('Steps are added, updated and deleted, each alone.', async () => {
    const chain = await makeChain('one', 'two')
    const [one, two] = chain.steps as [ChainStep, ChainStep]
    const body = {
      title: 'Title',
      content: '{{one}}',
      model: 'gemini',
      temperature: 0,
      maxTokens: 5,
      position: 9,
    }
    const saved = await send({ method: 'PATCH', path: `${chain.id}/steps/${one.id}`, body })
    expect([saved.status, saved.body]).toEqual([200, { ...one, ...body }])
    expect(await read(chain.id)).toMatchObject({ revision: chain.revision + 1, steps: [two, saved.body] })
    const removed = await remove(`${chain.id}/steps/${two.id}`)
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect(await read(chain.id)).toMatchObject({ revision: chain.revision + 2, steps: [saved.body] })
    expect((await remove(`${chain.id}/steps/${two.id}`)).status).toBe(404)
  })

  test('A step’s id under another chain is not found.', async () => {
    const chain = await makeChain('one')
    const other = await makeChain('two')
    const foreign = other.steps[0]?.id
    const replies = [
      await send({ method: 'PATCH', path: `${chain.id}/steps/${foreign}`, body: { content: 'x' } }),
      await remove(`${chain.id}/steps/${foreign}`),
      await send({ path: `${chain.id}/steps/${foreign}/duplicate` }),
    ]
    for (const { status, body } of replies) expect([status, body]).toEqual([404, { error: 'Step not found' }])
    const own = chain.steps[0]?.id
    for (const stepIds of [[foreign], [own, foreign], [own, own], [], [own, 2147483647]]) {
      const reply = await send({ path: `${chain.id}/reorder-steps`, body: { stepIds } })
      const message = 'List each step of the chain exactly once'
      expect([reply.status, reply.body]).toEqual([
        400,
        { error: message, details: [{ path: 'stepIds', message }] },
      ])
    }
    expect([await read(chain.id), await read(other.id)]).toEqual([chain, other])
  })

  test('reorder-steps takes the whole new order of the steps.', async () => {
    const chain = await makeChain('a', 'b', 'c', 'd')
    const stepIds = [2, 0, 3, 1].map((n) => chain.steps[n]?.id)
    const reply = await send({ path: `${chain.id}/reorder-steps`, body: { stepIds } })
    expect(reply.status).toBe(200)
    const after = await read(chain.id)
    expect(reply.body).toEqual(after)
    expect(names(after)).toEqual(['c', 'a', 'd', 'b'])
    expect(after.steps.map((step) => step.position)).toEqual([0, 1, 2, 3])
    expect(after.revision).toBe(chain.revision + 1)
  })

  test('A step can be copied, and gets an output name of its own.', async () => {
    const chain = await makeChain('draft', 'Draft_2', 'last', `_${'7'.repeat(49)}`, 'x'.repeat(50))
    for (const n of [0, 0, 3, 4]) {
      const step = chain.steps[n] as ChainStep
      const reply = await send({ path: `${chain.id}/steps/${step.id}/duplicate` })
      expect(reply.status, reply.text).toBe(201)
      const copy = reply.body as ChainStep
      const { steps } = await read(chain.id)
      const place = steps.findIndex(({ id }) => id === step.id) + 1
      expect(steps[place]).toEqual(copy)
      const { id: _, outputVariableName: __, position: ___, ...same } = step
      expect(copy).toMatchObject(same)
    }
    expect(names(await read(chain.id))).toEqual([
      'draft',
      'draft_4',
      'draft_3',
      'Draft_2',
      'last',
      `_${'7'.repeat(49)}`,
      `_${'7'.repeat(47)}_2`,
      'x'.repeat(50),
      `${'x'.repeat(48)}_2`,
    ])
  })

  test('An output name that is taken answers 409, whatever its case.', async () => {
    const chain = await makeChain('taken', 'free')
    const message = 'Another step of this chain already has the output TAKEN'
    const refusal = [409, { error: message, details: [{ path: 'outputVariableName', message }] }]
    const body = { outputVariableName: 'TAKEN' }
    const made = await send({ path: `${chain.id}/steps`, body })
    expect([made.status, made.body]).toEqual(refusal)
    const saved = await send({ method: 'PATCH', path: `${chain.id}/steps/${chain.steps[1]?.id}`, body })
    expect([saved.status, saved.body]).toEqual(refusal)
    expect(await read(chain.id)).toEqual(chain)
    const own = await send({ method: 'PATCH', path: `${chain.id}/steps/${chain.steps[0]?.id}`, body })
    expect(own.status).toBe(200)
    await makeChain('taken')
  })

  test.each([
    { field: { outputVariableName: ' ' }, message: 'Output variable name is required' },
    { field: { outputVariableName: null }, message: 'Output variable name is required' },
    {
      field: { outputVariableName: 'a-b' },
      message: 'Output variable name may contain letters, digits and underscores only',
    },
    {
      field: { outputVariableName: 'x'.repeat(51) },
      message: 'Output variable name must be at most 50 characters',
    },
    {
      field: { outputVariableName: 'Input' },
      message: '{{Input}} is the input of a run. Choose another output variable name.',
    },
    {
      field: { outputVariableName: 'input_context' },
      message: '{{input_context}} is the input of a run. Choose another output variable name.',
    },
    { field: { position: -1 }, message: 'Position must be a positive number' },
    { field: { position: 0.5 }, message: expect.any(String) },
    {
      field: { model: 'llama' },
      message: expect.stringContaining('There is no model llama. Choose one of claude, openai, gemini.'),
    },
    { field: { temperature: 2.1 }, message: expect.any(String) },
    { field: { maxTokens: 0 }, message: expect.any(String) },
    { field: { content: 'x'.repeat(1_000_001) }, message: 'Content must be at most 1,000,000 characters' },
    { field: { chainId: 1 }, message: 'Unrecognized key: "chainId"' },
    { field: { id: 1 }, message: 'Unrecognized key: "id"' },
    { field: { ownerId: 1 }, message: 'Unrecognized key: "ownerId"' },
    { field: { content: 'a\ud800' }, message: 'Text must be valid Unicode' },
  ])(
    'A step says ‘Output variable name is required’ and ‘Position must be a positive number’; output names are unique in the chain, and differ from the input’s names (D28, D32). ($message)',
    async ({ field, message }) => {
      const chain = await makeChain('one')
      const replies = [
        await send({ path: `${chain.id}/steps`, body: { outputVariableName: 'new', ...field } }),
        await send({ method: 'PATCH', path: `${chain.id}/steps/${chain.steps[0]?.id}`, body: field }),
      ]
      for (const { status, body } of replies) expect([status, body]).toMatchObject([400, { error: message }])
      expect(await read(chain.id)).toEqual(chain)
    },
  )

  test('a chain holds no more steps than it may', async () => {
    const chain = await makeChain('first')
    const rows = Array.from({ length: CHAIN_STEPS_MAX - 2 }, (_, n) => ({
      chainId: chain.id,
      position: 10 + n,
      model: 'openai' as const,
      outputVariableName: `many_${n}`,
    }))
    await library.db.insert(chainSteps).values(rows)
    await library.createStep(library.owner, chain.id, { outputVariableName: 'the_last' })
    const replies = [
      await send({ path: `${chain.id}/steps`, body: { outputVariableName: 'one_more' } }),
      await send({ path: `${chain.id}/steps/${chain.steps[0]?.id}/duplicate` }),
    ]
    for (const { status, body } of replies) {
      expect([status, body]).toEqual([400, { error: 'A chain can have at most 200 steps' }])
    }
    expect((await read(chain.id)).steps).toHaveLength(CHAIN_STEPS_MAX)
  })
})
