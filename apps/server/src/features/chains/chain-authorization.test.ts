import type { Chain, ChainListItem, SharedLevel } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { makeStepTool } from '../../testing/step-tools.ts'

type Verdict = 'ok' | 'log in' | 'hidden' | 'forbidden'

const STATUS = { 'log in': 401, hidden: 404, forbidden: 403 } as const

const RIGHTS = ['see', 'copy', 'edit', 'share', 'delete']

/** What each person may do, by the chain's level. */
const MATRIX: Record<SharedLevel, Record<string, Verdict[]>> = {
  private: {
    guest: ['hidden', 'log in', 'log in', 'log in', 'log in'],
    disabled: ['hidden', 'log in', 'log in', 'log in', 'log in'],
    other: ['hidden', 'hidden', 'hidden', 'hidden', 'hidden'],
    viewer: ['hidden', 'hidden', 'hidden', 'hidden', 'hidden'],
    editor: ['hidden', 'hidden', 'hidden', 'hidden', 'hidden'],
    owner: ['ok', 'ok', 'ok', 'ok', 'ok'],
    admin: ['hidden', 'hidden', 'hidden', 'hidden', 'ok'],
  },
  shared: {
    guest: ['hidden', 'log in', 'log in', 'log in', 'log in'],
    disabled: ['hidden', 'log in', 'log in', 'log in', 'log in'],
    other: ['hidden', 'hidden', 'hidden', 'hidden', 'hidden'],
    viewer: ['ok', 'ok', 'forbidden', 'forbidden', 'forbidden'],
    editor: ['ok', 'ok', 'ok', 'forbidden', 'forbidden'],
    owner: ['ok', 'ok', 'ok', 'ok', 'ok'],
    admin: ['hidden', 'hidden', 'hidden', 'hidden', 'ok'],
  },
  public: {
    guest: ['ok', 'log in', 'log in', 'log in', 'log in'],
    disabled: ['ok', 'log in', 'log in', 'log in', 'log in'],
    other: ['ok', 'ok', 'forbidden', 'forbidden', 'forbidden'],
    viewer: ['ok', 'ok', 'forbidden', 'forbidden', 'forbidden'],
    editor: ['ok', 'ok', 'forbidden', 'forbidden', 'forbidden'],
    owner: ['ok', 'ok', 'ok', 'ok', 'ok'],
    admin: ['ok', 'ok', 'ok', 'forbidden', 'ok'],
  },
}

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
}

interface CallsOf {
  level: SharedLevel
  stepIds: number[]
  revision: number
}

const SEALED = {
  kind: 'tool',
  content: '',
  outputVariableName: 'called',
  tool: { ...makeStepTool(), headers: [{ name: 'Authorization', sealed: true, value: 'Bearer secret' }] },
}

/** Every call on one chain, each such as would be accepted. */
function callsOf({ level, stepIds, revision }: CallsOf): Record<string, Call[]> {
  const step = `/steps/${stepIds[0]}`
  const called = `/steps/${stepIds[1]}`
  const otherLevel = level === 'public' ? 'private' : 'public'
  return {
    see: [{ method: 'GET', path: '' }],
    copy: [
      { method: 'POST', path: '/duplicate' },
      { method: 'GET', path: `${called}/sealed` },
      { method: 'POST', path: `${step}/preview`, body: { variableValues: { a: 'b' } } },
      { method: 'GET', path: '/labels/production/gate?version=1' },
    ],
    edit: [
      { method: 'PATCH', path: '', body: { name: 'Taken over', sharedLevel: level } },
      { method: 'GET', path: '/shares' },
      { method: 'POST', path: '/steps', body: { outputVariableName: 'added' } },
      { method: 'PATCH', path: step, body: { content: 'Taken over' } },
      { method: 'POST', path: `${step}/duplicate` },
      { method: 'POST', path: `${step}/else`, body: { outputVariableName: 'added' } },
      { method: 'POST', path: '/reorder-steps', body: { stepIds: stepIds.toReversed() } },
      { method: 'DELETE', path: step },
      { method: 'PATCH', path: '/versions/1', body: { note: 'begun' } },
    ],
    share: [
      { method: 'PUT', path: '/shares', body: [] },
      { method: 'PATCH', path: '', body: { sharedLevel: otherLevel } },
      { method: 'PATCH', path: called, body: { tool: SEALED.tool } },
      { method: 'POST', path: `${called}/allow`, body: { revision } },
    ],
    delete: [{ method: 'DELETE', path: '' }],
  }
}

describe.each(routeDatabaseKinds)('who may do what with a chain on %s', (kind) => {
  let library: Library
  let people: Record<string, TestUser | undefined>
  beforeAll(async () => {
    library = await startLibrary(kind)
    const { owner, other, admin } = library
    const viewer = await library.registerUser({ username: 'Vera' })
    const editor = await library.registerUser({ username: 'Edgar' })
    const disabled = await library.registerUser({ username: 'Dora' })
    await library.request({
      method: 'PATCH',
      url: `/api/admin/users/${disabled.user.id}`,
      body: { disabled: true },
      as: admin,
    })
    people = { guest: undefined, disabled, other, viewer, editor, owner, admin }
  })
  afterAll(() => library.close())

  const read = async (id: number) =>
    (await library.request({ url: `/api/chains/${id}`, as: library.owner })).body as Chain

  /** A chain with two steps and three shares, at any level. */
  async function makeChain(level: SharedLevel): Promise<Chain> {
    const { owner } = library
    const { id } = await library.createChain(owner, { name: 'Sealed', description: 'secret' })
    const onlyIf = { all: [{ ref: 'input', op: 'is_empty' }] }
    await library.createStep(owner, id, { onlyIf })
    await library.createStep(owner, id, SEALED)
    const body = [
      { username: 'Vera', role: 'viewer' },
      { username: 'edgar', role: 'editor' },
      { username: 'DORA', role: 'editor' },
    ]
    const shared = await library.request({ method: 'PUT', url: `/api/chains/${id}/shares`, body, as: owner })
    expect(shared.status, shared.text).toBe(200)
    await library.request({
      method: 'PATCH',
      url: `/api/chains/${id}`,
      body: { sharedLevel: level },
      as: owner,
    })
    return read(id)
  }

  describe.each(Object.keys(MATRIX) as SharedLevel[])('that is %s', (level) => {
    test.each(Object.entries(MATRIX[level]))(
      'A chain is private, shared or public; each role sees, runs, edits, shares and deletes what D14 and D33 give it. (%s)',
      async (person, verdicts) => {
        const as = people[person]
        // A refused call has changed nothing, so the next call starts from the same state.
        let chain: Chain | undefined
        for (const [n, right] of RIGHTS.entries()) {
          const verdict = verdicts[n] ?? 'hidden'
          for (const place of (callsOf({ level, stepIds: [], revision: 0 })[right] ?? []).keys()) {
            chain ??= await makeChain(level)
            const stepIds = chain.steps.map(({ id }) => id)
            const call = callsOf({ level, stepIds, revision: chain.revision })[right]?.[place] as Call
            const url = `/api/chains/${chain.id}${call.path}`
            const reply = await library.request({ ...call, url, as })
            const context = `${call.method} ${call.path}: ${reply.text}`
            if (verdict === 'ok') {
              expect(reply.status, context).toBeLessThan(300)
              if (call.method !== 'GET') chain = undefined
            } else {
              expect(reply.status, context).toBe(STATUS[verdict])
              expect(reply.text).not.toContain('secret')
              expect(await read(chain.id), context).toEqual(chain)
            }
          }
        }
      },
    )

    test.each(Object.entries(MATRIX[level]))('the flags for %s say the same', async (person, verdicts) => {
      const as = people[person]
      const { id } = await makeChain(level)
      const list = (await library.request({ url: '/api/chains', as })).body as ChainListItem[]
      const [see, copy, edit, , remove] = verdicts.map((verdict) => verdict === 'ok')
      const flags = { canView: see, canExecute: copy, canEdit: edit, canDelete: remove }
      const listed = list.find((item) => item.id === id)
      if (!see && !remove) return expect(listed).toBeUndefined()
      expect(listed).toMatchObject(flags)
      const shown = await library.request({ url: `/api/chains/${id}`, as })
      if (see) expect(shown.body).toMatchObject(flags)
    })
  })

  test('A chain that is listed but can’t be opened shows no content. An administrator may delete it.', async () => {
    const { owner, admin } = library
    const tag = await library.createTag(owner, 'hidden', '/api/chain-tags')
    const { id } = await library.createChain(owner, {
      name: 'Mine',
      description: 'whisper',
      tagIds: [tag.id],
    })
    await library.createStep(owner, id, { content: 'whisper' })
    const reply = await library.request({ url: '/api/chains', as: admin })
    expect(reply.text).not.toContain('whisper')
    const listed = (reply.body as ChainListItem[]).find((item) => item.id === id)
    expect(listed).toMatchObject({ name: 'Mine', description: '', tags: [], steps: [], canView: false })
    const byTag = await library.request({ url: `/api/chains/by-tags?tagIds=${tag.id}`, as: admin })
    expect(byTag.body).toEqual([])
  })
})
