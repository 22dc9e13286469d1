import { type PathStep, scanPath } from '../answer-schema/paths.ts'

export type ReferenceKind = 'variable' | 'output'

interface TextToken {
  kind: 'text'
  start: number
  end: number
  raw: string
}

export interface ReferenceToken {
  kind: ReferenceKind
  start: number
  end: number
  raw: string
  name: string
  /** What of an answer by a schema it takes: a field, an entry; absent: all of it. */
  path?: PathStep[]
}

export type TemplateToken = TextToken | ReferenceToken

export interface TemplateSyntax {
  /** Recognise `{{name}}`; only chains have outputs, elsewhere double braces are plain text. */
  outputs?: boolean
  /** Outputs that are JSON by a schema: of them alone `{{name.items[0].title}}` takes a part; elsewhere it is plain text. */
  jsonOutputs?: { has(name: string): boolean } | undefined
}

/** A place that opens a reference; `complete` when a non-empty name and the closing mark follow. */
interface Candidate {
  kind: ReferenceKind
  start: number
  nameStart: number
  nameEnd: number
  path: PathStep[]
  /** Of name and path. */
  referenceEnd: number
  complete: boolean
}

export const CLOSING_MARK = { variable: '>', output: '}}' } as const

/** Every place that opens a reference, in order. Linear: names hold no opening mark, so none is read twice. */
export function* findCandidates(
  source: string,
  { outputs = false, jsonOutputs }: TemplateSyntax,
): Generator<Candidate> {
  // In a run of braces only the last two can touch a name.
  const opener = outputs ? /\$<|\{\{(?!\{)/g : /\$</g
  const nonNameCharacter = /[^A-Za-z0-9_]/g
  for (const match of source.matchAll(opener)) {
    const kind = match[0] === '$<' ? 'variable' : 'output'
    const nameStart = match.index + match[0].length
    nonNameCharacter.lastIndex = nameStart
    const nameEnd = nonNameCharacter.exec(source)?.index ?? source.length
    const hasFields = kind === 'output' && jsonOutputs?.has(source.slice(nameStart, nameEnd)) === true
    const { steps: path, end: referenceEnd } = hasFields
      ? scanPath(source, nameEnd)
      : { steps: [], end: nameEnd }
    const complete = nameEnd > nameStart && source.startsWith(CLOSING_MARK[kind], referenceEnd)
    yield { kind, start: match.index, nameStart, nameEnd, path, referenceEnd, complete }
  }
}

export function tokenizeTemplate(source: string, syntax: TemplateSyntax = {}): TemplateToken[] {
  const tokens: TemplateToken[] = []
  let position = 0
  const pushText = (end: number) => {
    if (end > position) tokens.push({ kind: 'text', start: position, end, raw: source.slice(position, end) })
  }
  for (const { kind, start, nameStart, nameEnd, path, referenceEnd, complete } of findCandidates(
    source,
    syntax,
  )) {
    if (!complete) continue
    pushText(start)
    const end = referenceEnd + CLOSING_MARK[kind].length
    const name = source.slice(nameStart, nameEnd)
    const token: ReferenceToken = { kind, start, end, raw: source.slice(start, end), name }
    tokens.push(path.length > 0 ? { ...token, path } : token)
    position = end
  }
  pushText(source.length)
  return tokens
}

/** Names of the variables that a template refers to, each once, in order of first appearance. */
export function extractVariables(source: string): string[] {
  return extractNames(source, 'variable')
}

/** Names of the step outputs that a template refers to, each once, in order of first appearance. */
export function extractOutputs(source: string): string[] {
  return extractNames(source, 'output')
}

function extractNames(source: string, kind: ReferenceKind): string[] {
  const names = new Set<string>()
  for (const token of tokenizeTemplate(source, { outputs: kind === 'output' })) {
    if (token.kind !== 'text' && token.kind === kind) names.add(token.name)
  }
  return [...names]
}
