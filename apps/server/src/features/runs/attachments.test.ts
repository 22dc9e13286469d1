import type { ExecutePromptReply, PromptRun, RunAttachment, RunDetails } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChainLibrary } from '../../testing/chain-library.ts'
import { databaseKinds, routeDatabaseKinds } from '../../testing/database.ts'
import { FAKE_WIRES } from '../../testing/fake-providers/start-models-on-fake.ts'
import type { TestUser } from '../../testing/harness.ts'
import { mediaOf } from '../../testing/media.ts'
import { makeJpeg, makePdf, makePng } from '../../testing/pictures.ts'

const PNG = makePng({ width: 40, height: 30 })
const PDF = makePdf()

const inlined = (bytes: Buffer, type: string) => `data:${type};base64,${bytes.toString('base64')}`
const image = inlined(PNG, 'image/png')
const document = inlined(PDF, 'application/pdf')
const source = (bytes: Buffer, media_type: string) => ({
  type: 'base64',
  media_type,
  data: bytes.toString('base64'),
})
const BEGINNING = 'What they saw: [image: login-500.png]'
const MIDDLE = ' Terms: [document: terms.pdf]'

/** The turn of a user with an image, a PDF and the image once more, as each wire has it. */
const EXPECTED: Record<(typeof FAKE_WIRES)[number]['name'], object> = {
  anthropic: {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: BEGINNING },
          { type: 'image', source: source(PNG, 'image/png') },
          { type: 'text', text: MIDDLE },
          { type: 'document', source: source(PDF, 'application/pdf') },
          { type: 'text', text: ' Once more: [image: login-500.png].' },
          { type: 'text', text: '\n\nBe brief' },
        ],
      },
    ],
  },
  'openai responses': {
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: BEGINNING },
          { type: 'input_image', detail: 'auto', image_url: image },
          { type: 'input_text', text: MIDDLE },
          { type: 'input_file', filename: 'terms.pdf', file_data: document },
          { type: 'input_text', text: ' Once more: [image: login-500.png].' },
          { type: 'input_text', text: '\n\nBe brief' },
        ],
      },
    ],
  },
  'openai chat': {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: BEGINNING },
          { type: 'image_url', image_url: { url: image } },
          { type: 'text', text: MIDDLE },
          { type: 'file', file: { filename: 'terms.pdf', file_data: document } },
          { type: 'text', text: ' Once more: [image: login-500.png].' },
          { type: 'text', text: '\n\nBe brief' },
        ],
      },
    ],
  },
  gemini: {
    contents: [
      {
        role: 'user',
        parts: [
          { text: BEGINNING },
          { inlineData: { mimeType: 'image/png', data: PNG.toString('base64') } },
          { text: MIDDLE },
          { inlineData: { mimeType: 'application/pdf', data: PDF.toString('base64') } },
          { text: ' Once more: [image: login-500.png].' },
          { text: '\n\nBe brief' },
        ],
      },
    ],
  },
}

/** Ids of models that are known to see. */
const MODEL_IDS = { claude: 'claude-sonnet-4-5', openai: 'gpt-4o', gemini: 'gemini-3-flash' }

async function start(...options: Parameters<typeof startChainLibrary>) {
  const library = await startChainLibrary(...options)
  const media = mediaOf(library)
  const execute = async (body: object, as: TestUser = library.owner) =>
    library.request({ method: 'POST', url: '/api/execute-prompt', body, as })
  const historyOf = async (promptId: number, as: TestUser = library.owner) =>
    (await library.request({ url: `/api/prompts/${promptId}/executions`, as })).body as PromptRun[]
  return { ...library, media, executePrompt: execute, historyOf }
}
type Started = Awaited<ReturnType<typeof start>>

describe.each(FAKE_WIRES)('an image and a PDF by the wire $name', (wire) => {
  let library: Started
  beforeAll(async () => {
    library = await start('embedded', { wire, modelId: MODEL_IDS[wire.alias] })
    const { owner, media } = library
    await media.hold('screenshot', PNG)
    const { filePath } = await media.store(PDF, 'terms.pdf')
    await library.createVariable(owner, { name: 'terms', type: 'document', content: filePath })
  })
  afterAll(() => library.close())

  test('An image or PDF is sent in each vendor’s form, once, after its mark in the text; the history keeps the text with marks, and shows small pictures.', async () => {
    const { owner, fake, executePrompt, historyOf } = library
    const content = 'What they saw: $<screenshot> Terms: $<terms> Once more: $<Screenshot>.'
    const { id: promptId } = await library.createPrompt(owner, { content })
    const reply = await executePrompt({ promptId, model: wire.alias, userInput: 'Be brief' })
    expect(reply.status, reply.text).toBe(200)
    expect(JSON.parse(JSON.stringify(fake.journal.at(-1)?.body))).toMatchObject(EXPECTED[wire.name])
    const [run] = await historyOf(promptId)
    expect(run?.executedPromptContent).toBe(`${BEGINNING}${MIDDLE} Once more: [image: login-500.png].`)
    expect(run?.attachments).toMatchObject([
      { name: 'screenshot', mediaType: 'image/png', width: 40, height: 30, bytes: PNG.length },
      { name: 'terms', mediaType: 'application/pdf', width: null, fileName: 'terms.pdf' },
    ])
    expect((reply.body as ExecutePromptReply).attachments).toEqual(run?.attachments)
  })
})

describe.each(databaseKinds)('images in runs on %s', (kind) => {
  let library: Started
  beforeAll(async () => {
    library = await start(kind, { hasCustom: true, modelId: MODEL_IDS.openai })
    await library.media.hold('shot', PNG)
    await library.media.hold('place', null)
  })
  afterAll(() => library.close())

  const imagesSent = () =>
    library.fake.journal.map(({ body }) => {
      const [turn] = body.messages as { content: string | { type: string }[] }[]
      const parts = typeof turn?.content === 'string' ? [] : (turn?.content ?? [])
      return parts.filter(({ type }) => type === 'image_url').length
    })

  test('steps of a chain are sent theirs, and keep it', async () => {
    library.fake.reset()
    const { id } = await library.buildChain(['First $<shot>', 'Then {{a}}', 'Last $<shot>'])
    const run = await library.ended(await library.execute(id))
    expect(run.status).toBe('completed')
    expect(imagesSent()).toEqual([1, 0, 1])
    expect(run.steps.map(({ attachments }) => attachments.map(({ name }) => name))).toEqual([
      ['shot'],
      [],
      ['shot'],
    ])
    const [segment] = run.steps[0]?.inputSegments ?? []
    expect(run.steps[0]?.inputContent?.slice(segment?.start, segment?.end)).toBe('[image: login-500.png]')
  })

  test('For one run an image or PDF may be chosen in the place of a variable; only one’s own uploads.', async () => {
    const { owner, other, media, executePrompt, historyOf } = library
    const { id: promptId } = await library.createPrompt(owner, { content: 'See $<place>', isPublic: true })
    const { filePath, fileId } = await media.store(makeJpeg({ tells: true }), 'own.jpg')
    const run = await executePrompt({ promptId, model: 'openai', variableValues: { place: filePath } })
    expect(run.status, run.text).toBe(200)
    const [kept] = await historyOf(promptId)
    expect(kept).toMatchObject({
      executedPromptContent: 'See [image: own.jpg]',
      variableValues: { place: filePath },
      usesPrivateValues: false,
      attachments: [{ fileId, name: 'place', mediaType: 'image/jpeg' }],
      resolved: { place: { type: 'typed', source: filePath } },
    })
    const stolen = await executePrompt({ promptId, variableValues: { place: filePath } }, other)
    expect(stolen).toMatchObject({
      status: 400,
      body: { error: '$<place> has no value: This file is not among your uploads' },
    })
  })

  test('a place without an image stays as it is written, with the reason', async () => {
    const { owner, executePrompt, historyOf } = library
    const { id: promptId } = await library.createPrompt(owner, { content: 'See $<place>' })
    await executePrompt({ promptId, model: 'openai' })
    const [kept] = await historyOf(promptId)
    expect(kept).toMatchObject({
      executedPromptContent: 'See $<place>',
      attachments: [],
      resolved: { place: { error: 'No image specified' } },
    })
  })

  test('A model that can’t see is refused by name before any call.', async () => {
    const { owner, fake, executePrompt, historyOf } = library
    fake.reset()
    const { id: promptId } = await library.createPrompt(owner, { content: 'See $<shot>' })
    const reply = await executePrompt({ promptId, model: 'custom' })
    const error = 'Custom can’t see images, and login-500.png is one. Choose another model.'
    expect(reply).toMatchObject({ status: 400, body: { error, details: 'model_unable' } })
    expect(fake.journal).toEqual([])
    expect((await historyOf(promptId))[0]).toMatchObject({ status: 'failed', error })
    const { id } = await library.buildChain([{ content: 'See $<shot>', model: 'custom' }])
    const run = await library.ended(await library.execute(id))
    expect(run).toMatchObject({
      status: 'failed',
      errorCode: 'model_unable',
      error: expect.stringContaining(error),
    })
    expect(fake.journal).toEqual([])
  })

  test('A step is sent at most 20 images and PDFs, of 20 MB together.', async () => {
    const { owner, executePrompt } = library
    const names = Array.from({ length: 21 }, (_, index) => `many_${index}`)
    for (const [index, name] of names.entries())
      await library.media.hold(name, makePng({ width: 20 + index }))
    const { id: promptId } = await library.createPrompt(owner, {
      content: names.map((name) => `$<${name}>`).join(' '),
    })
    expect(await executePrompt({ promptId, model: 'openai' })).toMatchObject({
      status: 400,
      body: { error: 'The text has 21 images and PDFs; at most 20 can be sent' },
    })
  })
})

describe.each(routeDatabaseKinds)('who sees the images of a run on %s', (kind) => {
  let library: Started
  let promptId: number
  beforeAll(async () => {
    library = await start(kind, { modelId: MODEL_IDS.openai })
    await library.media.hold('private_shot', PNG)
    await library.media.hold('public_shot', PNG, { isPublic: true })
    const { id } = await library.createPrompt(library.owner, {
      content: 'See $<private_shot>',
      isPublic: true,
    })
    promptId = id
  })
  afterAll(() => library.close())

  const run = async (template: string, as: TestUser) => {
    const reply = await library.executePrompt({ promptId, model: 'openai', template }, as)
    const { executionId } = reply.body as ExecutePromptReply
    const [attachment] = (await library.find(executionId, as)).steps[0]?.attachments ?? []
    return { executionId, attachment }
  }
  const seen = async (
    { executionId, attachment }: { executionId: number; attachment: RunAttachment | undefined },
    as: TestUser,
  ) => {
    const details = (await library.request({ url: `/api/executions/${executionId}`, as })).body as RunDetails
    const url = `/api/executions/${executionId}/files/${attachment?.fileId}`
    const { status } = await library.media.download(url, as)
    return [details.steps?.[0]?.attachments.length, status]
  }

  test('of a private one its runner alone, until they share the run', async () => {
    const { owner, admin } = library
    const own = await run('See $<private_shot>', owner)
    expect(await seen(own, owner)).toEqual([1, 200])
    expect(await seen(own, admin)).toEqual([0, 404])
    const listed = await library.historyOf(promptId, admin)
    expect(listed.find(({ id }) => id === own.executionId)).toMatchObject({
      sight: 'figures',
      attachments: [],
    })
    await library.request({ method: 'PUT', url: `/api/executions/${own.executionId}/share`, as: owner })
    expect(await seen(own, admin)).toEqual([1, 200])
  })

  test('Images of a run are seen by who sees its texts (D59), and stay when their variable is gone.', async () => {
    const { owner, other, admin } = library
    const theirs = await run('See $<public_shot>', other)
    expect(await seen(theirs, other)).toEqual([1, 200])
    expect(await seen(theirs, admin)).toEqual([1, 200])
    const variables = (await library.request({ url: '/api/variables?search=public_shot', as: owner })).body
    const [{ id }] = variables as [{ id: number }]
    await library.request({ method: 'DELETE', url: `/api/variables/${id}`, as: owner })
    expect(await seen(theirs, other)).toEqual([1, 200])
  })

  test('a file of another run is not shown by this one', async () => {
    const own = await run('See $<private_shot>', library.owner)
    const plain = await run('Hello', library.owner)
    const url = `/api/executions/${plain.executionId}/files/${own.attachment?.fileId}`
    expect((await library.media.download(url, library.owner)).status).toBe(404)
    expect((await library.media.download(url)).status).toBe(401)
  })
})
