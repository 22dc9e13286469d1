import ts from 'typescript'

/** The type of a request's body, as a vendor's own package publishes it. */
export type PublishedType = keyof typeof TYPES

const TYPES = {
  messages: 'MessageCreateParams',
  'messages of older models': 'OlderMessageCreateParams',
  chat: 'ChatCompletionCreateParams',
  responses: 'ResponseCreateParams',
  gemini: 'GenerateContentBody',
}

const HEAD = `
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages/messages'
import type { Content, GenerateContentConfig, GenerationConfig } from '@google/genai'
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions/completions'
import type { ResponseCreateParams } from 'openai/resources/responses/responses'
// The newest package leaves out what only older models take.
type OlderMessageCreateParams = MessageCreateParams & { temperature?: number }
// Google publishes the parts of a body, and its package puts them together; enums are words on the wire.
type Words<T> = T extends string ? \`\${T}\` : T extends object ? { [Key in keyof T]: Words<T[Key]> } : T
type GenerateContentBody = Words<{
  contents: Content[]
  systemInstruction?: Content
  generationConfig?: GenerationConfig
} & Pick<GenerateContentConfig, 'continuationToken'>>
`

const OPTIONS: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
}

/** A file that is nowhere but here, whence the vendors' packages are found. */
const FILE = new URL('./published-bodies.ts', import.meta.url).pathname

/**
 * What the compiler says of each body as a literal of its type, unknown fields included; an empty text where it fits. All are checked
 * at once, as loading the types takes seconds.
 */
export function compareWithTypes(bodies: readonly { type: PublishedType; body: object }[]): string[] {
  const first = HEAD.split('\n').length
  const lines = bodies.map(
    ({ type, body }, index) => `export const body${index}: ${TYPES[type]} = ${JSON.stringify(body)}`,
  )
  const source = ts.createSourceFile(FILE, [HEAD, ...lines].join('\n'), ts.ScriptTarget.ES2023)
  const host = ts.createCompilerHost(OPTIONS)
  const { getSourceFile, fileExists } = host
  const program = ts.createProgram([FILE], OPTIONS, {
    ...host,
    fileExists: (name) => name === FILE || fileExists(name),
    getSourceFile: (name, ...rest) => (name === FILE ? source : getSourceFile(name, ...rest)),
  })
  const problems = bodies.map(() => '')
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  for (const { start = 0, messageText } of found) {
    const text = ts.flattenDiagnosticMessageText(messageText, '\n')
    const index = source.getLineAndCharacterOfPosition(start).line - first
    if (index < 0) throw new Error(`The published types could not be read: ${text}`)
    problems[index] += text
  }
  return problems
}
