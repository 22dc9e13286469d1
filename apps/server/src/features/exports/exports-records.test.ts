import type { ImportReport, TestCase } from '@catenary/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeStepAsk } from '../../testing/asks.ts'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { toolStep } from '../../testing/fake-service.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { importZip, openExport } from './testing/open-export.ts'
import { findUnsaid, readRecords } from './testing/read-records.ts'

const kind = routeDatabaseKinds[0] ?? 'embedded'
let library: Library
beforeAll(async () => {
  library = await startLibrary(kind)
})
afterAll(() => library.close())

const SETTINGS = {
  moreFallbackModels: ['gemini'],
  stop: ['END'],
  output: {
    type: 'json',
    schema: {
      type: 'object',
      properties: { constructor: { type: 'string' }, b: { type: 'string' } },
      required: ['b'],
      additionalProperties: false,
    },
  },
  messages: [{ role: 'user', content: ' Hello\t' }],
}

/** Each field of each noun says something that is not its default. */
async function fillWhole() {
  const { owner, createPrompt, createChain, createStep, createTag, request } = library
  const send = async (method: 'POST' | 'PUT' | 'PATCH', url: string, body: object) => {
    const reply = await request({ method, url, body, as: owner })
    expect([url, reply.status < 300, reply.text]).toEqual([url, true, expect.anything()])
    return reply.body as { id: number }
  }
  const category = await send('POST', '/api/categories', { name: 'Letters' })
  const tag = await createTag(owner, 'Whole')
  const whole = await createPrompt(owner, {
    ...{ ...SETTINGS, model: 'claude', fallbackModel: 'openai', effort: 'low', maxTokens: 900 },
    ...{ title: 'Whole', content: 'Write to $<name>.', systemPrompt: 'Be brief.', temperature: 0.5 },
    ...{ tagIds: [tag.id], categoryId: category.id, isActive: true },
  })
  const style = await createPrompt(owner, { title: 'Style guide', isActive: false })
  const parts = [
    { path: 'references/style.md', promptId: style.id },
    { path: 'tone.txt', variable: 'tone' },
  ]
  await send('PUT', `/api/prompts/${whole.id}/skill`, { description: 'Writes letters', parts })
  const chainTag = await createTag(owner, 'Chained', '/api/chain-tags')
  const chain = await createChain(owner, {
    ...{ name: 'Digest', description: 'A digest.', stopsWithoutValue: 'always', runsVisibleTo: 'runner' },
    stopsWhenCut: 'never',
    ...{ exampleRequests: ['Sum up'], asksFirst: true, tagIds: [chainTag.id] },
  })
  const step = { ...SETTINGS, title: 'Write', model: 'claude', fallbackModel: 'openai', effort: 'high' }
  const asked = {
    systemPrompt: 'Short.',
    temperature: 1,
    maxTokens: 50,
    promptId: whole.id,
    promptVersion: 1,
  }
  await createStep(owner, chain.id, { ...step, ...asked, outputVariableName: 'letter' })
  await send('PUT', `/api/prompts/${whole.id}/labels/staging`, { version: 1, expectedVersion: null })
  const labelled = { promptId: whole.id, promptLabel: 'staging', outputVariableName: 'again' }
  const onlyIf = { all: [{ ref: 'letter', op: 'is_one_of', not: true, value: ['', 'none'] }] }
  const forEach = { list: 'letter', as: 'line', max: 9, atOnce: 2, onFailure: 'leave_out', result: 'text' }
  const flow = { onlyIf, default: 'Dear all', ifItFails: 'go_on', forEach }
  await createStep(owner, chain.id, { ...labelled, ...flow })
  const stop = { outcome: 'failed', text: 'No letter: {{letter}}' }
  await createStep(owner, chain.id, { kind: 'stop', content: '', outputVariableName: '', stop, onlyIf })
  const ask = makeStepAsk({ text: 'Send {{letter}}?', role: 'owner', editable: true })
  await createStep(owner, chain.id, { kind: 'ask', content: '', outputVariableName: 'approval', ask })
  const tool = {
    ...{ url: 'https://shop.example.org/{{letter}}', query: [{ name: 'dry', value: '$<tone>' }] },
    headers: [{ name: 'X-Shop', value: 'one' }],
    body: { type: 'json', content: '{"text": {{approval.text}}}' },
    answer: { as: 'json', schema: { type: 'object' } },
    safeToRepeat: true,
  }
  await createStep(owner, chain.id, toolStep(tool, { outputVariableName: 'sent' }))
  for (const record of [`/api/prompts/${whole.id}`, `/api/chains/${chain.id}`]) {
    const text =
      'description: Tone\nsharing: true\ndefaultTest: {threshold: 0.4, vars: {name: Ada}}\ntests:\n' +
      '  - {description: Polite, vars: {name: Bo}, assert: [{type: contains, value: Bo}, {type: python, value: x}],' +
      ' threshold: 0.7, options: {disableDefaultAsserts: true}, metadata: {tags: [fast], userInput: Now}}\n'
    const imported = await send('POST', `${record}/test-suites/import`, { format: 'promptfoo', text })
    const url = `/api/test-suites/${(imported as unknown as ImportReport).suite?.id}/cases`
    const [one] = (await request({ url, as: owner })).body as TestCase[]
    await send('PATCH', `${url}/${one?.id}`, { given: { approval: 'approve' }, revision: one?.revision })
  }
}

test('Each field of a prompt, skill, chain, step, suite and case is in its file or on a list of what is left out; exported and imported elsewhere, records are equal in each field that has a place.', async () => {
  await fillWhole()
  const before = await readRecords(library, library.owner)
  expect(findUnsaid(before)).toEqual([])
  const exported = await openExport(library, library.owner, 'ownership=mine')

  const empty = await startLibrary(kind)
  const report = await importZip(empty, empty.owner, exported)
  expect(report.losses).toEqual([])
  expect(await readRecords(empty, empty.owner)).toEqual(before)
  const again = await importZip(empty, empty.owner, exported)
  expect(again.items.filter(({ state }) => state !== 'same')).toEqual([])

  // What a file does not say of what it is whole of, is taken away; what it says of a skill is a conflict.
  const files = { ...exported.files }
  const path = 'prompts/whole.md'
  files[path] = (files[path] ?? '').replace('description: Writes letters', 'description: Writes mails')
  const changed = await importZip(empty, empty.owner, { files }, { dryRun: true })
  expect(changed.items.filter(({ state }) => state === 'conflict').map(({ name }) => name)).toEqual(['Whole'])
  files[path] = (exported.files[path] ?? '').replace(/^skill:\n(?: .*\n)+/m, '')
  await importZip(empty, empty.owner, { files }, { conflicts: { all: 'version', items: {} } })
  const kinds = (await readRecords(empty, empty.owner)).map((record) => record.kind)
  expect(kinds).not.toContain('skill')
  expect((await openExport(empty, empty.owner)).files).toEqual(files)
  await empty.close()
})

test('a part of a skill that is another’s hidden prompt is not named, and one that is not here has a line', async () => {
  const [author, reader] = [await library.registerUser(), await library.registerUser()]
  const hidden = await library.createPrompt(author, { title: 'Hidden part' })
  const open = await library.createPrompt(author, { title: 'Open skill', isPublic: true })
  const parts = [{ path: 'hidden.md', promptId: hidden.id }]
  const body = { description: 'Does it', parts }
  await library.request({ method: 'PUT', url: `/api/prompts/${open.id}/skill`, body, as: author })
  const seen = await openExport(library, reader, `promptIds=${open.id}`)
  expect(seen.files['prompts/open-skill.md']).toContain('skill:\n  description: Does it\n')
  expect(seen.files['prompts/open-skill.md']).not.toContain('hidden')
  const own = await openExport(library, author, `promptIds=${open.id}`)
  const empty = await startLibrary(kind)
  const { losses } = await importZip(empty, empty.owner, own)
  expect(losses).toEqual([
    {
      at: 'prompts/open-skill.md › skill.parts',
      reason: 'There is no prompt hidden-part here, so the skill is imported without it',
    },
  ])
  await empty.close()
})
