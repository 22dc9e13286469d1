import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../testing/harness.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

afterAll(() => app.close())

/** What a guest reads of every address that the document lists, and of the gateway's. */
async function listAddresses(): Promise<string[]> {
  const { paths } = (await app.request({ url: '/api/openapi.json' })).body as {
    paths: Record<string, Record<string, unknown>>
  }
  const readable = Object.keys(paths).filter((address) => 'get' in (paths[address] ?? {}))
  return [...readable.map((address) => address.replace(/\{\w+\}/g, '7')), '/v1/models', '/healthz']
}

test.each([
  { written: 'two slashes before it', write: (address: string) => `/${address}` },
  { written: 'two slashes within it', write: (address: string) => address.replace(/(.)\//, '$1//') },
  { written: 'a slash after it', write: (address: string) => `${address}/` },
  {
    written: 'many slashes, and a query that has its own',
    write: (address: string) => `//${address}///?x=//y//`,
  },
])('every address answers with $written', async ({ write }) => {
  const addresses = await listAddresses()
  expect(addresses.length).toBeGreaterThan(100)
  const wrong: string[] = []
  for (const address of addresses) {
    const query = write('/').split('?')[1]
    const plain = await app.request({ url: query === undefined ? address : `${address}?${query}` })
    const other = await app.request({ url: write(address) })
    if (plain.status !== other.status) wrong.push(`${write(address)}: ${other.status}, not ${plain.status}`)
  }
  expect(wrong).toEqual([])
})

test('An address with slashes too many leads to the same place.', async () => {
  const reply = await app.request({ url: '//evil.example/api/health' })
  expect(reply.headers.location).toBeUndefined()
  expect(reply.status).toBe(404)
})
