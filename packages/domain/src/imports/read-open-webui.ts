import { type Fields, isFields } from '../promptfoo/draft.ts'
import {
  type ForeignPrompt,
  listOf,
  type Report,
  textOf,
  textsOf,
  titleFromText,
  toTitle,
  within,
} from './draft.ts'
import { convertReferences } from './references.ts'
import { reportOthers } from './settings.ts'

/*
 * Open WebUI's export of prompts (its Prompts.svelte): a list of {command: '/name', title or name, content, …} with who
 * made it and who may see it. Its variables may say which field asks for them, `{{name | select:options=[…]}}`, and
 * some it fills in by itself, as `{{CURRENT_DATE}}`.
 */
const KNOWN = `id command title name content tags user user_id timestamp created_at updated_at access_control
  access_grants is_active version_id write_access data meta`.split(/\s+/)
const FIELD = /\{\{\s*([A-Za-z0-9_]{1,50})\s*\|([^{}]{0,1000})\}\}/g
const BY_ITSELF = /\{\{(CURRENT_[A-Z]+|CLIPBOARD|USER_[A-Z]+)\}\}/g

/** The entries of a file; undefined for what is none of Open WebUI's. */
export function findOpenWebUi(root: unknown): { at: string; fields: Fields }[] | undefined {
  const isOne = isFields(root) && typeof root.command === 'string'
  const entries = (isOne ? [root] : listOf(root)).flatMap((fields, index) =>
    isFields(fields) ? [{ at: isOne ? '' : `[${index}]`, fields }] : [],
  )
  const isTheirs = ({ fields }: { fields: Fields }) =>
    typeof fields.command === 'string' && 'content' in fields
  return entries.some(isTheirs) ? entries : undefined
}

export function readOpenWebUi(
  entries: readonly { at: string; fields: Fields }[],
  report: Report,
): ForeignPrompt[] {
  return entries.flatMap(({ at, fields }) => {
    const text = textOf(fields.content)
    if (text === undefined) {
      report.lose(at, 'It has no text of a prompt', fields)
      return []
    }
    const content = convertReferences(plainFields(text, { at: within(at, 'content'), report }), {
      at: within(at, 'content'),
      report,
    })
    reportOthers(fields, { at, report, known: KNOWN })
    const command = textOf(fields.command)?.replace(/^\//, '')
    const title = textOf(fields.title) ?? textOf(fields.name) ?? command ?? titleFromText(content)
    const saved = fields.updated_at ?? fields.timestamp
    const savedAt = typeof saved === 'number' ? new Date(saved * 1000) : undefined
    return [
      {
        at,
        title: toTitle(title),
        content,
        settings: {},
        tags: textsOf(fields.tags),
        ...(savedAt && !Number.isNaN(savedAt.getTime()) && { savedAt: savedAt.toISOString() }),
        note: `From Open WebUI${command === undefined ? '' : `, /${toTitle(command)}`}`,
      },
    ]
  })
}

function plainFields(text: string, { at, report }: { at: string; report: Report }): string {
  for (const [, name] of text.matchAll(BY_ITSELF)) {
    report.lose(at, `${name} was filled in by Open WebUI: here it is a variable to give a value`)
  }
  return text.replace(FIELD, (whole, name: string, field: string) => {
    report.lose(
      at,
      `How ${name} is asked for is kept as a note:${field.replace(/\s+/g, ' ').slice(0, 80).toWellFormed()}`,
      whole,
    )
    return `{{${name}}}`
  })
}
