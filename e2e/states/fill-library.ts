import { readFile } from 'node:fs/promises'
import type { Api } from '../harness/api.ts'

interface Named {
  id: number
  name: string
}

const account = {
  username: 'grace',
  email: 'grace@example.org',
  password: 'a ship in port is safe',
}

const LONG_TITLE =
  'Turn a long and winding meeting transcript with many speakers, side remarks and unfinished sentences into decisions, tasks and open questions'
const TAG_NAMES = [
  ...['accounts', 'board', 'bugs', 'campaign', 'contracts', 'customer success', 'data', 'design', 'drafts'],
  ...['engineering', 'events', 'finance', 'forms', 'growth', 'hiring', 'incidents', 'interviews', 'invoices'],
  ...['legal', 'long reads', 'marketing', 'meetings', 'minutes', 'newsletter', 'operations', 'partners'],
  ...[
    'planning',
    'press',
    'pricing',
    'product',
    'quarterly review',
    'reports',
    'roadmap',
    'sales',
    'security',
  ],
  ...['social media', 'strategy', 'translations', 'travel', 'weekly'],
]

/**
 * Adds a second person with what real libraries hold: long titles, forty tags, inactive prompts, runs of each kind.
 * Gives the ids of their own prompts: one with three versions and runs of each kind, one with another person's variable, one to run as often as one likes,
 * one switched off, one never run.
 */
export async function fillLibrary(user: Api) {
  await user.post('/api/register', account)
  const categories = await user.get<Named[]>('/api/categories')
  const categoryId = categories[0]?.id
  const tags = await Promise.all(TAG_NAMES.map((name) => user.post<Named>('/api/tags', { name })))
  const tagIds = tags.map(({ id }) => id)
  const variableTag = await user.post<Named>('/api/variables/tags', { name: 'house style' })
  const create = async (prompt: object) =>
    (await user.post<Named>('/api/prompts', { categoryId, ...prompt })).id

  const fitting = await create({
    title: 'Release note',
    content:
      'Write a release note in $<mood> words.\n\nAt most $<sentences> sentences. Emoji: $<emoji>\n\n$<house_rules>\n\n$<changes>',
  })
  const lent = await create({
    title: 'Answer a customer',
    content: 'You answer for $<imprint>, in the voice of $<voice>.\n\nQuestion: $<question>',
  })
  const inactive = await create({
    title: 'Old price list',
    content: 'List the prices of $<season>.',
    isActive: false,
  })
  const practice = await create({ title: 'Greet the crew', content: 'Write a greeting for $<captain>.' })
  const sourced = await create({
    title: 'Release letter',
    content: 'News: $<release_notes>\n\nVoice: $<house_style>\n\nTerms: $<contract_terms>',
  })
  const unrun = await create({
    title: 'Name a boat',
    content: 'Suggest five names.',
    tagIds: tagIds.slice(0, 2),
  })
  await create({
    title: LONG_TITLE,
    content: `${'Read the transcript. Keep names as they are. '.repeat(12)}\n\n$<transcript>`,
    tagIds: tagIds.slice(4, 18),
    isPublic: true,
  })
  const own = await create({
    title: 'Meeting notes',
    content: 'Turn these notes into tasks.\n\n$<notes>',
    tagIds: tagIds.slice(20, 23),
  })
  const save = (prompt: object) => user.call('PUT', `/api/prompts/${own}`, { categoryId, ...prompt })
  await save({
    title: 'Meeting notes to tasks',
    content: 'Turn these notes into tasks.\n\n$<notes>\n\nTone: $<voice>',
  })
  await save({
    title: 'Meeting notes to tasks, mine',
    content: 'Turn these notes into tasks with owner and date.\n\n$<notes>\n\nTone: $<voice>',
    note: 'Tasks carry an owner and a date, so that nobody has to ask',
  })
  const variable = (fields: object) => user.post('/api/variables', { type: 'text', ...fields })
  await variable({ name: 'mood', content: 'plain', allowedValues: ['plain', 'warm', 'formal'] })
  await variable({ name: 'sentences', content: '4' })
  await variable({ name: 'emoji', content: 'no' })
  await variable({
    name: 'house_rules',
    content: 'Short words before long ones. Name who did what. '.repeat(12),
  })
  const { id: text } = await user.post<Named>('/api/variables', {
    name: 'voice',
    type: 'text',
    content: 'Plain, friendly and brief. '.repeat(8).trim(),
    tagIds: [variableTag.id],
    isPublic: true,
  })
  await user.call('POST', '/api/execute-prompt', { promptId: practice })
  const run = (more: object) => user.call('POST', '/api/execute-prompt', { promptId: own, ...more })
  await run({ variables: { notes: 'Ada books the room. Grace sends the agenda.' } })
  await run({ template: 'Review this diff.', systemPrompt: 'You are a strict reviewer.' })
  await run({ template: 'Compare the offers.', userInput: 'Term matters most.' })
  await run({ template: 'Write a welcome.' })
  await run({ template: 'Write a welcome.', model: 'gemini' })
  const pictured = await addPictures({ user, create })
  return {
    own,
    lent,
    practice,
    fitting,
    inactive,
    unrun,
    sourced,
    text,
    ...pictured,
    ...(await addSources(user)),
  }
}

/** A variable with a screenshot, one that waits for a PDF, and a prompt with both that has run. */
async function addPictures({ user, create }: { user: Api; create: (prompt: object) => Promise<number> }) {
  const picture = await readFile(new URL('../../docs/guide/images/run.webp', import.meta.url))
  const { filePath } = await user.post<{ filePath: string }>('/api/files', {
    fileName: 'login-500.webp',
    data: picture.toString('base64'),
  })
  const variable = async (fields: object) => (await user.post<Named>('/api/variables', fields)).id
  const image = await variable({ name: 'screenshot', type: 'image', content: filePath })
  await variable({ name: 'terms_pdf', type: 'document' })
  const pictured = await create({
    title: 'Triage a ticket with a picture',
    content: 'Sort this ticket.\n\nWhat they saw: $<screenshot>\n\nTerms: $<terms_pdf>',
  })
  await user.call('POST', '/api/execute-prompt', { promptId: pictured })
  await user.call('POST', '/api/execute-prompt', { promptId: pictured, model: 'gemini' })
  return { pictured, image }
}

/** Variables whose values are not in the library. */
async function addSources(user: Api) {
  const content = '# House style\n\nWarm and exact.\n\nShort words before long ones.'
  const { filePath } = await user.post<{ filePath: string }>('/api/upload', {
    fileName: 'house-style.md',
    content,
  })
  const create = async (variable: object) => (await user.post<Named>('/api/variables', variable)).id
  return {
    file: await create({ name: 'house_style', type: 'file', content: filePath }),
    api: await create({
      name: 'release_notes',
      type: 'api',
      apiUrl: 'https://example.org/releases/latest.json',
      apiHeaders: { Authorization: 'Bearer b1r6', Accept: 'application/json' },
      cacheSeconds: 300,
      isPublic: true,
    }),
    drive: await create({
      name: 'contract_terms',
      type: 'googleDrive',
      googleDriveFileId: 'drive-1',
      googleDriveFileName: 'Terms of service 2026',
      googleDriveMimeType: 'application/vnd.google-apps.document',
    }),
  }
}
