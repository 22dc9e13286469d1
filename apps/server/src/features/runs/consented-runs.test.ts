import type { Chain, Prompt } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChainLibrary, startChainLibrary } from '../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'

const SECRET = 'Zebra-4711-Quartz'

describe.each(routeDatabaseKinds)('private values in runs started on screen, on %s', (kind) => {
  let library: ChainLibrary
  let runner: TestUser
  let writer: TestUser
  beforeAll(async () => {
    library = await startChainLibrary(kind)
    runner = library.owner
    writer = library.other
    await library.createVariable(runner, { name: 'Client', content: SECRET })
  })
  afterAll(() => library.close())

  const post = (url: string, body: object, as: TestUser = runner) =>
    library.request({ method: 'POST', url, body, as })
  const executePrompt = ({ id }: Prompt, fields: object = {}) =>
    post('/api/execute-prompt', { promptId: id, model: 'openai', ...fields })
  const executeChain = ({ id }: Chain, fields: object = {}) => post(`/api/chains/${id}/execute`, fields)
  /** What the models were sent by the call. */
  const sentBy = async <T>(call: () => Promise<T>) => {
    const before = library.sent().length
    return { reply: await call(), sent: library.sent().slice(before) }
  }
  const asked = (record: object, name = 'client') => ({ code: 'private_values', details: [{ name, record }] })
  const others = (content: string) => library.createPrompt(writer, { content, isPublic: true })

  test('A run on screen whose text names a private value that another brought in starts only with that name in `fills`, else 409 `private_values` (D69).', async () => {
    const prompt = await others('k=$<CLIENT>')
    const refused = await sentBy(() => executePrompt(prompt))
    expect([refused.reply.status, refused.sent]).toEqual([409, []])
    expect(refused.reply.body).toMatchObject(asked({ kind: 'prompt', id: prompt.id }))
    const runs = await library.request({ url: `/api/prompts/${prompt.id}/executions`, as: runner })
    expect(runs.body).toEqual([])

    const { reply, sent } = await sentBy(() => executePrompt(prompt, { fills: ['client'] }))
    expect([reply.status, sent]).toEqual([200, [`k=${SECRET}`]])
    const other = await sentBy(() => executePrompt(prompt, { fills: ['other'] }))
    expect([other.reply.status, other.sent]).toEqual([409, []])
  })

  test.each([
    ['variables', { variables: { CLIENT: 'typed' } }, 'k=typed'],
    ['variableValues', { variableValues: { CLIENT: 'typed' } }, 'k=typed'],
    ['processedContent', { processedContent: 'k=typed' }, 'k=typed'],
    ['a text without the name', { template: 'k' }, 'k'],
  ])('Values in the call are always taken (D69). (%s)', async (_what, fields, text) => {
    const prompt = await others('k=$<CLIENT>')
    const { reply, sent } = await sentBy(() => executePrompt(prompt, fields))
    expect([reply.status, sent]).toEqual([200, [text]])
  })

  test('one’s own texts and public values run as before', async () => {
    await library.createVariable(writer, { name: 'house', content: 'Ours', isPublic: true })
    const own = await library.createPrompt(runner, { content: 'k=$<client> $<house>' })
    const { reply, sent } = await sentBy(() => executePrompt(own))
    expect([reply.status, sent]).toEqual([200, [`k=${SECRET} Ours`]])
    const prompt = await others('k=$<house> $<nobody>')
    expect((await sentBy(() => executePrompt(prompt))).sent).toEqual(['k=Ours $<nobody>'])
  })

  test('what is typed in the run’s own copy is one’s own', async () => {
    const prompt = await others('Nothing.')
    const { sent } = await sentBy(() => executePrompt(prompt, { template: 'k=$<client>' }))
    expect(sent).toEqual([`k=${SECRET}`])
  })

  test.each(['content', 'systemPrompt', 'messages'])(
    'a chain of another names one in %s: nothing runs until the form has shown it',
    async (field) => {
      const text = 'k=$<client>'
      const change = field === 'messages' ? [{ role: 'user', content: text }] : text
      const steps = ['First.', { content: 'Go.', [field]: change }]
      const chain = await library.buildChain(steps, { as: writer, sharedLevel: 'public' })
      const refused = await sentBy(() => executeChain(chain))
      expect([refused.reply.status, refused.sent]).toEqual([409, []])
      expect(refused.reply.body).toMatchObject(asked({ kind: 'chain', id: chain.id }))
      const typed = await executeChain(chain, { variableValues: { client: 'typed' } })
      expect(typed.status).toBe(201)
      const allowed = await executeChain(chain, { fills: ['Client'] })
      expect(allowed.status).toBe(201)
      const ended = await library.ended((allowed.body as { id: number }).id, runner)
      expect([ended.status, JSON.stringify(ended.steps)]).toEqual([
        'completed',
        expect.stringContaining(`k=${SECRET}`),
      ])
    },
  )

  test('a prompt of another that a step of one’s own is linked to is asked for by its own name', async () => {
    const prompt = await others('k=$<client>')
    const chain = await library.buildChain([{ promptId: prompt.id, content: 'k=$<client>' }])
    const { reply } = await sentBy(() => executeChain(chain))
    expect([reply.status, reply.body]).toEqual([
      409,
      expect.objectContaining(asked({ kind: 'prompt', id: prompt.id })),
    ])
  })

  test('A resumed run keeps what was allowed (D69).', async () => {
    await library.createVariable(runner, { name: 'later', content: 'Late-Secret' })
    const chain = await library.buildChain(['a $<client>', 'b'], {
      as: writer,
      sharedLevel: 'public',
      stopsWithoutValue: 'always',
    })
    const [, second] = chain.steps
    const patch = (content: string) =>
      library.request({
        method: 'PATCH',
        url: `/api/chains/${chain.id}/steps/${second?.id}`,
        body: { content },
        as: writer,
      })
    await patch('b $<missing>')
    const { body } = await executeChain(chain, { fills: ['client'] })
    const { id } = body as { id: number }
    expect((await library.ended(id, runner)).status).toBe('failed')
    await patch('b $<client> $<later>')
    const resume = (fields: object) => post(`/api/executions/${id}/resume`, { model: 'openai', ...fields })
    const refused = await resume({})
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining(asked({ kind: 'chain', id: chain.id }, 'later')),
    ])
    expect((await resume({ fills: ['later'] })).status).toBe(200)
    const ended = await library.ended(id, runner)
    expect(JSON.stringify(ended.steps)).toContain(`b ${SECRET} Late-Secret`)
  })
})
