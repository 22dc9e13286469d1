import { expect, it } from 'vitest'
import { FAKE_WIRES, startModelsOnFake } from '../../testing/fake-providers/start-models-on-fake.ts'

const [ANTHROPIC, RESPONSES, CHAT, GEMINI] = FAKE_WIRES
const schema = { type: 'object', properties: { a: { type: 'string', maxLength: 5 } } }
const closed = { additionalProperties: false }
const inWords = { type: 'string', description: '{maxLength: 5}' }
const optional = { type: 'object', properties: { a: inWords }, required: [], ...closed }
const strict = {
  type: 'object',
  properties: { a: { ...inWords, type: ['string', 'null'] } },
  required: ['a'],
  ...closed,
}
const caller = { type: 'json_schema', schema }

it.each([
  [
    ANTHROPIC,
    { output_config: { format: { ...caller, schema: optional } } },
    { output_config: { format: caller } },
  ],
  [RESPONSES, { text: { format: { schema: strict } } }, { text: { format: { schema } } }],
  [
    CHAT,
    { response_format: { json_schema: { schema: strict } } },
    { response_format: { json_schema: { schema } } },
  ],
  [
    GEMINI,
    { generationConfig: { responseJsonSchema: optional } },
    { generationConfig: { responseJsonSchema: schema } },
  ],
] as const)(
  '%o is sent its own form of a schema of ours, and a caller’s as it is',
  async (wire, own, asItIs) => {
    const on = await startModelsOnFake({ wire })
    const call = { alias: wire.alias, prompt: 'hi' }
    await on.models.generate({ ...call, schema: { name: 'answer', schema, isOwn: true } })
    await on.models.generate({ ...call, schema: { name: 'answer', schema } })
    const [ours, theirs] = on.fake.journal.map(({ body }) => body)
    expect(ours).toMatchObject(own)
    expect(theirs).toMatchObject(asItIs)
    await on.close()
  },
)

it('a model that takes no schema refuses by name, before anything is sent', async () => {
  const on = await startModelsOnFake({ wire: ANTHROPIC, modelId: 'claude-opus-4-1' })
  const call = { alias: ANTHROPIC.alias, prompt: 'hi', schema: { name: 'answer', schema } }
  await expect(on.models.generate(call)).rejects.toMatchObject({
    code: 'model_unable',
    message: expect.stringMatching(/can’t answer in JSON by a schema\. Choose another model\.$/),
  })
  expect(on.fake.journal).toEqual([])
  await on.close()
})
