import type { RunDetails } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import { serveHttp } from '../../../testing/local-server.ts'
import { mediaOf } from '../../../testing/media.ts'
import { makeJpeg, makePdf, makePng } from '../../../testing/pictures.ts'

const PNG = makePng({ width: 40, height: 30 })
const base64 = (bytes: Buffer) => bytes.toString('base64')
const dataUrl = (bytes: Buffer, type: string) => `data:${type};base64,${base64(bytes)}`
const image = dataUrl(makePng({ width: 40, height: 30, tells: true }), 'image/png')
const pdf = dataUrl(makePdf(), 'application/pdf')

/** An image and a PDF as the clients of each vendor send them. */
const VENDORS = [
  {
    path: '/v1/chat/completions',
    body: (parts: object[]) => ({ messages: [{ role: 'user', content: parts }] }),
    text: { type: 'text', text: 'What is it?' },
    image: { type: 'image_url', image_url: { url: image, detail: 'high' } },
    document: { type: 'file', file: { filename: 'terms.pdf', file_data: pdf } },
    param: 'messages.0.content.1.image_url.url',
    broken: { type: 'image_url', image_url: { url: 'data:image/png;base64,PHN2Zy8+' } },
  },
  {
    path: '/v1/responses',
    body: (parts: object[]) => ({ input: [{ role: 'user', content: parts }] }),
    text: { type: 'input_text', text: 'What is it?' },
    image: { type: 'input_image', image_url: image, detail: 'auto' },
    document: { type: 'input_file', filename: 'terms.pdf', file_data: pdf },
    param: 'input.0.content.1.image_url',
    broken: { type: 'input_image', image_url: 'data:image/png;base64,PHN2Zy8+' },
  },
  {
    path: '/v1/messages',
    body: (parts: object[]) => ({ max_tokens: 100, messages: [{ role: 'user', content: parts }] }),
    text: { type: 'text', text: 'What is it?' },
    image: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64(PNG) } },
    document: {
      type: 'document',
      title: 'terms.pdf',
      source: { type: 'base64', media_type: 'application/pdf', data: base64(makePdf()) },
    },
    param: 'messages.0.content.1.source.data',
    broken: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'PHN2Zy8+' } },
  },
]

describe.each(routeDatabaseKinds)('images of calls on %s', (kind) => {
  let gateway: Gateway
  let media: ReturnType<typeof mediaOf>
  let server: Awaited<ReturnType<typeof serveHttp>>
  beforeAll(async () => {
    server = await serveHttp((_request, response) => response.end(makeJpeg({ tells: true })))
    const outbound = createOutbound({ allowHosts: [`127.0.0.1:${server.port}`] })
    gateway = await startGateway(kind, { modelId: 'gpt-4o' }, {}, { outbound })
    media = mediaOf(gateway)
    await media.hold('shot', null)
    await media.hold('second_shot', null)
    await media.hold('held', PNG)
    await media.hold('terms', null, { type: 'document' })
  })
  afterAll(async () => {
    await gateway.close()
    await server.close()
  })

  const errorIn = (text: string) => (JSON.parse(text) as { error: { message: string; param?: string } }).error

  describe.each(VENDORS)('$path', ({ path, body, text, image: sent, document, param, broken }) => {
    const call = async (contents: string[], parts: object[], headers: object = {}) => {
      const { value, model, chain } = await gateway.serve(contents)
      const reply = await gateway.post(path, value, { model, ...body(parts) }, headers)
      return { status: reply.status, text: await reply.text(), chain }
    }

    test('Images and documents of a call are the values of the image and PDF variables without a file that the prompt, or the chain’s first step, names, in order.', async () => {
      gateway.fake.reset()
      const steps = ['{{input}} See $<shot> by $<terms> or $<held>', 'Again $<shot>: {{a}}']
      const { status, text: replied, chain } = await call(steps, [text, sent, document])
      expect(status, replied).toBe(200)
      const run: RunDetails = await gateway.lastRun(chain.id)
      expect(run.input).toBe('What is it?')
      expect(run.steps[0]?.inputContent).toMatch(
        /^What is it\? See \[image: image\.png\] by \[document: (terms|document)\.pdf\] or \[image: login-500\.png\]$/,
      )
      expect(run.steps.map(({ attachments }) => attachments.map(({ name }) => name))).toEqual([
        ['shot', 'terms', 'held'],
        ['shot'],
      ])
      const url = `/api/executions/${run.id}/files/${run.steps[0]?.attachments[0]?.fileId}`
      const { bytes } = await media.download(url, gateway.owner)
      expect(bytes.equals(PNG)).toBe(true)
      const { messages } = gateway.fake.journal[0]?.body ?? {}
      const [turn] = messages as { content: { type: string }[] }[]
      expect(turn?.content.map(({ type }) => type)).toEqual([
        ...['text', 'image_url', 'text', 'file', 'text', 'image_url'],
      ])
    })

    test('An image of a call without a place for it is refused by name.', async () => {
      gateway.fake.reset()
      for (const content of ['{{input}}', 'See $<held>', '$<terms>']) {
        const { status, text: replied } = await call([content, '$<shot>'], [text, sent])
        const { message, param: named } = errorIn(replied)
        expect([status, message]).toEqual([
          400,
          expect.stringContaining(`${param}: images are not supported here`),
        ])
        if (path !== '/v1/messages') expect(named).toBe(param)
      }
      const two = await call(['$<shot>'], [text, sent, sent])
      expect(two.status).toBe(400)
      expect(gateway.fake.journal).toEqual([])
    })

    test('one that is none is refused by name', async () => {
      const { status, text: replied } = await call(['$<shot>'], [text, broken])
      expect([status, errorIn(replied).message]).toEqual([400, expect.stringMatching(/Only PNG, JPEG/)])
      expect(errorIn(replied).message).toContain(param)
    })

    test('a place that a call leaves empty fails the run by the variable’s name', async () => {
      const { status, text: replied } = await call(['See $<shot>'], [text])
      expect([status, errorIn(replied).message]).toEqual([
        422,
        expect.stringContaining('$<shot> has no value: No image specified'),
      ])
    })

    test('a repeated call with its key follows the run; another image is another call', async () => {
      gateway.fake.reset()
      const { value, model } = await gateway.serve(['See $<shot>'])
      const headers = { 'idempotency-key': `images of ${path}`.replaceAll(' ', '-') }
      const post = async (parts: object[]) =>
        (await gateway.post(path, value, { model, ...body(parts) }, headers)).status
      expect([await post([text, sent]), await post([text, sent])]).toEqual([200, 200])
      expect(gateway.fake.journal.length).toBe(1)
      expect(await post([text, broken])).toBe(409)
    })
  })

  test('an image may be an address, which is fetched through the guard', async () => {
    const { value, model, chain } = await gateway.serve(['See $<shot> and $<second_shot>'])
    const call = (url: string) => {
      const content = [{ type: 'image_url', image_url: { url } }, VENDORS[0]?.image]
      return gateway.post('/v1/chat/completions', value, { model, messages: [{ role: 'user', content }] })
    }
    const reply = await call(`http://127.0.0.1:${server.port}/photo`)
    expect(reply.status, await reply.text()).toBe(200)
    const [step] = (await gateway.lastRun(chain.id)).steps
    expect(step?.inputContent).toBe('See [image: photo.jpg] and [image: image.png]')
    const inside = await call('http://169.254.169.254/latest')
    expect(inside.status).toBe(400)
    expect(errorIn(await inside.text()).param).toBe('messages.0.content.0.image_url.url')
  })

  test('a stored prompt takes them where its text has a place', async () => {
    const { owner } = gateway
    const prompt = await gateway.createPrompt(owner, { title: 'See it', content: 'What is $<shot>?' })
    const token = await gateway.request({
      method: 'POST',
      url: '/api/read-tokens',
      body: { name: 'code', promptIds: [prompt.id], mayRun: true },
      as: owner,
    })
    expect(token.status, token.text).toBe(201)
    const { token: value } = token.body as { token: string }
    const [, responses] = VENDORS
    const call = (parts: unknown[]) =>
      gateway.post('/v1/responses', value, {
        model: 'openai',
        prompt: { id: `${prompt.slug}` },
        input: [{ role: 'user', content: parts }],
      })
    const reply = await call([responses?.image])
    expect(reply.status, await reply.text()).toBe(200)
    const url = `/api/prompts/${prompt.id}/executions`
    const [run] = (await gateway.request({ url, as: owner })).body as { executedPromptContent: string }[]
    expect(run?.executedPromptContent).toBe('What is [image: image.png]?')
    expect((await call([responses?.document])).status).toBe(400)
  })
})
