import { CHAIN_NAME_MAX, NAME_MAX, PROMPT_TITLE_MAX, VARIABLE_NAME_MAX } from '@catenary/contracts'
import { PlusIcon } from 'lucide-react'
import type { PaletteActions, PaletteCommand, PaletteScene } from './palette-command.ts'
import { OFFERED, type Ranked, rank, searchable } from './palette-ranking.ts'

interface Creation {
  id: string
  label: string
  /** The page on which `n` does the same. */
  path?: string
  /** What of the typed text can be its name. */
  nameOf: (typed: string) => string
  /** Without a name the form asks for one; what has no form can't be made without. */
  needsName?: boolean
  create: (name: string) => void
}

/** New things, named by what was typed after the command or, where nothing else is meant, by all of it. */
export function creationCommands({
  query,
  actions,
  scene,
}: {
  query: string
  actions: PaletteActions
  scene: PaletteScene
}): Ranked<PaletteCommand>[] {
  const typed = query.trim()
  const ranked = creationsWith(actions).map((creation) => {
    const { name, score } = nameIn({ typed, label: creation.label })
    return { item: commandOf({ creation, name: creation.nameOf(name), scene }), score }
  })
  const isMeant = ranked.some(({ score }) => score < OFFERED)
  return isMeant ? ranked.filter(({ score }) => score < OFFERED) : ranked
}

function creationsWith({ goTo, guard, addCategory }: PaletteActions): Creation[] {
  return [
    {
      id: 'new:prompt',
      label: 'New prompt',
      path: '/',
      nameOf: (typed) => typed.slice(0, PROMPT_TITLE_MAX),
      create: (name) => guard(() => goTo({ path: '/', params: { prompt: 'new' }, state: { name } })),
    },
    {
      id: 'new:variable',
      label: 'New variable',
      path: '/variables',
      nameOf: (typed) =>
        typed
          .replace(/[^A-Za-z0-9_]+/g, '_')
          .replace(/^_+|_+$/g, '')
          .slice(0, VARIABLE_NAME_MAX),
      create: (name) =>
        guard(() => goTo({ path: '/variables', params: { variable: 'new' }, state: { name } })),
    },
    {
      id: 'new:chain',
      label: 'New chain',
      path: '/chains',
      nameOf: (typed) => typed.slice(0, CHAIN_NAME_MAX),
      create: (name) => guard(() => goTo({ path: '/chains', params: { chain: 'new' }, state: { name } })),
    },
    {
      id: 'new:category',
      label: 'New category',
      nameOf: (typed) => typed.slice(0, NAME_MAX),
      needsName: true,
      create: (name) => guard(() => addCategory(name)),
    },
  ]
}

function nameIn({ typed, label }: { typed: string; label: string }): { name: string; score: number } {
  const [found] = rank({
    entries: [{ item: label, title: searchable(label), keywords: '' }],
    query: typed,
    limit: 1,
  })
  if (found) return { name: '', score: found.score }
  const isNamed = typed.toLowerCase().startsWith(`${label.toLowerCase()} `)
  return isNamed ? { name: typed.slice(label.length).trim(), score: 0 } : { name: typed, score: OFFERED }
}

function commandOf({
  creation: { id, label, path, needsName, create },
  name,
  scene,
}: {
  creation: Creation
  name: string
  scene: PaletteScene
}): PaletteCommand {
  return {
    id,
    Icon: PlusIcon,
    label: name === '' ? label : `${label} “${name}”`,
    ...(path === scene.path ? { shortcut: 'create' as const } : {}),
    ...(needsName && name === ''
      ? { fill: `${label} `, hint: 'type its name' }
      : { run: () => create(name) }),
  }
}
