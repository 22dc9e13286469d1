import type { ActivityRow } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type EvaluationLab, prices, startEvaluationLab } from '../../testing/evaluations.ts'
import { TEST_PASSWORD } from '../../testing/test-password.ts'
import { linkActivity, readLinkedRows } from './activity.ts'
import { ACTORS, makeToken } from './testing/actors.ts'
import { callOnce, callRefused, changing, readRowsAfter, recorded } from './testing/make-call.ts'
import { CALLS, ELSEWHERE } from './testing/recorded-calls.ts'
import { WRITTEN } from './testing/recorded-objects.ts'
import { CHOSEN, NAMES, textFieldsOf } from './testing/text-fields.ts'

test('Each call that changes something says what it leaves in the activity, or in a sentence why it leaves nothing.', () => {
  expect(changing.length).toBeGreaterThan(160)
  expect(recorded.map(({ key }) => key).toSorted()).toEqual(
    [...Object.keys(CALLS), ...Object.keys(ELSEWHERE)].toSorted(),
  )
  for (const [key, { activity: left }] of changing) {
    if (left && 'none' in left) expect(left.none, key).toMatch(/^[A-Z].{10,}\.$/)
  }
})

describe.each(routeDatabaseKinds)('on the %s database', (kind) => {
  let lab: EvaluationLab
  beforeAll(async () => {
    lab = await startEvaluationLab(kind, { prices })
  })
  afterAll(() => lab.close())

  const bodies: Record<string, object | undefined> = {}
  const replied: string[] = []

  test.each(recorded.filter(({ key }) => key in CALLS))(
    '$key leaves one row, with the person, the object and the door',
    async (entry) => {
      const sent = await CALLS[entry.key](lab)
      bodies[entry.key] = sent.body
      const token = sent.holder && (await makeToken(lab, { kind: 'folder', as: sent.holder })).token
      const { token: value, secret } = await callOnce(lab, entry, { ...sent, ...(token && { token }) })
      replied.push(...[value, secret].filter((one) => one !== undefined))
    },
  )

  // All others call in the slow test.
  test.each(['a person', 'an unknown token', 'mcp'])(
    'what is refused to an actor leaves one row where somebody or a token is meant: %s',
    async (name) => {
      const actor = await ACTORS[name]?.(lab)
      expect(actor).toBeDefined()
      await callRefused(lab, name, actor ?? {})
    },
  )

  const secrets = () => [...WRITTEN, ...replied, TEST_PASSWORD]

  /** The fields that take a text, and what of theirs is looked for. */
  const canaries = () =>
    recorded.flatMap(({ key, body }) =>
      body === undefined || !(key in bodies)
        ? []
        : textFieldsOf(body, bodies[key]).map(({ field, texts }) => ({
            ...{ key, field, isName: NAMES.has(field) || CHOSEN.has(field) },
            secrets: secrets().filter((secret) => texts.some((text) => text.includes(secret))),
          })),
    )

  test('each field that takes a text of one’s own has one that is looked for', () => {
    const filled = canaries().filter((one) => one.secrets.length > 0)
    const known = new Set(filled.map(({ field }) => field))
    expect(canaries().filter(({ field, isName }) => !isName && !known.has(field))).toEqual([])
    const texts = filled.filter(({ isName }) => !isName).map(({ key, field }) => `${key} ${field}`)
    expect(new Set(texts).size).toBeGreaterThanOrEqual(30)
  })

  /** Names are read for the reader, and are in no row. */
  const withoutNames = ({ person, object, ...row }: ActivityRow) => ({
    ...row,
    person: person?.id,
    object: [object.type, object.id],
  })

  test('No row of the activity has a text, a name, a password, a key or a token of what was done, and no export and no line that is sent on has more.', async () => {
    expect(replied.length).toBeGreaterThan(5)
    expect(secrets().length).toBeGreaterThan(60)
    const found = (rows: unknown, wanted = secrets()) =>
      wanted.filter((secret) => JSON.stringify(rows).includes(secret))
    const rows = await readRowsAfter(lab, 0)
    expect(found(rows)).toEqual([])

    const { text } = await lab.request({ url: '/api/admin/activity?format=jsonl', as: lab.admin })
    const exported: ActivityRow[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    await linkActivity(lab.ctx)
    const sentOn = await readLinkedRows(lab.ctx, { after: 0, limit: 10_000 })
    for (const lines of [exported, sentOn]) {
      expect(lines.length).toBeGreaterThan(rows.length)
      expect(found(lines.map(withoutNames))).toEqual([])
      expect(found(lines).length).toBeGreaterThan(0)
    }
    expect(sentOn.filter(({ object }) => object.name !== null)).toEqual([])

    const csv = await lab.request({ url: '/api/admin/activity?format=csv', as: lab.admin })
    const texts = canaries().flatMap((one) => (one.isName ? [] : one.secrets))
    expect(found([text, csv.text, sentOn], texts)).toEqual([])
  })
})
