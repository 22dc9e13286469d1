import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../../testing/harness.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']
const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

interface Operation {
  operationId?: string
  parameters?: { name: string; in: string }[]
  responses?: object
}
interface Document {
  openapi: string
  servers?: { url: string }[]
  paths: Record<string, Record<string, Operation>>
}

let app: TestApp
let api: Document

beforeAll(async () => {
  app = await startApp()
  const reply = await app.request({ url: '/api/openapi.json' })
  api = reply.body as Document
})

afterAll(() => app.close())

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  )

/** Everything within a value, by its JSON pointer. */
function* walk(value: unknown, pointer = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  yield [pointer, value as Record<string, unknown>]
  for (const [key, inner] of Object.entries(value)) {
    yield* walk(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
}

/** What is no fault: a test’s server on this machine; words and ids in one place of a path; a choice of one. */
const REMARKS = [
  'no-server-example.com',
  'no-ambiguous-paths',
  'operation-4xx-response',
  'no-illogical-composition-keywords',
]

test('a linter of others finds nothing wrong with it', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(api), config })
  expect(problems.length).toBeGreaterThan(0)
  const wrong = problems.filter(({ ruleId }) => !REMARKS.includes(ruleId))
  expect(wrong.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([])
})

test('The OpenAPI document is whole: each reference leads to a place in it, each operation has an id of its own.', () => {
  const places = new Set([...walk(api)].map(([pointer]) => `#${pointer}`))
  const references = [...walk(api)].flatMap(([pointer, { $ref }]) =>
    typeof $ref === 'string' ? [{ pointer, $ref }] : [],
  )
  expect(references.length).toBeGreaterThan(10)
  expect(references.filter(({ $ref }) => !places.has($ref))).toEqual([])
})

test('each operation has an id of its own that a generated client can use as a name', () => {
  const ids = operationsOf(api).map(({ operation }) => operation.operationId ?? '')
  expect(ids.length).toBeGreaterThan(200)
  expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([])
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(api.paths['/api/prompts/{id}']?.get?.operationId).toBe('getPromptsById')
})

test('the document says where its server is', () => {
  expect(api.openapi).toMatch(/^3\.1\./)
  expect(api.servers?.map(({ url }) => new URL(url).href)).toHaveLength(1)
  expect(api.servers?.[0]?.url).not.toMatch(/\/$/)
})

test('each operation has replies, and each part in a path its parameter', () => {
  const wrong = operationsOf(api).filter(({ path, method, operation }) => {
    const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const given = (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name)
    const isWhole = wanted.toSorted().join() === given.toSorted().join()
    return !METHODS.includes(method) || !isWhole || Object.keys(operation.responses ?? {}).length === 0
  })
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('each schema has types that there are, and is free of the marks of what wrote it', () => {
  const schemas = [...walk(api)].filter(([pointer]) =>
    /\/(schema|items|anyOf\/\d+|properties\/[^/]+)$/.test(pointer),
  )
  expect(schemas.length).toBeGreaterThan(500)
  const wrong = schemas.filter(([, schema]) =>
    [schema.type ?? []].flat().some((type) => typeof type === 'string' && !TYPES.includes(type)),
  )
  expect(wrong.map(([pointer]) => pointer)).toEqual([])
  expect(JSON.stringify(api)).not.toMatch(/__SCHEMA|__shared|\$defs/)
})
