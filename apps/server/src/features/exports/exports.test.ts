import type { ChainStep, ListedPrompt, UndoneImport } from '@catenary/contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { fillFolder } from './testing/fill-folder.ts'
import { importZip, openExport } from './testing/open-export.ts'

describe.each(routeDatabaseKinds)('exports, on %s', (kind) => {
  let library: Library
  beforeAll(async () => {
    library = await startLibrary(kind)
  })
  afterAll(() => library.close())

  test('Prompts, chains and suites come as Markdown and YAML by their names, without ids. Exported, imported elsewhere and exported again, no byte differs.', async () => {
    const { refund, chain } = await fillFolder(library, library.owner)
    const first = await openExport(library, library.owner, 'ownership=mine')
    expect(Object.keys(first.files)).toEqual([
      'chains/letter.yaml',
      'prompts/refund.md',
      expect.stringMatching(/^prompts\/refund-\d+\.md$/),
      'suites/chains/letter/tone.yaml',
      'suites/chains/letter/tone-2.yaml',
      'suites/prompts/refund/tone.yaml',
      'suites/prompts/refund/tone-2.yaml',
    ])
    expect(first.files['chains/letter.yaml']).toContain('prompt: refund\n  label: staging\n')
    const all = Object.values(first.files).join('\n')
    for (const id of [refund.id, chain.id]) expect(all).not.toMatch(new RegExp(`id: ${id}\\b`, 'i'))

    const empty = await startLibrary(kind)
    const report = await importZip(empty, empty.owner, first)
    expect(report.losses).toEqual([])
    expect(report.items.map(({ kind: each, made }) => [each, made])).toContainEqual(['suite', 'new'])
    const second = await openExport(empty, empty.owner)
    expect(second.files).toEqual(first.files)
    expect(second.bytes.equals(first.bytes)).toBe(true)

    const again = await importZip(empty, empty.owner, second)
    expect(again).toMatchObject({ id: null, losses: [] })
    expect(new Set(again.items.map(({ state }) => state))).toEqual(new Set(['same']))

    const undone = await empty.request({
      method: 'POST',
      url: `/api/imports/${report.id}/undo`,
      as: empty.owner,
    })
    expect(undone.body).toEqual({ removed: 7, restored: 0, kept: [] } satisfies UndoneImport)
    expect((await openExport(empty, empty.owner)).files).toEqual({})
    await empty.close()
  })

  test('Only what the reader sees is in it. Values of variables, tokens and names of people are in none.', async () => {
    const [author, reader] = [await library.registerUser(), await library.registerUser()]
    const hidden = await library.createPrompt(author, { title: 'Hidden idea', content: 'Nobody else' })
    const chain = await library.createChain(author, { name: 'Open chain', sharedLevel: 'public' })
    await library.createStep(author, chain.id, { promptId: hidden.id, content: 'The copy' })
    await library.createPrompt(author, { title: 'Open prompt', isPublic: true })
    await library.createVariable(author, { name: 'api_key', content: 'sk-secret' })
    const own = await openExport(library, author, 'ownership=mine')
    expect(Object.keys(own.files)).toEqual([
      'chains/open-chain.yaml',
      'prompts/hidden-idea.md',
      'prompts/open-prompt.md',
    ])
    const seen = await openExport(library, reader)
    expect(Object.keys(seen.files)).toEqual(
      expect.arrayContaining(['chains/open-chain.yaml', 'prompts/open-prompt.md']),
    )
    expect(Object.keys(seen.files)).not.toContain('prompts/hidden-idea.md')
    expect(seen.files['chains/open-chain.yaml']).toContain('content: The copy')
    expect(seen.files['chains/open-chain.yaml']).not.toContain('hidden-idea')
    expect(JSON.stringify([own.files, seen.files])).not.toMatch(/sk-secret|Olga|@example/)
    expect((await openExport(library, reader, 'ownership=mine')).files).toEqual({})
  })

  test.each([
    ['a guest', async () => undefined, 401],
    [
      'a person whose account is disabled',
      async () => {
        const person = await library.registerUser()
        const url = `/api/admin/users/${person.user.id}`
        await library.request({ method: 'PATCH', url, body: { disabled: true }, as: library.admin })
        return person
      },
      401,
    ],
  ])('Guests and disabled accounts export nothing. (%s)', async (_, open, status) => {
    expect((await library.request({ url: '/api/export', as: await open() })).status).toBe(status)
  })

  test('No other site can have an export sent.', async () => {
    const headers = { ...library.owner.headers, 'sec-fetch-site': 'cross-site' }
    expect((await library.request({ url: '/api/export', headers })).status).toBe(403)
  })

  test('a selection is what it names; of what one does not see there is nothing in it', async () => {
    const person = await library.registerUser()
    const [first, second] = [
      await library.createPrompt(person, { title: 'First of two' }),
      await library.createPrompt(person, { title: 'Second of two' }),
    ]
    const foreign = await library.createPrompt(library.owner, { title: 'Not theirs' })
    await library.createChain(person, { name: 'Left out' })
    const { files } = await openExport(library, person, `promptIds=${first.id},${foreign.id}`)
    expect(Object.keys(files)).toEqual(['prompts/first-of-two.md'])
    expect(second.id).toBeGreaterThan(0)
  })

  test('The import reads the folder or its zip: new, same, or a conflict shown as files; the way back restores chains and suites.', async () => {
    const person = await library.registerUser()
    const { chain } = await fillFolder(library, person)
    const exported = await openExport(library, person, `chainIds=${chain.id}`)
    const files = Object.fromEntries(
      Object.entries(exported.files).map(([path, text]) => [
        path,
        text
          .replace('Write to {{input}}', 'Write kindly to {{input}}')
          .replace('name: Polite', 'name: Very polite'),
      ]),
    )
    const dry = await importZip(library, person, { files }, { dryRun: true })
    const conflicts = dry.items.filter(({ state }) => state === 'conflict')
    expect(conflicts.map(({ kind: each }) => each)).toEqual(['chain', 'suite'])
    expect(conflicts[0]?.here).toContain('Write to {{input}}')
    expect(conflicts[0]?.content).toContain('Write kindly to {{input}}')
    const stepsNow = async () =>
      (await library.request({ url: `/api/chains/${chain.id}`, as: person })).body as {
        steps: ChainStep[]
        version: number
      }
    const before = await stepsNow()
    const done = await importZip(library, person, { files }, { conflicts: { all: 'version', items: {} } })
    const after = await stepsNow()
    expect(after).toMatchObject({ version: before.version + 1 })
    // Each step stays the step that it was.
    expect(after.steps.map(({ id }) => id)).toEqual(before.steps.map(({ id }) => id))
    expect((await openExport(library, person, `chainIds=${chain.id}`)).files).toEqual(files)
    const undone = await library.request({ method: 'POST', url: `/api/imports/${done.id}/undo`, as: person })
    expect(undone.body).toEqual({ removed: 0, restored: 2, kept: [] })
    expect((await openExport(library, person, `chainIds=${chain.id}`)).files).toEqual(exported.files)
  })

  test('undo keeps a chain whose earlier version was deleted', async () => {
    const person = await library.registerUser()
    const { chain } = await fillFolder(library, person)
    const url = `/api/chains/${chain.id}`
    const read = async () => (await library.request({ url, as: person })).body as { version: number }
    const { version } = await read()
    const exported = await openExport(library, person, `chainIds=${chain.id}`)
    const files = Object.fromEntries(
      Object.entries(exported.files).map(([path, text]) => [
        path,
        text.replace('Write to', 'Write kindly to'),
      ]),
    )
    const done = await importZip(library, person, { files }, { conflicts: { all: 'version', items: {} } })
    const earlier = `${url}/versions/${version}`
    expect((await library.request({ method: 'DELETE', url: earlier, as: person })).status).toBe(204)
    const undone = await library.request({ method: 'POST', url: `/api/imports/${done.id}/undo`, as: person })
    expect(undone.body).toMatchObject({
      restored: 0,
      kept: [{ kind: 'chain', id: chain.id, reason: 'changed' }],
    })
    expect(await read()).toMatchObject({ version: version + 1 })
  })

  test('A prompt, label, version or model that is not here has a line with its place, and the step keeps its own text.', async () => {
    const person = await library.registerUser()
    const files = {
      'chains/broken-links.yaml':
        'catenary: chain\nname: Broken links\nsteps:\n' +
        '  - {outputName: a, prompt: nowhere, model: openai, content: Mine}\n' +
        '  - {outputName: b, model: other-model, content: Mine}\n',
      'suites/prompts/nowhere/tone.yaml':
        'catenary: suite\nname: Tone\nprompt: nowhere\ncases: [{name: A}]\n',
    }
    const { losses, items } = await importZip(library, person, { files })
    expect(losses.map(({ at, reason }) => `${at}: ${reason}`)).toEqual([
      expect.stringMatching(/^chains\/broken-links\.yaml › steps\[0\]: There is no prompt nowhere here/),
      expect.stringMatching(/^chains\/broken-links\.yaml › steps\[1\]: other-model is not set up here/),
      expect.stringMatching(/^suites\/prompts\/nowhere\/tone\.yaml: You have no prompt nowhere here/),
    ])
    expect(items).toMatchObject([{ kind: 'chain', made: 'new' }])
  })

  test('a name that another person has is free, and two people’s of one name are two files', async () => {
    const [first, second] = [await library.registerUser(), await library.registerUser()]
    await library.createPrompt(first, { title: 'Taken name' })
    const { files } = await openExport(library, first, 'ownership=mine')
    const { losses } = await importZip(library, second, { files })
    expect(losses).toEqual([])
    const [prompt] = (await library.request({ url: '/api/prompts?ownership=mine', as: second }))
      .body as ListedPrompt[]
    expect(prompt?.slug).toBe('taken-name')
    const [theirs] = (await library.request({ url: '/api/prompts?ownership=mine', as: first }))
      .body as ListedPrompt[]
    const body = [{ username: second.user.username, role: 'viewer' }]
    await library.request({ method: 'PUT', url: `/api/prompts/${theirs?.id}/shares`, body, as: first })
    const chain = await library.createChain(second, { name: 'Links both' })
    for (const promptId of [prompt?.id, theirs?.id]) await library.createStep(second, chain.id, { promptId })
    const both = await openExport(library, second, 'ownership=all')
    const names = ['prompts/taken-name.md', `prompts/taken-name-${theirs?.id}.md`]
    expect(Object.keys(both.files).filter((path) => path.includes('taken-name'))).toEqual(names)
    expect(both.files['chains/links-both.yaml']).toContain(`prompt: taken-name-${theirs?.id}\n`)
  })
})
