import type { ImportOutcome, Prompt } from '@catenary/contracts'
import { readFiles } from '@catenary/domain/imports'
import { importPromptfoo } from '@catenary/domain/promptfoo'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeDatabaseKinds } from '../../testing/database.ts'
import { type Library, startLibrary } from '../../testing/library.ts'
import { fillFolder } from './testing/fill-folder.ts'

describe.each(routeDatabaseKinds)('exports in others’ forms, on %s', (kind) => {
  let library: Library
  let refund: Prompt
  beforeAll(async () => {
    library = await startLibrary(kind)
    refund = (await fillFolder(library, library.owner)).refund
  })
  afterAll(() => library.close())

  const textOf = async (format: string, as = library.owner) => {
    const reply = await library.request({ url: `/api/export?format=${format}&ownership=mine`, as })
    expect(reply.status).toBe(200)
    return reply.text
  }

  test('Langfuse’s form is read by the import.', async () => {
    const text = await textOf('langfuse')
    const [file] = readFiles([{ name: 'langfuse.json', text }])
    expect(file).toMatchObject({ format: 'langfuse', losses: [], problem: null })
    expect(file?.prompts).toHaveLength(2)
    expect(file?.prompts.find(({ title }) => title === refund.slug)).toMatchObject({
      content: refund.content,
      settings: { model: 'openai', temperature: 0.3, systemPrompt: 'You write for us.\n\nBriefly.\n' },
    })
  })

  test('promptfoo’s form is read by promptfoo’s own rules, with each test for its prompt.', async () => {
    const text = await textOf('promptfoo')
    const [file] = readFiles([{ name: 'promptfooconfig.yaml', text }])
    expect(file).toMatchObject({ format: 'promptfoo', problem: null })
    expect(file?.prompts.map(({ title }) => title)).toContain(refund.slug)
    const suite = importPromptfoo(text)
    expect(suite.cases).toMatchObject([
      { name: 'Polite', assertions: [{ type: 'icontains', value: 'dear' }] },
    ])
    expect(text).toMatch(/prompts:\n\s+- refund\n/)
    // The sandbox answers in place of every model here, and is none of promptfoo's.
    expect(text).toContain('providers:\n  - openai\n')
  })

  test('who has nothing gets an empty file of each', async () => {
    const person = await library.registerUser()
    expect(await textOf('langfuse', person)).toBe('[]\n')
    expect(readFiles([{ name: 'a.yaml', text: await textOf('promptfoo', person) }])[0]).toMatchObject({
      prompts: [],
    })
    const dry = { files: [{ name: 'langfuse.json', text: await textOf('langfuse') }] }
    const reply = await library.request({ method: 'POST', url: '/api/import', body: dry, as: person })
    expect((reply.body as ImportOutcome).items.map(({ state }) => state)).toEqual(['new', 'new'])
  })
})
