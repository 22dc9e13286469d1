import { isFields } from '../promptfoo/draft.ts'
import {
  type ForeignPrompt,
  isEmpty,
  NO_TEXT,
  pick,
  pickText,
  type Report,
  textOf,
  textsOf,
  titleFromText,
  toTitle,
  within,
} from './draft.ts'
import { type Entry, entriesOf } from './entries.ts'
import { convertReferences } from './references.ts'
import { reportOthers, setAside } from './settings.ts'
import { createNames } from './texts/names.ts'
import { SYNTAXES } from './texts/syntaxes.ts'

/*
 * Open WebUI's export of prompts (its Prompts.svelte): a list of {command: '/name', title or name, content, …} with who
 * made it and who may see it. Its variables may say which field asks for them, `{{name | select:options=[…]}}`, and
 * some it fills in by itself, as `{{CURRENT_DATE}}`.
 */
const TITLES = ['title', 'name']
const SAVED_AT = ['updated_at', 'timestamp']
const READ = [...TITLES, ...SAVED_AT, 'command', 'content', 'tags', 'is_active', 'meta']
const ASIDE = `id user user_id created_at access_control access_grants version_id write_access`.split(' ')

export function findOpenWebUi(root: unknown): Entry[] | undefined {
  const isOne = isFields(root) && typeof root.command === 'string'
  const entries = isOne ? [{ at: '', value: root }] : entriesOf(root)
  const isTheirs = ({ value }: Entry) =>
    isFields(value) && typeof value.command === 'string' && 'content' in value
  return entries.some(isTheirs) ? entries : undefined
}

export function readOpenWebUi(entries: readonly Entry[], report: Report): ForeignPrompt[] {
  return entries.flatMap(({ at, value: fields }) => {
    const text = isFields(fields) ? textOf(fields.content) : undefined
    if (!isFields(fields) || text === undefined) {
      report.lose(at, NO_TEXT, fields)
      return []
    }
    const names = createNames([text])
    const content = convertReferences(text, {
      at: within(at, 'content'),
      report,
      names,
      syntax: SYNTAXES['open-webui'],
    })
    reportOthers(fields, { at, report, known: [...READ, ...ASIDE] })
    setAside(fields, ASIDE, 'Open WebUI', report)
    reportMeta(fields.meta, within(at, 'meta'), report)
    const command = textOf(fields.command)?.replace(/^\//, '')
    const title = pickText(fields, TITLES, { at, report })
    const saved = pick(fields, SAVED_AT, { at, report })
    const savedAt = typeof saved?.value === 'number' ? new Date(saved.value * 1000) : undefined
    if (saved !== undefined && savedAt === undefined)
      report.lose(within(at, saved.name), 'It is not a time, so it is kept as a note', saved.value)
    if (!isEmpty(fields.is_active) && typeof fields.is_active !== 'boolean')
      report.lose(
        within(at, 'is_active'),
        'It is neither on nor off, so it is kept as a note',
        fields.is_active,
      )
    const isOff = fields.is_active === false
    return [
      {
        at,
        title: title ?? command ?? titleFromText(content),
        content,
        settings: {},
        tags: tagsOf(fields.tags, { at: within(at, 'tags'), report }),
        ...(isOff && { isActive: false }),
        ...(savedAt && !Number.isNaN(savedAt.getTime()) && { savedAt: savedAt.toISOString() }),
        note: `From Open WebUI${command === undefined ? '' : `, /${toTitle(command)}`}`,
      },
    ]
  })
}

function reportMeta(meta: unknown, at: string, report: Report): void {
  if (isFields(meta)) reportOthers(meta, { at, report, known: [] })
  else if (!isEmpty(meta)) report.lose(at, 'It is kept as a note', meta)
}

function tagsOf(tags: unknown, { at, report }: { at: string; report: Report }): string[] {
  const list = Array.isArray(tags) ? tags : isEmpty(tags) ? [] : [tags]
  return list.flatMap((tag) => {
    const name = textsOf(isFields(tag) ? tag.name : tag)
    if (name.length === 0 && !isEmpty(tag)) report.lose(at, 'It is not a tag name', tag)
    return name
  })
}
