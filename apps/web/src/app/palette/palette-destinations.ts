import type {
  Category,
  ChainListItem,
  Group,
  ListedPrompt,
  ListedVariable,
  UsageRun,
  View,
  ViewPage,
} from '@catenary/contracts'
import {
  ActivityIcon,
  BookmarkIcon,
  BracesIcon,
  CalendarClockIcon,
  CalendarPlusIcon,
  FileInputIcon,
  FileOutputIcon,
  FolderIcon,
  FolderInputIcon,
  HandshakeIcon,
  HistoryIcon,
  KeyboardIcon,
  LinkIcon,
  MessageSquareTextIcon,
  PlayIcon,
  SettingsIcon,
  UsersIcon,
} from 'lucide-react'
import { RUN_CHAIN } from '../../features/chains/run/use-wanted-run.ts'
import { HAND_OVER, type OwnedRecord } from '../../features/records/hand-overs/hand-over-texts.ts'
import { LIBRARY, SECTIONS } from '../pages.ts'
import { settingsGroups } from '../routes/settings/sections.ts'
import type { PaletteActions, PaletteCommand, PaletteContext } from './palette-command.ts'
import { type Entry, searchable } from './palette-ranking.ts'

interface KeywordedCommand {
  command: PaletteCommand
  keywords?: string
}

export function commandEntries(commands: readonly KeywordedCommand[]): Entry<PaletteCommand>[] {
  return commands.map(({ command, keywords = '' }) => ({
    item: command,
    title: searchable(command.label),
    keywords: searchable(keywords),
  }))
}

export function pageEntries({ actions, context }: { actions: PaletteActions; context: PaletteContext }) {
  const { goTo, guard, openDialog } = actions
  const sections = SECTIONS.filter(({ isApart }) => !isApart || context.user)
  const entries: KeywordedCommand[] = sections.map(({ label, Icon, shortcut, keywords = '', pages }) => ({
    command: { id: `page:${label}`, label, Icon, shortcut, run: () => goTo({ path: pages[0].path }) },
    keywords: `page ${keywords}`,
  }))
  entries.push({
    command: {
      id: 'import',
      label: 'Import prompts',
      Icon: FileInputIcon,
      hint: 'prompts',
      run: () => guard(() => goTo({ path: '/', params: { import: 'new' } })),
    },
    keywords:
      'openai langfuse markdown skill commands prompty dotprompt open webui prompts.chat promptfoo move in file',
  })
  entries.push({
    command: {
      id: 'export',
      label: 'Export prompts',
      Icon: FileOutputIcon,
      hint: 'prompts',
      run: () => guard(() => goTo({ path: '/', params: { export: 'new' } })),
    },
    keywords: 'folder git zip markdown yaml langfuse promptfoo move out file download pull push',
  })
  if (context.user) entries.push(...settingsEntries({ goTo, isAdmin: context.isAdmin }))
  if (context.isAdmin) {
    entries.push({
      command: {
        id: 'test-dashboard',
        label: 'Test Dashboard',
        Icon: ActivityIcon,
        hint: 'new tab',
        run: () => window.open('/test-dashboard.html', '_blank', 'noopener'),
      },
      keywords: 'admin health checks logs',
    })
  }
  const [, chainId] = /^\/chains\/([1-9]\d*)(?:\/|$)/.exec(context.path) ?? []
  if (context.user && chainId !== undefined) entries.push(...scheduleEntries({ chainId, goTo }))
  entries.push({
    command: {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      Icon: KeyboardIcon,
      shortcut: 'help',
      run: () => openDialog('shortcuts'),
    },
    keywords: 'help keys hotkeys',
  })
  return commandEntries(entries)
}

function settingsEntries({
  goTo,
  isAdmin,
}: Pick<PaletteActions, 'goTo'> & { isAdmin: boolean }): KeywordedCommand[] {
  return settingsGroups({ isAdmin }).flatMap(({ sections }) =>
    sections.map(({ id, title, keywords }) => ({
      command: {
        id: `settings:${id}`,
        label: title,
        Icon: SettingsIcon,
        hint: 'settings',
        run: () => goTo({ path: `/settings/${id}` }),
      },
      keywords: `settings ${keywords}`,
    })),
  )
}

function scheduleEntries({
  chainId,
  goTo,
}: Pick<PaletteActions, 'goTo'> & { chainId: string }): KeywordedCommand[] {
  const path = `/chains/${chainId}`
  return [
    {
      command: {
        id: 'schedule-run',
        label: 'Schedule Run',
        Icon: CalendarPlusIcon,
        hint: 'this chain',
        run: () => goTo({ path, params: { schedule: 'new' } }),
      },
      keywords: 'plan recurring cron mail later',
    },
    {
      command: {
        id: 'scheduled-runs',
        label: 'Scheduled Runs',
        Icon: CalendarClockIcon,
        hint: 'this chain',
        run: () => goTo({ path: `${path}/scheduled` }),
      },
      keywords: 'schedules recurring next',
    },
  ]
}

export function promptEntries(prompts: readonly ListedPrompt[]): Entry<ListedPrompt>[] {
  return prompts.map((prompt) => ({
    item: prompt,
    title: searchable(prompt.title),
    keywords: searchable(`${prompt.category} ${prompt.tags.map(({ name }) => name).join(' ')}`),
  }))
}

export function variableEntries(variables: readonly ListedVariable[]): Entry<ListedVariable>[] {
  return variables.map((variable) => ({
    item: variable,
    title: searchable(variable.name),
    keywords: searchable(variable.tags.map(({ name }) => name).join(' ')),
  }))
}

export function viewEntries(views: readonly View[]): Entry<View>[] {
  return views.map((view) => ({ item: view, title: searchable(view.name), keywords: '' }))
}

export function groupEntries(groups: readonly Group[]): Entry<Group>[] {
  return groups.map((group) => ({ item: group, title: searchable(group.name), keywords: '' }))
}

export function chainEntries(chains: readonly ChainListItem[]): Entry<ChainListItem>[] {
  return chains
    .filter(({ canView }) => canView)
    .map((chain) => ({
      item: chain,
      title: searchable(chain.name),
      keywords: searchable(chain.tags.map(({ name }) => name).join(' ')),
    }))
}

export function runCommand({
  prompt,
  actions,
}: {
  prompt: ListedPrompt
  actions: PaletteActions
}): PaletteCommand {
  const { id, title } = prompt
  const run = () => actions.guard(() => actions.goTo({ path: `/execute/${id}` }))
  return { id: `run:${id}`, label: `Execute: ${title}`, Icon: PlayIcon, run }
}

export function runChainCommand({
  chain: { id, name },
  actions,
}: {
  chain: ChainListItem
  actions: PaletteActions
}): PaletteCommand {
  const run = () => actions.guard(() => actions.goTo({ path: `/chains/${id}`, state: RUN_CHAIN }))
  return { id: `run-chain:${id}`, label: `Execute Chain: ${name}`, Icon: PlayIcon, run }
}

export function promptCommand({
  prompt: { id, title, category },
  actions,
}: {
  prompt: ListedPrompt
  actions: PaletteActions
}): PaletteCommand {
  return {
    id: `prompt:${id}`,
    label: title,
    Icon: MessageSquareTextIcon,
    hint: `prompt · ${category}`,
    run: () => actions.goTo({ path: '/', params: { prompt: String(id) } }),
  }
}

export function variableCommand({
  variable: { id, name, canEdit },
  actions,
}: {
  variable: ListedVariable
  actions: PaletteActions
}): PaletteCommand {
  const params: Record<string, string> = canEdit ? { variable: String(id) } : { search: name }
  const run = () => actions.goTo({ path: '/variables', params })
  return { id: `variable:${id}`, label: name, Icon: BracesIcon, hint: 'variable', run }
}

export function scheduledCommand({
  chain: { id, name },
  actions,
}: {
  chain: ChainListItem
  actions: PaletteActions
}): PaletteCommand {
  const run = () => actions.guard(() => actions.goTo({ path: `/chains/${id}/scheduled` }))
  return { id: `scheduled:${id}`, label: `Scheduled Runs: ${name}`, Icon: CalendarClockIcon, run }
}

export function chainCommand({
  chain: { id, name },
  actions,
}: {
  chain: ChainListItem
  actions: PaletteActions
}): PaletteCommand {
  const run = () => actions.goTo({ path: `/chains/${id}` })
  return { id: `chain:${id}`, label: name, Icon: LinkIcon, hint: 'chain', run }
}

export function handOverCommand({
  record: { kind, id, name = '' },
  actions,
}: {
  record: OwnedRecord
  actions: PaletteActions
}): PaletteCommand {
  const path = { prompt: LIBRARY.path, chain: `/chains/${id}`, variable: '/variables' }[kind]
  const run = () => actions.goTo({ path, params: { [HAND_OVER]: String(id) } })
  return { id: `hand-over:${kind}:${id}`, label: `Hand over: ${name}`, Icon: HandshakeIcon, hint: kind, run }
}

const VIEW_PATHS: Record<ViewPage, string> = { prompts: LIBRARY.path, chains: '/chains' }

export function viewCommand({
  view: { id, name, page, query },
  actions,
}: {
  view: View
  actions: PaletteActions
}): PaletteCommand {
  const run = () => actions.goTo({ path: query === '' ? VIEW_PATHS[page] : `${VIEW_PATHS[page]}?${query}` })
  return { id: `view:${id}`, label: name, Icon: BookmarkIcon, hint: `view · ${page}`, run }
}

export function groupCommand({
  group: { id, name },
  actions,
}: {
  group: Group
  actions: PaletteActions
}): PaletteCommand {
  const run = () => actions.goTo({ path: '/settings/groups', params: { group: String(id) } })
  return { id: `group:${id}`, label: name, Icon: UsersIcon, hint: 'group', run }
}

/** Runs again what was run last: each once, newest first, as far as it can be run still. */
export function recentCommands({
  runs,
  isRunnable,
  actions,
}: {
  runs: readonly UsageRun[]
  isRunnable: (run: UsageRun) => boolean
  actions: PaletteActions
}): PaletteCommand[] {
  const newest = new Map<string, UsageRun>()
  for (const run of runs) {
    const key = `${run.kind}:${run.promptId ?? run.chainId}`
    if (run.name !== null && !newest.has(key)) newest.set(key, run)
  }
  return [...newest]
    .filter(([, run]) => isRunnable(run))
    .map(([key, { kind, name, promptId, chainId }]) => ({
      id: `recent:${key}`,
      label: name ?? '',
      Icon: HistoryIcon,
      hint: kind,
      run: () =>
        actions.goTo(
          kind === 'prompt'
            ? { path: `/execute/${promptId}` }
            : { path: `/chains/${chainId}`, state: RUN_CHAIN },
        ),
    }))
}

export function moveCommand({
  prompt,
  categories,
  actions,
}: {
  prompt: ListedPrompt
  categories: readonly Category[]
  actions: PaletteActions
}): PaletteCommand {
  return {
    id: `move:${prompt.id}`,
    label: `Move to category: ${prompt.title}`,
    Icon: FolderInputIcon,
    hint: prompt.category,
    choices: {
      heading: `Move “${prompt.title}” to`,
      commands: categories
        .filter(({ id }) => id !== prompt.categoryId)
        .map((category) => ({
          id: `category:${category.id}`,
          label: category.name,
          Icon: FolderIcon,
          run: () => actions.moveTo({ prompt, category }),
        })),
    },
  }
}
