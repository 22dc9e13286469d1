import type { Change } from '@codemirror/merge'
import type { ReadJson } from './read-json.ts'
import type { MarkdownTree } from './read-markdown.ts'
import type { ReadMarkup } from './read-markup.ts'
import type { Span } from './word-differences.ts'

/** What is done with a stranger's text apart from the page: each with what it is given and what comes back. */
export interface ReaderTasks {
  /** A text with Markdown, in pieces; the last of one that is being written gets the cursor. */
  markdown: { input: { text: string; isWriting: boolean }; result: readonly MarkdownTree[] }
  /** HTML of known tags, each of them closed, as a part of the page or as a page of its own. */
  markup: { input: { source: string; isPage: boolean }; result: ReadMarkup }
  /** Code as HTML with its words marked. */
  colours: { input: { code: string; language: string | null }; result: string }
  /** JSON as its values. */
  json: { input: { text: string }; result: ReadJson }
  changes: { input: { before: string; after: string }; result: readonly Pick<Change, keyof Change>[] }
  /** What a text has that the other one has not. */
  words: { input: { text: string; other: string }; result: readonly Span[] }
}

export type ReaderTask = keyof ReaderTasks

/** One task, as it is sent. */
export type ReaderRequest = {
  [Task in ReaderTask]: { id: number; task: Task; input: ReaderTasks[Task]['input'] }
}[ReaderTask]

/** First that it has begun, then how it ended. */
export type ReaderReply =
  | { id: number; kind: 'begun' }
  | { id: number; kind: 'read'; result: ReaderTasks[ReaderTask]['result'] }
  | { id: number; kind: 'refused' }

type Read = { [Task in ReaderTask]: (input: ReaderTasks[Task]['input']) => ReaderTasks[Task]['result'] }

/** Each comes when it is first wanted. */
const LOAD: { [Task in ReaderTask]: () => Promise<Read[Task]> } = {
  markdown: async () => (await import('./read-markdown.ts')).readMarkdown,
  markup: async () => (await import('./read-markup.ts')).readMarkup,
  colours: async () => (await import('./colour-code.ts')).colourCode,
  json: async () => (await import('./read-json.ts')).readJson,
  changes: async () => (await import('./compare-texts.ts')).compareTexts,
  words: async () => (await import('./word-differences.ts')).wordDifferences,
}

/** Does a task, and says when it has begun and how it ended. */
export async function answer(request: ReaderRequest, send: (reply: ReaderReply) => void): Promise<void> {
  const { id } = request
  try {
    const read = (await LOAD[request.task]()) as (
      input: ReaderRequest['input'],
    ) => ReaderTasks[ReaderTask]['result']
    send({ id, kind: 'begun' })
    send({ id, kind: 'read', result: read(request.input) })
  } catch {
    send({ id, kind: 'refused' })
  }
}
