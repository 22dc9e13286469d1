import type { ListedPrompt, Prompt } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

type Verdict = 'ok' | 'log in' | 'hidden' | 'forbidden'
type Level = 'private' | 'public'

const STATUS = { 'log in': 401, hidden: 404, forbidden: 403 } as const

const RIGHTS = ['see', 'use', 'edit', 'publish', 'share', 'delete']

const GUEST: Verdict[] = ['log in', 'log in', 'log in', 'log in', 'log in']
const HIDDEN: Verdict[] = ['hidden', 'hidden', 'hidden', 'hidden', 'hidden', 'hidden']
const VIEWER: Verdict[] = ['ok', 'ok', 'forbidden', 'forbidden', 'forbidden', 'forbidden']
const EDITOR: Verdict[] = ['ok', 'ok', 'ok', 'forbidden', 'forbidden', 'forbidden']
const OWNER: Verdict[] = ['ok', 'ok', 'ok', 'ok', 'ok', 'ok']

/** What each person may do with a prompt that is shared by name, by its level. */
const MATRIX: Record<Level, Record<string, Verdict[]>> = {
  private: {
    guest: ['hidden', ...GUEST],
    disabled: ['hidden', ...GUEST],
    other: HIDDEN,
    viewer: VIEWER,
    editor: EDITOR,
    owner: OWNER,
    admin: HIDDEN,
  },
  public: {
    guest: ['ok', ...GUEST],
    disabled: ['ok', ...GUEST],
    other: VIEWER,
    viewer: VIEWER,
    editor: EDITOR,
    owner: OWNER,
    admin: ['ok', 'ok', 'ok', 'ok', 'forbidden', 'ok'],
  },
}

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  body?: unknown
}

describe.each(routeDatabaseKinds)('who may do what with a prompt on %s', (kind) => {
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

  /** Every call on one prompt, each such as would be accepted. */
  function callsOf({ id, level }: { id: number; level: Level }): Record<string, Call[]> {
    const one = `/api/prompts/${id}`
    const otherLevel = level === 'public' ? 'private' : 'public'
    const body = { ...promptBody(library), title: 'Taken over' }
    return {
      see: [{ method: 'GET', url: one }],
      use: [
        { method: 'POST', url: `${one}/duplicate` },
        { method: 'POST', url: '/api/execute-prompt', body: { promptId: id, model: 'claude' } },
        { method: 'GET', url: `${one}/executions` },
        { method: 'GET', url: `${one}/labels/production/gate?version=1` },
      ],
      edit: [
        { method: 'PUT', url: one, body },
        { method: 'PUT', url: one, body: { ...body, isPublic: level === 'public' } },
        { method: 'PATCH', url: `${one}/share`, body: { sharedLevel: level } },
        { method: 'PATCH', url: `${one}/toggle` },
        { method: 'GET', url: `${one}/shares` },
        { method: 'GET', url: `${one}/versions` },
        { method: 'GET', url: `${one}/versions/1` },
        { method: 'POST', url: `${one}/versions/1/restore` },
        { method: 'PATCH', url: `${one}/versions/1`, body: { note: 'begun' } },
      ],
      publish: [
        { method: 'PUT', url: one, body: { ...body, isPublic: level !== 'public' } },
        { method: 'PATCH', url: `${one}/share`, body: { sharedLevel: otherLevel } },
      ],
      share: [{ method: 'PUT', url: `${one}/shares`, body: [] }],
      delete: [{ method: 'DELETE', url: one }],
    }
  }

  const read = async (id: number) =>
    (await library.request({ url: `/api/prompts/${id}`, as: library.owner })).body as Prompt

  /** A prompt with three shares, at any level. */
  async function makePrompt(level: Level): Promise<Prompt> {
    const { owner } = library
    const isPublic = level === 'public'
    const { id } = await library.createPrompt(owner, { title: 'Sealed', content: 'secret', isPublic })
    const body = [
      { username: 'Vera', role: 'viewer' },
      { username: 'edgar', role: 'editor' },
      { username: 'DORA', role: 'editor' },
    ]
    const shared = await library.request({ method: 'PUT', url: `/api/prompts/${id}/shares`, body, as: owner })
    expect(shared.status, shared.text).toBe(200)
    return read(id)
  }

  describe.each(Object.keys(MATRIX) as Level[])('that is %s and shared by name', (level) => {
    test.each(Object.entries(MATRIX[level]))(
      'A prompt is shared with named people, as viewers or editors; each role’s rights hold. (%s)',
      async (person, verdicts) => {
        const as = people[person]
        // A refused call has changed nothing, so the next call starts from the same state.
        let prompt: Prompt | undefined
        for (const [n, right] of RIGHTS.entries()) {
          const verdict = verdicts[n] ?? 'hidden'
          for (const place of (callsOf({ id: 0, level })[right] ?? []).keys()) {
            prompt ??= await makePrompt(level)
            const call = callsOf({ id: prompt.id, level })[right]?.[place] as Call
            const reply = await library.request({ ...call, as })
            const context = `${call.method} ${call.url}: ${reply.text}`
            if (verdict === 'ok') {
              expect(reply.status, context).toBeLessThan(300)
              if (call.method !== 'GET') prompt = undefined
            } else {
              expect(reply.status, context).toBe(STATUS[verdict])
              expect(reply.text).not.toContain('secret')
              expect(await read(prompt.id), context).toEqual(prompt)
            }
          }
        }
      },
    )

    test.each(Object.entries(MATRIX[level]))(
      'Editing and deleting follow canEdit and canDelete. (%s)',
      async (person, verdicts) => {
        const as = people[person]
        const { id } = await makePrompt(level)
        const [see, use, edit, , , remove] = verdicts.map((verdict) => verdict === 'ok')
        const list = (await library.request({ url: '/api/prompts', as })).body as ListedPrompt[]
        const listed = list.find((item) => item.id === id)
        if (!see) return expect(listed).toBeUndefined()
        const flags = { canExecute: use, canEdit: edit, canDelete: remove }
        expect(listed).toMatchObject(flags)
        expect((await library.request({ url: `/api/prompts/${id}`, as })).body).toMatchObject(flags)
      },
    )
  })
})
