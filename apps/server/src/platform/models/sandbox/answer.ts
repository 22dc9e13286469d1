import { writeChoice, writeList, writeReleaseNotes, writeSections, writeSummary } from './lists.ts'
import { writeMail } from './mail.ts'
import { type Material, materialOf } from './material.ts'
import { readRequest, type SandboxRequest } from './request.ts'
import { writeSql } from './sql.ts'
import { writeTable } from './table.ts'
import { namesAfter } from './words.ts'

const ANSWER_LENGTH = 4_000

const WRITES = String.raw`\b(?:write|draft|compose|prepare|create|rewrite|make|send|as|answer with|reply with|turn)\s`
const BETWEEN = String.raw`(?:(?!table|list|summary|notes|review|this\b|these\b|sql)[^\s:]{1,30}\s){0,7}?`
const MAIL = new RegExp(`${WRITES}${BETWEEN}(?:e-?mail|mail|newsletter|letter|invitation)\\b`, 'iu')
const OPTIONS =
  /\b(?:with|only|exactly|just)\b[^.\n]{0,40}\b(?:one of|one word|a single word|either)\b(?: words| of)?/i

interface Asked {
  ask: string
  material: Material
  text: string
}

const FORMS: { name: string; asked: (ask: string) => boolean; write: (asked: Asked) => string }[] = [
  {
    name: 'choice',
    asked: (ask) => optionsIn(ask).length >= 2,
    write: ({ ask, material }) => writeChoice({ material, options: optionsIn(ask) }),
  },
  {
    name: 'sql',
    asked: (ask) => /\bsql\b/i.test(ask) && /\b(?:query|write|statement|answer|question|select)\b/i.test(ask),
    write: ({ material, text }) => writeSql({ request: material.request, text }),
  },
  { name: 'mail', asked: (ask) => MAIL.test(ask), write: ({ material }) => writeMail(material) },
  {
    name: 'table',
    asked: (ask) =>
      /\b(?:a|as|in|into|one|this|short|small|markdown) (?:[\p{L}-]{1,20} ){0,3}table\b|\btable (?:with|of)\b|\btable:|\bcolumns\b/iu.test(
        ask,
      ),
    write: ({ material }) => writeTable(material),
  },
  {
    name: 'sections',
    asked: (ask) => headingsIn(ask).length >= 2,
    write: ({ ask, material }) => writeSections({ material, headings: headingsIn(ask) }),
  },
  {
    name: 'release notes',
    asked: (ask) => /\b(?:release notes|changelog|change log)\b/i.test(ask),
    write: ({ material }) => writeReleaseNotes(material),
  },
  {
    name: 'numbered list',
    asked: (ask) => /\b(?:numbered|ordered list|step[- ]by[- ]step|steps|rank(?:ed)?|top \d)\b/i.test(ask),
    write: ({ material }) => writeList({ material, isNumbered: true }),
  },
  {
    name: 'list',
    asked: (ask) => /\b(?:lists?|bullets?|bulleted|bullet points?|checklist|review|tone)\b/i.test(ask),
    write: ({ material }) => writeList({ material }),
  },
  {
    name: 'summary',
    asked: (ask) =>
      /\b(?:summar(?:y|ies|i[sz]e)|digest|plain|in short|tl;dr|explain|key points)\b/i.test(ask),
    write: ({ material }) => (material.isGiven ? writeSummary(material) : ''),
  },
]

/** An answer in the form that the prompt asks for, made of its own words; undefined where it asks for none that is known. */
export function answerInForm({ text, system }: { text: string; system: string }): string | undefined {
  const request = readRequest(text)
  const own = formOf(request.ask)
  const asked = own === undefined ? readRequest(system).ask : request.ask
  const form = own ?? formOf(asked)
  if (form === undefined || form === 'other') return undefined
  const material = materialOf(withAsk(request, own === undefined ? `${request.ask}\n${asked}` : request.ask))
  const answer = form.write({ ask: asked, material, text })
  return answer === '' ? undefined : bounded(answer).toWellFormed()
}

function formOf(ask: string) {
  if (/\bjson\b/i.test(ask)) return 'other'
  return FORMS.find(({ asked }) => asked(ask))
}

function withAsk(request: SandboxRequest, ask: string): SandboxRequest {
  return { ...request, ask }
}

function optionsIn(ask: string): string[] {
  const options = namesAfter({ ask, word: OPTIONS })
  return options.every((option) => option.split(' ').length <= 2) ? options : []
}

function headingsIn(ask: string): string[] {
  return namesAfter({
    ask,
    word: /\b(?:headings?|sections?|under|group(?:ed)? (?:by|into|as|under|them))\b/i,
  })
}

function bounded(answer: string): string {
  if (answer.length <= ANSWER_LENGTH) return answer
  const end = answer.lastIndexOf('\n', ANSWER_LENGTH)
  return answer.slice(0, end > 0 ? end : ANSWER_LENGTH)
}
