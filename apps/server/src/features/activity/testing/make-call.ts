import { type Endpoint, listEndpoints } from '@catenary/contracts'
import { asc, gt } from 'drizzle-orm'
import { expect } from 'vitest'
import { activity } from '../../../database/schema/index.ts'
import type { EvaluationLab } from '../../../testing/evaluations.ts'
import { writeRefusals } from '../activity.ts'
import { type Actor, isAdmitted, refusalOf } from './actors.ts'
import type { CALLS } from './recorded-calls.ts'
import type { Sent } from './recorded-objects.ts'

/** Each call that changes something, and each that reads and leaves a row. */
export const changing = listEndpoints().filter(([key, { activity: left }]) => !key.startsWith('GET ') || left)

export const recorded = changing.flatMap(([key, { who, body, activity: left }]) =>
  left === undefined || 'none' in left ? [] : [{ key: key as keyof typeof CALLS, who, body, ...left }],
)

/** Oldest first, with the refusals that are still counted. */
export async function readRowsAfter(lab: EvaluationLab, id: number) {
  // A refusal is noted once its reply is on the way.
  await new Promise((resolve) => setImmediate(resolve))
  await writeRefusals(lab.ctx)
  return lab.db.select().from(activity).where(gt(activity.id, id)).orderBy(asc(activity.id))
}

export const lastRow = async (lab: EvaluationLab): Promise<number> =>
  (await readRowsAfter(lab, 0)).at(-1)?.id ?? 0

type Made = Sent & Pick<Actor, 'token'> & { from?: string }

/** The call, its reply, and the rows that it left. */
export async function makeCall(
  lab: EvaluationLab,
  key: string,
  { params = {}, query = '', body, as, token, from }: Made,
) {
  const last = await lastRow(lab)
  const [method = '', path = ''] = key.split(' ')
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const reply = await lab.request({
    ...{ method: method as 'POST', url: `${url}${query}`, body, as },
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    ...(from !== undefined && { from }),
  })
  return { reply, rows: await readRowsAfter(lab, last) }
}

/** Makes a call that is to leave one row, of the person, the object and the door, and gives its reply. */
export async function callOnce(
  lab: EvaluationLab,
  { key, kind, object: objects }: (typeof recorded)[number],
  sent: Sent & Pick<Actor, 'token'>,
) {
  const { reply, rows } = await makeCall(lab, key, sent)
  expect(reply.status, reply.text).toBeLessThan(300)
  const body = (reply.body ?? {}) as { id?: number; token?: string; secret?: string }
  const { as, holder, token, person, object } = sent
  expect(rows.map(({ kind: done }) => done)).toHaveLength(1)
  expect(rows).toEqual([
    expect.objectContaining({
      personId: person === 'made' ? body.id : (person ?? (holder ?? as)?.user.id),
      objectId: object === undefined ? body.id : object,
      door: token === undefined ? 'page' : 'token',
      address: '127.0.0.1',
      count: 1,
    }),
  ])
  expect([kind].flat()).toContain(rows[0]?.kind)
  expect([objects].flat()).toContain(rows[0]?.objectType)
  return body
}

/** Makes each call that the table refuses to an actor: the refusals are those rows, and no other is left. */
export async function callRefused(lab: EvaluationLab, name: string, actor: Actor): Promise<void> {
  const refused = changing.filter((entry) => !isAdmitted(name, entry))
  const last = await lastRow(lab)
  const statuses: Record<string, number> = {}
  for (const [place, [key]] of refused.entries()) {
    const [method = '', path = ''] = key.split(' ')
    const reply = await lab.request({
      method: method as 'POST',
      url: path.replace('{token}', actor.token ?? '7').replaceAll(/\{\w+\}/g, '7'),
      // One that the last to be refused reads.
      ...(method === 'POST' && { body: { messages: [{ role: 'user', content: 'Hi' }] } }),
      ...(actor.as && { as: actor.as }),
      ...(actor.token !== undefined && { headers: { authorization: `Bearer ${actor.token}` } }),
      // Of one address those that are alike would be one row.
      from: addressOf(place),
    })
    statuses[key] = reply.status
  }
  expect(statuses).toEqual(
    Object.fromEntries(refused.map((entry) => [entry[0], refusalOf(entry, actor).status])),
  )
  const wanted = refused.map((entry: [string, Endpoint], place) => ({
    ...refusalOf(entry, actor).row,
    address: addressOf(place),
  }))
  const byAddress = (one: { address: string | null }, other: { address: string | null }) =>
    String(one.address).localeCompare(String(other.address))
  const rows = await readRowsAfter(lab, last)
  expect(rows.toSorted(byAddress)).toEqual(
    wanted
      .filter((row) => 'kind' in row)
      .toSorted(byAddress)
      .map((row) => expect.objectContaining({ ...row, count: 1 })),
  )
}

const addressOf = (place: number): string => `10.9.${place >> 8}.${place & 255}`
