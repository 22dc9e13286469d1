import type { ActivityRow } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { linkActivity } from './activity.ts'
import { toCsvHeader, toCsvLine } from './read-activity.ts'

describe.each(routeDatabaseKinds)('reading the activity on the %s database', (kind) => {
  let library: Library
  let prompt: number
  beforeAll(async () => {
    library = await startLibrary(kind)
    prompt = (await library.createPrompt(library.owner, { title: 'Secret plan' })).id
  })
  afterAll(() => library.close())

  const read = async (query: string, as: TestUser = library.admin, url = '/api/admin/activity') => {
    const reply = await library.request({ url: `${url}?${query}`, as })
    expect(reply.status, reply.text).toBe(200)
    return reply.body as ActivityRow[]
  }

  test('An administrator reads who did what, newest first, by person, kind, object, door and time.', async () => {
    const { owner } = library
    await linkActivity(library.ctx)
    const [row] = await read(`object=prompt:${prompt}`)
    expect(row).toMatchObject({
      person: { id: owner.user.id, username: owner.user.username },
      kind: 'prompt.created',
      object: { type: 'prompt', id: prompt },
      door: 'page',
      address: '127.0.0.1',
      count: 1,
      link: { number: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    const { id = 0, at = '' } = row ?? {}
    const idsOf = async (query: string) => (await read(query)).map((one) => one.id)
    const found = [
      `person=${owner.user.id}`,
      'kind=prompt.created',
      'object=prompt',
      'door=page',
      `from=${at}`,
    ]
    for (const query of found) expect(await idsOf(query), query).toContain(id)
    const notFound = [
      `person=${library.admin.user.id}`,
      'kind=prompt.deleted',
      'object=chain',
      'door=job',
      `to=${at}`,
      'refused=only',
    ]
    for (const query of notFound) expect(await idsOf(query), query).not.toContain(id)
    const ids = await idsOf('')
    expect(ids).toEqual(ids.toSorted((one, other) => other - one))
  })

  test.each([
    'kind=x',
    'object=secret',
    'object=prompt:x',
    'door=window',
    'from=yesterday',
    'format=xml',
    'refused=no',
  ])('refuses %s', async (query) => {
    const reply = await library.request({ url: `/api/admin/activity?${query}`, as: library.admin })
    expect(reply.status).toBe(400)
  })

  test('Only administrators read all; others read what they did and what was done to what is theirs.', async () => {
    const { owner, other, admin } = library
    expect((await library.request({ url: '/api/admin/activity', as: owner })).status).toBe(403)
    expect((await library.request({ url: '/api/activity' })).status).toBe(401)
    const body = { prompts: 7 }
    const url = `/api/admin/users/${owner.user.id}/quotas`
    expect((await library.request({ method: 'PATCH', url, body, as: admin })).status).toBeLessThan(300)
    const own = await read('', owner, '/api/activity')
    expect(own.find(({ kind }) => kind === 'prompt.created')).toMatchObject({ address: '127.0.0.1' })
    expect(own.find(({ kind }) => kind === 'account.quotas_changed')).toMatchObject({
      person: { username: admin.user.username },
      address: null,
    })
    const others = await read('', other, '/api/activity')
    expect(others.map(({ object }) => `${object.type}:${object.id}`)).not.toContain(`prompt:${prompt}`)
  })

  test('The name of a record is shown to who may see the record, and is in no row.', async () => {
    const ofOwner = await read(`object=prompt:${prompt}`, library.owner, '/api/activity')
    expect(ofOwner[0]?.object.name).toBe('Secret plan')
    const ofAdmin = await read(`object=prompt:${prompt}`)
    expect(ofAdmin[0]?.object.name).toBeNull()
    const { rows } = await library.client.pool.query('select activity::text as row from activity')
    expect(JSON.stringify(rows)).not.toContain('Secret plan')
  })

  test('The reason of a label’s move is read from the move, for who may see the record.', async () => {
    const { owner } = library
    const body = { version: 1, expectedVersion: null, reason: 'Ready for Ada' }
    const url = `/api/prompts/${prompt}/labels/staging`
    expect((await library.request({ method: 'PUT', url, body, as: owner })).status).toBe(200)
    const query = `kind=label.moved&object=prompt:${prompt}`
    expect((await read(query, owner, '/api/activity'))[0]?.reason).toBe('Ready for Ada')
    expect((await read(query))[0]).toMatchObject({ kind: 'label.moved', reason: null })
    const { rows } = await library.client.pool.query('select activity::text as row from activity')
    expect(JSON.stringify(rows)).not.toContain('Ready for Ada')
  })

  test('An export is all that the filters find, as CSV or as JSON lines, and leaves a row itself.', async () => {
    const ask = (format: string) =>
      library.request({
        url: `/api/admin/activity?object=prompt&format=${format}&limit=1`,
        as: library.admin,
      })
    const rows = await read('object=prompt')
    const csv = await ask('csv')
    expect(csv.headers['content-disposition']).toBe('attachment; filename="activity.csv"')
    expect(csv.text).toBe([toCsvHeader(), ...rows.map(toCsvLine)].join(''))
    const lines = await ask('jsonl')
    expect(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(rows)
    expect(await read('kind=activity.exported')).toMatchObject([
      { person: { id: library.admin.user.id }, object: { type: 'instance', id: null } },
      { person: { id: library.admin.user.id }, object: { type: 'instance', id: null } },
    ])
  })

  test('A deleted person’s rows stay, without a name.', async () => {
    const gone = await library.registerUser({ username: 'leaving' })
    await library.client.pool.query('delete from users where id = $1', [gone.user.id])
    const rows = await read(`person=${gone.user.id}`)
    expect(rows.length).toBeGreaterThan(0)
    for (const { person } of rows) expect(person).toEqual({ id: gone.user.id, username: null })
  })
})

const ROW: ActivityRow = {
  id: 1,
  at: '2026-11-22T08:00:00.000Z',
  person: { id: 2, username: '=cmd()' },
  kind: 'label.protected',
  object: { type: 'label', id: null, name: '@home, "here"' },
  door: 'page',
  address: null,
  before: null,
  after: { label: 'production' },
  reason: null,
  count: 1,
  link: null,
}

test('A cell of the CSV that a spreadsheet would take for a formula begins with an apostrophe.', () => {
  expect(toCsvLine(ROW)).toBe(
    `1,2026-11-22T08:00:00.000Z,2,'=cmd(),label.protected,label,,"'@home, ""here""",page,,,"{""label"":""production""}",,1,,\r\n`,
  )
  for (const sign of ['=', '+', '-', '@']) {
    expect(toCsvLine({ ...ROW, person: { id: 2, username: `${sign}1` } })).toContain(`,'${sign}1,`)
  }
})
