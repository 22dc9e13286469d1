import type { ChainListItem, ListedPrompt, ListedVariable } from '@catenary/contracts'
import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseClient } from '../../database/open/client.ts'
import { prompts } from '../../database/schema/index.ts'
import { promptOrder, promptWords } from '../../database/statements/prompt-search.ts'
import { containing } from '../../database/statements/text-search.ts'
import { openInLocale } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { keepPromptSearch } from './prompts.sql.ts'

const DATABASES = [
  ['the embedded database', undefined],
  ['a server in locale C', 'C'],
  ['a server in Turkish', 'tr-TR'],
] as const

describe.each(DATABASES)('what is searched on %s', (_, locale) => {
  let client: DatabaseClient | undefined
  let library: Library
  beforeAll(async () => {
    client = locale && (await openInLocale(locale))
    library = await startLibrary(client ? 'server' : 'embedded', client && { database: { client } })
  })
  afterAll(async () => {
    await library.close()
    await client?.close()
  })

  const read = async <Item>(path: string, query: Record<string, string>) =>
    (await library.request({ url: `${path}?${new URLSearchParams(query)}`, as: library.owner }))
      .body as Item[]
  const find = async (search: string, query = {}) =>
    (await read<ListedPrompt>('/api/prompts', { search, sort: 'created', ...query })).map(
      ({ title }) => title,
    )
  const create = async (title: string, fields: object = {}) => {
    await library.createPrompt(library.owner, { title, content: 'Nothing.', ...fields })
    return title
  }

  test.each([
    ['Cafe\u0301 am Markt', 'café'],
    ['Bücher', 'BUCHER'],
    ['ÜBERSICHT', 'übersicht'],
    ['INVOICE LIST', 'list invoice'],
    ['Wide\u00a0gap', 'gap  wide'],
    ['Straßenkarte', 'STRASSEN'],
    ['BİLGİ', 'bilgi'],
    ['ΚΑΛΗΜΕΡΑ', 'καλημέρα'],
    ['Прове\u0301рка ТЕКСТА', 'текста проверка'],
    ['日本語の文書', '文書'],
  ])('a title %j is found by %j, in all texts and in titles', async (title, search) => {
    await create(title)
    expect(await find(search)).toEqual([title.normalize('NFC')])
    expect(await find(search, { searchIn: 'title' })).toEqual([title.normalize('NFC')])
  })

  test('Search finds prompts that have each of its words, in any order and within others, in title, content, system prompt or turns.', async () => {
    const long = await create('Long', { content: `${'filler words '.repeat(10_000)} Schlußwort` })
    const asked = await create('Asked', {
      systemPrompt: 'Antworte höflich.',
      messages: [{ role: 'user', content: 'Où est le vélo?' }],
    })
    expect(await find('schlusswort')).toEqual([long])
    expect(await find('hoflich')).toEqual([asked])
    expect(await find('velo hoflich asked')).toEqual([asked])
    expect(await find('velo hoflich schlusswort')).toEqual([])
    expect(await find('velo', { searchIn: 'title' })).toEqual([])
  })

  test('five words and more, and words without letters, are each looked for', async () => {
    const one = await create('Six words', { content: 'uno dos tres cuatro cinco %_\\' })
    expect(await find('cinco tres uno %_\\ dos cuatro')).toEqual([one])
    expect(await find('cinco tres uno %_\\ dos seis')).toEqual([])
    expect(await find('cuatro %_\\')).toEqual([one])
  })

  test('what was saved, copied and renamed is found by what it is now', async () => {
    const { id, revision } = await library.createPrompt(library.owner, {
      title: 'Ancien',
      content: 'Naïve $<who>.',
    })
    const { categoryId, owner } = library
    const url = `/api/prompts/${id}`
    const saved = { title: 'Événement', content: 'Naïve $<who>.', categoryId, revision }
    expect((await library.request({ method: 'PUT', url, body: saved, as: owner })).status).toBe(200)
    expect(await find('ancien')).toEqual([])
    expect(await find('evenement naive')).toEqual(['Événement'])
    expect((await library.request({ method: 'POST', url: `${url}/duplicate`, as: owner })).status).toBe(201)
    expect(await find('evenement naive')).toEqual([expect.stringContaining('Événement'), 'Événement'])
    const unread = sql`select id from prompts where search_text is null`
    expect((await library.db.execute(unread)).rows).toEqual([])
  })

  test('what the version before saves is found as it found it, and then as this one does', async () => {
    const { categoryId, owner } = library
    await library.db.execute(sql`insert into prompts (owner_id, category_id, title, content)
      values (${owner.user.id}, ${categoryId}, 'former résumé', 'x')`)
    expect(await find('former')).toEqual(['former résumé'])
    expect(await keepPromptSearch(library.db)).toBe(1)
    expect(await find('RESUME former')).toEqual(['former résumé'])
    await library.db.execute(sql`update prompts set title = 'later résumé' where title = 'former résumé'`)
    expect(await find('later')).toEqual(['later résumé'])
    expect(await keepPromptSearch(library.db)).toBe(1)
    expect(await keepPromptSearch(library.db)).toBe(0)
    expect(await find('resume')).toEqual(['later résumé'])
  })

  test('What is found, what is the same name and the order of titles do not depend on a database’s locale (D74).', async () => {
    const titles = ['order 10', 'ORDER 9', 'Order Äpfel', 'order INFO', 'order ınfo 2', 'ORDER Ж', 'order д']
    for (const title of titles) await create(title)
    expect(await find('order', { sort: 'title', searchIn: 'title' })).toEqual([
      'ORDER 9',
      'order 10',
      'Order Äpfel',
      'order INFO',
      'order ınfo 2',
      'order д',
      'ORDER Ж',
    ])
  })

  test('Chains are found by words of name and description, as prompts are.', async () => {
    const { owner, createChain, request } = library
    const { id, revision } = await createChain(owner, { name: 'INVOICE Prüfung', description: 'Für Köln' })
    const names = async (search: string) =>
      (await read<ChainListItem>('/api/chains', { search })).map(({ name }) => name)
    expect(await names('koln invoice prufung')).toEqual(['INVOICE Prüfung'])
    const body = { name: 'Ablage', revision }
    expect((await request({ method: 'PATCH', url: `/api/chains/${id}`, body, as: owner })).status).toBe(200)
    expect(await names('invoice')).toEqual([])
    expect(await names('KOLN ablage')).toEqual(['Ablage'])
    expect((await request({ method: 'POST', url: `/api/chains/${id}/duplicate`, as: owner })).status).toBe(
      201,
    )
    expect(await names('koln')).toHaveLength(2)
  })

  test('Variables are found by words of name and text, as prompts are.', async () => {
    const { owner, createVariable, request } = library
    const { id } = await createVariable(owner, { name: 'INFO', content: 'Grüße aus KÖLN' })
    const body = { name: 'info', type: 'text', content: '' }
    expect((await request({ method: 'POST', url: '/api/variables', body, as: owner })).status).toBe(409)
    const found = async (search: string) =>
      (await read<ListedVariable>('/api/variables', { search })).map(({ id }) => id)
    expect(await found('koln info')).toEqual([id])
    expect(await found('grusse')).toEqual([id])
    const put = { name: 'INFO', type: 'text', content: 'Anders' }
    expect(
      (await request({ method: 'PATCH', url: `/api/variables/${id}`, body: put, as: owner })).status,
    ).toBe(200)
    expect(await found('grusse')).toEqual([])
    expect(await found('anders info')).toEqual([id])
  })

  test('words and order of titles are read from indexes', async () => {
    const { categoryId, owner } = library
    await library.db.execute(sql`insert into prompts (owner_id, category_id, title, content, is_public)
      select ${owner.user.id}, ${categoryId}, 'Row ' || n, md5(n::text) || repeat(' and more', 40), true
      from generate_series(1, 3000) as n`)
    await library.db.execute(sql`analyze prompts`)
    const plans = await library.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_sort = off`)
      const explain = async (rest: SQL) => {
        const { rows } = await tx.execute(
          sql`explain select ${prompts.id} from ${prompts} where ${prompts.isPublic} ${rest}`,
        )
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      }
      return [
        await explain(sql`and ${promptWords} like ${containing('needle')}`),
        await explain(sql`order by ${promptOrder}, ${prompts.id} limit 10`),
      ]
    })
    expect(plans[0]).toContain('prompts_public_words')
    expect(plans[1]).toContain('prompts_public_order')
  })

  test('people have one order everywhere', async () => {
    const names = ['p_a', 'p.a', 'p-a', 'pab']
    for (const username of names) await library.registerUser({ username })
    const people = await read<{ username: string }>('/api/users/search', { name: 'p' })
    expect(people.map(({ username }) => username)).toEqual(['p-a', 'p.a', 'p_a', 'pab'])
  })

  test('names of tags and categories are the same everywhere', async () => {
    const { admin, request } = library
    for (const url of ['/api/tags', '/api/categories']) {
      const post = (name: string) => request({ method: 'POST', url, body: { name }, as: admin })
      expect((await post('INFO Ünï')).status).toBe(201)
      expect((await post('info üNÏ')).status).toBe(409)
    }
  })
})
