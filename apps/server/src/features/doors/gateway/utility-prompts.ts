import type { RunMessage } from '../../runs/runs.ts'

interface UtilityPrompt {
  client: string
  version: string
  example: RunMessage[]
  answer: string
  /** The answer; undefined if the messages are no such prompt. */
  find(messages: readonly RunMessage[]): string | undefined
}

const TITLE_WORDS = 6
const TASK = '### Task:'
const CHAT = /^<chat_history>\r?\n/m
const CHAT_END = '</chat_history>'
const ASKED_KEY = /\{\s*"(title|tags|follow_ups|queries)"\s*:/

const OPENCODE_SYSTEM = 'You are a title generator.'
const OPENCODE_TASK = 'Generate a title for this conversation:'
const LIBRECHAT = /^Provide a concise, 5-word-or-less title for the conversation\b[^\n]*\n\nConversation:\n/

/** Recognised by their structure, not their wording (D66). */
export const UTILITY_PROMPTS: readonly UtilityPrompt[] = [
  {
    client: 'Open WebUI',
    version: '0.6 to 0.8',
    example: [
      {
        role: 'user',
        content:
          '### Task:\nName the chat.\n### Output:\nJSON format: { "title": "a title" }\n' +
          '### Chat History:\n<chat_history>\nUSER: Bake bread\nASSISTANT: Gladly.\n</chat_history>',
      },
    ],
    answer: '{"title":"Bake bread"}',
    find: (messages) => answerTask(onlyOfUser(messages)),
  },
  {
    client: 'LibreChat',
    version: '0.8',
    example: [
      {
        role: 'user',
        content:
          'Provide a concise, 5-word-or-less title for the conversation, in title case. Only return it.\n\n' +
          'Conversation:\nUser: Bake bread\nAI: Gladly.',
      },
    ],
    answer: 'Bake bread',
    find: (messages) => {
      const content = onlyOfUser(messages) ?? ''
      const [start] = LIBRECHAT.exec(content) ?? []
      return start && titleOf(/^User: ([\s\S]*?)(?=\nAI: |$(?![\s\S]))/, content.slice(start.length))
    },
  },
  {
    client: 'OpenCode',
    version: '1.18.33',
    example: [
      { role: 'system', content: 'You are a title generator. You output ONLY a thread title. Nothing else.' },
      { role: 'user', content: 'Generate a title for this conversation:\n' },
      { role: 'user', content: '"Bake bread"' },
    ],
    answer: 'Bake bread',
    find: ([system, task, asked, ...rest]) => {
      const isTask = system?.role === 'system' && system.content.startsWith(OPENCODE_SYSTEM)
      if (!isTask || task?.content.trim() !== OPENCODE_TASK || rest.length > 0) return undefined
      return asked && titleOf(/^"?([\s\S]*?)"?$/, asked.content.trim())
    },
  },
]

export function answerUtilityPrompt(messages: readonly RunMessage[]): string | undefined {
  for (const { find } of UTILITY_PROMPTS) {
    const answer = find(messages)
    if (answer !== undefined) return answer
  }
  return undefined
}

function onlyOfUser(messages: readonly RunMessage[]): string | undefined {
  const [only, ...others] = messages.filter(({ role }) => role !== 'system')
  return only?.role === 'user' && others.length === 0 ? only.content.trim() : undefined
}

function answerTask(content = ''): string | undefined {
  const chat = content.startsWith(TASK) && content.endsWith(CHAT_END) ? CHAT.exec(content) : null
  if (chat === null) return undefined
  const [, key] = ASKED_KEY.exec(content.slice(0, chat.index)) ?? []
  if (key === undefined) return undefined
  const said = content.slice(chat.index + chat[0].length, -CHAT_END.length).trimEnd()
  const first = /^USER: ([\s\S]*?)(?=\nASSISTANT: |$(?![\s\S]))/m
  return JSON.stringify({ [key]: key === 'title' ? titleOf(first, said) : [] })
}

function titleOf(first: RegExp, chat: string): string {
  const [, said = chat] = first.exec(chat) ?? []
  return said.trim().split(/\s+/).slice(0, TITLE_WORDS).join(' ')
}
