import { request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { CaseGrade, ImportReport, Prompt, TestSuite } from '@catenary/contracts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'

let library: Library
let prompt: Prompt
let mallory: TestUser
beforeAll(async () => {
  library = await startLibrary('embedded')
  mallory = await library.registerUser()
  prompt = await library.createPrompt(mallory)
})
afterAll(() => library.close())

const importing = (text: string, { format = 'promptfoo', dryRun = true } = {}) =>
  library.request({
    ...{ method: 'POST', url: `/api/prompts/${prompt.id}/test-suites/import`, as: mallory },
    body: { format, text, dryRun },
  })
const gradeBody = (assertions: object[], text: string) => ({ assertions, answer: { text } })
const grading = (assertions: object[], text: string, as = mallory) =>
  library.request({
    ...{ method: 'POST', url: '/api/test-suites/grade', as, body: gradeBody(assertions, text) },
  })

/** How often another person is answered before it is over. */
async function othersDuring(attack: Promise<unknown>): Promise<number> {
  let [isOver, answers] = [false, 0]
  const over = attack.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const { status } = await library.request({ url: `/api/prompts/${prompt.id}`, as: library.owner })
    expect(status).toBe(404)
    if (!isOver) answers += 1
    // Leaves the thread for a moment.
    await delay(1)
  }
  await over
  return answers
}

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

test.each([
  ['60,000 keys', `tests: []\n${lines(60_000, (n) => `k${n}: 1`)}`],
  [
    '60,000 anchors',
    `tests: []\nx:\n${lines(60_000, (n) => `- &a${n} 1`)}\ny:\n${lines(40_000, (n) => `- *a${n}`)}`,
  ],
  ['a million brackets', '['.repeat(1_000_000)],
])('a file with %s is refused, and others are answered while it is read', async (_what, text) => {
  const attack = importing(text)
  expect(await othersDuring(attack)).toBeGreaterThan(3)
  const { status, body } = await attack
  expect([status, body]).toEqual([400, { error: expect.any(String), details: [expect.anything()] }])
})

/** Text that YAML folds, quotes or escapes; the first three show each way, the others only when thorough. */
const REPEATED: [string, string][] = [
  ['lines of spaces', ' \n'],
  ['quotes', `'"`],
  ['words and tabs', 'a \t'],
  ['one word', 'a'],
  ['spaces', ' '],
  ['keys', 'a: '],
  ['items', '- '],
  ['line separators', '\u2028'],
]
const repeated = inject('everyDatabase') ? REPEATED : REPEATED.slice(0, 3)

test.each(repeated)('a suite of %s alone is exported while others are answered', async (_what, text) => {
  const as = mallory
  const path = `/api/prompts/${prompt.id}/test-suites`
  const suite = await library.request({ method: 'POST', url: path, as, body: { name: `of ${_what}` } })
  const { id } = suite.body as TestSuite
  const value = text.repeat(90_000 / Buffer.byteLength(text))
  for (let n = 0; n < 10; n += 1) {
    const body = { name: `case ${n}`, values: { value } }
    const made = await library.request({ method: 'POST', url: `/api/test-suites/${id}/cases`, as, body })
    expect(made.status).toBe(201)
  }
  const attack = library.request({ url: `/api/test-suites/${id}/export`, as })
  expect(await othersDuring(attack)).toBeGreaterThan(3)
  const { status, text: yaml } = await attack
  expect([status, yaml.length > value.length || yaml]).toEqual([200, true])
})

const LONG = 'a'.repeat(50_000)

test('other people get replies while an answer is searched for a long text', async () => {
  const attack = grading(
    [{ type: 'contains', value: `${LONG}b${LONG.slice(1)}`.slice(0, 99_000) }],
    LONG.repeat(20),
  )
  expect(await othersDuring(attack)).toBeGreaterThan(3)
  expect(((await attack).body as CaseGrade).verdict).toBe('failed')
})

/** Each takes a second: a process ends, and the next one starts, for each of its patterns. */
const CALLS = inject('everyDatabase') ? 20 : 6

test('one person’s calls are graded in turn while another’s would take forever', async () => {
  const patterns = Array.from({ length: 3 }, () => ({ type: 'regex', value: '^(a+)+$' }))
  let ended = 0
  const attacks = Array.from({ length: CALLS }, () =>
    grading(patterns, `${'a'.repeat(40)}!`).then(({ body }) => {
      ended += 1
      return body as CaseGrade
    }),
  )
  const own = await grading([{ type: 'regex', value: '^Dear' }], 'Dear Ada', library.owner)
  expect(own.body).toMatchObject({ verdict: 'passed' })
  expect(ended).toBeLessThan(3)
  for (const grade of await Promise.all(attacks)) expect(grade.verdict).toBe('failed')
})

test('when a caller hangs up, the waiting work is dropped', async () => {
  const url = new URL(await library.http.listen({ host: '127.0.0.1', port: 0 }))
  const patterns = Array.from({ length: 40 }, () => ({ type: 'regex', value: '^(a+)+$' }))
  const payload = JSON.stringify(gradeBody(patterns, `${'a'.repeat(40)}!`))
  const left = Array.from({ length: 10 }, () => {
    const headers = { ...mallory.headers, 'content-type': 'application/json' }
    const call = httpRequest(new URL('/api/test-suites/grade', url), { method: 'POST', headers })
    return call.on('error', () => {}).end(payload)
  })
  const first = grading([{ type: 'regex', value: '^Dear' }], 'Dear Ada')
  await delay(300)
  for (const call of left) call.destroy()
  expect((await first).body).toMatchObject({ verdict: 'passed' })
  // Theirs are gone, so that this one waits for none of four hundred.
  const next = await grading([{ type: 'regex', value: '^Dear' }], 'Dear Ada')
  expect(next.body).toMatchObject({ verdict: 'passed' })
})

test.each([
  ['a column named constructor', 'csv', 200, 'constructor,name\n1,Ada\n'],
  ['a column that reaches a prototype', 'csv', 400, '__proto__,name\n1,Ada\n'],
  [
    'a value named constructor',
    'promptfoo',
    200,
    'tests:\n- vars: {constructor: a}\n  constructor: b\nconstructor: c',
  ],
  ['a value that reaches a prototype', 'promptfoo', 400, 'tests:\n- vars: {__proto__: {x: 1}}'],
  ['a field that reaches a prototype', 'promptfoo', 400, 'tests: []\n__proto__: {tests: 1}'],
  ['a reference into a prototype', 'promptfoo', 200, 'tests: [{$ref: "#/constructor/prototype"}]'],
  [
    'two thousand lists within each other',
    'promptfoo',
    400,
    `tests: ${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  ],
  ['six thousand of them in JSON', 'promptfoo', 400, `{"tests":${'['.repeat(6_000)}${']'.repeat(6_000)}}`],
])('a file with %s, as %s, is answered %i', async (_what, format, status, text) => {
  for (const dryRun of [true, false]) {
    const reply = await importing(text, { format, dryRun })
    expect([reply.status, reply.text]).toEqual([status, expect.any(String)])
    if (status === 200) expect((reply.body as ImportReport).caseCount).toBeLessThan(2)
    else expect(reply.body).toMatchObject({ error: expect.stringMatching(/__proto__|nested|deep|stack/i) })
  }
})
