import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { fileOf, importsOf, onlyItem, openAiObject } from './testing/open-imports.ts'

describe.each(routeDatabaseKinds)('what imports keep to, on %s', (kind) => {
  let library: Library
  let imports: ReturnType<typeof importsOf>
  beforeAll(async () => {
    library = await startLibrary(kind)
    imports = importsOf(library)
  })
  afterAll(() => library.close())

  test('Not imported is kept with the import, and counts as its person’s text.', async () => {
    const object = openAiObject()
    const person = await library.registerUser()
    const { id, items } = await imports.run(person, [fileOf(object)])
    const report = await imports.get<{ losses: object[] }>(`/api/imports/${id}`, person)
    expect(report).toMatchObject({
      ...{ fileNames: ['refund.json'], fileCount: 1, made: 1, versions: 0, lossCount: 1, canUndo: true },
      losses: [{ at: 'refund.json › tools', kept: object.tools }],
    })
    const counted = Number(await imports.textOf(person))
    await library.request({ method: 'DELETE', url: `/api/prompts/${items[0]?.promptId}`, as: person })
    expect(await imports.textOf(person)).toBeGreaterThan(100)
    expect(await imports.textOf(person)).toBeLessThan(counted)
    await library.db.execute(sql`delete from imports where id = ${id}`)
    expect(await imports.textOf(person)).toBe(0)
  })

  test('what of a text stands there otherwise is kept with what stood there', async () => {
    const person = await library.registerUser()
    const text = '---\nargument-hint: [issue]\n---\nFix $1'
    const { id, items } = await imports.run(person, [{ name: 'fix.md', text }])
    expect(items).toMatchObject([{ made: 'new', isSkill: false }])
    expect(await imports.get(`/api/imports/${id}`, person)).toMatchObject({
      losses: [{ at: 'fix.md › text', kept: '$1', now: '$<argument_1>' }, { at: 'fix.md › argument-hint' }],
    })
  })

  test('A `SKILL.md` is offered as a skill.', async () => {
    const person = await library.registerUser()
    const skill = (name: string) => ({
      name: `${name}/SKILL.md`,
      text: `---\nname: ${name}\ndescription: Writes ${name}\n---\nWrite.`,
    })
    const { items } = await imports.run(person, [skill('letters')])
    expect(items).toMatchObject([{ isSkill: true }])
    expect(await imports.get(`/api/prompts/${items[0]?.promptId}/skill`, person)).toMatchObject({
      description: 'Writes letters',
      parts: [],
    })
    const plain = await imports.run(person, [skill('mails')], { asSkills: false })
    const url = `/api/prompts/${plain.items[0]?.promptId}/skill`
    expect((await library.request({ url, as: person })).status).toBe(404)
  })

  test('a prompt that is off elsewhere comes as it is', async () => {
    const person = await library.registerUser()
    const off = [{ command: '/sum', title: 'Sum', content: 'Sum {{text}}', is_active: false }]
    const { items } = await imports.run(person, [fileOf(off, 'webui.json')])
    expect(await imports.get(`/api/prompts/${items[0]?.promptId}`, person)).toMatchObject({ isActive: false })
    expect(await imports.dryRun(person, [fileOf(off, 'webui.json')])).toMatchObject({
      items: [{ state: 'same' }],
    })
  })

  test('All of an import is there or nothing, whichever limit is met.', async () => {
    const person = await library.registerUser()
    await library.request({
      ...{ method: 'PATCH', url: `/api/admin/users/${person.user.id}/quotas`, as: library.admin },
      body: { prompts: 2 },
    })
    const many = ['a', 'b', 'c'].map((name) => ({ id: `pmpt_q${name}`, name, instructions: 'Do' }))
    const reply = await imports.post(person, { files: [fileOf(many)], dryRun: false, tag: 'left behind' })
    expect(reply.status).toBe(403)
    expect(reply.body).toMatchObject({ error: expect.stringContaining('2 prompts') })
    expect(await imports.listed(person)).toEqual([])
    expect(await imports.get('/api/imports', person)).toEqual([])
    expect(await imports.get('/api/tags/search?name=left%20behind', person)).toEqual({})
  })

  test('A file that can’t be read is a line of the same report.', async () => {
    const object = openAiObject()
    const person = await library.registerUser()
    const broken = { name: 'cut.json', text: '{\n"id": "pmpt_1",\n"instr' }
    const said = await imports.dryRun(person, [fileOf(object), broken])
    expect(said.files[1]).toEqual({
      ...{ name: 'cut.json', format: null, prompts: 0, chains: 0, tests: 0 },
      problem: expect.stringMatching(/^Line 3: /),
    })
    const line = {
      at: 'cut.json',
      reason: expect.stringMatching(/^Nothing is imported from this file\. Line 3: it is not readable JSON/),
    }
    expect(said.losses).toContainEqual(line)
    const done = await imports.run(person, [fileOf(object), broken])
    expect(done.lossCount).toBe(2)
    expect(await imports.get(`/api/imports/${done.id}`, person)).toMatchObject({
      losses: expect.arrayContaining([line]),
    })
    expect(await imports.post(person, { files: [broken], dryRun: false })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^cut\.json: Line 3/), details: [{ path: 'files.0.text' }] },
    })
    const text = 'x'.repeat(2_000_001)
    const large = await imports.post(person, {
      files: [
        { name: 'a', text },
        { name: 'b', text },
      ],
    })
    expect(large).toMatchObject({ status: 400, body: { details: [{ path: 'files' }] } })
    const many = Array.from({ length: 2001 }, (_, n) => ({ id: `pmpt_${n}`, instructions: 'x' }))
    expect(await imports.post(person, { files: [fileOf(many)] })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('2,001 prompts') },
    })
  })

  test('A model that is not set up, and settings that a model can’t do, have a line.', async () => {
    const person = await library.registerUser()
    const at = (model: string) => ({
      id: `pmpt_${model.length}`,
      model,
      name: model,
      instructions: 'Do',
      temperature: 1,
    })
    const { losses, items } = await imports.run(person, [
      fileOf([at('gemini-1.5-pro'), at('gpt-4o-2024-08-06')]),
    ])
    expect(losses.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining([
        'gemini-1.5-pro is not set up here, so the prompt has no model of its own and uses the chosen one',
        expect.stringMatching(/^gpt-4o-2024-08-06 becomes GPT-4o, which is \S+ here$/),
        'GPT-4o doesn’t support a temperature: kept as a note',
        expect.stringMatching(/^The temperature is imported, but .*GPT-4o.* can’t use it/),
      ]),
    )
    expect(await imports.get(`/api/prompts/${items[1]?.promptId}`, person)).toMatchObject({ model: 'openai' })
  })

  test('promptfoo’s tests come as a suite of the prompt', async () => {
    const person = await library.registerUser()
    const text =
      'description: Mails\nprompts: ["Write about {{topic}}."]\nproviders: [openai:gpt-4o]\n' +
      'tests: [{ vars: { topic: tea }, assert: [{ type: icontains, value: tea }] }]\n'
    const done = await imports.run(person, [{ name: 'promptfooconfig.yaml', text }])
    expect(onlyItem(done)).toMatchObject({ name: 'Mails', tests: 1, made: 'new' })
    const suites = await imports.get(`/api/prompts/${onlyItem(done).promptId}/test-suites`, person)
    expect(suites).toMatchObject([{ name: 'Mails', caseCount: 1 }])
    const other = [{ name: 'promptfooconfig.yaml', text: text.replace('Write about', 'Say more about') }]
    const stays = {
      at: expect.any(String),
      reason: expect.stringContaining('A new version keeps the prompt’s own tests'),
    }
    const asVersion = { conflicts: { all: 'version', items: {} } } as const
    expect((await imports.dryRun(person, other, asVersion)).losses).toContainEqual(stays)
    expect(
      (await imports.dryRun(person, other, { conflicts: { all: 'copy', items: {} } })).losses,
    ).not.toContainEqual(stays)
    expect((await imports.undo(person, done.id)).body).toMatchObject({ removed: 1, kept: [] })
  })

  test('Imports are their importer’s alone.', async () => {
    const object = openAiObject()
    const person = await library.registerUser()
    const { id } = await imports.run(person, [fileOf(object)])
    for (const stranger of [library.other, library.admin]) {
      expect(await imports.get('/api/imports', stranger)).toEqual([])
      expect((await library.request({ url: `/api/imports/${id}`, as: stranger })).status).toBe(404)
      expect((await imports.undo(stranger, id)).status).toBe(404)
    }
    const calls = [
      { method: 'POST', url: '/api/import', body: { files: [fileOf(object)] } },
      { method: 'GET', url: '/api/imports' },
      { method: 'GET', url: `/api/imports/${id}` },
      { method: 'POST', url: `/api/imports/${id}/undo` },
    ] as const
    const disabled = await library.registerUser()
    const url = `/api/admin/users/${disabled.user.id}`
    await library.request({ method: 'PATCH', url, body: { disabled: true }, as: library.admin })
    for (const call of calls) {
      expect((await library.request(call)).status, call.url).toBe(401)
      expect((await library.request({ ...call, as: disabled })).status, call.url).toBe(401)
    }
  })

  test.each(['viewer', 'editor', 'nobody'] as const)(
    'What others have, shared with the importer or not, is no conflict and is never written. (%s)',
    async (role) => {
      const person = await library.registerUser()
      const theirs = await library.createPrompt(library.owner, { title: `For ${role}`, isPublic: true })
      if (role !== 'nobody') {
        const share = { url: `/api/prompts/${theirs.id}/shares`, method: 'PUT', as: library.owner } as const
        const shared = await library.request({ ...share, body: [{ username: person.user.username, role }] })
        expect(shared.status, shared.text).toBeLessThan(300)
      }
      const file = fileOf(openAiObject({ name: theirs.title }))
      const conflicts = { all: 'version', items: {} } as const
      expect(onlyItem(await imports.dryRun(person, [file], { conflicts }))).toMatchObject({ state: 'new' })
      const { promptId } = onlyItem(await imports.run(person, [file], { conflicts }))
      expect(promptId).not.toBe(theirs.id)
      expect(await imports.get(`/api/prompts/${promptId}`, person)).toMatchObject({ isPublic: false })
      expect(await imports.get(`/api/prompts/${theirs.id}`, library.owner)).toMatchObject({
        ...{ title: theirs.title, content: theirs.content, isPublic: true },
      })
      expect((await imports.listed(library.owner)).map(({ id }) => id)).not.toContain(promptId)
    },
  )

  test('many at once come by few statements, all or none', async () => {
    const person = await library.registerUser()
    const many = Array.from({ length: 150 }, (_, n) => ({
      id: `pmpt_m${n}`,
      name: `Prompt ${n}`,
      instructions: `Do ${n}`,
    }))
    const [first, second] = await Promise.all([
      imports.run(person, [fileOf(many)]),
      imports.run(person, [fileOf(many)]),
    ])
    expect([first, second].map(({ id }) => id === null).sort()).toEqual([false, true])
    const made = [first, second].find(({ id }) => id !== null)
    expect((await imports.undo(person, made?.id ?? 0)).body).toMatchObject({ removed: 150, kept: [] })
  })
})
