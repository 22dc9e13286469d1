import type { ListedPrompt } from '@catenary/contracts'
import { clip } from '@catenary/domain'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import type { TestUser } from '../../testing/harness.ts'
import { type Library, promptBody, startLibrary } from '../../testing/library.ts'

const LIST_BYTES_MAX = 2_000_000
const LIST_TEXT_MAX = 500
const NEXT_CURSOR = 'x-next-cursor'
const TOTAL_COUNT = 'x-total-count'

const SORTS = ['updated', 'created', 'title'] as const

describe.each(routeDatabaseKinds)('pages of prompts on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())
  beforeEach(() => library.db.execute(sql`delete from prompts`))

  const read = async ({ query = {}, as }: { query?: Record<string, string>; as?: TestUser | undefined }) => {
    const reply = await library.request({ url: `/api/prompts?${new URLSearchParams(query)}`, as })
    expect(reply.status, reply.text).toBe(200)
    const { [NEXT_CURSOR]: cursor, [TOTAL_COUNT]: total } = reply.headers
    return {
      prompts: reply.body as ListedPrompt[],
      bytes: Buffer.byteLength(reply.text),
      cursor: cursor === undefined ? null : String(cursor),
      total: total === undefined ? null : String(total),
    }
  }

  /** All pages, with what happens before each but the first. */
  const walk = async ({
    query = {},
    as,
    between = async () => undefined,
  }: {
    query?: Record<string, string>
    as?: TestUser | undefined
    between?: (page: number) => Promise<unknown>
  }) => {
    let page = await read({ query, as })
    const pages = [page]
    while (page.cursor !== null) {
      await between(pages.length)
      page = await read({ query: { ...query, cursor: page.cursor }, as })
      pages.push(page)
    }
    return { pages, ids: pages.flatMap(({ prompts }) => prompts.map(({ id }) => id)) }
  }

  /** Titles and times in no common order; every third is private. */
  const fill = (count: number) =>
    library.db.execute(sql`
      insert into prompts (owner_id, category_id, title, content, is_public, updated_at)
      select ${library.owner.user.id}, ${library.categoryId}, 'Prompt ' || (n * 7919) % 100, 'text ' || n, n % 3 > 0,
        now() - make_interval(mins => (n * 104729) % 50)
      from generate_series(1, ${count}) n`)

  test.each(SORTS)('by cursor, in the order %s, give what the whole list gives', async (sort) => {
    const { owner } = library
    await fill(40)
    const whole = await read({ query: { sort }, as: owner })
    expect([whole.prompts.length, whole.total, whole.cursor]).toEqual([40, '40', null])
    const { pages, ids } = await walk({ query: { sort, limit: '7' }, as: owner })
    expect(ids).toEqual(whole.prompts.map(({ id }) => id))
    expect(pages.map(({ total }) => total)).toEqual(['40', null, null, null, null, null])
  })

  test('titles are ordered without case and accents, numbers by their value', async () => {
    for (const title of ['step 10', 'Step 2', 'zebra', 'Éclair', 'apple', 'STEP 1', '_', '😀'])
      await library.createPrompt(library.owner, { title })
    const { prompts } = await read({ query: { sort: 'title' }, as: library.owner })
    const titles = prompts.map(({ title }) => title)
    expect(titles).toEqual(['_', 'apple', 'Éclair', 'STEP 1', 'Step 2', 'step 10', 'zebra', '😀'])
  })

  test('give each prompt that stays exactly once, whatever is written between them', async () => {
    const { owner, categoryId } = library
    const change = fc.record({
      kind: fc.constantFrom('add', 'remove', 'save', 'toggle'),
      place: fc.nat({ max: 99 }),
    })
    const changes = fc.array(fc.array(change, { maxLength: 3 }), { minLength: 5, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(changes, fc.constantFrom(...SORTS), async (changes, sort) => {
        await library.db.execute(sql`delete from prompts`)
        await fill(18)
        const before = (await read({ as: owner })).prompts.map(({ id }) => id)
        const removed = new Set<number>()
        const moved = new Set<number>()
        const apply = async ({ kind, place }: { kind: string; place: number }) => {
          const id = before[place % before.length] ?? 0
          const url = `/api/prompts/${id}`
          if (kind === 'add') await library.createPrompt(owner, { title: `New ${place}` })
          if (kind === 'toggle') await library.request({ method: 'PATCH', url: `${url}/toggle`, as: owner })
          if (kind === 'save') {
            moved.add(id)
            const body = { title: `Saved ${place}`, content: 'x', categoryId }
            await library.request({ method: 'PUT', url, body, as: owner })
          }
          if (kind === 'remove') {
            removed.add(id)
            await library.request({ method: 'DELETE', url, as: owner })
          }
        }
        const { ids } = await walk({
          query: { sort, limit: '4' },
          as: owner,
          between: async (page) => {
            for (const change of changes[page - 1] ?? []) await apply(change)
          },
        })
        // A save moves a prompt in the other orders, as it does in the list.
        const isKept = (id: number) => !removed.has(id) && (sort === 'created' || !moved.has(id))
        const seen = ids.filter((id) => before.includes(id) && isKept(id))
        expect(seen.toSorted()).toEqual(before.filter(isKept).toSorted())
      }),
      { numRuns: 12 },
    )
  })

  test('never show what the caller can’t see, whosever the cursor is', async () => {
    const { owner, other } = library
    await fill(20)
    const { cursor } = await read({ query: { limit: '5' }, as: owner })
    for (const as of [other, undefined]) {
      const rest = await read({ query: { cursor: cursor ?? '' }, as })
      expect(rest.prompts.every(({ isPublic }) => isPublic)).toBe(true)
      const { ids } = await walk({ query: { limit: '3' }, as })
      expect(ids).toHaveLength(14)
    }
    const { ids } = await walk({
      query: { limit: '5' },
      as: other,
      between: () => library.db.execute(sql`update prompts set is_public = false`),
    })
    expect(ids).toHaveLength(5)
  })

  test('say how many there are: in all, of a category, with a tag, with a text', async () => {
    const { owner, other } = library
    const url = '/api/categories'
    const made = await library.request({ method: 'POST', url, body: { name: `Counted ${kind}` }, as: owner })
    const { id: categoryId } = made.body as { id: number }
    const tag = await library.createTag(owner, `counted ${kind}`)
    const first = await library.createPrompt(owner, { categoryId, tagIds: [tag.id], content: 'a needle' })
    await library.createPrompt(owner, { isPublic: true })
    await library.createPrompt(other, { isPublic: true, categoryId })
    await library.createPrompt(other, { categoryId })
    const totals = async (as?: TestUser) => {
      const category = { categoryId: String(categoryId) }
      const queries: Record<string, string>[] = [
        {},
        category,
        { tagIds: String(tag.id) },
        { search: 'needle' },
      ]
      const pages = await Promise.all(queries.map((query) => read({ query: { ...query, limit: '1' }, as })))
      return pages.map(({ total }) => Number(total))
    }
    expect([await totals(owner), await totals(other), await totals()]).toEqual([
      [3, 2, 1, 1],
      [3, 2, 0, 0],
      [2, 1, 0, 0],
    ])
    await library.request({
      method: 'PATCH',
      url: `/api/prompts/${first.id}/share`,
      body: { sharedLevel: 'public' },
      as: owner,
    })
    expect(await totals()).toEqual([3, 2, 1, 1])
    const body = { ...promptBody(library), title: 'Moved' }
    await library.request({ method: 'PUT', url: `/api/prompts/${first.id}`, body, as: owner })
    expect(await totals()).toEqual([3, 1, 1, 0])
    await library.request({ method: 'DELETE', url: `/api/prompts/${first.id}`, as: owner })
    expect(await totals()).toEqual([2, 1, 0, 0])
  })

  test('count what many writers change at once', async () => {
    const { owner } = library
    const made = await Promise.all(
      Array.from({ length: 24 }, (_, n) => library.createPrompt(owner, { isPublic: n % 2 === 0 })),
    )
    const gone = made.slice(0, 9)
    await Promise.all(
      gone.map(({ id }) => library.request({ method: 'DELETE', url: `/api/prompts/${id}`, as: owner })),
    )
    expect((await read({ as: owner })).total).toBe('15')
    expect((await read({})).total).toBe('7')
  })

  test('count a search to three thousand, and show the newest of more', async () => {
    await library.db.execute(sql`
      insert into prompts (owner_id, category_id, title, content, is_public, updated_at)
      select ${library.owner.user.id}, ${library.categoryId}, 'Number ' || n, 'a common text', true,
        now() - make_interval(mins => n)
      from generate_series(1, 3001) n`)
    const common = await read({ query: { search: 'COMMON', limit: '3' } })
    expect(common.total).toBe('3000+')
    expect(common.prompts.map(({ title }) => title)).toEqual(['Number 1', 'Number 2', 'Number 3'])
    await library.db.execute(sql`delete from prompts where title = 'Number 2'`)
    const exact = await walk({ query: { search: 'common', limit: '999' } })
    expect([exact.pages[0]?.total, exact.ids.length]).toEqual(['3000', 3000])
  })

  test('search for one and two letters in titles only, and for longer texts there only on request', async () => {
    const { owner } = library
    await library.createPrompt(owner, { title: 'Quartz', content: 'nothing' })
    await library.createPrompt(owner, { title: 'Other', content: 'quartz, 日本' })
    const titles = async (query: Record<string, string>) =>
      (await read({ query: { sort: 'title', ...query }, as: owner })).prompts.map(({ title }) => title)
    expect(await titles({ search: 'q' })).toEqual(['Quartz'])
    expect(await titles({ search: 'QU' })).toEqual(['Quartz'])
    expect(await titles({ search: 'qua' })).toEqual(['Other', 'Quartz'])
    expect(await titles({ search: 'quartz', searchIn: 'title' })).toEqual(['Quartz'])
    expect(await titles({ search: '日本' })).toEqual(['Other'])
    expect(await titles({ search: ',' })).toEqual(['Other'])
  })

  test('show the same beginning of any text as the program says', async () => {
    const character = fc.constantFrom('a', 'é', '語', '😀', '👩‍👩‍👧')
    const texts = fc.sample(
      fc.tuple(character, fc.integer({ min: LIST_TEXT_MAX - 3, max: LIST_TEXT_MAX + 3 })),
      30,
    )
    for (const [character, count] of texts) {
      const content = character.repeat(count)
      const { id } = await library.createPrompt(library.owner, { content })
      const { prompts } = await read({ query: { limit: '1' }, as: library.owner })
      const length = [...content].length
      const isLong = length > LIST_TEXT_MAX
      expect(prompts[0]).toMatchObject({ id, content: clip(content) })
      expect(prompts[0]?.contentClipped).toBe(isLong ? true : undefined)
      expect(prompts[0]?.contentLength).toBe(isLong ? length : undefined)
    }
  })

  test('end before 2 MB, and go on with the rest', async () => {
    await library.db.execute(sql`
      insert into prompts (owner_id, category_id, title, content, is_public)
      select ${library.owner.user.id}, ${library.categoryId}, 'Wide', repeat('😀', 1000), true
      from generate_series(1, 1500)`)
    const { pages, ids } = await walk({})
    expect(new Set(ids).size).toBe(1500)
    for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(LIST_BYTES_MAX)
    // It is the bytes that end the first page, and no sooner than they must.
    expect(pages[0]?.prompts.length).toBeLessThan(1000)
    expect(pages[0]?.bytes).toBeGreaterThan(LIST_BYTES_MAX - 3000)
  })
})
