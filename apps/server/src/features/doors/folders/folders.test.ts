import type { Prompt, PromptVersion, VersionLabels } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import type { TestUser } from '../../../testing/harness.ts'
import { type Library, startLibrary } from '../../../testing/library.ts'
import { fillFolder } from '../../exports/testing/fill-folder.ts'
import { createToken, digestOf, folderOf } from './testing/folder-library.ts'

describe.each(routeDatabaseKinds)('folders, on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  const edited = (files: Record<string, string>, path: string, from: string, to: string) => {
    const before = files[path] ?? ''
    expect(before).toContain(from)
    return { name: path, text: before.replace(from, to), base: digestOf(before) }
  }
  const read = async <T>(url: string, as: TestUser): Promise<T> =>
    (await library.request({ url, as })).body as T

  test('A push makes new versions with author and note, all or none.', async () => {
    const person = await library.registerUser()
    const { refund, chain } = await fillFolder(library, person)
    const folder = folderOf(library, await createToken(library, person))
    const files = await folder.pull()
    const changed = [
      edited(files, `prompts/${refund.slug}.md`, 'Answer $<customer>.', 'Reply to $<customer>.'),
      edited(
        files,
        `chains/${chain.slug ?? 'letter'}.yaml`,
        'Write to {{input}}',
        'Write kindly to {{input}}',
      ),
      edited(files, `suites/prompts/${refund.slug}/tone.yaml`, 'dear', 'hello'),
      {
        name: 'prompts/quite-new.md',
        text: '---\ncatenary: prompt\ntitle: Quite new\n---\n\nText\n',
        base: null,
      },
    ]
    expect(await folder.push(changed, { dryRun: true })).toMatchObject({ written: false })
    expect((await read<Prompt>(`/api/prompts/${refund.id}`, person)).version).toBe(1)
    const { written, items } = await folder.push(changed, { note: 'Reply' })
    expect(written).toBe(true)
    expect(items.map(({ path, state }) => [path, state])).toEqual(
      changed.map(({ name, base }) => [name, base === null ? 'new' : 'version']),
    )
    const version = await read<PromptVersion>(`/api/prompts/${refund.id}/versions/2`, person)
    expect(version).toMatchObject({ note: 'Reply', author: person.user.username })
    const after = await folder.pull()
    for (const { name, text, base } of changed) if (base !== null) expect(after[name]).toBe(text)
    expect(after['prompts/quite-new.md']).toContain('category: General')
    const same = await folder.push(changed.map(({ name }) => ({ name, text: after[name] ?? '', base: null })))
    expect(new Set(same.items.map(({ state }) => state))).toEqual(new Set(['same']))
    const [prompt] = await read<Prompt[]>('/api/prompts?search=Quite%20new&ownership=mine', person)
    expect(prompt).toMatchObject({ isPublic: false, slug: 'quite-new' })
  })

  test('What was changed at the server since the base of a push is shown, and nothing is written.', async () => {
    const person = await library.registerUser()
    const [one, two] = [
      await library.createPrompt(person, { title: `One ${person.user.id}`, content: 'First' }),
      await library.createPrompt(person, { title: `Two ${person.user.id}`, content: 'First' }),
    ]
    const folder = folderOf(library, await createToken(library, person))
    const files = await folder.pull()
    const changed = [one, two].map(({ slug }) =>
      edited(files, `prompts/${slug}.md`, 'First', 'From the folder'),
    )
    const body = {
      title: one.title,
      content: 'From the web',
      categoryId: one.categoryId,
      revision: one.revision,
    }
    await library.request({ method: 'PUT', url: `/api/prompts/${one.id}`, body, as: person })
    const outcome = await folder.push(changed)
    expect(outcome).toMatchObject({
      written: false,
      items: [
        { state: 'conflict', here: expect.stringContaining('From the web') },
        { state: 'version', here: null },
      ],
    })
    expect((await read<Prompt>(`/api/prompts/${two.id}`, person)).version).toBe(1)
    await library.request({ method: 'DELETE', url: `/api/prompts/${one.id}`, as: person })
    const gone = await folder.push(changed.slice(0, 1))
    expect(gone).toMatchObject({ written: false, items: [{ state: 'conflict', here: null }] })
    const unknown = await folder.push(changed.slice(1).map((file) => ({ ...file, base: null })))
    expect(unknown).toMatchObject({ written: false, items: [{ state: 'conflict' }] })
  })

  test('A push moves the label that it is asked to move, never a protected one.', async () => {
    const person = await library.registerUser()
    const prompt = await library.createPrompt(person, {
      title: `Labelled ${person.user.id}`,
      content: 'First',
    })
    const folder = folderOf(library, await createToken(library, person))
    const url = `/api/prompts/${prompt.id}/labels`
    const path = `prompts/${prompt.slug}.md`
    const files = await folder.pull()
    expect(await folder.pull('candidate')).toEqual({})
    await folder.push([edited(files, path, 'First', 'Second')], { label: 'candidate' })
    expect((await read<VersionLabels>(url, person)).labels).toMatchObject([
      { label: 'candidate', version: 2 },
    ])
    const second = await folder.pull()
    await folder.push([edited(second, path, 'Second', 'Third')])
    expect((await read<VersionLabels>(url, person)).labels).toMatchObject([
      { label: 'candidate', version: 2 },
    ])
    expect((await folder.pull('candidate'))[path]).toContain('Second')
    const rule = { whoMayMove: 'editors', needsSuite: false }
    await library.request({
      method: 'PUT',
      url: '/api/admin/protected-labels/live',
      body: rule,
      as: library.admin,
    })
    const third = await folder.pull()
    const reply = await folder.send('POST', '/api/folder/push', {
      files: [edited(third, path, 'Third', 'Fourth')],
      dryRun: false,
      label: 'live',
    })
    expect(reply).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('live is protected') },
    })
    expect((await read<Prompt>(`/api/prompts/${prompt.id}`, person)).version).toBe(3)
  })

  test('A folder token opens the folder of what its creator owns and nothing else.', async () => {
    const [owner, editor] = [await library.registerUser(), await library.registerUser()]
    const shared = await library.createPrompt(owner, { title: `Shared ${owner.user.id}`, isPublic: true })
    const body = [{ username: editor.user.username, role: 'editor' }]
    await library.request({ method: 'PUT', url: `/api/prompts/${shared.id}/shares`, body, as: owner })
    const folder = folderOf(library, await createToken(library, editor))
    expect(await folder.pull()).toEqual({})
    const files = await folderOf(library, await createToken(library, owner)).pull()
    const reply = await folder.send('POST', '/api/folder/push', {
      files: [edited(files, `prompts/${shared.slug}.md`, 'welcome', 'farewell')],
      dryRun: false,
    })
    expect(reply).toMatchObject({ body: { written: false } })
    expect((await read<Prompt>(`/api/prompts/${shared.id}`, owner)).version).toBe(1)
  })

  describe('what opens what', () => {
    const file = { name: 'prompts/a.md', text: '---\ncatenary: prompt\ntitle: A\n---\n\nText\n', base: null }
    const CALLS = [
      ['GET', '/api/folder'],
      ['POST', '/api/folder/push', { files: [file] }],
      ['POST', '/api/folder/evaluations', { suite: 'a/b', label: 'latest', ceilingUsd: 1 }],
      ['GET', '/api/folder/evaluations/1'],
    ] as const
    const statuses = async (token: string) => {
      const replies: number[] = []
      for (const [method, url, body] of CALLS) {
        const reply = await library.http.inject({
          method,
          url,
          headers: { ...(token && { authorization: `Bearer ${token}` }) },
          ...(body && { payload: body }),
        })
        replies.push(reply.statusCode)
      }
      return replies
    }

    test('Writing and evaluating are switched on for each folder token.', async () => {
      const person = await library.registerUser()
      expect(await statuses(await createToken(library, person, {}))).toEqual([200, 403, 403, 404])
      expect(await statuses(await createToken(library, person, { mayWrite: true }))).toEqual([
        200, 200, 403, 404,
      ])
      expect(await statuses(await createToken(library, person, { mayEvaluate: true }))).toEqual([
        200, 403, 404, 404,
      ])
    })

    test('no token, a cookie, another kind, an unknown, expired or rotated one, or a disabled account opens nothing', async () => {
      const person = await library.registerUser()
      expect(await statuses('')).toEqual([401, 401, 401, 401])
      const byCookie = await library.request({ url: '/api/folder', as: person })
      expect(byCookie.status).toBe(401)
      const prompt = await library.createPrompt(person)
      const made = await library.request({
        method: 'POST',
        url: '/api/read-tokens',
        body: { name: 'R', promptIds: [prompt.id] },
        as: person,
      })
      const { token: readToken } = made.body as { token: string }
      expect(await statuses(readToken)).toEqual([403, 403, 403, 403])
      const own = await createToken(library, person, { mayWrite: true, mayEvaluate: true })
      expect(await statuses(`${own.slice(0, -1)}x`)).toEqual([401, 401, 401, 401])
      const expired = await createToken(library, person, {
        mayWrite: true,
        expiresAt: '2020-01-01T00:00:00.000Z',
      })
      expect(await statuses(expired)).toEqual([401, 401, 401, 401])
      const models = await library.request({ url: '/v1/models', headers: { authorization: `Bearer ${own}` } })
      expect(models.status).toBe(403)
      const chat = { model: 'x', messages: [{ role: 'user', content: 'Hi' }] }
      const asked = await library.request({
        method: 'POST',
        url: '/v1/chat/completions',
        body: chat,
        headers: { authorization: `Bearer ${own}` },
      })
      expect(asked.status).toBe(403)
      const served = await library.request({
        url: `/api/public/v2/prompts/${prompt.slug}`,
        headers: { authorization: `Bearer ${own}` },
      })
      expect(served.status).toBe(403)
      const url = `/api/admin/users/${person.user.id}`
      await library.request({ method: 'PATCH', url, body: { disabled: true }, as: library.admin })
      expect(await statuses(own)).toEqual([401, 401, 401, 401])
    })

    test('tokens are their creator’s: nobody else lists, changes or ends one, nor does a guest', async () => {
      const person = await library.registerUser()
      await createToken(library, person)
      const [token] = await read<{ id: number; mayWrite: boolean }[]>('/api/folder-tokens', person)
      const url = `/api/folder-tokens/${token?.id}`
      for (const as of [library.other, library.admin]) {
        expect(await read('/api/folder-tokens', as)).toEqual([])
        expect(
          (await library.request({ method: 'PATCH', url, body: { mayEvaluate: true }, as })).status,
        ).toBe(404)
        expect((await library.request({ method: 'DELETE', url, as })).status).toBe(404)
      }
      for (const [method, path] of [
        ['GET', '/api/folder-tokens'],
        ['POST', '/api/folder-tokens'],
        ['PATCH', url],
        ['DELETE', url],
      ] as const) {
        const body = method === 'POST' || method === 'PATCH' ? { body: { name: 'A' } } : {}
        const reply = await library.request({
          method,
          url: path,
          headers: { 'sec-fetch-site': 'same-origin' },
          ...body,
        })
        expect(reply.status).toBe(401)
      }
      const changed = await library.request({ method: 'PATCH', url, body: { mayEvaluate: true }, as: person })
      expect(changed.body).toMatchObject({ mayWrite: true, mayEvaluate: true })
      expect((await library.request({ method: 'DELETE', url, as: person })).status).toBe(204)
    })
  })

  test.each([
    ['a path that leaves the folder', 'prompts/../../etc/passwd.md', 'x', /Not a file of a folder/],
    ['an absolute path', '/prompts/a.md', 'x', /Not a file of a folder/],
    [
      'another program’s form',
      'prompts/a.md',
      '{"id": "pmpt_1", "instructions": "Do"}',
      /don’t say what it is/,
    ],
    [
      'a file at the wrong place',
      'chains/a.yaml',
      '---\ncatenary: prompt\ntitle: A\n---\n\nText\n',
      /is in chains/,
    ],
    [
      'front matter that multiplies',
      'prompts/a.md',
      `---\ncatenary: prompt\ntitle: A\na: &a [x]\nb: [${'*a,'.repeat(101)}]\n---\n\nText\n`,
      /alias/i,
    ],
    [
      'a model that is not here',
      'prompts/a.md',
      '---\ncatenary: prompt\ntitle: A\nmodel: nobody\n---\n\nText\n',
      /nobody is not set up here/,
    ],
  ])('%s is refused in a sentence, and nothing is written', async (_, name, text, message) => {
    const person = await library.registerUser()
    const folder = folderOf(library, await createToken(library, person))
    const reply = await folder.send('POST', '/api/folder/push', {
      files: [{ name, text, base: null }],
      dryRun: false,
    })
    expect(reply.status).toBe(400)
    expect(JSON.stringify(reply.body)).toMatch(message)
    expect(await folder.pull()).toEqual({})
  })
})
