import type { Api } from '../harness/api.ts'

interface Named {
  id: number
  name: string
}

/** Whom a chain is shared with, under as long a name as there may be. */
export const editor = {
  username: 'margaret_hamilton_draper_lab_1',
  email: 'margaret@example.org',
  password: 'to the moon and back by hand',
}

const DIGEST_STEPS = [
  {
    title: 'Collect the complaints',
    outputVariableName: 'complaints',
    model: 'claude',
    content: 'Group what people wrote by what they were trying to do:\n\n{{input_context}}',
  },
  {
    title: 'Count and quote',
    outputVariableName: 'counts',
    model: 'gemini',
    content: 'For each group in {{complaints}} give a count and one quote of at most 20 words.',
  },
  {
    title: 'Weekly customer digest',
    outputVariableName: 'digest',
    model: 'claude',
    content:
      'Write the digest from {{complaints}} and {{counts}}: five themes, one paragraph each. Lead with what changed since last week, keep every number as it stands, and close with the one question to ask next.',
    systemPrompt: 'You write for people who have two minutes.',
  },
  {
    title: 'Check the numbers',
    outputVariableName: 'checked',
    content: 'Compare every number in {{digest}} with {{counts}} and mend what differs.',
  },
  {
    title: 'Subject line',
    outputVariableName: 'mail',
    model: 'claude',
    content: 'One subject line of at most eight words for {{checked}}.',
  },
]

const LETTER_STEPS = [
  { title: 'Draft the letter', outputVariableName: 'draft', model: 'claude', content: 'Welcome $<voice>.' },
  { title: 'Shorten it', outputVariableName: 'letter', model: 'claude', content: 'Shorten {{draft}}.' },
]

/** GPT-4o stays in mid-answer. */
const ENDLESS_STEPS = [
  { title: 'Collect', outputVariableName: 'notes', model: 'claude', content: 'Collect notes.' },
  { title: 'Write the offer', outputVariableName: 'offer', model: 'openai', content: 'Offer: {{notes}}' },
  { title: 'Check the offer', outputVariableName: 'checked', model: 'claude', content: 'Check {{offer}}.' },
]

const TROUBLED_STEPS = [
  { outputVariableName: 'first', content: 'Take {{third}}, {{nobody}} and $<unknown_thing>.' },
  { title: 'Never used', outputVariableName: 'a_name_of_fifty_letters_is_as_long_as_it_can_be_x' },
  {
    title:
      'Weigh each of the many objections that came in over the summer against what was promised in spring',
    outputVariableName: 'third',
    content: `${'Objection after objection. '.repeat(20)}{{first}}`,
  },
]

/**
 * Adds the person's chains: one in good order, shared with the admin and an editor, whose second step fails when it runs, one in
 * trouble, one without steps, one with two runs to compare, one whose run does not end. Gives their ids.
 */
export async function fillChains(user: Api) {
  const names = ['customer', 'legal', 'launch', 'quarterly planning', 'weekly']
  const tags = await Promise.all(names.map((name) => user.post<Named>('/api/chain-tags', { name })))
  const tagIds = tags.map(({ id }) => id)
  const create = async ({ steps, ...chain }: { name: string; steps: object[] } & Record<string, unknown>) => {
    const { id } = await user.post<Named>('/api/chains', chain)
    for (const [position, step] of steps.entries()) {
      await user.post(`/api/chains/${id}/steps`, { ...step, position })
    }
    return id
  }
  const stepless = await create({ name: 'Contract to plain words', steps: [], tagIds: tagIds.slice(1, 2) })
  const troubled = await create({
    name: 'Every objection of the summer, weighed against what we promised in the spring of this year',
    description: 'Long reading. '.repeat(30),
    sharedLevel: 'public',
    tagIds,
    steps: TROUBLED_STEPS,
  })
  const digest = await create({
    name: 'Monday digest',
    description: 'What customers told us last week, in five themes, by mail on Mondays.',
    sharedLevel: 'shared',
    tagIds: [tagIds[0], tagIds[4]],
    steps: DIGEST_STEPS,
  })
  await user.call('PUT', `/api/chains/${digest}/shares`, [
    { username: 'ada', role: 'viewer' },
    { username: editor.username, role: 'editor' },
  ])
  const letter = await create({ name: 'Welcome letter', steps: LETTER_STEPS })
  await user.call('PUT', `/api/chains/${letter}/labels/production`, { version: 2, expectedVersion: null })
  const endless = await create({ name: 'Offer in three steps', steps: ENDLESS_STEPS })
  for (const chain of [letter, letter, digest]) await user.post(`/api/chains/${chain}/execute`, {})
  const linked = await create({ name: 'Release, from commits to mail', steps: await releaseSteps(user) })
  return { stepless, troubled, digest, letter, endless, linked }
}

/** Steps that run a prompt's current text, a label that has moved since, and a version. */
async function releaseSteps(user: Api): Promise<object[]> {
  const [category] = await user.get<Named[]>('/api/categories')
  const prompt = { title: 'Launch mail', content: 'Announce what is new.', categoryId: category?.id }
  const { id: promptId } = await user.post<Named>('/api/prompts', prompt)
  const save = (content: string, note: string) =>
    user.call('PUT', `/api/prompts/${promptId}`, { ...prompt, content, note })
  const move = (version: number, expectedVersion: number | null) =>
    user.call('PUT', `/api/prompts/${promptId}/labels/production`, { version, expectedVersion })
  await save('Announce what is new, for customers.', 'Says whom it is for')
  await save(
    'Announce what is new, for customers, in 140 words.',
    'Three short paragraphs at most, and no fact without its number',
  )
  await move(1, null)
  const copied = { promptId, content: 'Announce what is new.', title: 'Launch mail' }
  await move(2, 1)
  return [
    { promptId, outputVariableName: 'mail', model: 'claude' },
    { ...copied, promptLabel: 'production', outputVariableName: 'live', model: 'claude' },
    { promptId, promptVersion: 1, outputVariableName: 'first', model: 'claude' },
  ]
}
