import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verifyActivity } from '../../database/statements/activity-chain.ts'
import { readSetting } from '../../database/statements/stored-setting.ts'
import { databaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { deleteEndedDays, linkActivity } from './activity.ts'

const { signal } = new AbortController()

describe.each(databaseKinds)('the chain of the activity on the %s database', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const query = (text: string) => library.client.pool.query(text)
  const verdict = async () => (await verifyActivity(library.client.pool))?.problem
  const addRows = (count: number, at = 'now()') =>
    query(`insert into activity (at, kind, object_type, door, after)
      select ${at}, 'label.protected', 'label', 'job', '{"label": "production"}' from generate_series(1, ${count})`)
  const link = () => linkActivity(library.ctx)
  const state = async () => (await library.request({ url: '/api/activity/state', as: library.owner })).body

  /** As whoever owns the database can. */
  async function byHand(change: string): Promise<void> {
    await query(`
      begin;
      alter table activity disable trigger user;
      alter table activity_links disable trigger user;
      ${change};
      alter table activity enable trigger user;
      alter table activity_links enable trigger user;
      commit`)
  }

  beforeEach(async () => {
    await byHand('delete from activity; delete from activity_links')
    await query(`delete from settings where key = 'activity-chain'`)
  })

  test('Each row gets the next link within a minute, once, and a row that commits late is linked late.', async () => {
    await addRows(3)
    expect(await verdict()).toBeNull()
    await link()
    await link()
    const { rows } = await query('select number, activity_id from activity_links order by number')
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3])
    // It began before the others, and commits after they have their links.
    const [first] = rows
    await byHand(`insert into activity (id, at, kind, object_type) overriding system value
      values (${first.activity_id - 1}, now() - interval '1 minute', 'label.protected', 'label')`)
    await link()
    const last = await query('select activity_id from activity_links where number = 4')
    expect(last.rows).toEqual([{ activity_id: first.activity_id - 1 }])
    expect(await verdict()).toBeNull()
    expect(await state()).toEqual({ linkedUntil: expect.any(String), keptDays: 400 })
  })

  test('Two processes that link at once give each row one link.', async () => {
    await addRows(1_200)
    await Promise.all([link(), link()])
    const { rows } =
      await query(`select count(*)::integer as links, count(distinct activity_id)::integer as rows,
      max(number) as last from activity_links`)
    expect(rows).toEqual([{ links: 1_200, rows: 1_200, last: 1_200 }])
    expect(await verdict()).toBeNull()
  })

  test.each([
    [
      'changed',
      `update activity set kind = 'view.deleted' where id = ROW`,
      /^Row \d+ of \S+ was changed or moved$/,
    ],
    ['removed', 'delete from activity where id = ROW', /^Row \d+ of \S+ is missing$/],
    [
      'removed with its link',
      'delete from activity where id = ROW; delete from activity_links where activity_id = ROW',
      /^Rows before row \d+ of \S+ are missing: links 2 to 2$/,
    ],
    [
      'moved',
      `update activity_links set activity_id = -1 where number = 2;
        update activity_links set activity_id = ROW where number = 3;
        update activity_links set activity_id = ROW + 1 where number = 2`,
      /^Row \d+ of \S+ was changed or moved$/,
    ],
    [
      'at the end cut off',
      `delete from activity where id > ROW; delete from activity_links where activity_id > ROW`,
      /^The last rows are missing: links 3 to 5, up to \S+$/,
    ],
  ])('a row that is %s by hand is found, with its day', async (_, change, problem) => {
    await addRows(5)
    await link()
    const { rows } = await query('select activity_id as id from activity_links where number = 2')
    await byHand(change.replaceAll('ROW', String(rows[0].id)))
    expect(await verdict()).toMatch(problem)
  })

  test('A row that is inserted by hand for an earlier day is found.', async () => {
    await addRows(2)
    await link()
    await addRows(1, `now() - interval '3 days'`)
    await query(`update settings set value = value || '{"lookedThroughOn": ""}' where key = 'activity-chain'`)
    await link()
    expect(await verdict()).toMatch(/^Row \d+ of \S+ says that it is of \S+$/)
  })

  test('Whole days that are too old go, the last link of each stays, and the rest is still checked.', async () => {
    await addRows(2, `timestamptz '2026-01-01 12:00Z'`)
    await addRows(2, `timestamptz '2026-01-02 12:00Z'`)
    await addRows(2)
    await link()
    expect(await deleteEndedDays(library.ctx, { before: '2026-01-03', signal })).toBe(4)
    const links = await query('select number, day from activity_links order by number')
    expect(links.rows.slice(0, 2)).toEqual([
      { number: 2, day: '2026-01-01' },
      { number: 4, day: '2026-01-02' },
    ])
    expect(links.rows.slice(2).map(({ number }) => number)).toEqual([5, 6])
    expect((await query('select from activity')).rowCount).toBe(2)
    expect(await verdict()).toBeNull()
    await byHand('update activity set count = 2')
    expect(await verdict()).toMatch(/was changed or moved$/)
    await expect(query('delete from activity')).rejects.toThrow('neither changed nor deleted')
  })

  test('where nothing was ever linked there is nothing to find', async () => {
    expect(await readSetting(library.db, 'activity-chain')).toBeUndefined()
    expect(await verifyActivity(library.client.pool)).toEqual({ links: 0, until: null, problem: null })
  })
})
