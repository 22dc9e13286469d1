import type { Page } from 'playwright-core'
import { fallbackReply } from './execute-answers.ts'
import { streams, together } from './network.ts'
import type { State } from './state.ts'
import { cardsShown, chainShown, inTurn, press, seen, there } from './steps.ts'

interface Words {
  name: string
  text: string
}

/** What people write: right to left, without spaces, and in words that no column holds. */
const LANGUAGES: Readonly<Record<string, Words>> = {
  arabic: {
    name: 'رسالة ترحيب بالعملاء الجدد (v2, draft)',
    text: 'اكتب رسالة ترحيب قصيرة إلى $<customer>، واذكر أول شيء يجربه.\n\n- نقطة أولى\n- Second point, in English\n\nاختم بسؤال واحد؟',
  },
  japanese: {
    name: '新しいお客様への歓迎の手紙と最初の一歩のご案内',
    text: '$<customer>様に短く温かい歓迎の手紙を書いてください。最初に試すべきことを一つだけ挙げ、最後は質問で終えてください。\n\n1. **重要**：三つの段落以内にまとめます。\n2. 絵文字👩‍👩‍👧‍👦は使いません。',
  },
  'long-words': {
    name: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzesentwurf',
    text: `Read https://example.org/${'a-very-long-path-without-an-end/'.repeat(6)} for $<customer>.\n\n${'0123456789abcdef'.repeat(16)}`,
  },
}

const PAGES: readonly Pick<State, 'name' | 'path' | 'prepare'>[] = [
  { name: 'library', path: '/', prepare: cardsShown },
  { name: 'list', path: '/?view=list', prepare: cardsShown },
  { name: 'variables', path: '/variables', prepare: there((page) => page.getByRole('table')) },
  { name: 'chains', path: '/chains', prepare: cardsShown },
  { name: 'chain', path: '/chains/:digest', prepare: chainShown },
  {
    name: 'execute',
    path: '/execute/:own',
    prepare: inTurn(press(/^Execute(?! with AI)/), seen(/^Answered by/)),
  },
]

const NAMES = new Set(['title', 'description', 'owner', 'note'])
const TEXTS = new Set(['content', 'systemPrompt', 'aiResponse', 'input'])
/** A variable's name is no text, but what stands for it in one. */
const HAS_NAMES = /^\/api\/(chains|categories|tags|views|schedules)/

/** Everything that people wrote is in these words. */
function inWords({ name, text }: Words) {
  // As many names as there are: two things that are called the same are another state.
  const known: string[] = []
  const nameOf = (own: string) => {
    if (!known.includes(own)) known.push(own)
    return `${name} ${known.indexOf(own) + 1}`
  }
  const said = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => said(each, path))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        if (typeof one !== 'string' || one === '') return [key, said(one, path)]
        if (NAMES.has(key) || (key === 'name' && HAS_NAMES.test(path))) return [key, nameOf(one)]
        return [key, TEXTS.has(key) ? text : one]
      }),
    )
  }
  return (page: Page) =>
    page.route(
      ({ pathname }) => /^\/api\/(?!.*\/events$|stream-check$)/.test(pathname),
      async (route) => {
        if (route.request().method() !== 'GET') return route.fallback()
        const reply = await route.fetch()
        if (!reply.headers()['content-type']?.startsWith('application/json'))
          return route.fulfill({ response: reply })
        const { pathname } = new URL(route.request().url())
        return route.fulfill({ response: reply, json: said(await reply.json(), pathname) })
      },
    )
}

const answering = ({ text }: Words) =>
  streams('/api/execute-prompt', [
    { event: 'start', data: { executionId: 1, price: null } },
    { event: 'done', data: { ...fallbackReply, result: text.replace('$<customer>', 'Grace') } },
  ])

/** The pages that show what people write, in three scripts and in words that nothing breaks. */
export const languageStates: readonly State[] = Object.entries(LANGUAGES).flatMap(([language, words]) =>
  PAGES.map(
    ({ name, ...page }): State => ({
      name: `${language}-${name}`,
      who: 'user',
      ...page,
      network: together(inWords(words), ...(name === 'execute' ? [answering(words)] : [])),
    }),
  ),
)
