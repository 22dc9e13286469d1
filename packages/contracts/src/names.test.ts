import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import * as contracts from './index.ts'

/** Fields in which a person says what something is called. */
const NAMES = new Set([
  'name',
  'title',
  'label',
  'fileName',
  'username',
  'slug',
  'outputVariableName',
  'alias',
])
/** What’s in them is not kept: it is looked for, or a file as it lies elsewhere. */
const OTHERS = [
  'GET /api/admin/checks/{name}.name',
  'GET /api/public/v2/prompts/{name}.name',
  'POST /api/import.files.name',
  'POST /api/login.username',
  'PUT /api/chains/{id}/shares.username',
  'PUT /api/prompts/{id}/shares.username',
  'importRequest.files.name',
  'loginRequest.username',
  'saveSharesRequest.username',
  'servedPromptParams.name',
]

/** Of every request, with the path of each: of endpoints, and of what else is called so. */
function* nameFields(): Generator<[string, z.ZodType]> {
  for (const [key, { params, body }] of contracts.listEndpoints()) {
    for (const schema of [params, body]) if (schema) yield* fieldsOf(schema, key)
  }
  for (const [exported, schema] of Object.entries(contracts)) {
    if (/Request$|Params$/.test(exported) && schema instanceof z.ZodType) yield* fieldsOf(schema, exported)
  }
}

function* fieldsOf(schema: z.ZodType, path: string): Generator<[string, z.ZodType]> {
  const { shape, element, innerType, options, in: from } = innerOf(schema)
  for (const inner of [element, innerType, from, ...(options ?? [])]) {
    if (inner !== undefined) yield* fieldsOf(inner, path)
  }
  for (const [key, field] of Object.entries(shape ?? {})) {
    const at = `${path}.${key}`
    if (NAMES.has(key) && field.safeParse('abc').success) yield [at, field]
    else yield* fieldsOf(field, at)
  }
}

const innerOf = (schema: z.ZodType) =>
  schema.def as unknown as {
    shape?: Record<string, z.ZodType>
    element?: z.ZodType
    innerType?: z.ZodType
    options?: z.ZodType[]
    in?: z.ZodType
  }

/** Names no record: it refers to a variable, or is a part of a call that somebody else’s service reads. */
const isReference = (path: string) => /\.(fills|tool\.query|tool\.headers)\.name$/.test(path)
const fields = new Map([...nameFields()].filter(([path]) => !OTHERS.includes(path) && !isReference(path)))

test('the fields are found', () => {
  expect([...fields.keys()]).toEqual(
    expect.arrayContaining([
      'POST /api/categories.name',
      'POST /api/tags.name',
      'renameEntryRequest.name',
      'savePromptRequest.title',
      'createChainRequest.name',
      'saveVariableRequest.name',
      'registerRequest.username',
      'createReadTokenRequest.name',
      'createTestSuiteRequest.name',
      'promptAliasParams.alias',
    ]),
  )
})

describe.each([...fields.entries()])('%s', (_, field) => {
  test.each(['\u200b', '\u2060', '\u3164', '\u00ad', '\u2800', ' \u00a0\u3000', '\ufe0f\u200d'])(
    'A name has a character that can be seen, in every field of every request. (%j)',
    (blank) => {
      const { success, data } = field.safeParse(blank)
      expect(success ? data : '').toBe('')
    },
  )

  test('A name is kept composed.', () => {
    const { success, data } = field.safeParse('Cafe\u0301')
    if (success) expect(data).toBe('Caf\u00e9')
  })
})
