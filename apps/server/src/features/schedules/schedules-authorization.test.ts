import type { ScheduledChain, ScheduledRun, SharedLevel } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type ScheduleLibrary, startScheduleLibrary } from '../../testing/schedules.ts'

type Verdict = 'ok' | 'log in' | 'hidden' | 'forbidden'

const STATUS = { 'log in': 401, hidden: 404, forbidden: 403 } as const

const ADDRESS = 'secret@example.com'

const LOG_IN: Verdict[] = ['log in', 'log in', 'log in', 'log in', 'log in', 'log in']
const HIDDEN: Verdict[] = ['hidden', 'hidden', 'hidden', 'hidden', 'hidden', 'hidden']
/** May run the chain, and so sees a list without the schedules of others. */
const RUNS: Verdict[] = ['ok', 'ok', 'hidden', 'hidden', 'hidden', 'hidden']
/** May edit the chain (D55). */
const KEEPS: Verdict[] = ['ok', 'ok', 'forbidden', 'ok', 'forbidden', 'ok']
const MADE: Verdict[] = ['ok', 'ok', 'ok', 'ok', 'ok', 'ok']
/** Lost the chain. */
const LOST: Verdict[] = ['hidden', 'ok', 'ok', 'ok', 'hidden', 'ok']

const RIGHTS = ['schedule', 'list', 'edit', 'deactivate', 'run', 'delete']
const SEES_IT = [KEEPS, MADE, LOST]

/** What each person may do, by the chain's level; `creator` is a viewer who made the schedule. */
const MATRIX: Record<SharedLevel, Record<string, Verdict[]>> = {
  private: {
    ...{ guest: LOG_IN, disabled: LOG_IN, other: HIDDEN, viewer: HIDDEN, editor: HIDDEN },
    ...{ owner: KEEPS, creator: LOST, admin: HIDDEN },
  },
  shared: {
    ...{ guest: LOG_IN, disabled: LOG_IN, other: HIDDEN, viewer: RUNS, editor: KEEPS },
    ...{ owner: KEEPS, creator: MADE, admin: HIDDEN },
  },
  public: {
    ...{ guest: LOG_IN, disabled: LOG_IN, other: RUNS, viewer: RUNS, editor: RUNS },
    ...{ owner: KEEPS, creator: MADE, admin: KEEPS },
  },
}

interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  url: string
  body?: unknown
}

function callOf(right: string, { id, chainId, scheduledTime }: ScheduledRun): Call {
  const chain = `/api/chains/${chainId}`
  const schedule = `/api/scheduled-runs/${id}`
  const calls: Record<string, Call> = {
    schedule: { method: 'POST', url: `${chain}/schedule`, body: { scheduledTime } },
    list: { method: 'GET', url: `${chain}/scheduled-runs` },
    edit: { method: 'PATCH', url: schedule, body: { name: 'Taken over', emailRecipients: [] } },
    deactivate: { method: 'PATCH', url: schedule, body: { active: false } },
    run: { method: 'POST', url: `${schedule}/execute` },
    delete: { method: 'DELETE', url: schedule },
  }
  return calls[right] as Call
}

describe.each(routeDatabaseKinds)('who may do what with a schedule on %s', (kind) => {
  let library: ScheduleLibrary
  let people: Record<string, TestUser | undefined>
  beforeAll(async () => {
    library = await startScheduleLibrary(kind)
    const { owner, other, admin } = library
    const [viewer, editor, creator, disabled] = await Promise.all(
      ['Vera', 'Edgar', 'Carla', 'Dora'].map((username) => library.registerUser({ username })),
    )
    await library.request({
      ...{ method: 'PATCH', url: `/api/admin/users/${disabled?.user.id}` },
      ...{ body: { disabled: true }, as: admin },
    })
    people = { guest: undefined, disabled, other, viewer, editor, owner, creator, admin }
  })
  afterAll(() => library.close())

  const setLevel = (chainId: number, sharedLevel: SharedLevel) =>
    library.request({
      ...{ method: 'PATCH', url: `/api/chains/${chainId}`, body: { sharedLevel }, as: library.owner },
    })

  /** A schedule of Carla's, on Olga's chain. */
  async function make(level: SharedLevel): Promise<ScheduledRun> {
    const chain = await library.buildChain(['Write.'])
    const shares = [
      { username: 'Vera', role: 'viewer' },
      { username: 'Edgar', role: 'editor' },
      { username: 'Carla', role: 'viewer' },
      { username: 'Dora', role: 'editor' },
    ]
    await library.request({
      ...{ method: 'PUT', url: `/api/chains/${chain.id}/shares`, body: shares, as: library.owner },
    })
    await setLevel(chain.id, 'shared')
    const fields = { name: 'Weekly', emailRecipients: [ADDRESS] }
    const made = await library.schedule(chain.id, fields, people.creator)
    await setLevel(chain.id, level)
    return made
  }

  describe.each(Object.keys(MATRIX) as SharedLevel[])('of a chain that is %s', (level) => {
    test.each(Object.entries(MATRIX[level]))(
      'Whoever may run a chain may schedule it. Only a schedule’s creator edits or runs it; owner and editors of the chain see it without addresses, deactivate and delete it (D55). (%s)',
      async (person, verdicts) => {
        const as = people[person]
        // A refused call has changed nothing, so the next call starts from the same state.
        let made: ScheduledRun | undefined
        for (const [index, right] of RIGHTS.entries()) {
          const verdict = verdicts[index] ?? 'hidden'
          made ??= await make(level)
          const before = await library.find(made, people.creator)
          const call = callOf(right, made)
          const reply = await library.request({ ...call, as })
          const context = `${right}: ${reply.text}`
          if (person !== 'creator') expect(reply.text, context).not.toContain(ADDRESS)
          if (verdict === 'ok') {
            expect(reply.status, context).toBeLessThan(300)
            if (call.method !== 'GET') made = undefined
          } else {
            expect(reply.status, context).toBe(STATUS[verdict])
            expect(await library.find(made, people.creator), context).toEqual(before)
          }
        }
      },
    )

    test.each(Object.entries(MATRIX[level]))(
      'the list and its flags for %s say the same',
      async (person, verdicts) => {
        const made = await make(level)
        const as = people[person]
        const reply = await library.request({ ...callOf('list', made), as })
        const listed = Array.isArray(reply.body) ? (reply.body as ScheduledRun[]) : []
        const card = await library.request({ url: '/api/scheduled-chains', as })
        const cards = Array.isArray(card.body) ? (card.body as ScheduledChain[]) : []
        const isOnCard = cards.some(({ chainId }) => chainId === made.chainId)
        if (!SEES_IT.includes(verdicts)) {
          expect(listed).toEqual([])
          expect(isOnCard).toBe(false)
          return
        }
        expect(isOnCard).toBe(true)
        expect(cards.find(({ chainId }) => chainId === made.chainId)).toMatchObject({
          ...{ nextRunAt: made.nextRunAt, timeZone: made.timeZone },
        })
        const isMine = person === 'creator'
        expect(listed).toMatchObject([
          {
            ...{
              id: made.id,
              isMine,
              canEdit: isMine,
              canExecute: isMine,
              canDeactivate: true,
              canDelete: true,
            },
            ...{ emailRecipients: isMine ? [ADDRESS] : [], recipientCount: 1, createdBy: 'Carla' },
            chainName: level === 'private' && isMine ? null : 'Letter',
          },
        ])
      },
    )
  })

  test('turning it on again is the creator’s alone', async () => {
    const made = await make('shared')
    await library.change(made.id, { active: false }, people.editor)
    const reply = await library.change(made.id, { active: true }, people.editor)
    expect([reply.status, reply.body]).toEqual([
      403,
      { error: 'Only the person who created a schedule may change it' },
    ])
    expect((await library.change(made.id, { active: true }, people.creator)).status).toBe(200)
  })

  test.each([
    ['GET', '/api/admin/schedules', undefined],
    ['POST', '/api/admin/schedules', { paused: false }],
    ['POST', '/api/admin/mail/test', undefined],
  ] as const)('%s %s is for admins alone', async (method, url, body) => {
    const status = async (as: TestUser | undefined) =>
      (await library.request({ method, url, body, as })).status
    expect([await status(undefined), await status(people.disabled), await status(library.owner)]).toEqual([
      401, 401, 403,
    ])
    expect(await status(library.admin)).toBe(200)
  })

  test('only people with an account see whom schedules may mail', async () => {
    expect((await library.request({ url: '/api/mail' })).status).toBe(401)
    const reply = await library.request({ url: '/api/mail', as: library.other })
    expect(reply.body).toEqual({
      ...{
        isSetUp: true,
        recipients: 'any',
        domains: [],
        ownAddressState: null,
        ownAddress: library.other.user.email,
      },
    })
  })
})
