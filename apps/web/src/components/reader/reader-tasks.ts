import type { Change } from '@codemirror/merge'
import type { ReadJson } from './read-json.ts'
import type { MarkdownTree } from './read-markdown.ts'
import type { ReadMarkup } from './read-markup.ts'
import type { Span } from './word-differences.ts'

export interface ReaderTasks {
  markdown: { input: { text: string; isWriting: boolean }; result: readonly MarkdownTree[] }
  markup: { input: { source: string; isPage: boolean }; result: ReadMarkup }
  colours: { input: { code: string; language: string | null }; result: string }
  json: { input: { text: string }; result: ReadJson }
  changes: { input: { before: string; after: string }; result: readonly Pick<Change, keyof Change>[] }
  words: { input: { text: string; other: string }; result: readonly Span[] }
}

export type ReaderTask = keyof ReaderTasks

export type ReaderRequest = {
  [Task in ReaderTask]: { id: number; task: Task; input: ReaderTasks[Task]['input'] }
}[ReaderTask]

export type ReaderReply =
  | { id: number; kind: 'begun' }
  | { id: number; kind: 'read'; result: ReaderTasks[ReaderTask]['result'] }
  | { id: number; kind: 'refused' }

type Read = { [Task in ReaderTask]: (input: ReaderTasks[Task]['input']) => ReaderTasks[Task]['result'] }

const LOAD: { [Task in ReaderTask]: () => Promise<Read[Task]> } = {
  markdown: async () => (await import('./read-markdown.ts')).readMarkdown,
  markup: async () => (await import('./read-markup.ts')).readMarkup,
  colours: async () => (await import('./colour-code.ts')).colourCode,
  json: async () => (await import('./read-json.ts')).readJson,
  changes: async () => (await import('./compare-texts.ts')).compareTexts,
  words: async () => (await import('./word-differences.ts')).wordDifferences,
}

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
