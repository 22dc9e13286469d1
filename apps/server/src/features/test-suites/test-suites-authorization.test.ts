import type { RecordKind, TestCase, TestSuite } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

type Verdict = 'ok' | 'log in' | 'hidden' | 'forbidden'
const STATUS = { 'log in': 401, hidden: 404, forbidden: 403 } as const

interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  url: string
  body?: unknown
}

interface Made {
  record: string
  suite: TestSuite
  testCase: TestCase
}

const READS: ((made: Made) => Call)[] = [
  ({ record }) => ({ method: 'GET', url: `${record}/test-suites` }),
  ({ suite }) => ({ method: 'GET', url: `/api/test-suites/${suite.id}` }),
  ({ suite }) => ({ method: 'GET', url: `/api/test-suites/${suite.id}/export` }),
  ({ suite }) => ({ method: 'GET', url: `/api/test-suites/${suite.id}/cases` }),
  ({ suite, testCase }) => ({ method: 'GET', url: `/api/test-suites/${suite.id}/cases/${testCase.id}` }),
]
const CSV = { format: 'csv', text: 'a\nb' }
const WRITES: ((made: Made) => Call)[] = [
  ({ record }) => ({ method: 'POST', url: `${record}/test-suites`, body: { name: 'New' } }),
  ({ record }) => ({ method: 'POST', url: `${record}/test-suites/import`, body: { ...CSV, dryRun: true } }),
  ({ record }) => ({ method: 'POST', url: `${record}/test-suites/import`, body: CSV }),
  ({ suite }) => ({ method: 'PATCH', url: `/api/test-suites/${suite.id}`, body: { name: 'Mine' } }),
  ({ suite, testCase }) => ({
    ...{
      method: 'POST',
      url: `/api/test-suites/${suite.id}/reorder-cases`,
      body: { caseIds: [testCase.id] },
    },
  }),
  ({ suite }) => ({ method: 'POST', url: `/api/test-suites/${suite.id}/cases`, body: { name: 'New' } }),
  ({ suite, testCase }) => ({
    ...{ method: 'PATCH', url: `/api/test-suites/${suite.id}/cases/${testCase.id}`, body: { name: 'Mine' } },
  }),
  ({ suite, testCase }) => ({
    ...{ method: 'POST', url: `/api/test-suites/${suite.id}/cases/${testCase.id}/duplicate` },
  }),
  ({ suite, testCase }) => ({ method: 'DELETE', url: `/api/test-suites/${suite.id}/cases/${testCase.id}` }),
  ({ suite }) => ({ method: 'DELETE', url: `/api/test-suites/${suite.id}` }),
]

/** What each person may read and write. */
const MATRIX: Record<string, Record<string, [reads: Verdict, writes: Verdict]>> = {
  private: {
    ...{ guest: ['log in', 'log in'], disabled: ['log in', 'log in'], other: ['hidden', 'hidden'] },
    ...{
      viewer: ['ok', 'forbidden'],
      editor: ['ok', 'ok'],
      owner: ['ok', 'ok'],
      admin: ['hidden', 'hidden'],
    },
  },
  public: {
    ...{ guest: ['log in', 'log in'], disabled: ['log in', 'log in'], other: ['ok', 'forbidden'] },
    ...{ viewer: ['ok', 'forbidden'], editor: ['ok', 'ok'], owner: ['ok', 'ok'], admin: ['ok', 'ok'] },
  },
}
/** A public chain has no editors beside its owner and admins. */
const PUBLIC_CHAIN = { ...MATRIX.public, editor: ['ok', 'forbidden'] as [Verdict, Verdict] }

describe.each(routeDatabaseKinds)('who may do what with a test suite on %s', (database) => {
  let library: Library
  let people: Record<string, TestUser | undefined>
  beforeAll(async () => {
    library = await startLibrary(database)
    const { owner, other, admin } = library
    const [viewer, editor, disabled] = await Promise.all(
      ['Vera', 'Edgar', 'Dora'].map((username) => library.registerUser({ username })),
    )
    const body = { disabled: true }
    await library.request({ method: 'PATCH', url: `/api/admin/users/${disabled?.user.id}`, body, as: admin })
    people = { guest: undefined, disabled, other, viewer, editor, owner, admin }
  })
  afterAll(() => library.close())

  const asOwner = async <T>(method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown) =>
    (await library.request({ method, url, body, as: library.owner })).body as T

  async function make(kind: RecordKind, level: string): Promise<Made> {
    const isPublic = level === 'public'
    const { id } =
      kind === 'prompt'
        ? await library.createPrompt(library.owner, { isPublic })
        : await library.createChain(library.owner, { sharedLevel: isPublic ? 'public' : 'shared' })
    const record = `/api/${kind}s/${id}`
    await asOwner('PUT', `${record}/shares`, [
      { username: 'Vera', role: 'viewer' },
      { username: 'Edgar', role: 'editor' },
    ])
    const suite = await asOwner<TestSuite>('POST', `${record}/test-suites`, { name: 'Secret' })
    const body = { name: 'Secret', values: { customer: 'Ada' } }
    return { record, suite, testCase: await asOwner('POST', `/api/test-suites/${suite.id}/cases`, body) }
  }

  describe.each(['prompt', 'chain'] as const)('of a %s', (kind) => {
    describe.each(Object.keys(MATRIX))('that is %s', (level) => {
      const verdicts = kind === 'chain' && level === 'public' ? PUBLIC_CHAIN : (MATRIX[level] ?? {})
      test.each(Object.entries(verdicts))(
        'Guest, stranger, viewer, editor, owner, administrator and disabled account each have their rights to suites. (%s)',
        async (person, [reads, writes]) => {
          const calls = [
            ...READS.map((call) => [call, reads] as const),
            ...WRITES.map((call) => [call, writes] as const),
          ]
          let made = await make(kind, level)
          const state = async () => [
            await asOwner('GET', `/api/test-suites/${made.suite.id}`),
            await asOwner('GET', `/api/test-suites/${made.suite.id}/cases`),
            await asOwner('GET', `${made.record}/test-suites`),
          ]
          for (const [toCall, verdict] of calls) {
            const call = toCall(made)
            const before = verdict === 'ok' ? [] : await state()
            const reply = await library.request({ ...call, as: people[person] })
            const context = `${call.method} ${call.url}: ${reply.text}`
            if (verdict === 'ok') {
              expect(reply.status, context).toBeLessThan(300)
              if (call.method === 'DELETE') made = await make(kind, level)
            } else {
              expect(reply.status, context).toBe(STATUS[verdict])
              expect(reply.text, context).not.toContain('Secret')
              expect(await state(), context).toEqual(before)
            }
          }
        },
      )
    })
  })

  test('a case is reached only through its own suite, and grading is for people with an account', async () => {
    const mine = await make('prompt', 'private')
    const others = await make('prompt', 'private')
    const url = `/api/test-suites/${others.suite.id}/cases/${mine.testCase.id}`
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { name: 'x' } : undefined
      expect((await library.request({ method, url, body, as: library.owner })).status).toBe(404)
    }
    const body = { assertions: [], answer: { text: '' } }
    const grade = (as: TestUser | undefined) =>
      library.request({ method: 'POST', url: '/api/test-suites/grade', body, as })
    expect([(await grade(undefined)).status, (await grade(people.disabled)).status]).toEqual([401, 401])
    expect((await grade(library.other)).status).toBe(200)
  })
})
