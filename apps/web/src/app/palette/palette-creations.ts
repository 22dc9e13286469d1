import {
  CHAIN_NAME_MAX,
  NAME_MAX,
  PROMPT_TITLE_MAX,
  type TagKind,
  TOKEN_NAME_MAX,
  type TokenType,
  VARIABLE_NAME_MAX,
} from '@catenary/contracts'
import { cutText } from '@catenary/domain'
import { PlusIcon } from 'lucide-react'
import { SECTIONS } from '../pages.ts'
import type { PaletteActions, PaletteCommand, PaletteContext } from './palette-command.ts'
import { FALLBACK, type Ranked, rank, searchable } from './palette-ranking.ts'

interface Creation {
  id: string
  label: string
  path?: string
  nameOf: (typed: string) => string
  /** Without a name the form asks for one; what has no form can't be created then. */
  needsName?: boolean
  isRare?: boolean
  create: (name: string) => void
}

const NAMES: Record<TagKind, (typed: string) => string> = {
  prompt: (typed) => cutText(typed, PROMPT_TITLE_MAX),
  variable: (typed) =>
    typed
      .replace(/[^A-Za-z0-9_]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, VARIABLE_NAME_MAX),
  chain: (typed) => cutText(typed, CHAIN_NAME_MAX),
}

export function creationCommands({
  query,
  actions,
  context,
}: {
  query: string
  actions: PaletteActions
  context: PaletteContext
}): Ranked<PaletteCommand>[] {
  const typed = query.trim()
  const ranked = creationsWith(actions, context).flatMap((creation) => {
    const { name, score } = nameIn({ typed, label: creation.label })
    if (creation.isRare && (typed === '' || score === FALLBACK)) return []
    return { item: commandOf({ creation, name: creation.nameOf(name), context }), score }
  })
  const isMeant = ranked.some(({ score }) => score < FALLBACK)
  return isMeant ? ranked.filter(({ score }) => score < FALLBACK) : ranked
}

function creationsWith(
  { goTo, guard, addCategory }: PaletteActions,
  { path: here }: PaletteContext,
): Creation[] {
  const inSections = SECTIONS.flatMap(({ kind, pages: [{ path }] }) => {
    if (!kind) return []
    const create = (name: string) => guard(() => goTo({ path, params: { [kind]: 'new' }, state: { name } }))
    return { id: `new:${kind}`, label: `New ${kind}`, path, nameOf: NAMES[kind], create }
  })
  const category: Creation = {
    id: 'new:category',
    label: 'New category',
    nameOf: (typed) => cutText(typed, NAME_MAX),
    needsName: true,
    create: (name) => guard(() => addCategory(name)),
  }
  const token = (label: string, path: string, of?: TokenType): Creation => ({
    id: `new:${label}`,
    label,
    nameOf: (typed) => cutText(typed, TOKEN_NAME_MAX),
    isRare: true,
    create: (name) =>
      guard(() => goTo({ path, params: { token: 'new', ...(of && { of }) }, state: { name } })),
  })
  const ofChain = /^\/chains\/\d+$/.test(here) ? [token('New API token', here)] : []
  const ofAll = [
    token('New MCP token', '/connect', 'mcp'),
    token('New read token', '/connect', 'read'),
    token('New Best Chain token', '/chains'),
  ]
  return [...inSections, category, ...ofChain, ...ofAll]
}

function nameIn({ typed, label }: { typed: string; label: string }): { name: string; score: number } {
  const [found] = rank({
    entries: [{ item: label, title: searchable(label), keywords: '' }],
    query: typed,
    limit: 1,
  })
  if (found) return { name: '', score: found.score }
  const isNamed = typed.toLowerCase().startsWith(`${label.toLowerCase()} `)
  return isNamed ? { name: typed.slice(label.length).trim(), score: 0 } : { name: typed, score: FALLBACK }
}

function commandOf({
  creation: { id, label, path, needsName, create },
  name,
  context,
}: {
  creation: Creation
  name: string
  context: PaletteContext
}): PaletteCommand {
  return {
    id,
    Icon: PlusIcon,
    label: name === '' ? label : `${label} “${name}”`,
    shortcut: path === context.path ? 'create' : undefined,
    ...(needsName && name === ''
      ? { fill: `${label} `, hint: 'type its name' }
      : { run: () => create(name) }),
  }
}
