import { nameKey } from '@catenary/contracts'
import type { Browser } from 'playwright-core'
import {
  type FakeProvider,
  startFakeProvider,
} from '../../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from '../harness/api.ts'
import { launchBrowser } from '../harness/browser.ts'
import { seedAccount } from '../harness/seed.ts'
import { type RunningServer, startServer } from '../harness/server.ts'
import { injectionPayloads } from './payloads.ts'

/** Categories and tags take so many characters. */
const NAME_MAX = 50
/** Calls that are under way at a time. */
const AT_A_TIME = 20
/** Longer than the app waits before it draws again. */
const SLOW_MS = 65

/** A payload and what it was stored in. */
export interface Planted {
  payload: string
  promptId: number
  variableId: number
  /** Of the variable that holds it. */
  name: string
}

export interface InjectionStage {
  server: RunningServer
  api: Api
  browser: Browser
  planted: readonly Planted[]
  /** Has the model answer with the text when a request speaks of the key. */
  answer(key: string, text: string | readonly string[]): void
  /** Has the model's provider refuse with the message when a request speaks of the key. */
  refuse(key: string, message: string): void
  close(): Promise<void>
}

interface Stored {
  id: number
  name: string
}

/** Starts a browser, and the program with every payload as a prompt's title and content and as a variable's. */
export async function openInjectionStage(): Promise<InjectionStage> {
  const browser = await launchBrowser()
  const fake = await startFakeProvider({ vendor: 'anthropic' })
  const replies = scriptReplies(fake)
  const server = await startServer({
    env: {
      ANTHROPIC_API_KEY: 'fake-key',
      ANTHROPIC_BASE_URL: fake.url,
      RUNS_PER_MINUTE: '1000000',
      EMBEDDED_FSYNC: 'off',
      LOG_LEVEL: 'warn',
    },
  })
  const close = async () => {
    await browser.close()
    await server.dispose()
    await fake.close()
  }
  try {
    const api = createApi(server.url)
    await api.post('/api/register', seedAccount)
    return { server, api, browser, planted: await plant(api), ...replies, close }
  } catch (error) {
    console.error(server.logs())
    await close()
    throw error
  }
}

function scriptReplies(fake: FakeProvider) {
  const answers = new Map<string, string | readonly string[]>()
  const refusals = new Map<string, string>()
  fake.replyByDefault(({ body }) => {
    const key = /run-\w+-\d+/.exec(JSON.stringify(body.messages))?.[0] ?? ''
    const message = refusals.get(key)
    if (message !== undefined) return { status: 400, message }
    return { text: answers.get(key) ?? 'nothing', delayMs: Array.isArray(answers.get(key)) ? SLOW_MS : 0 }
  })
  return {
    answer: (key: string, text: string | readonly string[]) => void answers.set(key, text),
    refuse: (key: string, message: string) => void refusals.set(key, message),
  }
}

async function plant(api: Api): Promise<Planted[]> {
  const categoryId = await anyCategory(api)
  const entries = injectionPayloads.map((payload, index) => ({ payload, name: `p${index}` }))
  return inGroups(entries, async ({ payload, name }) => {
    const prompt = { title: payload, content: contentOf({ payload, name }), categoryId, isPublic: true }
    const variable = { name, type: 'text', content: payload, isPublic: true }
    const { id: promptId } = await api.post<Stored>('/api/prompts', prompt)
    const { id: variableId } = await api.post<Stored>('/api/variables', variable)
    return { payload, promptId, variableId, name }
  })
}

/** Makes every short payload a category and a tag, of the prompt and the variable that hold it. */
export async function plantNames({ api, planted }: InjectionStage): Promise<void> {
  const named = planted.filter(({ payload }) => payload.trim().length <= NAME_MAX)
  const unique = new Map(named.map((each) => [nameKey(each.payload), each]))
  await inGroups([...unique.values()], async (each) => {
    const name = each.payload
    const category = await api.post<Stored>('/api/categories', { name })
    const tag = await api.post<Stored>('/api/tags', { name })
    const variableTag = await api.post<Stored>('/api/variables/tags', { name })
    const prompt = { title: name, content: contentOf(each), categoryId: category.id, tagIds: [tag.id] }
    await api.call('PUT', `/api/prompts/${each.promptId}`, prompt)
    const variable = { name: each.name, type: 'text', content: name, tagIds: [variableTag.id] }
    await api.call('PATCH', `/api/variables/${each.variableId}`, variable)
  })
}

function contentOf({ payload, name }: Pick<Planted, 'payload' | 'name'>): string {
  return `${payload}\n$<${name}>`
}

async function anyCategory(api: Api): Promise<number | undefined> {
  return (await api.get<Stored[]>('/api/categories'))[0]?.id
}

/** Does something with each, a few at a time, in order. */
export async function inGroups<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const chunk of inChunks(items, AT_A_TIME)) results.push(...(await Promise.all(chunk.map(act))))
  return results
}

/** The items, so many together. */
export function inChunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

/** Begins a session of the admin from a device that calls itself so. */
export async function logInFrom({
  stage,
  userAgent,
}: {
  stage: InjectionStage
  userAgent: string
}): Promise<void> {
  const { username, password } = seedAccount
  await fetch(`${stage.server.url}/api/login`, {
    method: 'POST',
    headers: { origin: stage.server.url, 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ username, password }),
  })
}
