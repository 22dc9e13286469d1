import type { Api } from './api.ts'

interface Named {
  id: number
  name: string
}

/** Who `seed` registers; on a fresh instance it is the admin. */
export const seedAccount = {
  username: 'ada',
  email: 'ada@example.org',
  password: 'a bridge hangs by its own weight',
}

const variables = [
  { name: 'tone', content: 'warm, plain and short' },
  { name: 'company', content: 'Harbour & Sons' },
  { name: 'imprint', content: 'Harbour & Sons, Quay 4, Bristol', isPublic: true },
  { name: 'style_guide', content: 'Use sentence case. No exclamation marks. Prefer verbs to nouns.' },
]

const prompts = [
  {
    title: 'Welcome letter',
    category: 'Writing',
    tags: ['email', 'onboarding'],
    isPublic: true,
    content: 'Write a $<tone> welcome for $<customer>.',
  },
  {
    title: 'Reply to a complaint',
    category: 'Writing',
    tags: ['email', 'support'],
    content:
      'You answer for $<company>. Read the complaint below, name what went wrong, say what happens next.\n\n' +
      'Tone: $<tone>\n\nComplaint:\n$<complaint>',
  },
  {
    title: 'Review a change',
    category: 'Coding',
    tags: ['review'],
    content:
      'Review this diff. List defects first, by severity, each with the line and a proposal.\n\n```diff\n$<diff>\n```',
  },
  {
    title: 'Explain an error',
    category: 'Coding',
    tags: ['review', 'support'],
    isPublic: true,
    content: 'Explain this error to someone new to the code, then give the most likely cause:\n\n$<error>',
  },
  {
    title: 'Summarise an interview',
    category: 'Analysis',
    tags: ['research'],
    content: 'Summarise the interview in five bullet points, each with a quotation.\n\n$<transcript>',
  },
  {
    title: 'Compare two offers',
    category: 'Analysis',
    tags: ['research', 'onboarding'],
    isActive: false,
    content: 'Compare the offers in a table: price, term, risk. End with one recommendation.\n\n$<offers>',
  },
  {
    title: 'Meeting notes to tasks',
    category: 'General',
    tags: ['email'],
    content: 'Turn these notes into tasks with owner and date. Follow: $<style_guide>\n\n$<notes>',
  },
]

/** Fills an instance through its own API: an account, tags, variables, prompts and some runs. */
export async function seed(api: Api): Promise<{ promptIds: number[] }> {
  await api.post('/api/register', seedAccount)
  const categories = await api.get<Named[]>('/api/categories')
  const categoryId = (name: string) => categories.find((category) => category.name === name)?.id

  const tagIds = new Map<string, number>()
  for (const name of new Set(prompts.flatMap((prompt) => prompt.tags))) {
    tagIds.set(name, (await api.post<Named>('/api/tags', { name })).id)
  }
  for (const variable of variables) await api.post('/api/variables', { type: 'text', ...variable })

  const promptIds: number[] = []
  for (const { category, tags, ...prompt } of prompts) {
    const body = {
      ...prompt,
      categoryId: categoryId(category),
      tagIds: tags.flatMap((name) => tagIds.get(name) ?? []),
    }
    promptIds.push((await api.post<Named>('/api/prompts', body)).id)
  }
  for (const customer of ['Grace', 'Edsger', 'Barbara']) {
    const run = { promptId: promptIds[0], model: 'claude', variables: { customer } }
    await api.post('/api/execute-prompt', run)
  }
  return { promptIds }
}
