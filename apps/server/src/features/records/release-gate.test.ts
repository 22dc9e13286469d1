import { RECORD_KINDS } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { conflictOf, labelsOf, protect } from '../../testing/version-labels.ts'
import type { GateVerdict } from './release-gate.ts'

const FAILED = {
  suiteId: 4,
  name: 'Launch mails',
  evaluationId: 9,
  failing: [{ caseName: 'German audience', target: 'version 2 · claude', reason: 'No umlaut in the answer' }],
}

describe.each(routeDatabaseKinds)('protected labels on %s', (database) => {
  let library: Library
  let editor: TestUser
  /** By the record's id and version. */
  const verdicts = new Map<string, GateVerdict>()
  beforeAll(async () => {
    const judge = async (_tx: unknown, { id, version }: { id: number; version: number }) =>
      verdicts.get(`${id} ${version}`) ?? { passed: false as const, suites: [] }
    library = await startLibrary(database, { gate: { judge } })
    editor = await library.registerUser({ username: 'Edgar' })
    await protect(library, 'production', { needsSuite: true })
    await protect(library, 'live', { whoMayMove: 'owners' })
    await protect(library, 'frozen', { whoMayMove: 'admins' })
  })
  afterAll(() => library.close())

  describe.each(RECORD_KINDS)('of a %s', (kind) => {
    const labels = () => labelsOf(library, kind)

    /** Three versions; the first passed, the second failed, the third was not evaluated; public, with an editor. */
    async function create(): Promise<number> {
      const id = await labels().create(3, kind === 'chain' ? { sharedLevel: 'shared' } : { isPublic: true })
      const body = [
        { username: 'Edgar', role: 'editor' },
        { username: 'Adam', role: 'editor' },
      ]
      const url = `/api/${kind}s/${id}/shares`
      expect((await library.request({ method: 'PUT', url, body, as: library.owner })).status).toBe(200)
      verdicts.set(`${id} 1`, { passed: true, evaluationId: 5 })
      verdicts.set(`${id} 2`, { passed: false, suites: [FAILED] })
      return id
    }

    test('passes onto a version that passed, and the move names its evaluation', async () => {
      const { moved, moves } = labels()
      const id = await create()
      await moved(id, { version: 1, as: editor })
      expect(await moves(id)).toMatchObject([{ toVersion: 1, evaluationId: 5, override: false }])
    })

    test('The gate answers 409 with the failing results. An override needs a reason, and the label history shows it.', async () => {
      const { move, moves } = labels()
      const id = await create()
      expect(conflictOf(await move(id, { version: 2 }))).toEqual({
        ...{ code: 'GATE_CLOSED', suites: [FAILED], canOverride: true },
      })
      expect(conflictOf(await move(id, { version: 3, as: editor }))).toEqual({
        ...{ code: 'GATE_CLOSED', suites: [], canOverride: false },
      })
      expect(await moves(id)).toEqual([])
    })

    test('lets owner and admins pass with a reason, which the move keeps', async () => {
      const { move, moved, moves } = labels()
      const id = await create()
      const without = await move(id, { version: 2, override: true, reason: '  ' })
      expect([without.status, without.body]).toMatchObject([400, { details: [{ path: 'reason' }] }])
      const refused = await move(id, { version: 2, override: true, reason: 'I want it', as: editor })
      expect(refused.status).toBe(403)
      await moved(id, { version: 2, override: true, reason: 'No German readers yet' })
      await moved(id, {
        ...{ version: 3, expectedVersion: 2, override: true, reason: 'urgent' },
        as: library.admin,
      })
      await moved(id, { version: 1, expectedVersion: 3, override: true, reason: 'passed anyway' })
      expect((await moves(id)).map(({ override, reason }) => [override, reason])).toEqual([
        [false, 'passed anyway'],
        [true, 'urgent'],
        [true, 'No German readers yet'],
      ])
    })

    test('A stale `expectedVersion` does not pass the gate.', async () => {
      const { move, moved, shown } = labels()
      const id = await create()
      await moved(id, { version: 1 })
      expect(conflictOf(await move(id, { version: 2, expectedVersion: null }))).toMatchObject({
        code: 'LABEL_MOVED',
      })
      expect(conflictOf(await move(id, { version: 2, expectedVersion: 2 }))).toMatchObject({
        code: 'LABEL_MOVED',
      })
      expect(await shown(id)).toEqual({ production: 1 })
    })

    test('Renaming does not pass the gate.', async () => {
      const { move, moved, shown, save } = labels()
      const id = await create()
      await moved(id, { version: 1 })
      for (const label of ['Production', 'production%20', 'production%00', 'pr%6fduction%0a']) {
        expect((await move(id, { label, version: 2, expectedVersion: 1 })).status).toBeGreaterThan(399)
      }
      expect(await save(id, { slug: `renamed-${kind}` })).toMatchObject({
        slug: `renamed-${kind}`,
        version: 4,
      })
      expect(conflictOf(await move(id, { version: 2, expectedVersion: 1 }))).toMatchObject({
        code: 'GATE_CLOSED',
      })
      expect(await shown(id)).toEqual({ production: 1 })
    })

    test('Restoring or undoing does not pass the gate.', async () => {
      const { move, moved, shown, undo, url } = labels()
      const id = await create()
      await moved(id, { version: 1 })
      const restored = await library.request({
        ...{ method: 'POST', url: url(id, 'versions/2/restore') },
        as: library.owner,
      })
      expect(restored.body).toMatchObject({ version: 4 })
      expect(await shown(id)).toEqual({ production: 1 })
      expect(conflictOf(await move(id, { version: 4, expectedVersion: 1 }))).toMatchObject({
        code: 'GATE_CLOSED',
      })
      await moved(id, { version: 2, expectedVersion: 1, override: true, reason: 'for a moment' })
      const back = await moved(id, { version: 1, expectedVersion: 2 })
      const refused = conflictOf(await undo(id, back.moveId, { as: editor }))
      expect(refused).toMatchObject({ code: 'GATE_CLOSED', suites: [FAILED] })
      expect(await shown(id)).toEqual({ production: 1 })
    })

    test('An editor without the right does not pass the gate.', async () => {
      const { moved, move, remove, undo, read } = labels()
      const { owner, admin } = library
      const id = await create()
      const live = { label: 'live', version: 1 }
      const frozen = { label: 'frozen', version: 1 }
      expect((await move(id, { ...live, as: editor })).status).toBe(403)
      expect((await move(id, { ...frozen, as: editor })).status).toBe(403)
      expect((await move(id, { ...frozen, as: owner })).status).toBe(403)
      const { moveId } = await moved(id, { ...live, as: owner })
      await moved(id, { ...frozen, as: admin })
      await moved(id, { ...live, version: 2, expectedVersion: 1, as: admin })
      await moved(id, { ...live, version: 1, expectedVersion: 2, as: owner })
      expect((await remove(id, 1, { label: 'live', as: editor })).status).toBe(403)
      expect((await remove(id, 1, { label: 'frozen', as: owner })).status).toBe(403)
      expect((await undo(id, moveId, { as: editor })).status).toBeGreaterThan(400)
      const rules = (as: TestUser) =>
        read(id, as).then(({ protected: rules }) =>
          rules.map(({ label, canMove, canOverride }) => [label, canMove, canOverride]),
        )
      expect(await rules(editor)).toEqual([
        ['frozen', false, false],
        ['live', false, false],
        ['production', true, false],
      ])
      expect(await rules(owner)).toEqual([
        ['frozen', false, false],
        ['live', true, true],
        ['production', true, true],
      ])
    })
  })

  test('A protected label says who may move it; only administrators set that.', async () => {
    const { owner, admin, request } = library
    const url = '/api/admin/protected-labels'
    const put = (label: string, body: unknown, as?: TestUser) =>
      request({ method: 'PUT', url: `${url}/${label}`, body, as })
    const rule = { whoMayMove: 'admins', needsSuite: false }
    expect((await put('canary', rule)).status).toBe(401)
    expect((await put('canary', rule, owner)).status).toBe(403)
    expect((await request({ url, as: owner })).status).toBe(403)
    expect((await put('latest', rule, admin)).status).toBe(400)
    expect((await put('canary', { ...rule, whoMayMove: 'all' }, admin)).status).toBe(400)
    expect((await put('canary', rule, admin)).body).toContainEqual({
      ...{ label: 'canary', ...rule },
      groups: [],
    })
    const { create: make, move, moved } = labelsOf(library, 'prompt')
    const id = await make()
    expect((await move(id, { label: 'canary', version: 1 })).status).toBe(403)
    expect((await request({ method: 'DELETE', url: `${url}/canary`, as: owner })).status).toBe(403)
    expect((await request({ method: 'DELETE', url: `${url}/canary`, as: admin })).status).toBe(204)
    expect((await request({ method: 'DELETE', url: `${url}/canary`, as: admin })).status).toBe(404)
    await moved(id, { label: 'canary', version: 1 })
  })

  test('Members of a group that a protected label names move it where they may change the record; others don’t learn of the group.', async () => {
    const { owner, other, admin, request } = library
    const people = { name: 'Release', members: [other.user.username] }
    expect((await request({ method: 'POST', url: '/api/groups', body: people, as: admin })).status).toBe(201)
    const url = '/api/admin/protected-labels/shipped'
    const put = (groups: string[]) =>
      request({ method: 'PUT', url, body: { whoMayMove: 'admins', needsSuite: false, groups }, as: admin })
    const unknown = await put(['Nobody'])
    expect([unknown.status, unknown.body]).toMatchObject([400, { error: 'There is no group named Nobody' }])
    const rule = { label: 'shipped', whoMayMove: 'admins', needsSuite: false }
    expect((await put(['release'])).body).toContainEqual({ ...rule, groups: ['Release'] })
    const { create: make, move, moved, read, remove, url: of } = labelsOf(library, 'prompt')
    const id = await make()
    expect((await move(id, { label: 'shipped', version: 1, as: other })).status).toBe(404)
    const shares = [{ username: other.user.username, role: 'editor' }]
    await request({ method: 'PUT', url: of(id, 'shares'), body: shares, as: owner })
    expect((await read(id, other)).protected).toContainEqual({ ...rule, canMove: true, canOverride: false })
    expect((await read(id)).protected).toContainEqual({ ...rule, canMove: false, canOverride: false })
    expect((await move(id, { label: 'shipped', version: 1 })).status).toBe(403)
    await moved(id, { label: 'shipped', version: 1, as: other })
    expect((await put([])).status).toBe(200)
    expect((await remove(id, 1, { label: 'shipped', as: other })).status).toBe(403)
    await request({ method: 'DELETE', url, as: admin })
  })

  test('A chain’s version that links a prompt’s current text is named; a protected label refuses it.', async () => {
    const { owner } = library
    const { create: make, move, moved, shown } = labelsOf(library, 'chain')
    const prompt = await library.createPrompt(owner)
    const id = await make()
    await library.createStep(owner, id, { title: 'Free' })
    await library.createStep(owner, id, { title: 'Greet', promptId: prompt.id })
    const links = [{ position: 1, title: 'Greet', promptId: prompt.id }]
    expect(await moved(id, { label: 'staging', version: 3 })).toMatchObject({ links })
    expect(await moved(id, { label: 'staging', version: 2, expectedVersion: 3 })).toMatchObject({ links: [] })
    const refused = conflictOf(await move(id, { label: 'live', version: 3 }))
    expect(refused).toEqual({ code: 'CURRENT_TEXT_LINKED', links })
    expect(await shown(id)).toEqual({ staging: 2 })
  })
})

test('Two moves at once do not pass the gate.', async () => {
  const library = await startLibrary('server', {
    gate: { judge: async () => ({ passed: true, evaluationId: null }) },
  })
  await protect(library, 'production', { needsSuite: true })
  for (const kind of RECORD_KINDS) {
    const { create, moved, move, moves } = labelsOf(library, kind)
    const id = await create(3)
    await moved(id, { version: 1 })
    const sends = [2, 3].map((version) => () => move(id, { version, expectedVersion: 1 }))
    const replies = await library.sendAtOnce({ table: `${kind}s`, id, sends })
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const [lost] = replies.filter(({ status }) => status === 409)
    const [last, ...others] = await moves(id)
    expect(lost && conflictOf(lost)).toMatchObject({ code: 'LABEL_MOVED', version: last?.toVersion })
    expect(others).toHaveLength(1)
  }
  await library.close()
})
