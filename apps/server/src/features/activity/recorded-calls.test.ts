import { type ActivityRow, listEndpoints } from '@catenary/contracts'
import { asc, gt } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activity } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type EvaluationLab, prices, startEvaluationLab } from '../../testing/evaluations.ts'
import { TEST_PASSWORD } from '../../testing/test-password.ts'
import { linkActivity, readLinkedRows } from './activity.ts'
import { CALLS, ELSEWHERE } from './testing/recorded-calls.ts'
import { WRITTEN } from './testing/recorded-objects.ts'

const changing = listEndpoints().filter(([key, { activity: left }]) => !key.startsWith('GET ') || left)
const recorded = changing.flatMap(([key, { activity: left }]) =>
  left === undefined || 'none' in left ? [] : [{ key, ...left }],
)

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

  const replied: string[] = []
  const readAfter = (id: number) =>
    lab.db.select().from(activity).where(gt(activity.id, id)).orderBy(asc(activity.id))

  test.each(recorded.filter(({ key }) => key in CALLS))(
    '$key leaves one row, with the person, the object and the door',
    async ({ key, kind: kinds, object: objects }) => {
      const {
        params = {},
        query = '',
        body,
        as,
        token,
        person,
        object,
      } = await CALLS[key as keyof typeof CALLS](lab)
      const last = (await readAfter(0)).at(-1)?.id ?? 0
      const [method = '', path = ''] = key.split(' ')
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
      const reply = await lab.request({
        method: method as 'POST',
        url: `${url}${query}`,
        body,
        as,
        ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      })
      expect(reply.status, reply.text).toBeLessThan(300)
      const {
        id: made,
        token: value,
        secret,
      } = (reply.body ?? {}) as { id?: number; token?: string; secret?: string }
      replied.push(...[value, secret].filter((one) => one !== undefined))
      const rows = await readAfter(last)
      expect(rows.map(({ kind: done }) => done)).toHaveLength(1)
      expect(rows).toEqual([
        expect.objectContaining({
          personId: person === 'made' ? made : (person ?? as?.user.id),
          objectId: object === undefined ? made : object,
          door: token === undefined ? 'page' : 'token',
          address: '127.0.0.1',
          count: 1,
        }),
      ])
      expect([kinds].flat()).toContain(rows[0]?.kind)
      expect([objects].flat()).toContain(rows[0]?.objectType)
    },
    30_000,
  )

  /** Names are read for the reader, and are in no row. */
  const withoutNames = ({ person, object, ...row }: ActivityRow) => ({
    ...row,
    person: person?.id,
    object: [object.type, object.id],
  })

  test('No row of the activity has a text, a name, a password, a key or a token of what was done, and no export and no line that is sent on has more.', async () => {
    const secrets = [...WRITTEN, ...replied, TEST_PASSWORD]
    expect(replied.length).toBeGreaterThan(5)
    expect(secrets.length).toBeGreaterThan(60)
    const found = (rows: unknown) => secrets.filter((secret) => JSON.stringify(rows).includes(secret))
    const rows = await readAfter(0)
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
  })
})
