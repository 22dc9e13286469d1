import {
  type FakeProvider,
  startFakeProvider,
} from '../../apps/server/src/testing/fake-providers/fake-provider.ts'
import { type Api, createApi } from '../harness/api.ts'
import { seed } from '../harness/seed.ts'
import { type RunningServer, startServer } from '../harness/server.ts'
import { answerTo } from './answers.ts'
import { editor, fillChains } from './fill-chains.ts'
import { fillLibrary } from './fill-library.ts'
import { type Post, startPost } from './post.ts'

export interface Stage {
  server: RunningServer
  /** The signed-in callers; a guest has none. */
  apis: { user: Api; admin: Api }
  /** Ids of what the states speak of, and the secrets of links in mails, by the names that their paths use. */
  ids: Readonly<Record<string, number | string>>
  close(): Promise<void>
}

const KEY = 'fake-key'
const OPENING = ['Dear Grace,\n\nwelcome to Harbour & Sons. ', 'The first thing to ']

/** Starts the program on fake providers and fills it with real-looking data: Claude answers, GPT-4o stays in mid-answer, Gemini refuses its key. */
export async function openStage(): Promise<Stage> {
  const [claude, openai, gemini, post] = await Promise.all([
    startFakeProvider({ vendor: 'anthropic' }),
    startFakeProvider({ vendor: 'openai' }),
    startFakeProvider({ vendor: 'gemini' }),
    startPost(),
  ])
  claude.replyByDefault(({ body }) => ({
    text: answerTo(JSON.stringify(body)),
    inputTokens: 214,
    outputTokens: 163,
  }))
  openai.replyByDefault(({ streamed }) => (streamed ? { text: OPENING, fault: 'silence' } : {}))
  gemini.replyByDefault({ status: 401, message: 'API key not valid. Please pass a valid API key.' })
  const outside = [claude, openai, gemini, post]
  const server = await startServer({ env: { ...environment({ claude, openai, gemini }), ...post.env } })
  try {
    const admin = createApi(server.url)
    const user = createApi(server.url)
    const { promptIds } = await seed(admin)
    await createApi(server.url).post('/api/register', editor)
    const [prompt = 0] = promptIds
    const ids = {
      prompt,
      ...(await fillLibrary(user)),
      ...(await fillChains(user)),
      ...(await linksIn(post)),
    }
    return {
      server,
      apis: { user, admin },
      ids,
      close: async () => {
        await server.dispose()
        await Promise.all(outside.map((each) => each.close()))
      },
    }
  } catch (error) {
    console.error(server.logs())
    await server.dispose()
    throw error
  }
}

async function linksIn(post: Post) {
  return {
    asked: await post.linkTo('grace@example.org', 'confirm'),
    stranger: await post.linkTo('grace@example.org', 'unsubscribe'),
  }
}

function environment({ claude, openai, gemini }: Record<'claude' | 'openai' | 'gemini', FakeProvider>) {
  return {
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: claude.url,
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: openai.url,
    GEMINI_API_KEY: KEY,
    GEMINI_BASE_URL: gemini.url,
    EMBEDDED_FSYNC: 'off',
    LOG_LEVEL: 'warn',
    // Many states run something, and several are shown at a time.
    RUNS_PER_MINUTE: '1000',
  }
}
