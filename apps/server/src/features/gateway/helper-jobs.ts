import { createHash } from 'node:crypto'
import type { RunMessage } from '../executions/executions.service.ts'

type HelperJob = 'title' | 'tags' | 'follow_ups'

/** SHA-256 of Open WebUI's templates up to the chat that they are about. */
const OPEN_WEBUI: Record<string, HelperJob> = {
  '8FnqkXUnGdwaCoMrNWK8laz9WVh6sT9q0KixgevGmOY=': 'title',
  'NtNku/3KcDuvqflmkWZduURds+uJkTVLqf7IOKyuMFQ=': 'title',
  '5ppwFd5vL3uh4bk5mNIV5z5uzp/xkX50pTxoA8HzFQA=': 'title',
  'aN6RAFoNlQee/2FEZApENjirE5WMv04DLULo/Jad+Zk=': 'tags',
  'fahgIbmBed6nGV88XzO2AESBq8AwOTLFgdf9qYTTOeQ=': 'follow_ups',
  'o4XLsjZ73m/x2bsXmxotvg8JIzZi5adA425YXIGtLk0=': 'follow_ups',
  'CV5sMTf1IkouUvHnxtsirBkV5BFscqE4QCnQY2GnwzE=': 'follow_ups',
  '7YKZVGlEZAfJZk3nLbuF8iXZYoo/Dg7ldfrFpZ5igA8=': 'follow_ups',
}

const START = '### Task:\n'
const CHAT = /^<chat_history>\n/m
const CHAT_END = '\n</chat_history>'
const TITLE_WORDS = 6

/**
 * The answer to a job that a chat front end gives the model of the chat; undefined for anything else. Only the whole
 * known template counts, with nothing before, after or beside it.
 */
export function answerHelperJob(
  messages: readonly RunMessage[],
  templates: Record<string, HelperJob> = OPEN_WEBUI,
): string | undefined {
  const [only] = messages
  if (messages.length !== 1 || only?.role !== 'user') return undefined
  const { content } = only
  const chat = content.startsWith(START) && content.endsWith(CHAT_END) ? CHAT.exec(content) : null
  if (chat === null) return undefined
  const start = chat.index + chat[0].length
  const template = createHash('sha256').update(content.slice(0, start)).digest('base64')
  const job = templates[template]
  return job && answerOf(job, content.slice(start, -CHAT_END.length))
}

function answerOf(job: HelperJob, chat: string): string {
  return JSON.stringify({ [job]: job === 'title' ? titleOf(chat) : [] })
}

/** The first words of what the person said first. */
function titleOf(chat: string): string {
  const [, said = chat] = /^USER: ([\s\S]*?)(?=\nASSISTANT: |$(?![\s\S]))/m.exec(chat) ?? []
  return said.trim().split(/\s+/).slice(0, TITLE_WORDS).join(' ')
}
