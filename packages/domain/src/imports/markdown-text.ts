import type { Turn } from '@catenary/contracts'
import { NO_TEXT, type Report, trimLines } from './draft.ts'
import { convertReferences } from './references.ts'
import { createWithin, findCode, type Range } from './texts/code-ranges.ts'
import type { Names } from './texts/names.ts'
import { SYNTAXES, type Syntax } from './texts/syntaxes.ts'
import { clipPiece, type Edit } from './texts/text-edits.ts'
import { type Conversation, toConversation } from './turns.ts'

export type MarkdownKind = 'skill' | 'command' | 'editor' | 'prompty' | 'dotprompt' | 'plain'

const ROLE_LINE = /^#{0,6}[ \t]*(system|developer|user|assistant):[ \t]*$/gim
const ROLE_HELPER = /\{\{\s*role\s+["'](system|user|model|assistant)["']\s*\}\}/g
const OF_EDITOR =
  /\$\{(?:workspaceFolder(?:Basename)?|file\w{0,30}|selection|selectedText|relativeFile\w{0,20}|lineNumber|(?:env|config|command):[\w.-]{1,60})\}/g
const INPUT = /\$\{input:([A-Za-z0-9_]{1,50})(?::([^{}\n]{0,200}))?\}/g
const SHELL = /!`[^`\n]{1,200}`/g
const ARGUMENTS = /(?<![\w$\\])\$ARGUMENTS\b/g
const ARGUMENT = /(?<![\w$\\])\$([1-9])(?!\w|[.,]\d)/g

const SYNTAX_OF: Record<MarkdownKind, Syntax> = {
  skill: SYNTAXES.markdown,
  command: SYNTAXES.markdown,
  editor: SYNTAXES.markdown,
  plain: SYNTAXES.markdown,
  prompty: SYNTAXES.prompty,
  dotprompt: SYNTAXES.dotprompt,
}

interface Reading {
  kind: MarkdownKind
  names: Names
  report: Report
}

export function readText(source: string, reading: Reading): Conversation | undefined {
  const { kind, report, names } = reading
  const marks = marksOf(source, kind)
  const [first] = marks
  if (first === undefined || source.slice(0, first.start).trim() !== '') {
    return { systemPrompt: undefined, messages: [] as Turn[], content: convert(source, reading) }
  }
  const list = marks.map(({ role, end }, index) => ({
    role,
    content: trimLines(source.slice(end, marks[index + 1]?.start)),
  }))
  report.lose(
    'text',
    `Its role lines turn it into ${list.length === 1 ? 'one message' : `${list.length} messages`}`,
    marks.map(({ start, end }) => source.slice(start, end).trim()),
  )
  const conversation = toConversation(list, { at: 'text', report, names, syntax: SYNTAX_OF[kind] })
  if (conversation === undefined) report.lose('text', NO_TEXT, source)
  return conversation
}

interface Mark extends Range {
  role: string
}

/** Prompty's roles stand on lines of their own, at their beginning and in no code; dotprompt's are helpers. */
function marksOf(source: string, kind: MarkdownKind): Mark[] {
  if (kind !== 'prompty' && kind !== 'dotprompt') return []
  const isCode = createWithin(findFences(source))
  const pattern = kind === 'prompty' ? ROLE_LINE : ROLE_HELPER
  return [...source.matchAll(pattern)].flatMap(({ 0: text, 1: role = '', index }) =>
    isCode(index) ? [] : [{ start: index, end: index + text.length, role: role.toLowerCase() }],
  )
}

/** A fenced block has lines of its own; code within a line is none. */
const findFences = (source: string): Range[] =>
  findCode(source).filter(({ start, end }) => source.slice(start, end).includes('\n'))

function convert(source: string, { kind, names, report }: Reading): string {
  const syntax = SYNTAX_OF[kind]
  const code = syntax.isForeign ? findCode(source) : []
  const others = [
    ...(kind === 'skill' || kind === 'command' ? findArguments(source, { kind, names, code }) : []),
    ...(syntax.isForeign ? findInputs(source, { kind, names, code }) : []),
    ...(kind === 'editor' ? named(source, OF_EDITOR, 'an editor would fill it in: it stays as text') : []),
    ...(kind === 'skill' || kind === 'command'
      ? named(source, SHELL, 'a shell would run it: it stays as text')
      : []),
  ]
  return convertReferences(source, { at: 'text', report, names, syntax, code, others })
}

function named(source: string, pattern: RegExp, reason: string): Edit[] {
  return [...source.matchAll(pattern)].map(({ 0: piece, index }) => ({
    start: index,
    end: index + piece.length,
    is: piece,
    reason: `${clipPiece(piece)}: ${reason}`,
  }))
}

interface Finding {
  kind: MarkdownKind
  names: Names
  code: readonly Range[]
}

/** `$ARGUMENTS`, and in a command `$1` to `$9`, where they are counted from 1 without a gap: else they are prices. */
function findArguments(source: string, { kind, names, code }: Finding): Edit[] {
  const all = [...source.matchAll(ARGUMENTS)]
  const isCode = createWithin(code)
  const numbered = kind === 'command' ? [...source.matchAll(ARGUMENT)] : []
  const isCodeToo = createWithin(code)
  const places = numbered.map((match) => ({ match, isInCode: isCodeToo(match.index) }))
  const digits = new Set(places.flatMap(({ match, isInCode }) => (isInCode ? [] : Number(match[1]))))
  const isCounted = [...digits].every((digit) => digit <= digits.size)
  return [
    ...all.map((match) => argument(match, { name: 'arguments', names, isLeft: isCode(match.index) })),
    ...places.map(({ match, isInCode }) => {
      const why = isInCode || !isCounted
      return argument(match, { name: `argument ${match[1]}`, names, isLeft: why })
    }),
  ]
}

function argument(
  { 0: piece, index }: RegExpExecArray | RegExpMatchArray,
  { name, names, isLeft }: { name: string; names: Names; isLeft: boolean },
): Edit {
  const start = index ?? 0
  const place = { start, end: start + piece.length }
  const given = isLeft ? undefined : names.of(name)?.name
  if (given === undefined)
    return {
      ...place,
      is: piece,
      reason: `${piece} is in code, or not counted from $1: it stays as text`,
    }
  return { ...place, is: `$<${given}>`, reason: `${piece} is a variable here: ${given}` }
}

function findInputs(source: string, { kind, code }: Finding): Edit[] {
  const isCode = createWithin(code)
  return [...source.matchAll(INPUT)].map(({ 0: piece, 1: name, 2: hint, index }) => {
    const place = { start: index, end: index + piece.length }
    if (kind !== 'editor' && isCode(index))
      return { ...place, is: piece, reason: `${clipPiece(piece)} is in code: it stays as text` }
    const note = hint ? `; what the form says about it is kept as a note` : ''
    return { ...place, is: `$<${name}>`, reason: `${clipPiece(piece)} is a variable here: ${name}${note}` }
  })
}
