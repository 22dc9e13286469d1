import type { Chain, StepPreview } from '@catenary/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { makeStepAsk } from '../../../testing/asks.ts'
import { type SharedChains, startSharingChains } from '../../../testing/chain-library.ts'
import { routeDatabaseKinds } from '../../../testing/database.ts'
import { type Gateway, startGateway } from '../../../testing/gateway.ts'
import type { TestUser } from '../../../testing/harness.ts'
import { serveHttp } from '../../../testing/local-server.ts'
import { mediaOf } from '../../../testing/media.ts'
import { makePng } from '../../../testing/pictures.ts'

const TRIAGE = {
  content: 'Triage {{input}}.',
  outputVariableName: 'triage',
  output: {
    type: 'json',
    schema: {
      type: 'object',
      properties: { severity: { type: 'string' }, questions: { type: 'array', items: { type: 'string' } } },
      required: ['severity', 'questions'],
      additionalProperties: false,
    },
  },
}
const triaged = (severity: string, questions: string[] = []) => ({
  text: JSON.stringify({ severity, questions }),
})
const is = (ref: string, value: string) => ({ onlyIf: { all: [{ ref, op: 'is', value }] } })

describe.each(routeDatabaseKinds)('what a step would send, on %s', (kind) => {
  let library: Gateway
  let share: SharedChains['share']
  let run: SharedChains['run']
  let viewer: TestUser
  let editor: TestUser
  let server: Awaited<ReturnType<typeof serveHttp>>
  beforeAll(async () => {
    server = await serveHttp((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('News')
    })
    const outbound = createOutbound({ allowHosts: [`127.0.0.1:${server.port}`], deadlineMs: 2_000 })
    library = await startGateway(kind, {}, {}, { outbound })
    ;({ share, run, viewer, editor } = await startSharingChains(library))
    await library.createVariable(library.owner, { name: 'mood', content: 'calm', isPublic: true })
    await library.createVariable(viewer, { name: 'client', content: 'Lovelace' })
  })
  afterAll(async () => {
    await library.close()
    await server.close()
  })
  beforeEach(() => library.fake.reset())

  const preview = (chain: Chain, index: number, body?: object, as = library.owner) =>
    library.request({
      method: 'POST',
      url: `/api/chains/${chain.id}/steps/${chain.steps[index]?.id}/preview`,
      as,
      ...(body && { body }),
    })
  const shown = async (...call: Parameters<typeof preview>): Promise<StepPreview> => {
    const reply = await preview(...call)
    expect(reply.status, reply.text).toBe(200)
    return reply.body as StepPreview
  }

  test('A preview shows a step as it would go out with the values of an earlier run, to the letter, and sends nothing.', async () => {
    const chain = await library.buildChain([
      TRIAGE,
      {
        content: 'Answer “{{triage.severity}}” in a $<mood> way: {{input}} {{unknown}}',
        systemPrompt: 'You know {{triage.questions[0]}}.',
        messages: [{ role: 'user', content: 'Before: {{input}}' }],
        temperature: 0.3,
      },
    ])
    library.fake.reply(triaged('high', ['Who?']), { text: 'Done' })
    const id = await run(chain, library.owner, { input: 'A mail' })
    const calls = library.fake.journal.length
    const [seen, sent] = [await shown(chain, 1, { executionId: id }), (await library.find(id)).steps[1]]
    expect(library.fake.journal).toHaveLength(calls)
    for (const field of ['inputContent', 'inputSegments', 'systemPrompt', 'messages', 'settings'] as const)
      expect(seen[field], field).toEqual(sent?.[field])
    expect(seen).toMatchObject({
      ...{ executionId: id, position: 1, kind: 'prompt', model: 'openai', problem: null },
      ...{ missing: [], withheld: [], condition: null, items: null },
      inputContent: 'Answer “high” in a calm way: A mail {{unknown}}',
      resolved: { mood: { type: 'text', error: null } },
    })
    expect(seen.inputTokens).toBeGreaterThan(10)
    expect(await shown(chain, 1)).toMatchObject({ executionId: id })
    const typed = await shown(chain, 1, { variableValues: { mood: 'warm' } })
    expect(typed.inputContent).toContain('in a warm way')
  })

  test('What the run does not have stays as written and is named: outputs, the input, and variables without a value.', async () => {
    const chain = await library.buildChain([
      'First',
      'Use {{a}}, {{input}}, $<nowhere>, {{other}} and {{c}}.',
      'Third',
    ])
    const seen = await shown(chain, 1)
    expect(seen).toMatchObject({
      ...{ executionId: null, problem: null },
      inputContent: 'Use {{a}}, {{input}}, $<nowhere>, {{other}} and {{c}}.',
    })
    expect(seen.missing.toSorted()).toEqual(['a', 'input', 'nowhere'])
    library.fake.reply({ text: 'One' }, { text: 'Two' }, { text: 'Three' })
    await run(chain, library.owner, { input: 'A mail' })
    await library.createStep(library.owner, chain.id, {
      position: 0,
      outputVariableName: 'late',
      content: 'New',
    })
    const last = await library.createStep(library.owner, chain.id, {
      ...{ position: 9, outputVariableName: 'last', content: '{{late}} {{a}}' },
    })
    const after = await shown({ ...chain, steps: [last] } as never, 0)
    expect(after).toMatchObject({ inputContent: '{{late}} One', missing: ['late'] })
  })

  test('A preview says whether the condition of a step holds, as a sentence, and why where it can’t be read.', async () => {
    const chain = await library.buildChain([
      TRIAGE,
      { content: 'Yes', ...is('triage.severity', 'high') },
      { content: 'No', ...is('triage.severity', 'low') },
      { content: 'Pattern', onlyIf: { all: [{ ref: 'input', op: 'matches', value: '^A' }] } },
      { content: 'Slow', onlyIf: { all: [{ ref: 'input', op: 'matches', value: '^(a+)+$' }] } },
      { content: 'Number', onlyIf: { all: [{ ref: 'triage.severity', op: '>', value: '1' }] } },
      { content: 'Later', ...is('c', '') },
    ])
    library.fake.reply(triaged('high'))
    const id = await run(chain, library.owner, { input: `A ${'a'.repeat(40)}!` })
    const conditionOf = async (index: number) => (await shown(chain, index, { executionId: id })).condition
    expect(await conditionOf(1)).toEqual({ text: 'triage.severity is high', holds: true, problem: null })
    expect(await conditionOf(2)).toMatchObject({ holds: false, problem: null })
    expect(await conditionOf(3)).toMatchObject({ holds: true })
    expect(await conditionOf(5)).toEqual({
      ...{ text: 'triage.severity is greater than 1', holds: null },
      problem: 'triage.severity is “high”, which is not a number',
    })
    const none = await library.buildChain(['First', { content: 'Second', ...is('a', 'x') }])
    expect((await shown(none, 1)).condition).toEqual({
      ...{ text: 'a is x', holds: null, problem: 'a is not known from this run' },
    })
    const slow = await library.buildChain([
      { content: 'Go', onlyIf: { all: [{ ref: 'input', op: 'matches', value: '^(a+)+$' }] } },
    ])
    library.fake.reply({ text: 'x' })
    const long = await run(slow, library.owner, { input: `${'a'.repeat(40)}!` })
    expect((await shown(slow, 0, { executionId: long })).condition).toMatchObject({
      ...{ holds: null, problem: expect.stringContaining('The pattern') },
    })
  })

  test('Of a step with a list a preview shows the first item, and how many there are.', async () => {
    const loop = (fields: object = {}) => ({
      ...{ content: '{{index}}: {{item}}', forEach: { list: 'triage.questions', ...fields } },
      onlyIf: { all: [{ ref: 'item', op: 'is', value: 'Who?' }] },
    })
    const chain = await library.buildChain([TRIAGE, loop(), loop({ max: 1 })])
    library.fake.reply(triaged('high', ['Who?', 'When?']), { text: 'I' })
    const id = await run(chain, library.owner, { input: 'A mail' })
    expect(await shown(chain, 1, { executionId: id })).toMatchObject({
      ...{ inputContent: '1: Who?', condition: { holds: true }, settings: { forEach: { as: 'item' } } },
      items: { count: 2, first: 'Who?', problem: null },
    })
    expect((await shown(chain, 2, { executionId: id })).items).toEqual({
      ...{ count: 2, first: 'Who?' },
      problem: 'triage.questions has 2 items, and the step runs for at most 1',
    })
    const empty = await library.buildChain([{ content: '{{item}}', forEach: { list: 'input' } }])
    const none = await run(empty, library.owner, { input: '' })
    expect(await shown(empty, 0, { executionId: none })).toMatchObject({
      ...{ inputContent: null, inputTokens: null, items: { count: 0, first: null } },
    })
  })

  test('Of a step that asks people, or ends the run, a preview shows the text, and counts no tokens.', async () => {
    const chain = await library.buildChain([
      { kind: 'ask', content: '', ask: makeStepAsk({ people: ['Edda'], text: 'Send {{input}}?' }) },
      {
        ...{ kind: 'stop', content: '', outputVariableName: '', ...is('input', 'x') },
        stop: { outcome: 'failed', text: 'No: {{input}} {{a.decision}}' },
      },
    ])
    expect(await shown(chain, 0)).toMatchObject({
      ...{ kind: 'ask', model: null, inputTokens: null, inputContent: 'Send {{input}}?', missing: ['input'] },
    })
    expect(await shown(chain, 1)).toMatchObject({ kind: 'stop', missing: ['input', 'a'] })
  })

  test('A field that the answer does not have, and a value without which the chain stops, are said as the run would say them.', async () => {
    const chain = await library.buildChain([TRIAGE, 'Use {{triage.nothing}}', 'Use $<nowhere>'], {
      stopsWithoutValue: 'always',
    })
    library.fake.reply(triaged('high'))
    const id = await run(chain, library.owner)
    const failed = await library.find(id)
    expect(await shown(chain, 1, { executionId: id })).toMatchObject({
      ...{ inputContent: null, problem: failed.error, inputTokens: null },
    })
    expect(await shown(chain, 2, { executionId: id })).toMatchObject({
      ...{ inputContent: 'Use $<nowhere>', missing: ['nowhere'] },
      problem: expect.stringContaining('$<nowhere> has no value'),
    })
  })

  test('A private value enters the preview of another’s text only where its owner allows it, and is named as withheld otherwise (D69).', async () => {
    const chain = await share(['Write to $<client>.', { content: 'Again', ...is('client', 'Lovelace') }])
    expect(await shown(chain, 0, {}, viewer)).toMatchObject({
      ...{ inputContent: 'Write to $<client>.', withheld: ['client'], missing: [] },
    })
    expect(await shown(chain, 0, { fills: ['client'] }, viewer)).toMatchObject({
      ...{ inputContent: 'Write to Lovelace.', withheld: [], resolved: { client: { isPrivate: true } } },
    })
    expect(await shown(chain, 1, {}, viewer)).toMatchObject({
      ...{ withheld: ['client'], condition: { holds: null } },
    })
    expect(await shown(chain, 1, { fills: ['client'] }, viewer)).toMatchObject({ condition: { holds: true } })
    for (const as of [library.owner, editor])
      expect(await shown(chain, 0, { fills: ['client'] }, as)).toMatchObject({
        ...{ inputContent: 'Write to $<client>.', withheld: [], missing: ['client'] },
      })
  })

  test('A preview takes the values of a run only for whom may read its texts.', async () => {
    const chain = await share(['Write to $<client>: {{input}}', 'Again {{a}}'])
    library.fake.reply({ text: 'Plain' }, { text: 'x' })
    const open = await run(chain, library.owner, { input: 'Hello', variableValues: { client: 'Byron' } })
    library.fake.reply({ text: 'To Lovelace' }, { text: 'x' })
    const kept = await run(chain, viewer, { fills: ['client'] })
    for (const as of [library.owner, editor]) {
      const refused = await preview(chain, 1, { executionId: kept }, as)
      expect([refused.status, refused.text]).toEqual([403, expect.not.stringContaining('Lovelace')])
      expect(await shown(chain, 1, undefined, as)).toMatchObject({
        executionId: open,
        inputContent: 'Again Plain',
      })
      expect(await shown(chain, 0, undefined, as)).toMatchObject({ inputContent: 'Write to Byron: Hello' })
    }
    expect(await shown(chain, 1, undefined, viewer)).toMatchObject({
      ...{ executionId: kept, inputContent: 'Again To Lovelace' },
    })
    // Vera sees no runs of others.
    expect((await preview(chain, 1, { executionId: open }, viewer)).status).toBe(404)
    expect((await preview(chain, 1, undefined, library.other)).status).toBe(404)
    const another = await library.buildChain(['One'])
    const elsewhere = await preview(another, 0, { executionId: open })
    expect([elsewhere.status, elsewhere.text]).toEqual([
      400,
      expect.stringContaining('not a run of this chain'),
    ])
  })

  test('Of what another person typed a preview knows what a step of theirs shows.', async () => {
    const chain = await share(['Write $<mood>ly to {{input}}.', 'Again {{a}}'])
    library.fake.reply({ text: 'Plain' }, { text: 'x' })
    const typed = { mood: 'glad', client: 'Byron' }
    const id = await run(chain, library.owner, { input: 'Ada', variableValues: typed })
    const url = `/api/chains/${chain.id}/steps/${chain.steps[1]?.id}`
    const body = { content: 'Again $<client>, $<mood>ly, {{input}}' }
    expect((await library.request({ method: 'PATCH', url, body, as: editor })).status).toBe(200)
    const seen = await shown(chain, 1, { executionId: id }, editor)
    expect(seen).toMatchObject({ inputContent: 'Again $<client>, gladly, Ada' })
    expect(await shown(chain, 1, { executionId: id })).toMatchObject({
      inputContent: 'Again Byron, gladly, Ada',
    })
  })

  test('A file of theirs is no value of anybody else’s preview.', async () => {
    const media = mediaOf(library)
    await media.hold('place', makePng({ width: 40 }), { isPublic: true })
    const { filePath, fileId } = await media.store(makePng({ width: 60 }), 'own.png')
    const chain = await share(['First $<place>'])
    const id = await run(chain, library.owner, { variableValues: { place: filePath } })
    const attached = async (as: TestUser) => (await shown(chain, 0, { executionId: id }, as)).attachments
    expect(await attached(library.owner)).toMatchObject([{ fileId }])
    expect(await attached(editor)).toMatchObject([{ name: 'place', width: 40 }])
  })

  test('What a preview fetches counts among what its person asks for, and says that it came from outside.', async () => {
    const apiUrl = `http://127.0.0.1:${server.port}/news`
    await library.createVariable(editor, { name: 'feed', type: 'api', content: '', apiUrl })
    const chain = await library.buildChain(['Read $<feed>'], { as: editor })
    expect(await shown(chain, 0, {}, editor)).toMatchObject({
      inputContent: 'Read News',
      fromOutside: ['feed'],
    })
    // More than the 120 of a minute by what processes that count together may not have told each other yet.
    const many = Array.from({ length: 140 }, () => preview(chain, 0, {}, editor))
    expect((await Promise.all(many)).filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  })
})
