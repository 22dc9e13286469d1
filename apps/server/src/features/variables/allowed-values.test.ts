import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const TONES = ['warm', 'cold', 'très sec']
const REFUSED = 'Choose one of the allowed values'

describe.each(routeDatabaseKinds)('allowed values on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const create = (body: object, as = library.owner) =>
    library.request({ method: 'POST', url: '/api/variables', body: { type: 'text', ...body }, as })
  const patch = (id: number, body: object, as = library.owner) =>
    library.request({ method: 'PATCH', url: `/api/variables/${id}`, body: { type: 'text', ...body }, as })
  const atContent = { error: REFUSED, details: [{ path: 'content', message: REFUSED }] }

  test('A variable may have a short list of allowed values; its content has to be one of them.', async () => {
    const stored = await library.createVariable(library.owner, {
      name: 'kept',
      allowedValues: [' warm ', 'cold', 'très sec'],
    })
    expect(stored.allowedValues).toEqual(TONES)
    const { id, name } = stored
    const outside = await create({ name: 'outside', content: 'Warm', allowedValues: TONES })
    expect([outside.status, outside.body]).toEqual([
      400,
      expect.objectContaining({ details: atContent.details }),
    ])
    for (const change of [{ content: 'hot' }, { content: '' }, { allowedValues: ['cold'] }]) {
      const refused = await patch(id, { name, ...change })
      expect([refused.status, refused.body]).toEqual([400, expect.objectContaining(atContent)])
    }
    expect((await patch(id, { name, content: 'cold' })).body).toMatchObject({
      content: 'cold',
      allowedValues: TONES,
    })
    expect((await patch(id, { name, allowedValues: ['cold'] })).body).toMatchObject({
      allowedValues: ['cold'],
    })
    expect((await patch(id, { name, content: 'hot', allowedValues: [] })).body).toMatchObject({
      content: 'hot',
      allowedValues: [],
    })
  })

  test('another type has no list', async () => {
    const { id, name } = await library.createVariable(library.owner, { name: 'typed', allowedValues: TONES })
    const api = await patch(id, { name, type: 'api', apiUrl: 'https://example.org/', allowedValues: TONES })
    expect(api.body).toMatchObject({ type: 'api', allowedValues: [] })
  })

  test.each([
    { allowedValues: ['warm', 'warm'], message: 'Two allowed values are the same' },
    { allowedValues: ['warm', '  '], message: 'An allowed value can’t be empty' },
    { allowedValues: ['warm', 'a\nb'], message: 'An allowed value must be a single line' },
    { allowedValues: ['warm', 'x'.repeat(201)], message: 'An allowed value can have at most 200 characters' },
    { allowedValues: Array.from({ length: 31 }, (_, at) => `${at}`), message: 'At most 30 allowed values' },
  ])('a list is refused: $message', async ({ allowedValues, message }) => {
    const reply = await create({ name: 'refused', content: 'warm', allowedValues })
    expect(reply.status).toBe(400)
    expect(JSON.stringify(reply.body)).toContain(message)
  })

  test('A run with a value outside the list is refused; the list is that of the variable which the name means for who runs.', async () => {
    const { owner, other } = library
    await library.createVariable(owner, { name: 'mood', allowedValues: TONES, isPublic: true })
    const content = 'Be $<mood>.'
    const { id } = await library.createPrompt(owner, { content, isPublic: true })
    const run = async (as: TestUser, values: object) => {
      const body = { promptId: id, model: 'claude', ...values }
      const { status, body: reply } = await library.request({
        method: 'POST',
        url: '/api/execute-prompt',
        body,
        as,
      })
      return status === 200 ? 200 : [status, reply]
    }
    const message = `${REFUSED} of mood: warm, cold, très sec`
    const refused = [400, { error: message, details: [{ path: 'variableValues.mood', message }] }]
    expect(await run(owner, { variableValues: { mood: 'hot' } })).toEqual(refused)
    expect(await run(other, { variables: { mood: '' } })).toEqual(refused)
    expect(await run(other, { variableValues: { mood: 'cold' } })).toBe(200)
    // A name that the text doesn't have is not used.
    expect(await run(other, { template: 'Be.', variableValues: { mood: 'hot' } })).toBe(200)
    await library.createVariable(other, { name: 'MOOD', content: 'any' })
    expect(await run(other, { variableValues: { mood: 'hot' } })).toBe(200)
  })
})
