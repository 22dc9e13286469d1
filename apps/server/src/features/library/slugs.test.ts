import { type Chain, MODEL_ALIASES, type Prompt, RECORD_KINDS } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

const SLUGS_MAX = 20

describe.each(routeDatabaseKinds)('slugs on %s', (database) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(database)
  })
  afterAll(() => library.close())

  describe.each(RECORD_KINDS)('of a %s', (kind) => {
    const create = (name: string, as = library.owner): Promise<Chain | Prompt> =>
      kind === 'chain' ? library.createChain(as, { name }) : library.createPrompt(as, { title: name })
    const change = (id: number, slug: unknown, as = library.owner) =>
      kind === 'chain'
        ? library.request({ method: 'PATCH', url: `/api/chains/${id}`, body: { slug }, as })
        : library.request({
            ...{ method: 'PUT', url: `/api/prompts/${id}`, as },
            body: { ...promptBody(library), slug },
          })
    const find = (slug: string, as: TestUser | undefined = library.owner) =>
      library.request({ url: `/api/${kind}s/by-slug/${slug}`, as })
    const share = async (id: number, username: string, role: 'viewer' | 'editor') => {
      const patch = { method: 'PATCH', url: `/api/chains/${id}`, body: { sharedLevel: 'shared' } } as const
      if (kind === 'chain') await library.request({ ...patch, as: library.owner })
      const url = `/api/${kind}s/${id}/shares`
      const saved = await library.request({
        method: 'PUT',
        url,
        body: [{ username, role }],
        as: library.owner,
      })
      expect(saved.status, saved.text).toBe(200)
    }

    test('is made of the name, apart from others by a number', async () => {
      const first = await create('Ein Brief für Straße 7: Über uns!')
      expect(first.slug).toBe('ein-brief-fur-strasse-7-uber-uns')
      const second = await create('ein brief FÜR straße 7 (über uns)')
      expect(second.slug).toBe(`${first.slug}-${second.id}`)
      const squatter = await create(`Same ${second.id + 3}`)
      expect(squatter.slug).toBe(`same-${second.id + 3}`)
      const [, third] = [await create('Same'), await create('Same')]
      expect(third.slug).toBe(`same-${third.id}-2`)
    })

    test.each([...MODEL_ALIASES, 'Chain', 'Chain 7', 'claude-chain-7', '3 facts'])(
      '%j is led by another word',
      async (name) => {
        const { slug } = await create(name)
        expect(slug).toMatch(new RegExp(`^the-${name.toLowerCase().replace(' ', '-')}`))
      },
    )

    test.each(['手紙', '🙂', '---', 'ß'.repeat(50), 'long name '.repeat(9)])(
      '%j has one all the same',
      async (name) => {
        const slugs = [await create(name), await create(name)].map(({ slug }) => slug)
        for (const slug of slugs) expect(slug).toMatch(/^[a-z][a-z0-9-]{0,63}$/)
        expect(new Set(slugs).size).toBe(2)
      },
    )

    test('A slug is made from the name, unique among its owner’s of the kind, and can change; former ones keep answering.', async () => {
      const { id, slug } = await create(`Before ${kind}`)
      const renamed = await change(id, `after-${kind}`)
      expect(renamed.body).toMatchObject({ id, slug: `after-${kind}` })
      for (const known of [slug, `after-${kind}`]) {
        expect((await find(known)).body).toMatchObject({ id, slug: `after-${kind}` })
      }
      expect((await change(id, slug)).body).toMatchObject({ slug })
      expect((await find(`after-${kind}`)).body).toMatchObject({ id })
      expect((await find(slug, library.other)).status).toBe(404)
      expect((await find('never-was')).status).toBe(404)
    })

    test('that another has or had is refused at its field; a deleted one’s is free', async () => {
      const [mine, theirs] = [await create(`Mine ${kind}`), await create(`Theirs ${kind}`)]
      await change(theirs.id, `new-${kind}`)
      for (const taken of [theirs.slug, `new-${kind}`]) {
        const refused = await change(mine.id, taken)
        expect([refused.status, refused.body]).toMatchObject([409, { details: [{ path: 'slug' }] }])
      }
      await library.request({ method: 'DELETE', url: `/api/${kind}s/${theirs.id}`, as: library.owner })
      expect((await change(mine.id, `new-${kind}`)).status).toBe(200)
    })

    test('Two people’s records may have the same slug: no reply tells of somebody else’s.', async () => {
      await create(`Secret merger ${kind}`)
      const names = [`Secret merger ${kind}`, `Nobody has it ${kind}`]
      const made = await Promise.all(names.map((name) => create(name, library.other)))
      expect(made.map(({ slug }) => slug)).toEqual([`secret-merger-${kind}`, `nobody-has-it-${kind}`])
      const hidden = await create(`Hidden plan ${kind}`)
      const { id } = await create(`Guesser ${kind}`, library.other)
      const replies = [hidden.slug, `no-such-plan-${kind}`].map(async (slug) => {
        const { status, body } = await change(id, slug, library.other)
        return [status, Object.keys(body as object), (body as { slug: string }).slug === slug]
      })
      const [taken, free] = await Promise.all(replies)
      expect(taken).toEqual(free)
      expect(taken).toMatchObject([200, expect.anything(), true])
      expect((await find(hidden.slug)).body).toMatchObject({ id: hidden.id })
    })

    test('A slug means one’s own record, then what was shared with one or accepted, then the oldest public one.', async () => {
      const name = `Told apart ${kind}`
      const publish = (id: number, as: TestUser) =>
        kind === 'chain'
          ? library.request({
              method: 'PATCH',
              url: `/api/chains/${id}`,
              body: { sharedLevel: 'public' },
              as,
            })
          : library.request({
              method: 'PATCH',
              url: `/api/prompts/${id}/share`,
              body: { sharedLevel: 'public' },
              as,
            })
      const people = [library.admin, library.other, library.owner]
      const [oldest, shared, own] = await Promise.all(people.map((as) => create(name, as)))
      const { slug = '' } = own ?? {}
      const stranger = await library.registerUser()
      const found = async (as: TestUser | undefined) => ((await find(slug, as)).body as { id?: number }).id
      expect(await found(stranger)).toBeUndefined()
      for (const [record, as] of [
        [shared, library.other],
        [oldest, library.admin],
      ] as const) {
        expect((await publish(record?.id ?? 0, as)).status).toBeLessThan(300)
      }
      const first = Math.min(oldest?.id ?? 0, shared?.id ?? 0)
      expect(await found(stranger)).toBe(first)
      expect(
        ((await library.request({ url: `/api/${kind}s/by-slug/${slug}` })).body as { id: number }).id,
      ).toBe(first)
      expect(await found(library.owner)).toBe(own?.id)
      expect(await found(library.admin)).toBe(oldest?.id)
      await share(own?.id ?? 0, stranger.user.username, 'viewer')
      expect(await found(stranger)).toBe(own?.id)
      await library.request({ method: 'DELETE', url: `/api/${kind}s/${own?.id}`, as: library.owner })
      expect(await found(stranger)).toBe(first)
    })

    test('Only the owner changes a slug: an editor is refused, and would learn what else is the owner’s.', async () => {
      const { id, slug } = await create(`Edited by two ${kind}`)
      await share(id, library.other.user.username, 'editor')
      const body =
        kind === 'chain' ? { description: 'mine too' } : { ...promptBody(library), title: 'By the editor' }
      const save = (fields: object) =>
        library.request({
          ...{ method: kind === 'chain' ? 'PATCH' : 'PUT', url: `/api/${kind}s/${id}` },
          body: { ...body, ...fields },
          as: library.other,
        })
      expect((await save({ slug })).status).toBe(200)
      const refused = await save({ slug: `by-the-editor-${kind}` })
      expect([refused.status, refused.body]).toMatchObject([403, { details: [{ path: 'slug' }] }])
    })

    test.each([
      ...MODEL_ALIASES,
      'chain-letters',
      'claude-chain-7',
      'pmpt_7',
      '7',
      'Upper',
      '-a',
      '',
      'a'.repeat(65),
      'a b',
      7,
    ])('No slug is a model’s name or begins like one. (%j)', async (slug) => {
      const { id, slug: before } = await create('Refused')
      expect((await change(id, slug)).status).toBe(400)
      expect((await find(before)).body).toMatchObject({ id })
    })

    test('keeps so many', async () => {
      const { id } = await create(`Many ${kind}`)
      for (let n = 1; n < SLUGS_MAX; n += 1) expect((await change(id, `many-${kind}-${n}`)).status).toBe(200)
      expect((await change(id, `one-more-${kind}`)).status).toBe(409)
      expect((await change(id, `many-${kind}-1`)).status).toBe(200)
    })

    test('of a copy is its own', async () => {
      const { id, slug } = await create(`Copied ${kind}`)
      const { body } = await library.request({
        ...{ method: 'POST', url: `/api/${kind}s/${id}/duplicate` },
        as: library.owner,
      })
      expect(body).toMatchObject({ slug: `${slug}-copy`, version: 1, labels: [] })
    })
  })

  test('a prompt and a chain may have the same; a prompt may bring its own', async () => {
    const own = { title: 'Anything', slug: 'brought-along' }
    const prompt = await library.createPrompt(library.owner, own)
    const chain = await library.createChain(library.owner, { name: 'Brought along' })
    expect([prompt.slug, chain.slug]).toEqual(['brought-along', 'brought-along'])
    const body = { ...promptBody(library), ...own }
    const again = await library.request({ method: 'POST', url: '/api/prompts', body, as: library.owner })
    expect([again.status, again.body]).toMatchObject([409, { details: [{ path: 'slug' }] }])
  })
})

test('prompts of one title that are made at once have slugs of their own', async () => {
  const library = await startLibrary('server')
  const made = await Promise.all(Array.from({ length: 20 }, () => library.createPrompt(library.owner)))
  const slugs = made.map(({ slug }) => slug)
  expect(new Set(slugs).size).toBe(20)
  expect(slugs).toContain('welcome')
  await library.close()
})
