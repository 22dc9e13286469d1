import type { Report } from './draft.ts'
import { createWithin, type Range } from './texts/code-ranges.ts'
import type { Names } from './texts/names.ts'
import { scanTags, type Tag } from './texts/scan-tags.ts'
import type { Syntax } from './texts/syntaxes.ts'
import { applyEdits, clipPiece, type Edit, mergeEdits, type SameName } from './texts/text-edits.ts'

const NAME = /^[A-Za-z0-9_]{1,50}$/
const OWN = /\$<([A-Za-z0-9_]+)>/g
/** What GitHub's workflows fill in stands in `${{ … }}`. */
const OF_WORKFLOW = /^(secrets|github|env|inputs|steps|matrix|vars|needs|runner|job|jobs|strategy)\b/

interface Converting {
  at: string
  report: Report
  names: Names
  syntax: Syntax
  code?: readonly Range[]
  others?: readonly (Edit | SameName)[]
}

/** `{{name}}` as `$<name>`. What says more than a name stays as text, with a line in the report. */
export function convertReferences(text: string, { at, report, others = [], ...reading }: Converting): string {
  const edits = mergeEdits(findOwn(text), [...findTags(text, reading)], others)
  return applyEdits(text, edits, { at, report })
}

function findOwn(text: string): Edit[] {
  return [...text.matchAll(OWN)].map(({ 0: own, index }) => {
    const reason = `${clipPiece(own)} is in the text and is a variable here`
    return { start: index, end: index + own.length, is: own, reason }
  })
}

type Reading = Pick<Converting, 'names' | 'syntax' | 'code'>

function* findTags(text: string, reading: Reading): Generator<Edit | SameName> {
  const isCode = createWithin(reading.code ?? [])
  let loops = 0
  for (const tag of scanTags(text)) {
    const { syntax } = reading
    const piece = text.slice(tag.start, tag.end)
    const stays = (reason: string): Edit => ({ ...placeOf(tag), is: piece, reason })
    if (isCode(tag.start)) {
      yield stays(`${clipPiece(piece)} is in code: it stays as text`)
      continue
    }
    const turn = loopOf(tag, syntax)
    loops = Math.max(0, loops + turn)
    if (tag.kind === 'open') {
      const shown = clipPiece(text.slice(tag.start, tag.end + 40))
      yield stays(`${shown} is not closed: it stays as text`)
    } else if (tag.kind !== 'value') {
      yield stays(`${clipPiece(piece)} is not run here: it stays as text`)
    } else if (turn === 0 && loops > 0) {
      yield stays(`${clipPiece(piece)} is in a loop, which is not run here: it stays as text`)
    } else yield readValue(tag, { ...reading, piece, before: text[tag.start - 1] })
  }
}

const placeOf = ({ start, end }: Tag) => ({ start, end })

/** 1: it opens a loop, whose names are the template's own; -1: it closes one. */
function loopOf({ kind, inner }: Tag, { hasBlocks, hasHelpers }: Syntax): number {
  if (kind === 'block' && hasBlocks) {
    if (/^[-+]?\s*(for|macro|call)\b/.test(inner)) return 1
    return /^[-+]?\s*end(for|macro|call)\b/.test(inner) ? -1 : 0
  }
  if (kind !== 'value' || hasBlocks || !hasHelpers) return 0
  const [, mark, helper = ''] = /^~?([#^/])\s*(\S*)/.exec(inner) ?? []
  if (mark === undefined || ['if', 'unless', 'ifEquals', 'unlessEquals', ''].includes(helper)) return 0
  return mark === '/' ? -1 : 1
}

interface Value extends Reading {
  piece: string
  before: string | undefined
}

function readValue(tag: Tag, { names, syntax, piece, before }: Value): Edit | SameName {
  const place = placeOf(tag)
  const shown = clipPiece(piece)
  const stays = (reason: string): Edit => ({ ...place, is: piece, reason })
  const bare = tag.inner.replace(/^[-~]|[-~]$/g, '')
  const inner = bare.trim()
  if (before === '\\' && syntax.hasHelpers) return stays(`${shown} is escaped: it stays as text`)
  if (before === '$' && syntax.isForeign && OF_WORKFLOW.test(inner))
    return stays(`$${shown} is filled in by a workflow: it stays as text`)
  const [first = ''] = inner.split(/[.\s[(|]/, 1)
  if (syntax.words.has(first) || inner.startsWith('@'))
    return stays(`${shown} is a special word in ${syntax.owner}, not a name: it stays as text`)
  if (NAME.test(inner)) return readName(place, { inner, piece, syntax, isTrimmed: bare !== tag.inner })
  const field = syntax.hasFields && /^([A-Za-z0-9_]{1,50})\s*\|([\s\S]*)$/.exec(inner)
  if (field) {
    const reason = `How ${field[1]} is requested is kept as a note: ${clipPiece(field[2]?.trim() ?? '')}`
    return { ...place, is: `$<${field[1]}>`, reason }
  }
  const other = syntax.hasHelpers && /\s/.test(inner) ? undefined : names.of(inner)
  if (other === undefined) return stays(`${shown} is more than a name: it stays as text`)
  const { name, taken } = other
  const why =
    taken === undefined
      ? 'names are letters, digits and underscores'
      : `names are letters, digits and underscores, and ${taken} is another variable`
  return { ...place, is: `$<${name}>`, reason: `{{${clipPiece(inner)}}} is called ${name} here: ${why}` }
}

function readName(
  place: { start: number; end: number },
  { inner, piece, syntax, isTrimmed }: { inner: string; piece: string; syntax: Syntax; isTrimmed: boolean },
): Edit | SameName {
  const is = `$<${inner}>`
  if (syntax.byItself?.test(inner)) {
    const reason = `${inner} was filled in by ${syntax.owner}; here it is a variable that needs a value`
    return { ...place, is, reason }
  }
  if (syntax.isForeign) return { ...place, is, reason: `${clipPiece(piece)} is a variable here: ${is}` }
  if (isTrimmed) return { ...place, is, reason: `The spaces around ${clipPiece(piece)} stay here` }
  return { ...place, sameName: inner }
}

/** The text with edits of another form's variables: braces mean nothing in it. */
export function convertOwn(
  text: string,
  edits: readonly (Edit | SameName)[],
  { at, report }: { at: string; report: Report },
): string {
  return applyEdits(text, mergeEdits(findOwn(text), edits), { at, report })
}
