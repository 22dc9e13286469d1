import { MODELS } from '@catenary/contracts'
import { GoogleGenAI } from '@google/genai'
import { expect, it } from 'vitest'
import { FAKE_WIRES, startModelsOnFake } from '../../testing/fake-providers/start-models-on-fake.ts'
import { compareWithTypes, type PublishedType } from '../../testing/published-types.ts'
import { capabilitiesOf } from './default-models.ts'
import type { ModelCall, ModelPart } from './model-types.ts'

const [ANTHROPIC, RESPONSES, CHAT, GEMINI] = FAKE_WIRES
type Wire = (typeof FAKE_WIRES)[number]

/** Models of each wire that are asked in ways of their own. */
const ASKED: [Wire, string[]][] = [
  [ANTHROPIC, ['claude-sonnet-5-5', 'claude-haiku-4-5', 'another']],
  [RESPONSES, ['gpt-6.1-sol', 'gpt-5.4', 'gpt-4.1']],
  [CHAT, ['gpt-6.1-sol', 'llama3']],
  [GEMINI, ['gemini-4-hydrogen', 'gemma-3-27b-it']],
]
/** By model and path. */
const TYPES: [RegExp, PublishedType][] = [
  [/^claude-sonnet-5-5 .*\/messages$/, 'messages'],
  [/\/messages$/, 'messages of older models'],
  [/\/chat\/completions$/, 'chat'],
  [/\/responses$/, 'responses'],
  [/:(generate|streamGenerate)Content/, 'gemini'],
]

const turns = [
  { role: 'user', content: 'one' },
  { role: 'assistant', content: 'two' },
  { role: 'user', content: 'three' },
] as const
const schema = {
  type: 'object',
  properties: { title: { type: 'string' }, items: { type: 'array', items: { type: 'number' } } },
  required: ['title', 'items'],
  additionalProperties: false,
}
const fixed = 'Answer by these rules: be exact. '.repeat(300)
const full = {
  system: 'Be brief.',
  temperature: 0.5,
  maxTokens: 77,
  stop: ['END'],
  schema: { name: 'verdict', schema },
}
const { stop: _, ...unstopped } = full
const parts: ModelPart[] = [
  { type: 'text', text: 'What is this? ' },
  { type: 'image', mediaType: 'image/png', fileName: 'a.png', data: 'iVBORw0KGgo=' },
  { type: 'document', mediaType: 'application/pdf', fileName: 'a.pdf', data: 'JVBERi0=' },
  { type: 'text', text: ' And so on' },
]

type Said = Omit<ModelCall, 'alias' | 'prompt' | 'messages'>
/** All that a call can say. */
const CALLS: ({ is: string } & Said & (Pick<ModelCall, 'prompt'> | Pick<ModelCall, 'messages'>))[] = [
  { is: 'a text', prompt: 'hi' },
  { is: 'an image and a PDF', messages: [{ role: 'user', content: parts }] },
  {
    is: 'a fixed beginning before them',
    messages: [{ role: 'user', content: [{ type: 'text', text: fixed }, ...parts] }],
    fixedLength: fixed.length,
  },
  { is: 'turns, with all that a call can ask for', messages: turns, ...full },
  { is: 'the same without texts to stop at', messages: turns, ...unstopped },
  { is: 'a fixed beginning', prompt: `${fixed}and more`, fixedLength: fixed.length, cacheKey: 'prompt-1-v1' },
  {
    is: 'a fixed system text and beginning, with texts to stop at',
    ...full,
    system: fixed,
    prompt: 'one and more',
    fixedLength: 4,
    cacheKey: 'prompt-1-v1',
  },
  { is: 'a fixed system text', system: fixed, prompt: 'hi', fixedLength: 0, cacheKey: 'prompt-1-v1' },
]

/** The bodies of all calls to all models, as they came to the fake. */
async function sentBodies() {
  const sent: { says: string; type: PublishedType; body: object }[] = []
  for (const [wire, modelIds] of ASKED) {
    for (const modelId of modelIds) {
      const on = await startModelsOnFake({ wire, modelId })
      for (const { is, ...said } of CALLS) {
        const call = { alias: wire.alias, ...said } as ModelCall
        if (hasParts(call) && !capabilitiesOf({ kind: MODELS[wire.alias].kind, modelId }).images) continue
        await on.models.generate(call)
        for (const { path, body } of on.fake.journal.splice(0)) {
          const type = TYPES.find(([calls]) => calls.test(`${modelId} ${path}`))?.[1]
          if (type === undefined) throw new Error(`No body of ${path} is published`)
          sent.push({ says: `${is}, to ${modelId} by ${path}`, type, body })
        }
      }
      await on.close()
    }
  }
  return sent
}

it('What goes out to a model is a request as its vendor publishes it: no field is misspelt or unknown.', async () => {
  const sent = await sentBodies()
  // Once for each field of a type, as the compiler takes its time for each body.
  const misspelt = new Map(
    sent.flatMap(({ type, body }) =>
      misspellings(body).map(({ path, wrong }) => {
        const says = `${type}${path.replace(/\.\d+(?=\.)/g, '[]')}`
        return [says, { says, type, body: wrong }]
      }),
    ),
  )
  const all = compareWithTypes([...sent, ...misspelt.values()])
  const found = sent.flatMap(({ says }, index) => (all[index] === '' ? [] : [`${says}: ${all[index]}`]))
  expect(found).toEqual([])
  const missed = [...misspelt.keys()].flatMap((says, index) =>
    all[sent.length + index] === '' ? [says] : [],
  )
  expect(missed).toEqual([])
  expect(new Set(sent.map(({ type }) => type)).size).toBe(TYPES.length)
})

it('Google’s own package sends the same body', async () => {
  const on = await startModelsOnFake({ wire: GEMINI, modelId: 'gemini-4-hydrogen' })
  await on.models.generate({ alias: GEMINI.alias, messages: turns, ...full })
  const google = new GoogleGenAI({
    apiKey: 'key',
    apiVersion: 'v1beta',
    httpOptions: { baseUrl: on.fake.url },
  })
  const answer = await google.models.generateContentStream({
    model: 'gemini-4-hydrogen',
    contents: turns.map(({ role, content }) => ({
      role: role === 'assistant' ? 'model' : role,
      parts: [{ text: content }],
    })),
    config: {
      systemInstruction: { parts: [{ text: full.system }] },
      temperature: full.temperature,
      maxOutputTokens: full.maxTokens,
      stopSequences: full.stop,
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    },
  })
  await Array.fromAsync(answer)
  const [ours, theirs] = on.fake.journal
  expect(ours?.body).toEqual(theirs?.body)
  expect(ours?.path).toBe(theirs?.path)
  await on.close()
})

const hasParts = ({ messages = [] }: ModelCall) => messages.some(({ content }) => typeof content !== 'string')

/** The body with each of its fields misspelt in turn, but for those of a JSON schema, which is the caller's. */
function misspellings(body: unknown, at = ''): { path: string; wrong: object }[] {
  if (typeof body !== 'object' || body === null || /[sS]chema$/.test(at)) return []
  return Object.entries(body).flatMap(([name, value]) => {
    const path = `${at}.${name}`
    const inner = misspellings(value, path).map(({ path: innerPath, wrong }) => ({
      path: innerPath,
      wrong: withField(body, name, wrong),
    }))
    if (Array.isArray(body)) return inner
    const { [name]: _moved, ...others } = body as Record<string, unknown>
    return [{ path, wrong: { ...others, [`${name}x`]: value } }, ...inner]
  })
}

const withField = (body: object, name: string, value: unknown): object =>
  Array.isArray(body)
    ? body.map((each, index) => (`${index}` === name ? value : each))
    : { ...body, [name]: value }
