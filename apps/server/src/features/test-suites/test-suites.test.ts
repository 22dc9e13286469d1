import type { Chain, ImportReport, ListedTestSuite, Prompt, TestCase, TestSuite } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usages } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

const TEST_CASES_MAX = 1000
const TEST_SUITES_MAX = 50

const FILE = `description: Refunds
prompts: [file://prompt.txt]
providers: [openai:gpt-5]
defaultTest:
  vars: { tone: warm }
  assert: [{ type: latency, threshold: 4000 }]
tests:
  - description: asks for the order
    vars: { customer: [Ada, Eva] }
    assert:
      - { type: icontains, value: '{{customer}}' }
      - { type: javascript, value: output.length > 3 }
`

describe.each(routeDatabaseKinds)('test suites on %s', (kind) => {
  let library: Library
  let prompt: Prompt
  beforeAll(async () => {
    library = await startLibrary(kind)
    prompt = await library.createPrompt(library.owner)
  })
  afterAll(() => library.close())

  interface Send {
    method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
    path: string
    body?: unknown
    as?: TestUser
  }
  const send = ({ method = 'POST', path, body, as = library.owner }: Send) =>
    library.request({ method, url: `/api/${path}`, body, as })
  const read = async <T>(path: string) => (await send({ method: 'GET', path })).body as T
  const makeSuite = async (record = `prompts/${prompt.id}`, name = 'Refunds') =>
    (await send({ path: `${record}/test-suites`, body: { name } })).body as TestSuite
  const addCase = async (suiteId: number, name: string, fields: object = {}) =>
    (await send({ path: `test-suites/${suiteId}/cases`, body: { name, ...fields } })).body as TestCase
  const names = async (suiteId: number) =>
    (await read<TestCase[]>(`test-suites/${suiteId}/cases`)).map(({ name }) => name)

  test.each(['prompts', 'chains'] as const)(
    '%s have suites, by name, with how many cases',
    async (records) => {
      const { id } = records === 'prompts' ? prompt : await library.createChain(library.owner)
      const made = await makeSuite(`${records}/${id}`, ' Zeta ')
      expect(made).toMatchObject({
        ...{ name: 'Zeta', caseCount: 0, notRunCount: 0, revision: 1, canEdit: true, imported: [] },
        ...{ promptId: records === 'prompts' ? id : null, chainId: records === 'chains' ? id : null },
        defaults: { values: {}, assertions: [], threshold: null, notRun: [] },
      })
      await makeSuite(`${records}/${id}`, 'alpha')
      await addCase(made.id, 'one')
      const listed = await read<ListedTestSuite[]>(`${records}/${id}/test-suites`)
      expect(listed.map(({ name, caseCount }) => [name, caseCount])).toEqual([
        ['alpha', 0],
        ['Zeta', 1],
      ])
      for (const suite of listed) await send({ method: 'DELETE', path: `test-suites/${suite.id}` })
      expect(await read(`${records}/${id}/test-suites`)).toEqual([])
    },
  )

  test('Tests of a suite are created, saved, put in order, copied and deleted.', async () => {
    const { id } = await makeSuite()
    const assertions = [
      { type: 'not-icontains', value: 'sorry', weight: 2 },
      {
        type: 'assert-set',
        threshold: 0.5,
        assert: [{ type: 'is-json' }, { type: 'cost', threshold: 0.01 }],
      },
    ]
    const fields = { values: { customer: 'Ada' }, tags: ['angry'], assertions, threshold: 0.8, input: 'now' }
    const first = await addCase(id, 'one', fields)
    expect(first).toEqual({
      ...{ id: expect.any(Number), position: 0, name: 'one', skipsDefaults: false, notRun: [], ...fields },
      revision: 1,
    })
    const second = await addCase(id, 'two')
    const path = `test-suites/${id}/cases/${first.id}`
    expect((await send({ method: 'PATCH', path, body: { name: 'first', threshold: null } })).body).toEqual({
      ...{ ...first, name: 'first', threshold: null, revision: 2 },
    })
    expect((await send({ path: `${path}/duplicate` })).body).toMatchObject({
      name: 'first (copy)',
      position: 2,
      assertions,
    })
    const copy = (await read<TestCase[]>(`test-suites/${id}/cases`)).at(-1)
    const caseIds = [copy?.id, second.id, first.id]
    expect((await send({ path: `test-suites/${id}/reorder-cases`, body: { caseIds } })).status).toBe(204)
    expect(await names(id)).toEqual(['first (copy)', 'two', 'first'])
    expect((await send({ method: 'DELETE', path })).status).toBe(204)
    expect(await names(id)).toEqual(['first (copy)', 'two'])
    expect((await read<TestSuite>(`test-suites/${id}`)).revision).toBe(7)
    expect((await send({ method: 'GET', path })).body).toEqual({ error: 'Case not found' })
  })

  test('A stale write of a suite is refused with its current state.', async () => {
    const { id, revision } = await makeSuite()
    const { id: caseId } = await addCase(id, 'one')
    const current = await read<TestSuite>(`test-suites/${id}`)
    const writes: Send[] = [
      { method: 'PATCH', path: `test-suites/${id}`, body: { name: 'Stale', revision } },
      { path: `test-suites/${id}/cases`, body: { name: 'two', revision } },
      { path: `test-suites/${id}/reorder-cases`, body: { caseIds: [caseId], revision } },
    ]
    for (const write of writes) {
      const { status, body } = await send(write)
      expect([status, body]).toEqual([
        409,
        { error: 'This test suite was changed since you opened it', details: current },
      ])
    }
    expect([await names(id), await read(`test-suites/${id}`)]).toEqual([['one'], current])
  })

  test('A stale write of a test is refused with the test as it is; other tests are saved beside it.', async () => {
    const { id } = await makeSuite()
    const [first, second] = [await addCase(id, 'one'), await addCase(id, 'two')]
    const save = (caseId: number, name: string, revision: number) =>
      send({ method: 'PATCH', path: `test-suites/${id}/cases/${caseId}`, body: { name, revision } })
    expect(first.revision).toBe(1)
    expect((await save(first.id, 'mine', 1)).body).toEqual({ ...first, name: 'mine', revision: 2 })
    expect((await save(second.id, 'other', 1)).status).toBe(200)
    const { status, body } = await save(first.id, 'theirs', 1)
    const current = { ...first, name: 'mine', revision: 2 }
    expect([status, body]).toEqual([
      409,
      { error: 'This test was changed since you opened it', details: current },
    ])
    const [one, two] = await Promise.all([save(first.id, 'a', 2), save(first.id, 'b', 2)])
    expect([one.status, two.status].toSorted()).toEqual([200, 409])
  })

  test.each([
    [{ assertions: [{ type: 'javascript', value: 'true' }] }, 'assertions.0'],
    [{ assertions: [{ type: 'not-select-best', value: 'x' }] }, 'assertions.0'],
    [{ assertions: [{ type: 'contains' }] }, 'assertions.0.value'],
    [{ assertions: [{ type: 'word-count', value: { min: 9, max: 3 } }] }, 'assertions.0.value'],
    [{ assertions: [{ type: 'latency' }] }, 'assertions.0.threshold'],
    [{ assertions: [{ type: 'assert-set', assert: [{ type: 'assert-set', assert: [] }] }] }, 'assertions.0'],
    [{ assertions: Array.from({ length: 51 }, () => ({ type: 'is-json' })) }, 'assertions'],
    [{ values: { 'a-b': 'x' } }, 'values.a-b'],
    [{ tags: [''] }, 'tags.0'],
  ])('a case with %o is refused', async (fields, path) => {
    const { id } = await makeSuite()
    const { status, body } = await send({ path: `test-suites/${id}/cases`, body: { name: 'one', ...fields } })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(`"path":"${path}`)
    expect(await names(id)).toEqual([])
  })

  test('an order that does not name each case once is refused', async () => {
    const { id } = await makeSuite()
    const one = await addCase(id, 'one')
    const two = await addCase(id, 'two')
    for (const caseIds of [[one.id], [one.id, one.id], [one.id, two.id, two.id], [one.id, 1]]) {
      const { status } = await send({ path: `test-suites/${id}/reorder-cases`, body: { caseIds } })
      expect(status).toBe(400)
    }
    expect(await names(id)).toEqual(['one', 'two'])
  })

  test('Tests come in pages, and suites and tests are limited in number.', async () => {
    const { id } = await library.createPrompt(library.owner)
    const rows = Array.from({ length: TEST_CASES_MAX }, (_, index) => `${index},x`).join('\n')
    const body = { format: 'csv', text: `number,__expected\n${rows}` }
    const { suite } = (await send({ path: `prompts/${id}/test-suites/import`, body })).body as ImportReport
    const path = `test-suites/${suite?.id}/cases`
    const page = await send({ method: 'GET', path: `${path}?limit=60` })
    expect([page.headers['x-total-count'], (page.body as TestCase[]).length]).toEqual(['1000', 60])
    const next = await read<TestCase[]>(`${path}?cursor=${page.headers['x-next-cursor']}`)
    expect([next.length, next[0]?.values]).toEqual([100, { number: '60' }])
    expect((await send({ path, body: { name: 'more' } })).body).toEqual({
      error: 'A suite can have at most 1,000 cases',
    })
    for (let made = 1; made < TEST_SUITES_MAX; made++) await makeSuite(`prompts/${id}`)
    const refused = await send({ path: `prompts/${id}/test-suites`, body: { name: 'more' } })
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: 'A prompt can have at most 50 test suites. Delete one to add another.' },
    ])
  })

  test('a file is read dry first, then makes a suite, and is exported with all that it had', async () => {
    const path = `prompts/${prompt.id}/test-suites/import`
    const before = await read(`prompts/${prompt.id}/test-suites`)
    const dry = await send({ path, body: { format: 'promptfoo', text: FILE, dryRun: true } })
    const report = {
      ...{ name: 'Refunds', caseCount: 2, assertionCount: 3, notRunCount: 4 },
      notRun: [
        { at: 'prompts', reason: 'The prompt is the one here' },
        { at: 'providers', reason: 'Targets are chosen when an evaluation starts' },
        { at: 'asks for the order (1): assert.1', reason: 'It runs code, which is not supported here' },
        { at: 'asks for the order (2): assert.1', reason: 'It runs code, which is not supported here' },
      ],
    }
    expect([dry.status, dry.body]).toEqual([200, { ...report, suite: null }])
    expect(await read(`prompts/${prompt.id}/test-suites`)).toEqual(before)
    const { suite } = (await send({ path, body: { format: 'promptfoo', text: FILE } })).body as ImportReport
    expect(suite).toMatchObject({ name: 'Refunds', caseCount: 2, notRunCount: 4 })
    const exported = await send({ method: 'GET', path: `test-suites/${suite?.id}/export` })
    expect(exported.headers['content-type']).toBe('application/yaml; charset=utf-8')
    const again = await send({ path, body: { format: 'promptfoo', text: exported.text, dryRun: true } })
    expect(again.body).toEqual({ ...report, suite: null })
    expect(exported.text).toContain('output.length > 3')
  })

  test.each([
    ['promptfoo', 'tests: [', 'Line 1'],
    ['promptfoo', 'tests: [!!js/function "x"]', 'Line 1'],
    ['promptfoo', 'hello', 'It is not a promptfoo configuration'],
    ['csv', 'a,b\n"1', 'It is not a table'],
  ])('a %s file that is %o is refused', async (format, text, message) => {
    const path = `prompts/${prompt.id}/test-suites/import`
    const { status, body } = await send({ path, body: { format, text } })
    expect(status).toBe(400)
    expect((body as { error: string }).error).toContain(message)
  })

  test('Suites and tests count towards a person’s limits.', async () => {
    const owned = await library.createPrompt(library.other)
    const counted = async () => {
      const rows = await library.db.select().from(usages)
      const { suites, cases, text } = rows.find(({ userId }) => userId === library.other.user.id) ?? {}
      return { suites, cases, text }
    }
    const before = await counted()
    const as = library.other
    const { id } = (await send({ path: `prompts/${owned.id}/test-suites`, body: { name: 'S' }, as }))
      .body as TestSuite
    await send({ path: `test-suites/${id}/cases`, body: { name: 'one', input: 'x'.repeat(1000) }, as })
    const after = await counted()
    expect([after.suites, after.cases]).toEqual([1, 1])
    expect((after.text ?? 0) - (before.text ?? 0)).toBeGreaterThan(1000)
    await send({ method: 'DELETE', path: `prompts/${owned.id}`, as })
    const { text: _, ...gone } = await counted()
    expect(gone).toEqual({ suites: 0, cases: 0 })
  })

  test('an answer is graded at once, except for model-graded assertions', async () => {
    const body = {
      assertions: [
        { type: 'word-count', value: { max: 3 } },
        { type: 'icontains', value: '$<customer>', metric: 'name' },
        { type: 'regex', value: '^(\\w+\\s?)+$', weight: 0 },
        { type: 'llm-rubric', value: 'is polite' },
      ],
      values: { customer: 'ADA' },
      answer: { text: 'Dear Ada, hello there', latencyMs: 10 },
    }
    const { status, body: graded } = await send({ path: 'test-suites/grade', body })
    expect([status, graded]).toMatchObject([
      200,
      {
        ...{ verdict: 'failed', score: 0.5, reason: '4 words, at most 3', metrics: { name: 1 }, notRun: 0 },
        results: [
          { type: 'word-count', passed: false, score: 0, reason: '4 words, at most 3' },
          { type: 'icontains', passed: true, score: 1, reason: 'It contains “ADA”', metric: 'name' },
          { type: 'regex', passed: true, score: 0, weight: 0 },
          { type: 'llm-rubric', passed: null, reason: 'A model grades this in an evaluation' },
        ],
      },
    ])
  })

  test('a chain’s suite is deleted with the chain', async () => {
    const { id } = (await library.createChain(library.owner)) as Chain
    const suite = await makeSuite(`chains/${id}`)
    await send({ method: 'DELETE', path: `chains/${id}` })
    expect((await send({ method: 'GET', path: `test-suites/${suite.id}` })).body).toEqual({
      error: 'Test suite not found',
    })
  })
})
