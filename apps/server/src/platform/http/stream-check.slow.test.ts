import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../testing/harness.ts'

const STREAM_CHECK_GAP_MS = 600
const STREAM_CHECK_PATH = '/api/stream-check'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ settings: { trustProxy: 1 } })
})
afterAll(() => app.close())
const check = (from: string, headers: Record<string, string> = {}) =>
  app.request({ url: STREAM_CHECK_PATH, from, headers })
const events = (text: string) =>
  [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data]) => [name, JSON.parse(data ?? '')])

test('The two timed events of `doctor` tell strangers no more than how their own call came, twelve times a minute.', async () => {
  const startedAt = performance.now()
  const { status, text, headers } = await check('192.0.2.1')
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(STREAM_CHECK_GAP_MS - 50)
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': expect.stringContaining('text/event-stream'),
    'x-accel-buffering': 'no',
  })
  const report = { forwarded: 0, believed: 0, authorization: false }
  expect(events(text)).toEqual([
    ['first', report],
    ['second', report],
  ])
  const through = await check('192.0.2.1', {
    'x-forwarded-for': '203.0.113.1, 203.0.113.2',
    authorization: 'Bearer secret',
  })
  expect(events(through.text)[0]).toEqual(['first', { forwarded: 2, believed: 1, authorization: true }])
  expect(through.text).not.toMatch(/203|secret/)
})

test('an address may ask twelve times a minute, and fifty at once for all', async () => {
  // One after the other: more than two at once of one address wait for their turns.
  for (let each = 0; each < 12; each += 1) expect((await check('192.0.2.2')).status).toBe(200)
  expect((await check('192.0.2.2')).status).toBe(429)
  const all = await Promise.all(Array.from({ length: 60 }, (_, each) => check(`192.0.2.${100 + each}`)))
  expect(all.filter(({ status }) => status === 429)).toHaveLength(10)
  expect((await check('192.0.2.200')).status).toBe(200)
})
