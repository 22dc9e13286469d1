import type { TestSuite } from '@catenary/contracts'
import type { TestUser } from '../../../testing/harness.ts'
import type { Library } from '../../../testing/library.ts'

/** A prompt with two versions and a label, a chain that links to it in three ways, and suites of both. */
export async function fillFolder(library: Library, owner: TestUser) {
  const { createPrompt, createChain, createStep, request } = library
  const tag = await library.createTag(owner, `Mail ${owner.user.id}`)
  const settings = { model: 'openai', temperature: 0.3, systemPrompt: 'You write for us.\n\nBriefly.\n' }
  const refund = await createPrompt(owner, {
    ...settings,
    title: 'Refund',
    content: 'Answer $<customer>.\n---\n',
    tagIds: [tag.id],
    messages: [{ role: 'user', content: ' Hello\t' }],
  })
  // The same title, so that its slug is another.
  await createPrompt(owner, { title: 'Refund', content: 'Line\r\nends', isActive: false })
  const url = `/api/prompts/${refund.id}`
  const labelled = { version: 1, expectedVersion: null }
  await request({ method: 'PUT', url: `${url}/labels/staging`, body: labelled, as: owner })
  const chain = await createChain(owner, {
    name: 'Letter',
    description: 'Two steps.\nMore.',
    stopsWithoutValue: 'always',
    stopsWhenCut: 'never',
    runsVisibleTo: 'runner',
    exampleRequests: ['Write to Ada'],
  })
  const { id } = chain
  await createStep(owner, id, { title: 'Own', content: 'Write to {{input}}', outputVariableName: 'draft' })
  await createStep(owner, id, { promptId: refund.id, content: 'Copy', outputVariableName: 'linked' })
  const label = { promptId: refund.id, promptLabel: 'staging' }
  await createStep(owner, id, { ...label, content: 'Copy', outputVariableName: 'labelled', systemPrompt: '' })
  const fixed = { promptId: refund.id, promptVersion: 1, stop: ['END'] }
  await createStep(owner, id, { ...fixed, content: 'Copy', outputVariableName: 'fixed' })
  for (const record of [url, `/api/chains/${id}`]) {
    const made = await request({
      method: 'POST',
      url: `${record}/test-suites`,
      body: { name: 'Tone!' },
      as: owner,
    })
    const suite = made.body as TestSuite
    await request({
      method: 'POST',
      url: `/api/test-suites/${suite.id}/cases`,
      as: owner,
      body: {
        name: 'Polite',
        values: { customer: 'Ada: "x"\n' },
        assertions: [{ type: 'icontains', value: 'dear' }],
        tags: ['fast'],
        threshold: 0.5,
      },
    })
    await request({ method: 'POST', url: `${record}/test-suites`, body: { name: 'Tone?' }, as: owner })
  }
  return { refund, chain }
}
