import type { Variable } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { variables } from '../../database/schema/index.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { valuesOf } from '../../testing/variables.ts'
import { consentExcept } from '../records/consent.ts'

const consent = consentExcept([])

describe.each(routeDatabaseKinds)("variables' content on %s", (kind) => {
  let library: Library
  let service: ReturnType<typeof valuesOf>
  let inserted = 0
  beforeAll(async () => {
    library = await startLibrary(kind)
    service = valuesOf(library.ctx)
  })
  afterAll(() => library.close())

  const content = async (idOrName: string | number, as?: TestUser) => {
    const reply = await library.request({ url: `/api/variables/${idOrName}/content`, as })
    return [reply.status, reply.body]
  }
  /** A value that no call can save. */
  const insert = async (fields: Partial<typeof variables.$inferInsert> & { name: string }) => {
    const [row] = await library.db
      .insert(variables)
      .values({ ownerId: library.owner.user.id, type: 'api', isPublic: true, ...fields })
      .returning({ id: variables.id })
    return row?.id ?? 0
  }

  test('GET /api/variables/{id}/preview and /content take an id or a name (D23).', async () => {
    const { owner } = library
    const { id } = await library.createVariable(owner, { name: 'Tone', content: 'warm' })
    for (const idOrName of [id, 'Tone', 'tONE']) {
      expect(await content(idOrName, owner)).toEqual([200, { content: 'warm' }])
    }
    const preview = await library.request({ url: `/api/variables/${id}/preview`, as: owner })
    expect([preview.status, preview.body]).toEqual([200, { preview: 'warm' }])
  })

  test('what a person may not see is not there, by id, name or preview', async () => {
    const { owner, other, admin } = library
    const { id } = await library.createVariable(owner, { name: 'hidden' })
    for (const as of [other, admin, undefined]) {
      expect(await content(id, as)).toEqual([404, { error: `Variable ${id} not defined in system` }])
      expect(await content('hidden', as)).toEqual([404, { error: 'Variable hidden not defined in system' }])
      const preview = await library.request({ url: `/api/variables/${id}/preview`, as })
      expect([preview.status, preview.body]).toEqual([404, { error: 'Variable not found' }])
    }
  })

  test('a name means the own variable first, then the oldest public one', async () => {
    const { owner, other, admin } = library
    await library.createVariable(owner, { name: 'shared', content: 'oldest', isPublic: true })
    await library.createVariable(other, { name: 'SHARED', content: 'second', isPublic: true })
    await library.createVariable(admin, { name: 'Shared', content: 'private of the admin' })
    const meant = async (as?: TestUser) => (await content('sharEd', as))[1]
    expect(await meant(owner)).toEqual({ content: 'oldest' })
    expect(await meant(other)).toEqual({ content: 'second' })
    expect(await meant(admin)).toEqual({ content: 'private of the admin' })
    expect(await meant()).toEqual({ content: 'oldest' })
  })

  test('Among public variables of one name an administrator’s comes first, then the oldest (D52).', async () => {
    const { owner, other, admin } = library
    const oldest = await library.createVariable(owner, { name: 'house', content: 'oldest', isPublic: true })
    const ofAdmin = await library.createVariable(admin, { name: 'HOUSE', content: 'admin’s', isPublic: true })
    expect([oldest.ownerIsAdmin, ofAdmin.ownerIsAdmin]).toEqual([false, true])
    const meant = async (as?: TestUser) => (await content('house', as))[1]
    expect(await meant(owner)).toEqual({ content: 'oldest' })
    expect(await meant(other)).toEqual({ content: 'admin’s' })
    expect(await meant()).toEqual({ content: 'admin’s' })
    const resolved = await service.resolve({ names: ['house'], consent, user: other.user })
    expect(resolved.get('house')).toMatchObject({ value: 'admin’s', origin: { variableId: ofAdmin.id } })
    await library.createPrompt(other, { content: '$<house>' })
    const usage = await library.request({ url: '/api/variables/usage', as: other })
    expect(usage.body).toContainEqual({ id: ofAdmin.id, prompts: 1, chains: 0 })
    expect(usage.body).toContainEqual({ id: oldest.id, prompts: 0, chains: 0 })
  })

  test('digits are an id first, else a name', async () => {
    const { owner, other } = library
    const target = await library.createVariable(owner, { name: 'target', content: 'by id' })
    await library.createVariable(owner, { name: `${target.id}`, content: 'by name', isPublic: true })
    await library.createVariable(owner, { name: '99999999999', content: 'beyond an id' })
    expect(await content(target.id, owner)).toEqual([200, { content: 'by id' }])
    expect(await content(target.id, other)).toEqual([200, { content: 'by name' }])
    expect(await content('99999999999', owner)).toEqual([200, { content: 'beyond an id' }])
    expect((await content('9'.repeat(150), owner))[0]).toBe(404)
    expect((await content('%20', owner))[0]).toBe(404)
  })

  test.each([
    [{ apiUrl: 'https://example.org/x' }, { content: 'API content will appear here after fetching' }],
    [{ apiUrl: '' }, { error: 'No API URL specified' }],
    [{ type: 'file', content: '' }, { error: 'No file path specified' }],
    [
      { type: 'file', content: 'uploads/1_a.txt' },
      { error: 'The file is no longer there. Upload it again.' },
      'Error loading content: The file is no longer there. Upload it again.',
    ],
    [
      { type: 'googleDrive', googleDriveFileId: 'x', googleDriveFileName: 'Plan' },
      { content: 'Google Drive file: Plan' },
    ],
    [{ type: 'googleDrive', googleDriveFileId: 'x' }, { content: 'Google Drive file: Loading...' }],
    [{ type: 'googleDrive' }, { error: 'No Google Drive file specified' }],
  ] as const)(
    'Missing sources have their own texts: ‘No file path specified’, ‘No API URL specified’, ‘No Google Drive file specified’. (%j)',
    async (fields, expected, shown?: string) => {
      inserted += 1
      const id = await insert({ name: `kind_${inserted}`, ...fields })
      expect(await content(id)).toEqual([200, expected])
      const preview = await library.request({ url: `/api/variables/${id}/preview` })
      expect(preview.body).toEqual({ preview: shown ?? Object.values(expected)[0], ...(shown && expected) })
    },
  )

  test('the engine gets each referenced name as it was written, with its origin', async () => {
    const { owner, other } = library
    const mine = await library.createVariable(owner, { name: 'Resolve', content: 'mine' })
    const theirs = await library.createVariable(other, {
      name: 'Foreign',
      content: 'theirs',
      isPublic: true,
    })
    await library.createVariable(other, { name: 'Closed', content: 'secret' })
    const names = ['resolve', 'RESOLVE', 'foreign', 'closed', 'nowhere']
    const origin = ({ id, revision, isPublic }: Variable) => ({
      isPrivate: !isPublic,
      type: 'text',
      variableId: id,
      revision,
      source: null,
      at: expect.stringMatching(/Z$/),
      cachedAt: null,
      error: null,
    })
    expect(await service.resolve({ names, consent, user: owner.user })).toEqual(
      new Map([
        ['resolve', { value: 'mine', origin: origin(mine) }],
        ['RESOLVE', { value: 'mine', origin: origin(mine) }],
        ['foreign', { value: 'theirs', origin: origin(theirs) }],
      ]),
    )
    expect(await service.resolve({ names: [], consent, user: owner.user })).toEqual(new Map())
  })

  test("an own variable without a value hides another person's of that name", async () => {
    const { owner, other } = library
    await library.createVariable(other, { name: 'shadow', content: 'theirs', isPublic: true })
    await insert({ name: 'Shadow', type: 'file', isPublic: false })
    const value = async (user: TestUser['user']) =>
      (await service.resolve({ names: ['shadow'], consent, user })).get('shadow')?.value
    expect(await value(owner.user)).toBeNull()
    expect(await value(other.user)).toBe('theirs')
  })
})
